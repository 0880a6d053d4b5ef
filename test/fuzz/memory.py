"""Random statements about memory: arrays, copies, pointers, the heap, records, and calls of helpers."""
from expressions import LIMIT, Array, Var
from statements import Statements
from tree import Block, Expr, Stmt


class Memory(Statements):
    def filled(self, name, t, length, pattern="{n}[{i}]"):
        """A loop that fills an array, which is in scope only afterwards."""
        i = self.fresh("i")
        self.scope.push()
        self.scope.add(Var(i, "I", 0, length - 1, False))
        e = self.inside(length, lambda: self.limit(self.value(t, 2)))
        self.scope.pop()
        return Stmt(f"for (int {i} = 0; {i} < {length}; ++{i}) {pattern.format(n=name, i=i)} = ", e, ";")

    def local_array(self):
        t, name, length = self.scalar_type(), self.fresh("t"), self.random.randint(2, 6)
        if self.trips * length > 60:
            return None
        made = [Stmt(f"{t} {name}[{length}];")]
        if self.chance(0.25):
            made.append(Stmt(f"memset({name}, 0, sizeof {name});"))
        else:
            made.append(self.filled(name, t, length))
        self.scope.add(Array(name + "[{0}]", t, length, base=name))
        return made

    def local_matrix(self):
        t, name, rows, columns = self.scalar_type(), self.fresh("m"), self.pick([2, 3]), self.pick([2, 3])
        if self.trips > 4:
            return None
        i, j = self.fresh("i"), self.fresh("i")
        self.scope.push()
        self.scope.add(Var(i, "I", 0, rows - 1, False), Var(j, "I", 0, columns - 1, False))
        e = self.inside(rows * columns, lambda: self.limit(self.value(t, 2)))
        self.scope.pop()
        for row in range(rows):
            self.scope.add(Array(f"{name}[{row}]" + "[{0}]", t, columns, base=f"{name}[{row}]"))
        for column in range(columns):
            self.scope.add(Array(name + "[{0}]" + f"[{column}]", t, rows))
        return [Stmt(f"{t} {name}[{rows}][{columns}];"),
                Stmt(f"for (int {i} = 0; {i} < {rows}; ++{i})\n  for (int {j} = 0; {j} < {columns}; ++{j}) {name}[{i}][{j}] = ",
                     e, ";")]

    def copy_memory(self):
        target = self.array_with_base(2, writable=True)
        source = target and self.array_with_base(2, type=target.type)
        if not source:
            return None
        if source.base == target.base or source.may_overlap or target.may_overlap:
            shift = self.random.randint(0, 1)
            count = min(target.length, source.length) - 1
            return [Stmt(f"memmove({target.base} + {shift}, {source.base} + {1 - shift}, {count} * sizeof({target.type}));")]
        count = self.random.randint(1, min(target.length, source.length))
        word = self.pick(["memcpy", "memcpy", "memmove"])
        return [Stmt(f"{word}({target.base}, {source.base}, {count} * sizeof({target.type}));")]

    def set_memory(self):
        target = self.array_with_base(2, writable=True)
        if not target:
            return None
        return [Stmt(f"memset({target.base}, 0, {self.random.randint(1, target.length)} * sizeof({target.type}));")]

    def pointer_choice(self):
        """A pointer that is one array or another."""
        a = self.array_with_base(2)
        b = a and self.array_with_base(2, type=a.type)
        if not b:
            return None
        name, length = self.fresh("q"), min(a.length, b.length)
        writable = a.writable and b.writable and self.chance(0.5)
        shift = self.random.randint(0, 1) if length > 2 else 0
        choice = self.condition()
        self.scope.add(Array(name + "[{0}]", a.type, length - shift, writable=writable, base=name, may_overlap=True))
        const = "" if writable else "const "
        return [Stmt(f"{const}{a.type} *{name} = ", choice, f" ? {a.base} + {shift} : {b.base};")]

    def pointer_walk(self):
        a = self.array_with_base(2, writable=True)
        if not a or self.trips * a.length > 40:
            return None
        p = self.fresh("p")
        t = a.type
        self.scope.push()
        self.scope.add(Var(f"*{p}", t))
        body = self.inside(a.length, lambda: self.block(self.few()))
        self.scope.pop()
        if self.chance(0.5):
            return [Stmt(f"for ({t} *{p} = {a.base}; {p} != {a.base} + {a.length}; ++{p}) ", body, prelude=f"{t} *{p} = {a.base};")]
        return [Stmt(f"for ({t} *{p} = {a.base} + {a.length}; {p}-- != {a.base};) ", body, prelude=f"{t} *{p} = {a.base};")]

    def two_buffers(self):
        """Two local buffers that change roles in each sweep."""
        if self.trips > 3:
            return None
        t, a, b, length = self.scalar_type(), self.fresh("t"), self.fresh("t"), self.random.randint(3, 5)
        p, q, k, i = self.fresh("p"), self.fresh("q"), self.fresh("k"), self.fresh("i")
        fill = self.filled(a, t, length)
        self.scope.push()
        self.scope.add(Var(i, "I", 0, length - 1, False), Array(p + "[{0}]", t, length, writable=False))
        e = self.inside(length * 3, lambda: self.limit(self.value(t, 2)))
        self.scope.pop()
        sweep = Stmt(f"for (int {i} = 0; {i} < {length}; ++{i}) {q}[{i}] = ", e, ";")
        turn = Stmt(f"{t} *old = {p};\n{p} = {q};\n{q} = old;")
        self.scope.add(Array(p + "[{0}]", t, length, base=p, may_overlap=True))
        return [Stmt(f"{t} {a}[{length}], {b}[{length}];"), fill, Stmt(f"{t} *{p} = {a}, *{q} = {b};"),
                Stmt(f"for (int {k} = 0; {k} < {self.random.randint(1, 3)}; ++{k}) ", Block([sweep, turn]))]

    def lambda_local(self):
        t, name, x = self.scalar_type(), self.fresh("g"), self.fresh("e")
        self.scope.push()
        self.scope.add(Var(x, t, writable=False))
        e = self.limit(self.value(t, 2))
        self.scope.pop()
        v = self.fresh("v")
        a, b = self.limit(self.value(t, 1)), self.limit(self.value(t, 1))
        self.scope.add(Var(v, t))
        return [Stmt(f"auto {name} = [&]({t} {x}) {{ return ", e, "; };"),
                Stmt(f"{t} {v} = {t}(0.5) * {name}(", a, f") + {t}(0.4) * {name}(", b, ");")]

    # ---- the heap

    def heap_array(self):
        if self.depth > 3 or self.trips > 10:
            return None
        t, name, length = self.scalar_type(), self.fresh("w"), self.random.randint(2, 6)
        count = "n" if self.n and self.chance(0.4) else str(length)
        if count == "n":
            length = self.n
        make, release = self.pick([(f"({t} *)malloc({count} * sizeof({t}))", f"free({name})"), (f"new {t}[{count}]", f"delete[] {name}"),
                                   (f"({t} *)calloc({count}, sizeof({t}))", f"free({name})")])
        made = [Stmt(f"{t} *{name} = {make};")]
        if "calloc" not in make:
            made.append(self.filled(name, t, length))
        self.heap += 1

        def use():
            self.scope.add(Array(name + "[{0}]", t, length, base=name))
            return [s for _ in range(self.few()) for s in self.statement()]

        inner = self.block(0, use).items
        self.heap -= 1
        p = self.place(t, writable=True)
        if p:  # something of it must live on
            inner.append(Stmt(p, " = ", Expr(t, f"{name}[{self.random.randrange(length)}]"), ";"))
        return [Stmt("", Block([*made, *inner, Stmt(f"{release};")]))]

    def heap_record(self):
        rec = self.program.record
        if not rec or self.depth > 3 or self.trips > 6:
            return None
        name = self.fresh("r")
        made = [Stmt(f"{rec.name}<D, F> *{name} = new {rec.name}<D, F>;")]
        for field, t, length in rec.floats:
            for c in range(length or 1):
                at = f"{name}->{field}" + (f"[{c}]" if length else "")
                made.append(Stmt(f"{at} = ", self.limit(self.value(t, 1)), ";"))
        made.append(Stmt(f"{name}->k = 1;"))
        self.heap += 1

        def use():
            for field, t, length in rec.floats:
                self.scope.add(Array(f"{name}->{field}" + "[{0}]", t, length, base=f"{name}->{field}") if length
                               else Var(f"{name}->{field}", t))
            return [s for _ in range(self.few()) for s in self.statement()]

        inner = self.block(0, use).items
        self.heap -= 1
        return [Stmt("", Block([*made, *inner, Stmt(f"delete {name};")]))]

    # ---- records

    def record_copy(self):
        found = self.scope.find(Array, "R")
        if not found:
            return None
        a, rec, name = self.pick(found), self.program.record, self.fresh("r")
        at = a.element.replace("{0}", self.index(a.length).text())
        first = Stmt(f"{rec.name}<D, F> {name} = {at};")
        inner = []
        self.scope.push()
        for field, t, length in rec.floats:
            self.scope.add(Array(f"{name}.{field}" + "[{0}]", t, length, base=f"{name}.{field}") if length
                           else Var(f"{name}.{field}", t))
        for _ in range(self.pick([1, 2])):
            inner += self.assign() or []
            inner += self.update() or []
        self.scope.pop()
        if a.writable and self.chance(0.7):
            inner.append(Stmt(self.pick([f"{at} = {name};", f"memcpy(&{at}, &{name}, sizeof {name});"])))
        else:
            field, t, length = self.pick(rec.floats)
            p = self.place(t, writable=True)
            if p:
                inner.append(Stmt(p, f" = {name}.{field}" + ("[0]" if length else ""), ";"))
        return [Stmt("", Block([first, *inner]), prelude=None)]

    def list_walk(self):
        rec = self.program.record
        found = self.scope.find(Array, "R", lambda a: a.base)
        if not rec or not rec.linked or not found or self.most_trips() < 4:
            return None
        p, a = self.fresh("p"), self.pick(found)
        self.scope.push()
        for field, t, length in rec.floats:
            if not length:
                self.scope.add(Var(f"{p}->{field}", t, writable=a.writable))
        body = self.inside(a.length, lambda: self.block(self.few()))
        self.scope.pop()
        const = "" if a.writable else "const "
        return [Stmt(f"for ({const}{rec.name}<D, F> *{p} = {a.base}; {p}; {p} = {p}->next) ", body)]

    # ---- calls

    def call_text(self, helper, depth):
        """The parts of a call, or None where an argument cannot be had."""
        if self.trips * helper.cost > MOST_WORK:
            return None
        parts = [f"{helper.name}<D, F>("]
        for k, formal in enumerate(helper.formals):
            kind = formal[0]
            parts.append(", " if k else "")
            if kind == "value":
                parts.append(self.limit(self.value(formal[1], depth)))
            elif kind == "int":
                e, lo, hi = self.small_int()
                parts.append(e if lo >= 0 and hi <= formal[1] else str(self.random.randint(0, formal[1])))
            elif kind in ("in", "out"):
                a = self.array_with_base(formal[2], writable=kind == "out", type=formal[1])
                if not a:
                    return None
                shift = self.random.randint(0, a.length - formal[2])
                parts.append(a.base + (f" + {shift}" if shift else ""))
            elif kind == "ref":
                p = self.place(formal[1], writable=True)
                if not p:
                    return None
                parts += ["&", p]
            elif kind in ("record", "record-value"):
                found = self.scope.find(Array, "R", lambda a: a.writable or kind == "record-value")
                if not found:
                    return None
                a = self.pick(found)
                parts += ["&" if kind == "record" else "", *self.fill(a.element, self.index(a.length))]
        return [*parts, ")"]

    def call_value(self, type, depth):
        # In an expression, what else is read and what the helper writes have no order: it must not write.
        writes = {"out", "ref", "record"}
        able = [h for h in self.helpers if h.result == type and not any(f[0] in writes for f in h.formals)]
        parts = able and self.call_text(self.pick(able), min(1, depth - 1))
        return Expr(type, *parts, bound=LIMIT) if parts else None

    def call_statement(self):
        if not self.helpers:
            return None
        helper = self.pick(self.helpers)
        parts = self.call_text(helper, 1)
        if not parts:
            return None
        if helper.result is None:
            return [Stmt(*parts, ";")]
        p = self.place(helper.result, writable=True)
        return p and [Stmt(p, " = ", Expr(helper.result, *parts), ";")]

    def out_parameter(self):
        able = [h for h in self.helpers if any(f[0] == "ref" for f in h.formals)]
        if not able:
            return None
        helper = self.pick(able)
        t = next(f[1] for f in helper.formals if f[0] == "ref")
        name = self.fresh("v")
        first = Stmt(f"{t} {name} = ", self.limit(self.value(t, 1)), ";")
        self.scope.add(Var(name, t))
        parts = self.call_text(helper, 1)
        return [first, Stmt(*parts, ";")] if parts else [first]


MOST_WORK = 200
