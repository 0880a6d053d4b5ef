"""Random statements: control flow, local and heap memory, copies, calls. Each maker returns a list of Stmts, or None
where it does not fit in; block() chooses among them by weight."""
from expressions import LIMIT, Array, Expressions, Var
from tree import Block, Expr, Stmt, literal

MOST_TRIPS = 48


class Statements(Expressions):
    """Wants besides: self.can_jump (inside a loop), self.heap (live blocks here), self.result (type or None), self.level."""

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def block(self, count, extra=None):
        """A Block of about count statements in a scope of its own; extra() adds the last ones."""
        self.scope.push()
        self.depth += 1
        items = []
        for _ in range(count):
            items += self.statement()
        if extra:
            items += extra()
        self.depth -= 1
        self.scope.pop()
        return Block(items)

    def statement(self):
        for _ in range(20):
            maker = self.random.choices(self.makers, self.weights)[0]
            made = maker()
            if made:
                return made
        return []

    def set_makers(self):
        level = self.level
        table = [  # (from which level on, weight, maker)
            (0, 5, self.declare), (0, 6, self.assign), (0, 4, self.update), (0, 1, self.add_into),
            (1, 3, self.if_else), (1, 1.2, self.switch), (1, 1, self.int_local),
            (2, 4, self.for_loop), (2, 1.5, self.while_loop), (2, 2, self.reduction), (2, 0.8, self.jump),
            (2, 0.8, self.swap), (2, 0.7, self.largest),
            (3, 1.3, self.local_array), (3, 0.6, self.local_matrix), (3, 1, self.copy_memory), (3, 0.6, self.set_memory),
            (3, 0.8, self.pointer_choice), (3, 0.8, self.pointer_walk), (3, 0.7, self.two_buffers), (3, 0.6, self.lambda_local),
            (3, 1.5, self.call_statement), (3, 0.6, self.machine), (3, 0.8, self.out_parameter),
            (4, 1.2, self.heap_array), (4, 1, self.record_copy), (4, 0.6, self.list_walk), (4, 0.6, self.heap_record),
            (1, 0.8, self.chosen_target), (2, 0.6, self.int_array), (2, 0.5, self.table_of_numbers), (2, 0.8, self.search),
            (3, 0.8, self.table_of_pointers), (3, 0.7, self.goto_loop), (3, 0.8, self.solve), (4, 0.6, self.growing_array),
            (4, 0.7, self.list_built), (4, 0.6, self.local_records),
        ]
        chosen = [(w * self.random.uniform(0.3, 1.7), m) for least, w, m in table
                  if level >= least and m.__name__ not in self.without]
        self.weights = [w for w, _ in chosen]
        self.makers = [m for _, m in chosen]

    def inside(self, trips, make):
        """make() with the trip count, and with jumps allowed, of a loop around."""
        kept = self.trips, self.can_jump, self.loop_heap
        self.trips, self.can_jump, self.loop_heap = self.trips * max(1, trips), True, self.heap
        try:
            return make()
        finally:
            self.trips, self.can_jump, self.loop_heap = kept

    def most_trips(self):
        return max(0, min(6, MOST_TRIPS // self.trips))

    # ---- values

    def declare(self):
        t = self.scalar_type()
        e = self.limit(self.value(t, self.pick([1, 2, 2, 3])))
        name = self.fresh("v")
        self.scope.add(Var(name, t))
        return [Stmt(f"{t} {name} = ", e, ";")]

    def assign(self):
        p = self.place(self.scalar_type(), writable=True)
        return p and [Stmt(p, " = ", self.limit(self.value(p.type, self.pick([1, 2, 2, 3]))), ";")]

    def update(self):
        p = self.place(self.scalar_type(), writable=True)
        if not p:
            return None
        t = p.type
        if self.chance(0.25):
            return [Stmt(p, " *= ", self.limit(self.value(t, 2), 1.0), ";")]
        if self.chance(0.1):
            return [Stmt(p, f" /= {t}(1.1) + ", self.limit(self.value(t, 1), 0.8), f" * {t}(0.1);")]
        c = self.pick([0.5, 0.6, -0.4, 0.75])
        e = self.limit(self.value(t, 2), (1 - abs(c)) * LIMIT)
        same = Expr(t, *p.parts)  # the same place, of its own in the tree
        return [Stmt(p, " = ", literal(t, c), " * ", same, self.pick([" + ", " - "]), e, ";")]

    def add_into(self):
        """Memory that is only added to keeps its seed."""
        if self.additions >= 5:
            return None
        p = self.place(self.scalar_type(), writable=True)
        if not p:
            return None
        self.additions += 1
        bound = max(0.02, 0.3 / self.trips)
        return [Stmt(p, self.pick([" += ", " -= "]), self.limit(self.value(p.type, 2), bound), ";")]

    def swap(self):
        p = self.place(self.scalar_type(), writable=True)
        q = p and self.place(p.type, writable=True)
        if not q:
            return None
        name = self.fresh("old")
        return [Stmt(f"{p.type} {name} = ", p, ";"), Stmt(Expr(p.type, *p.parts), " = ", q, ";"),
                Stmt(Expr(p.type, *q.parts), f" = {name};")]

    def int_local(self):
        e, lo, hi = self.small_int()
        m = self.pick([2, 3, 4])
        name = self.fresh("k")
        if self.chance(0.25):  # a decision on data, made once
            t = self.scalar_type()
            data = self.limit(self.value(t, 1), 1.0)
            self.scope.add(Var(name, "I", 0, m, writable=False))
            return [Stmt(f"int {name} = (int)plain(floor({t}({m / 2}) + {t}({m / 2}) * sin(", data, ")));")]
        if lo < 0:
            return None
        self.scope.add(Var(name, "I", 0, m - 1, writable=False))
        return [Stmt(f"int {name} = (", e, f" * {self.pick([1, 2, 3])} + {self.random.randrange(3)}) % {m};")]

    # ---- decisions

    def few(self):
        return self.pick([1, 1, 2, 3]) if self.depth < 3 else 1

    def if_else(self):
        if self.depth > 4:
            return None
        parts = ["if (", self.condition(), ") ", self.block(self.few())]
        while self.chance(0.25) and len(parts) < 12:
            parts += [" else if (", self.condition(), ") ", self.block(self.few())]
        if self.chance(0.4):
            parts += [" else ", self.block(self.few())]
        return [Stmt(*parts, prelude="")]

    def switch(self):
        if self.depth > 3:
            return None
        e, lo, hi = self.small_int()
        parts = ["switch (", e, ") {\n"]
        inside, self.can_jump = self.can_jump, False  # break would leave the switch
        for c in range(lo, min(hi, lo + 3) + 1):
            parts += [f"case {c}: ", self.block(self.few()), self.pick([" break;\n"] * 4 + ["\n"])]  # or fall through
        parts += ["default: ", self.block(1), "\n}"]
        self.can_jump = inside
        return [Stmt(*parts, prelude="")]

    def jump(self):
        """break, continue or return, behind a condition."""
        kinds = []
        if self.can_jump and self.heap == self.loop_heap:
            kinds += ["break;", "continue;"] * 2
        if self.heap == 0 and self.depth > 1:
            kinds.append("return")
        if not kinds:
            return None
        kind = self.pick(kinds)
        if kind == "return":
            inner = self.return_statement()
        else:
            inner = Stmt(kind)
        before = [] if self.chance(0.5) else (self.assign() or [])
        return [Stmt("if (", self.condition(), ") ", Block([*before, inner]), prelude="")]

    def return_statement(self):
        if self.result is None:
            return Stmt("return;")
        e, t = self.limit(self.value(self.result, 2)), self.result
        for _ in range(self.pick([0, 1, 2, 3])):  # what was computed should count
            e = Expr(t, e, self.pick([" + ", " - "]), f"{t}({self.number(0.3, 0.9)}) * ", self.leaf(t), bound=e.bound + 2)
        return Stmt("return ", self.limit(e), ";")

    # ---- loops

    def loop_header(self):
        """(header, prelude, loop variables, trips) of a for loop, or None."""
        most = self.most_trips()
        if most < 2 or self.depth > 4:
            return None
        r, i = self.random, self.fresh("i")
        t = r.randint(1, most) if self.chance(0.3) else most
        text, value = str(t), t
        n = self.n
        if n and n <= most and self.chance(0.7):
            text, value = self.pick([("n", n), ("n", n), ("n - 1", n - 1)])
        word = self.pick(["int"] * 6 + ["long", "unsigned", "size_t"])
        outer = self.scope.find(Var, "I", lambda v: v.name.startswith("i") and 0 <= v.lo and v.hi < 6)
        kinds = ["up"] * 6 + ["down"] * 2 + ["stride", "stride", "two", "unequal", "empty", "table"]
        if outer:
            kinds += ["triangle", "triangle", "rest"]
        kind = self.pick(kinds)
        prelude = f"int {i} = 0;"
        if kind == "up":
            lo = self.pick([0, 0, 0, 1]) if value > 1 else 0
            return f"for ({word} {i} = {lo}; {i} < {text}; ++{i}) ", f"int {i} = {lo};", [Var(i, "I", lo, value - 1, False)], value
        if kind == "down":
            word = "int" if word in ("unsigned", "size_t") else word
            return f"for ({word} {i} = {text} - 1; {i} >= 0; --{i}) ", prelude, [Var(i, "I", 0, value - 1, False)], value
        if kind == "stride":
            step = self.pick([2, 3])
            return (f"for ({word} {i} = 0; {i} < {2 * value}; {i} += {step}) ", prelude,
                    [Var(i, "I", 0, 2 * value - 1, False)], value)
        if kind == "two":
            j = self.fresh("i")
            return (f"for (int {i} = 0, {j} = {text} - 1; {i} < {j}; ++{i}, --{j}) ", f"int {i} = 0, {j} = {text} - 1;",
                    [Var(i, "I", 0, value - 1, False), Var(j, "I", 0, value - 1, False)], value)
        if kind == "unequal":
            return f"for (int {i} = 0; {i} != {text}; ++{i}) ", prelude, [Var(i, "I", 0, value - 1, False)], value
        if kind == "empty":
            return f"for (int {i} = {value}; {i} < {value}; ++{i}) ", prelude, [Var(i, "I", 0, value, False)], 1
        if kind == "table":
            tables = self.scope.find(Array, "I", lambda a: a.values <= 6)
            if not tables:
                return None
            a = self.pick(tables)
            bound = a.element.replace("{0}", str(r.randrange(a.length)))
            return f"for (int {i} = 0; {i} < {bound}; ++{i}) ", prelude, [Var(i, "I", 0, max(0, a.values - 2), False)], a.values
        o = self.pick(outer)
        if o.hi + 1 > most:
            return None
        if kind == "triangle":
            return (f"for ({word} {i} = 0; {i} {self.pick(['<', '<='])} {o.name}; ++{i}) ", prelude,
                    [Var(i, "I", 0, o.hi, False)], o.hi + 1)
        return f"for ({word} {i} = {o.name}; {i} < {o.hi + 1}; ++{i}) ", prelude, [Var(i, "I", 0, o.hi, False)], o.hi + 1

    def loop_around(self, header, count, extra=None):
        head, prelude, variables, trips = header
        self.scope.push()
        self.scope.add(*variables)
        body = self.inside(trips, lambda: self.block(count, extra))
        self.scope.pop()
        return Stmt(head, body, prelude=prelude)

    def for_loop(self):
        header = self.loop_header()
        return header and [self.loop_around(header, self.few())]

    def reduction(self):
        """An accumulator over a loop or a nest: the one thing that may grow."""
        header = self.loop_header()
        if not header:
            return None
        t, s = self.scalar_type(), self.fresh("s")
        bounds = []

        def accumulate():
            if self.chance(0.35):
                inner = self.loop_header()
                if inner:
                    return [self.loop_around(inner, 0, accumulate)]
            e = self.value(t, self.pick([1, 2, 2]))
            e = self.limit(e, 4)
            bounds.append(e.bound * self.trips)
            return [Stmt(s, self.pick([" += ", " -= "]), e, ";")]

        loop = self.loop_around(header, self.pick([0, 0, 1]), accumulate)
        start = self.limit(self.value(t, 1))
        bound = start.bound + sum(bounds)
        if bound > 3 * LIMIT:  # an average, so that it can be used like any other value
            scale = round(2 * LIMIT / bound, 4)
            self.scope.add(Var(s, t))
            return [Stmt(f"{t} {s} = ", start, ";"), loop, Stmt(f"{s} *= {t}({scale});")]
        self.scope.add(Var(s, t, -bound, bound))
        return [Stmt(f"{t} {s} = ", start, ";"), loop]

    def while_loop(self):
        most = self.most_trips()
        if most < 2 or self.depth > 4:
            return None
        k, trips = self.fresh("k"), self.random.randint(1, most)
        kind = self.pick(["down", "up", "do", "data", "data"])
        t = self.scalar_type()
        start = self.limit(self.value(t, 2), 1.0)
        self.scope.push()
        self.scope.add(Var(k, "I", 0, trips - 1 if kind == "down" else trips, False))
        if kind == "data":
            h = self.fresh("left")
            self.scope.add(Var(h, t, writable=False))
            body = self.inside(trips, lambda: self.block(self.few()))
            body.items[:0] = [Stmt(f"++{k};"), Stmt(f"{h} = {h} * {t}({self.number(0.4, 0.8)});")]
            self.scope.pop()
            return [Stmt(f"{t} {h} = {t}(1.6) + {t}(0.3) * ", start, ";"), Stmt(f"int {k} = 0;"),
                    Stmt(f"while ({h} > {t}({self.number(0.2, 0.9)}) && {k} < {trips}) ", body, prelude="")]
        body = self.inside(trips, lambda: self.block(self.few()))
        if kind == "down":
            body.items.insert(0, Stmt(f"{k} -= {self.pick(['1', '1 + ' + k + ' % 2'])};"))
            body.items[0].parts[0] = f"--{k};" if "%" not in body.items[0].parts[0] else f"{k} = {k} / 2;"
            self.scope.pop()
            return [Stmt(f"int {k} = {trips};"), Stmt(f"while ({k} > 0) ", body, prelude="")]
        body.items.insert(0, Stmt(f"++{k};"))
        if kind == "up":
            self.scope.pop()
            return [Stmt(f"int {k} = 0;"), Stmt(f"while ({k} < {trips} && ", self.condition(), ") ", body, prelude="")]
        made = [Stmt(f"int {k} = 0;"), Stmt("do ", body, f" while ({k} < {trips} && ", self.condition(), ");", prelude="")]
        self.scope.pop()
        return made

    def machine(self):
        """A state machine: a switch in a loop that decides where to go next."""
        if self.most_trips() < 4 or self.depth > 2:
            return None
        state, k = self.fresh("state"), self.fresh("k")
        trips = self.most_trips()

        def arms():
            kept, self.can_jump = self.can_jump, False
            parts = [f"switch ({state}) {{\n"]
            for c in range(3):
                body = self.block(1)
                body.items.append(Stmt(f"{state} = ", self.pick([str((c + 1) % 3), f"{k} % 2 ? {(c + 2) % 3} : {(c + 1) % 3}"]), ";"))
                parts += [f"case {c}: ", body, " break;\n"]
            self.can_jump = kept
            return [Stmt(*parts, "}", prelude="")]

        self.scope.push()
        self.scope.add(Var(k, "I", 0, trips - 1, False))
        body = self.inside(trips, lambda: self.block(0, arms))
        self.scope.pop()
        return [Stmt(f"int {state} = 0;"), Stmt(f"for (int {k} = 0; {k} < {trips}; ++{k}) ", body, prelude=f"int {k} = 0;")]

    def largest(self):
        """The index of the largest element, and then the element."""
        a = self.array_with_base(2)
        if not a or self.most_trips() < a.length:
            return None
        best, i = self.fresh("k"), self.fresh("i")
        at = a.element.replace("{0}", i)
        top = a.element.replace("{0}", best)
        self.scope.add(Var(best, "I", 0, a.length - 1, False))
        return [Stmt(f"int {best} = 0;"), Stmt(f"for (int {i} = 1; {i} < {a.length}; ++{i})\n  if ({at} > {top}) {best} = {i};")]

    def array_with_base(self, least, writable=False, type=None):
        arrays = self.scope.find(Array, type or self.scalar_type(),
                                 lambda a: a.base and a.length >= least and (a.writable or not writable))
        return self.pick(arrays) if arrays else None
