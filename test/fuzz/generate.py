"""A random program from a seed: parameters, helpers, body. The same seed gives the same program."""
import random

from expressions import LIMIT, Array, Scope, Var
from idioms import Idioms
from tree import Block, Function, Stmt

HEAD = "template <class D, class F> "


class Parameter:
    """kind: array, alias (a pointer into another array), scalar, int, ints, record, table (pointers to rows)."""

    def __init__(self, kind, name, type, length=0, const=False, role="memory", restrict=False, target=None, shift=0, values=0):
        self.kind, self.name, self.type, self.length, self.const, self.role = kind, name, type, length, const, role
        self.restrict, self.target, self.shift, self.values = restrict, target, shift, values

    def declaration(self, name=None, shadow=False):
        """As a parameter; a shadow can be written and carries no promises."""
        name = name or self.name
        const = "const " if self.const and not shadow else ""
        restrict = "__restrict__ " if self.restrict and not shadow else ""
        words = {"scalar": f"{self.type} {name}", "int": f"int {name}", "ints": f"const int *{name}",
                 "record": f"{const}Rec<D, F> *{restrict}{name}", "table": f"{self.type} *const *{name}"}
        return words.get(self.kind, f"{const}{self.type} *{restrict}{name}")

    @property
    def active(self):
        return self.role != "constant"

    @property
    def pointer(self):
        return self.kind not in ("scalar", "int")


class Record:
    def __init__(self, floats, linked, points_to):
        self.name = "Rec"
        self.floats = floats  # (name, type, length; 0 for a plain field)
        self.linked = linked
        self.points_to = points_to  # the parameter that the field p leads to
        self.order = []


class Helper:
    def __init__(self, name, result, formals, cost):
        self.name, self.result, self.formals, self.cost = name, result, formals, cost


class Program:
    """What is generated. functions: helpers first, the program itself last, named f."""

    def __init__(self, seed):
        self.seed = seed
        self.name = f"p{seed}"
        self.float_share = 0.0
        self.size = 0  # the value of the parameter n; 0 if there is none
        self.record = None
        self.parameters, self.functions = [], []
        self.result = None
        self.options = {}

    @property
    def floats(self):
        types = {p.type for p in self.parameters} | {self.result}
        return self.float_share > 0 or "F" in types


