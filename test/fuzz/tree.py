"""The tree of a generated program: text with holes, so that printing is joining and reducing is editing.

An Expr has a type: 'D' (the wide scalar), 'F' (the narrow one), 'I' (int, a valid index or count), 'B' (a condition).
A Stmt's parts are strings, Exprs and Blocks; a Block is a list of Stmts.
"""


class Expr:
    __slots__ = ("type", "parts", "bound")

    def __init__(self, type, *parts, bound=2.0):
        self.type = type
        self.parts = list(parts)
        self.bound = bound  # a rough limit of its magnitude

    def text(self):
        return "".join(p if isinstance(p, str) else p.text() for p in self.parts)

    def size(self):
        return 1 + sum(p.size() for p in self.parts if isinstance(p, Expr))


class Block:
    __slots__ = ("items",)

    def __init__(self, items=()):
        self.items = list(items)


class Stmt:
    __slots__ = ("parts", "prelude")

    def __init__(self, *parts, prelude=None):
        self.parts = list(parts)
        self.prelude = prelude  # declarations that let a block of this statement stand alone; None: it cannot


class Function:
    """A helper or the program itself; head is everything before the body."""

    def __init__(self, name, head, body):
        self.name = name
        self.head = head
        self.body = body


def lines(item, indent):
    """The lines of a Stmt or Block's contents."""
    pad = "  " * indent
    if isinstance(item, Block):
        return [line for s in item.items for line in lines(s, indent)]
    out, current = [], pad
    for part in item.parts:
        if isinstance(part, Block):
            out.append(current + "{")
            out += lines(part, indent + 1)
            current = pad + "}"
        else:
            text = part if isinstance(part, str) else part.text()
            *full, last = text.split("\n")
            for line in full:
                out.append(current + line)
                current = pad
            current += last
    if current.strip():
        out.append(current)
    return out


def function_text(function):
    return "\n".join([function.head + " {", *lines(function.body, 1), "}"])


def blocks(item):
    """Every Block below, outermost first."""
    if isinstance(item, Block):
        yield item
        for s in item.items:
            yield from blocks(s)
    elif isinstance(item, Stmt):
        for part in item.parts:
            if isinstance(part, Block):
                yield from blocks(part)


def holders(item):
    """(owner, index) of every Expr below: owner.parts[index] is it; outer ones first."""
    if isinstance(item, Block):
        for s in item.items:
            yield from holders(s)
        return
    for i, part in enumerate(item.parts):
        if isinstance(part, Expr):
            yield item, i
            yield from holders(part)
        elif isinstance(part, Block):
            yield from holders(part)


def simpler(expr):
    """Expressions of the same type that may stand in its place, simplest first."""
    if expr.type == "B":
        return [] if expr.parts in (["true"], ["false"]) else [Expr("B", "false"), Expr("B", "true")]
    if expr.type == "I":  # only 0 is surely still a valid index
        return [] if expr.parts == ["0"] else [Expr("I", "0")]
    found = [] if len(expr.parts) == 1 and isinstance(expr.parts[0], str) and expr.size() == 1 else [literal(expr.type, 0.5)]
    found += [p for p in expr.parts if isinstance(p, Expr) and p.type == expr.type]
    found += [Expr(expr.type, f"{expr.type}(", p, ")") for p in expr.parts
              if isinstance(p, Expr) and p.type in "DF" and p.type != expr.type and len(expr.parts) > 1
              and expr.parts[0] != f"{expr.type}("]
    return found


def literal(type, value):
    return Expr(type, f"{type}({value!r})", bound=abs(value))
