"""Random expressions over what is in scope. Every value that is stored stays around [-2, 2] (limit()), so that programs
neither explode nor feed functions with arguments where they are not smooth."""
import re

import rules as functions
from tree import Expr, literal

LIMIT = 2.0


class Var:
    """A named scalar, or an int with its range."""

    def __init__(self, name, type, lo=-LIMIT, hi=LIMIT, writable=True):
        self.name, self.type, self.lo, self.hi, self.writable = name, type, lo, hi, writable

    @property
    def bound(self):
        return max(abs(self.lo), abs(self.hi))


class Array:
    """Anything with elements of one type: a buffer, a field of an array of records, a row of a table.

    element is the pattern of one element; base is the pointer to the first one, None where the elements are not adjacent.
    """

    def __init__(self, element, type, length, writable=True, base=None, values=0, may_overlap=False):
        self.element, self.type, self.length, self.writable, self.base = element, type, length, writable, base
        self.values = values  # for ints: they are in [0, values)
        self.may_overlap = may_overlap  # with another array, as pointers that were chosen do


class Scope:
    def __init__(self):
        self.frames = [[]]

    def push(self):
        self.frames.append([])

    def pop(self):
        self.frames.pop()

    def add(self, *things):
        self.frames[-1].extend(things)

    def find(self, kind, type, test=lambda x: True):
        return [x for frame in self.frames for x in frame if isinstance(x, kind) and x.type == type and test(x)]