class Generator(Idioms):
    def __init__(self, seed, without=()):
        self.random = random.Random(seed)
        self.program = Program(seed)
        self.without = set(without)
        self.level = self.random.choice([0, 1, 2, 2, 3, 3, 3, 4, 4, 4])
        self.names = 0
        self.helpers = []
        self.set_makers()

    def start(self, result, trips, n=0):
        """A function begins; n is the value of its parameter of that name."""
        self.scope, self.result, self.trips, self.n = Scope(), result, trips, n
        self.depth = self.heap = self.loop_heap = self.additions = 0
        self.can_jump = False

    def make(self):
        r, p = self.random, self.program
        p.float_share = self.pick([0, 0, 0, 0, 0.15, 0.4, 0.4, 1.0])
        p.options = {"primal_return": self.chance(0.5), "bare": self.chance(0.15), "seeded": self.chance(0.7)}
        self.make_parameters()
        if self.level >= 2:
            for k in range(self.pick([0, 0, 1, 1, 2, 3])):
                self.make_helper(f"h{k}")
        p.result = self.pick(["D", "D", "D", None]) if p.float_share < 0.3 or self.chance(0.3) else self.pick(["F", "D"])
        if not any(a.kind in ("array", "record", "table") and not a.const and a.active for a in p.parameters):
            p.result = p.result or "D"
        self.start(p.result, 1, p.size)
        self.enter(p.parameters)
        size = {0: 3, 1: 4, 2: 4, 3: 5, 4: 6}[self.level]
        body = self.block(r.randint(1, size), lambda: [self.return_statement()] if p.result else [])
        result = p.result or "void"
        head = f"{HEAD}{result} f({', '.join(a.declaration() for a in p.parameters)})"
        p.functions.append(Function("f", head, body))
        return p

    # ---- parameters

    def make_parameters(self):
        r, p = self.random, self.program
        some = []
        if self.chance(0.7) and self.level >= 1:
            p.size = r.randint(3, 6)
            some.append(Parameter("int", "n", "I", values=p.size, role="constant"))
        restrict = self.chance(0.35)
        for k in range(self.pick([1, 1, 2])):
            some.append(self.array(f"x{k}", const=True, restrict=restrict and self.chance(0.7)))
        if self.level >= 1 or self.chance(0.5):
            for k in range(self.pick([0, 1, 1, 2])):
                some.append(self.array(f"y{k}", const=False, restrict=restrict and self.chance(0.7)))
        if self.chance(0.3):
            c = self.array("c", const=True, restrict=False)
            c.role = "constant"
            some.append(c)
        for k in range(self.pick([0, 1, 2])):
            some.append(Parameter("scalar", f"a{k}", self.scalar_type(), role="scalar"))
        if self.chance(0.15):
            some.append(Parameter("scalar", "b", self.scalar_type(), role="constant"))
        if self.level >= 2 and self.chance(0.35):
            values = r.randint(3, 5)
            some.append(Parameter("ints", "idx", "I", r.randint(3, 5), values=values, role="constant", const=True))
        arrays = [a for a in some if a.kind == "array"]
        if self.level >= 3 and self.chance(0.2):
            base = self.pick(arrays)
            if not base.restrict and base.length > 3 and base.active:
                shift = r.randint(0, 2)
                some.append(Parameter("alias", "z", base.type, base.length - shift, const=base.const or self.chance(0.3),
                                      target=base, shift=shift))
        if self.level >= 4 and self.chance(0.5):
            self.make_record(some, arrays)
        if self.level >= 3 and self.chance(0.15):
            some.append(Parameter("table", "rows", self.scalar_type(), r.randint(2, 4), values=r.randint(2, 3)))
        r.shuffle(some)
        p.parameters = some

    def array(self, name, const, restrict):
        length = self.random.randint(max(2, self.program.size), 7)
        role = "unneeded" if not const and self.chance(0.12) else "memory"
        return Parameter("array", name, self.scalar_type(), length, const=const, role=role, restrict=restrict)

    def make_record(self, some, arrays):
        fields = [(name, self.scalar_type(), length) for name, length in [("a", 0), ("b", 0), ("c", 2)]]
        aims = [a for a in arrays if a.active and not a.restrict]
        rec = Record(fields[: self.random.randint(1, 3)], self.chance(0.4), self.pick(aims) if aims and self.chance(0.4) else None)
        rec.order = [name for name, _, _ in rec.floats] + ["k"] + ["next"] * rec.linked + ["p"] * bool(rec.points_to)
        self.random.shuffle(rec.order)
        self.program.record = rec
        if rec.points_to:
            rec.points_to.shared = True
        some.append(Parameter("record", "s", "R", self.random.randint(1, 3), const=self.chance(0.4)))

    def enter(self, parameters):
        """The parameters come into scope."""
        aliased = {a.target for a in parameters if a.kind == "alias"}
        if self.program.record and self.program.record.points_to:
            aliased.add(self.program.record.points_to)
        for a in parameters:
            if a.kind in ("array", "alias"):
                self.scope.add(Array(a.name + "[{0}]", a.type, a.length, writable=not a.const and a.active, base=a.name,
                                     may_overlap=a.kind == "alias" or a in aliased))
            elif a.kind == "scalar":
                self.scope.add(Var(a.name, a.type, writable=a.active))
            elif a.kind == "int":
                self.scope.add(Var(a.name, "I", a.values, a.values, False))
            elif a.kind == "ints":
                self.scope.add(Array(a.name + "[{0}]", "I", a.length, False, a.name, values=a.values))
            elif a.kind == "record":
                self.enter_record(a)
            elif a.kind == "table":
                for row in range(a.values):
                    self.scope.add(Array(f"{a.name}[{row}]" + "[{0}]", a.type, a.length, base=f"{a.name}[{row}]"))

    def enter_record(self, a):
        rec = self.program.record
        self.scope.add(Array(a.name + "[{0}]", "R", a.length, writable=not a.const, base=a.name))
        for name, t, length in rec.floats:
            if length:
                for c in range(length):
                    self.scope.add(Array(a.name + "[{0}]." + f"{name}[{c}]", t, a.length, writable=not a.const))
            else:
                self.scope.add(Array(a.name + "[{0}]." + name, t, a.length, writable=not a.const))
        self.scope.add(Array(a.name + "[{0}].k", "I", a.length, False, values=4))
        if rec.points_to:
            q = rec.points_to
            self.scope.add(Array(f"{a.name}[0].p" + "[{0}]", q.type, q.length, writable=not q.const, base=f"{a.name}[0].p",
                                 may_overlap=True))

    # ---- helpers

    def make_helper(self, name):
        p, result = self.program, self.pick(["D", "D", "D", None]) if self.program.float_share < 0.5 else self.scalar_type()
        kinds = ["value", "in"] + [self.pick(["value", "in", "out", "ref", "int"]) for _ in range(self.random.randint(0, 2))]
        if p.record and self.chance(0.5):
            kinds.append(self.pick(["record", "record", "record-value"]))
        if result is None and not {"out", "ref", "record"} & set(kinds):
            kinds.append("out")
        self.random.shuffle(kinds)
        recursive = result and self.chance(0.3)
        formals, declarations = [], []
        self.start(result, 4)
        for k, kind in enumerate(kinds):
            t = self.scalar_type()
            if kind == "value":
                formals.append((kind, t))
                declarations.append(f"{t} u{k}")
                self.scope.add(Var(f"u{k}", t))
            elif kind == "int":
                formals.append((kind, 4))
                declarations.append(f"int u{k}")
                self.scope.add(Var(f"u{k}", "I", 0, 4, False))
            elif kind in ("in", "out"):
                length = self.random.randint(2, 4)
                formals.append((kind, t, length))
                declarations.append(f"{'const ' if kind == 'in' else ''}{t} *u{k}")
                self.scope.add(Array(f"u{k}" + "[{0}]", t, length, kind == "out", f"u{k}", may_overlap=True))
            elif kind == "ref":
                formals.append((kind, t))
                declarations.append(f"{t} *u{k}")
                self.scope.add(Var(f"*u{k}", t))
            else:
                formals.append((kind,))
                declarations.append(f"Rec<D, F> {'*' if kind == 'record' else ''}u{k}")
                for field, ft, length in p.record.floats:
                    at = f"u{k}->{field}" if kind == "record" else f"u{k}.{field}"
                    self.scope.add(Array(at + "[{0}]", ft, length, base=at) if length else Var(at, ft))
        if recursive:
            formals.append(("int", 4))
            declarations.append("int depth")
        body = self.block(self.random.randint(1, 3), lambda: self.helper_end(name, result, kinds, recursive))
        word = self.pick(["", "", "__attribute__((noinline)) ", "__attribute__((noinline)) ", "static inline "])
        head = f"{HEAD}{word}{result or 'void'} {name}({', '.join(declarations)})"
        p.functions.append(Function(name, head, body))
        self.helpers.append(Helper(name, result, formals, 40 if recursive else 12))

    def helper_end(self, name, result, kinds, recursive):
        if result is None:
            return []
        if not recursive:
            return [self.return_statement()]
        arguments = []
        for k, kind in enumerate(kinds):
            value = kind == "value" and next(v for v in self.scope.find(Var, "D") + self.scope.find(Var, "F") if v.name == f"u{k}")
            arguments.append(self.limit(self.value(value.type, 1)) if value else f"u{k}")
        parts = ["return ", f"{result}({self.number(0.3, 0.7)}) * {name}<D, F>("]
        for a in arguments:
            parts += [a, ", "]
        twice = self.chance(0.25)
        parts.append("depth - 1)")
        if twice:
            parts.append(f" + {result}(0.3) * {name}<D, F>({', '.join(f'u{k}' for k in range(len(kinds)))}, depth - 2)")
        parts += [" + ", self.limit(self.value(result, 1), 0.6), ";"]
        stop = Stmt("if (depth <= 0) ", Block([Stmt("return ", self.limit(self.value(result, 1)), ";")]))
        return [stop, Stmt(*parts)]


def generate(seed, without=()):
    """without: names of makers that it does not use, such as copy_memory while a known fault of it is open."""
    return Generator(seed, without).make()


__all__ = ["generate", "Program", "LIMIT"]
