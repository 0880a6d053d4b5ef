"""Random statements that are idioms of C: goto loops, lists built on the way, growing arrays, tables of pointers."""
from expressions import Array, Var
from memory import Memory
from tree import Block, Expr, Stmt


class Idioms(Memory):
    def int_array(self):
        """An array of ints that is computed, and then used as indices."""
        name, i, length, values = self.fresh("k"), self.fresh("i"), self.random.randint(2, 5), self.random.randint(2, 4)
        step = self.pick(["{i} * 2 + 1", "{i} * {i} + {c}", "3 * {i}"]).format(i=i, c=self.random.randrange(3))
        made = [Stmt(f"int {name}[{length}];"),
                Stmt(f"for (int {i} = 0; {i} < {length}; ++{i}) {name}[{i}] = ({step}) % {values};")]
        if self.chance(0.4):
            made.append(Stmt("if (", self.condition(), f") {name}[{self.random.randrange(length)}] = {self.random.randrange(values)};"))
        self.scope.add(Array(name + "[{0}]", "I", length, False, name, values=values))
        return made

    def table_of_numbers(self):
        name, length = self.fresh("table"), self.random.randint(2, 5)
        numbers = [self.number(-1.5, 1.5) for _ in range(length)]
        t = self.scalar_type()
        self.scope.add(Array(f"{t}({name}[" + "{0}])", t, length, writable=False))
        word = "double" if t == "D" else "float"
        return [Stmt(f"static const {word} {name}[] = {{{', '.join(f'{word}({x})' for x in numbers)}}};")]

    def chosen_target(self):
        """A store through an lvalue that is one place or another."""
        p = self.place(self.scalar_type(), writable=True)
        q = p and self.place(p.type, writable=True)
        if not q:
            return None
        c = self.condition()
        return [Stmt("(", c, " ? ", p, " : ", q, ") = ", self.limit(self.value(p.type, 2)), ";")]

    def table_of_pointers(self):
        a = self.array_with_base(2, writable=True)
        b = a and self.array_with_base(2, writable=True, type=a.type)
        if not b:
            return None
        name, t, length = self.fresh("ptrs"), a.type, min(a.length, b.length)
        which = self.index(2)
        self.scope.push()
        inner = []
        self.scope.add(Array(f"{name}[{which.text()}]" + "[{0}]", t, length, may_overlap=True))
        for _ in range(self.pick([1, 2])):
            inner += self.assign() or []
        p = self.place(t, writable=True)
        inner.append(Stmt(p, " = ", self.limit(Expr(t, f"{name}[0][0] + {name}[1][{length - 1}]", bound=6)), ";"))
        self.scope.pop()
        return [Stmt("", Block([Stmt(f"{t} *{name}[2] = {{{a.base}, {b.base}}};"), *inner]))]

    def goto_loop(self):
        trips = self.most_trips()
        if trips < 2 or self.depth > 3:
            return None
        k, label = self.fresh("k"), self.fresh("again")
        self.scope.push()
        self.scope.add(Var(k, "I", 0, trips - 1, False))
        kept = self.can_jump, self.trips
        self.can_jump, self.trips = False, self.trips * trips
        body = self.block(self.few())
        self.can_jump, self.trips = kept
        self.scope.pop()
        return [Stmt("", Block([Stmt(f"int {k} = 0;"), Stmt(f"{label}: ", body),
                                Stmt(f"if (++{k} < {trips}) goto {label};")]))]

    def search(self):
        """A loop that is left as soon as something is found."""
        a = self.array_with_base(2)
        p = self.place(self.scalar_type(), writable=True)
        if not a or not p or self.most_trips() < a.length:
            return None
        i, t = self.fresh("i"), a.type
        found = Stmt(p, " = ", self.limit(self.value(p.type, 2)), ";")
        test = Stmt(f"if ({a.element.replace('{0}', i)} > {t}({self.number(-0.5, 1)})) ", Block([found, Stmt("break;")]), prelude="")
        self.scope.push()
        self.scope.add(Var(i, "I", 0, a.length - 1, False))
        before = self.inside(a.length, lambda: self.block(self.pick([0, 1]))).items
        after = self.inside(a.length, lambda: self.block(self.pick([0, 1]))).items
        self.scope.pop()
        if self.chance(0.5):
            return [Stmt(f"for (int {i} = 0; {i} < {a.length}; ++{i}) ", Block([*before, test, *after]), prelude=f"int {i} = 0;")]
        step = Stmt(f"if (++{i} >= {a.length}) break;")  # first, so that no `continue` skips it
        return [Stmt("", Block([Stmt(f"int {i} = -1;"), Stmt("for (;;) ", Block([step, *before, test, *after]))]))]

    def solve(self):
        """A triangular recurrence in place."""
        a = self.array_with_base(3, writable=True)
        if not a or self.most_trips() < 4 or self.trips > 4:
            return None
        i, j, t = self.fresh("i"), self.fresh("i"), a.type
        self.scope.push()
        self.scope.add(Var(i, "I", 0, a.length - 1, False), Var(j, "I", 0, a.length - 1, False))
        e = self.inside(a.length ** 2 // 2, lambda: self.limit(self.value(t, 1), 0.5))
        self.scope.pop()
        at, other = a.element.replace("{0}", i), a.element.replace("{0}", j)
        kind = self.pick(["up", "down"])
        head = (f"for (int {i} = 0; {i} < {a.length}; ++{i})" if kind == "up"
                else f"for (int {i} = {a.length - 1}; {i} >= 0; --{i})")
        inner = (f"for (int {j} = 0; {j} < {i}; ++{j}) " if kind == "up" else f"for (int {j} = {i} + 1; {j} < {a.length}; ++{j}) ")
        sweep = Stmt(inner + f"{at} -= {other} * ", e, ";")
        return [Stmt(head + " ", Block([sweep, Stmt(f"{at} = {at} / ({t}(1.5) + {at} * {at});")]))]

    def growing_array(self):
        if self.depth > 2 or self.trips > 4:
            return None
        t, name, i, length = self.scalar_type(), self.fresh("w"), self.fresh("i"), self.random.randint(3, 5)
        self.scope.push()
        self.scope.add(Var(i, "I", 0, length - 1, False))
        e = self.inside(length, lambda: self.limit(self.value(t, 2)))
        self.scope.pop()
        grow = Stmt(f"if ({i} == {name}room) ", Block([Stmt(f"{name}room *= 2;"),
                                                     Stmt(f"{name} = ({t} *)realloc((void *){name}, {name}room * sizeof({t}));")]))
        loop = Stmt(f"for (int {i} = 0; {i} < {length}; ++{i}) ", Block([grow, Stmt(f"{name}[{i}] = ", e, ";")]))
        p = self.place(t, writable=True)
        if not p:
            return None
        use = Stmt(p, " = ", self.limit(Expr(t, f"{name}[0] - {name}[{length - 1}]", bound=4)), ";")
        return [Stmt("", Block([Stmt(f"int {name}room = 2;"), Stmt(f"{t} *{name} = ({t} *)malloc(2 * sizeof({t}));"), loop, use,
                                Stmt(f"free((void *){name});")]))]

    def list_built(self):
        """Nodes pushed to a list, walked, and deleted."""
        rec = self.program.record
        if not rec or not rec.linked or self.depth > 2 or self.trips > 3:
            return None
        head, i, p = self.fresh("head"), self.fresh("i"), self.fresh("p")
        floats = [(name, t) for name, t, length in rec.floats if not length]
        if not floats:
            return None
        self.scope.push()
        self.scope.add(Var(i, "I", 0, 2, False))
        sets = []
        for name, t in floats:
            sets.append(Stmt(f"{p}->{name} = ", self.inside(3, lambda t=t: self.limit(self.value(t, 2))), ";"))
        self.scope.pop()
        word = f"Rec<D, F> *{p}"
        push = Stmt(f"for (int {i} = 0; {i} < 3; ++{i}) ", Block([Stmt(f"{word} = new Rec<D, F>;"), *sets,
                                                               Stmt(f"{p}->next = {head};"), Stmt(f"{head} = {p};")]))
        name, t = self.pick(floats)
        s = self.fresh("s")
        total = [Stmt(f"{t} {s} = {t}(0);"), Stmt(f"for (const {word} = {head}; {p}; {p} = {p}->next) {s} += {t}(0.3) * {p}->{name};")]
        release = Stmt(f"while ({head}) ", Block([Stmt(f"{word} = {head};"), Stmt(f"{head} = {p}->next;"), Stmt(f"delete {p};")]))
        self.scope.add(Var(s, t))
        return [Stmt(f"Rec<D, F> *{head} = 0;"), push, *total, release]

    def local_records(self):
        rec = self.program.record
        if not rec or self.trips > 6:
            return None
        name, i, length = self.fresh("r"), self.fresh("i"), 2
        self.scope.push()
        self.scope.add(Var(i, "I", 0, length - 1, False))
        sets = []
        for field, t, count in rec.floats:
            for c in range(count or 1):
                at = f"{name}[{i}].{field}" + (f"[{c}]" if count else "")
                sets.append(Stmt(f"{at} = ", self.inside(length, lambda t=t: self.limit(self.value(t, 1))), ";"))
        self.scope.pop()
        for field, t, count in rec.floats:
            self.scope.add(Array(name + "[{0}]." + field + ("[0]" if count else ""), t, length))
        return [Stmt(f"Rec<D, F> {name}[{length}];"),
                Stmt(f"for (int {i} = 0; {i} < {length}; ++{i}) ", Block([*sets, Stmt(f"{name}[{i}].k = {i};")]))]