class Expressions:
    """Wants self.random, self.scope, self.program, self.trips (how often the current place may
    run) and self.n (the value of the parameter n, or 0)."""

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def number(self, lo, hi):
        return round(self.random.uniform(lo, hi), 3)

    def scalar_type(self):
        return "F" if self.chance(self.program.float_share) else "D"

    # ---- integers

    def index(self, length):
        """An int in [0, length)."""
        r = self.random
        ints = self.scope.find(Var, "I", lambda v: v.lo >= 0)
        tables = self.scope.find(Array, "I", lambda a: a.values <= length)
        if tables and self.chance(0.12):
            table = self.pick(tables)
            inner = self.index(table.length)
            return Expr("I", *self.fill(table.element, inner))
        if not ints or self.chance(0.15):
            return Expr("I", str(r.randrange(length)))
        v = self.pick(ints)
        if v.hi >= length:
            fits = [u for u in ints if u.hi < length]
            if fits and self.chance(0.8):
                v = self.pick(fits)
            else:
                return Expr("I", self.pick([f"{v.name} % {length}", f"({v.name} * 3 + 1) % {length}"]))
        choices = [v.name] * 4 + [f"{length - 1} - {v.name}"]
        if v.hi + 1 < length:
            choices += [f"{v.name} + 1"] * 2
        if v.lo >= 1:
            choices += [f"{v.name} - 1"] * 3
        if v.hi * 2 < length:
            choices += [f"2 * {v.name}"]
        return Expr("I", self.pick(choices))

    def small_int(self):
        """Any int expression, with its range."""
        ints = self.scope.find(Var, "I")
        tables = self.scope.find(Array, "I")
        if tables and self.chance(0.3):
            table = self.pick(tables)
            return Expr("I", *self.fill(table.element, self.index(table.length))), 0, table.values - 1
        if not ints:
            c = self.random.randrange(4)
            return Expr("I", str(c)), c, c
        v = self.pick(ints)
        return Expr("I", v.name), v.lo, v.hi

    def condition(self):
        r = self.random.random()
        if r < 0.45:
            e, lo, hi = self.small_int()
            c = self.random.randint(lo, max(lo, hi))
            form = self.pick(["{} % 2 == 0", "{} % 3 == 1", "{} > " + str(c), "{} <= " + str(c), "{} == " + str(c),
                              "{} != " + str(c)])
            return Expr("B", *self.fill(form.replace("{}", "({0})"), e))
        t = self.scalar_type()
        c = literal(t, self.number(-1.2, 1.2))
        a = self.value(t, 1)
        b = self.leaf(t) if self.chance(0.3) else c
        e = Expr("B", a, self.pick([" < ", " > ", " <= ", " >= "]), b)
        if r > 0.93:
            other = self.condition()
            return Expr("B", "((", e, ")" + self.pick([" && ", " || "]) + "(", other, "))")
        return e

    # ---- floating values

    def fill(self, pattern, *arguments, type=None):
        """The parts of a pattern with {0}, {1}, L(c), N."""
        if type:
            pattern = pattern.replace("L(", f"{type}(")
        parts = []
        for piece in re.split(r"(\{\d\}|\bN\b)", pattern):
            if re.fullmatch(r"\{\d\}", piece):
                parts.append(arguments[int(piece[1])])
            elif piece == "N":
                parts.append(str(self.pick([-2, -1, 0, 1, 1, 2, 2])))
            elif piece:
                parts.append(piece)
        return parts

    def place(self, type, writable=False):
        """A scalar variable or an element of an array; None if there is none."""
        scalars = self.scope.find(Var, type, lambda v: v.writable or not writable)
        arrays = self.scope.find(Array, type, lambda a: a.writable or not writable)
        if arrays and (not scalars or self.chance(0.6)):
            a = self.pick(arrays[-6:] if self.chance(0.5) else arrays)
            return Expr(type, *self.fill(a.element, self.index(a.length)), bound=LIMIT * 1.5)
        if not scalars:
            return None
        v = self.pick(scalars[-5:] if self.chance(0.5) else scalars)
        return Expr(type, v.name, bound=v.bound)

    def leaf(self, type):
        r = self.random.random()
        if r < 0.07:
            return literal(type, self.number(-1.5, 1.5))
        if r < 0.13:
            e, lo, hi = self.small_int()
            return Expr(type, f"{type}(0.25) * {type}(", e, ")", bound=max(abs(lo), abs(hi)) * 0.25)
        if r < 0.2 or not self.place(type):
            other = self.place("F" if type == "D" else "D")
            if other:
                return Expr(type, f"static_cast<{type}>(", other, ")", bound=other.bound)
        return self.place(type) or literal(type, self.number(-1.5, 1.5))

    def value(self, type, depth):
        r = self.random.random()
        if depth <= 0 or r < 0.12:
            return self.leaf(type)
        if r < 0.52:
            return self.apply(type, self.pick(functions.TWO if self.chance(0.6) else functions.TWO[-8:]), 2, depth)
        if r < 0.78:
            return self.apply(type, self.pick(functions.ONE if self.chance(0.95) else functions.STEPS), 1, depth)
        if r < 0.85:
            return self.apply(type, self.pick(functions.THREE), 3, depth)
        if r < 0.9:
            a, b = self.value(type, depth - 1), self.value(type, depth - 1)
            return Expr(type, "(", self.condition(), " ? ", a, " : ", b, ")", bound=max(a.bound, b.bound))
        if r < 0.93 and self.program.float_share:
            other = "F" if type == "D" else "D"
            e = self.value(other, depth - 1)
            return Expr(type, f"static_cast<{type}>(", e, ")", bound=e.bound)
        called = self.call_value(type, depth)
        return called or self.apply(type, self.pick(functions.TWO), 2, depth)

    def apply(self, type, entry, count, depth):
        pattern, bound = entry
        arguments = [self.value(type, depth - 1 if pattern.count("{%d}" % i) == 1 else 0) for i in range(count)]
        if bound is None:
            bound = max(a.bound for a in arguments)
        elif bound > 1.8:  # those that grow with their arguments
            bound *= max(1, max(a.bound for a in arguments) / LIMIT) ** (2 if "* {" in pattern else 1)
        parts = self.fill(pattern, *arguments, type=type)
        if pattern.startswith("-"):
            parts = ["(", *parts, ")"]
        return Expr(type, *parts, bound=bound)

    def limit(self, e, bound=LIMIT):
        """The expression brought into ±bound."""
        if e.bound <= bound:
            return e
        if e.bound / bound > 12 or self.chance(0.2):
            if bound >= 1:
                return Expr(e.type, self.pick(["sin(", "tanh(", "atan("]), e, ")", bound=1.6)
            return Expr(e.type, literal(e.type, round(bound, 4)).text(), " * sin(", e, ")", bound=bound)
        scale = max(0.001, int(bound / e.bound * 1000) / 1000)
        return Expr(e.type, literal(e.type, scale).text(), " * (", e, ")", bound=bound)
