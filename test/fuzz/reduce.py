"""Makes a failing program small: takes statements, loops, terms, helpers and parameters away while it still fails."""
import re
import time

from tree import Block, Stmt, blocks, function_text, holders, simpler


def returns(statement):
    return isinstance(statement.parts[0], str) and statement.parts[0].startswith("return ")


class Reducer:
    """fails(task) says whether it still fails in the same way."""

    def __init__(self, task, fails, seconds):
        self.task, self.program, self.fails = task, task.program, fails
        self.end = time.monotonic() + seconds
        self.tried = 0

    def late(self):
        return time.monotonic() > self.end

    def still_fails(self):
        self.tried += 1
        return not self.late() and self.fails(self.task)

    def run(self):
        steps = [self.drop_helpers, self.statements, self.unwrap, self.drop_helpers, self.expressions, self.parameters]
        while not self.late():
            # all() would stop at the first step without progress.
            if not any([step() for step in steps]):
                break
        return self.task

    def bodies(self):
        return [f.body for f in self.program.functions]

    def statements(self):
        """Deletes runs of statements, long ones first."""
        progress = False
        for body in reversed(self.bodies()):
            for block in list(blocks(body)):
                size = len(block.items)
                while size and not self.late():
                    at = 0
                    while at < len(block.items):
                        removed = block.items[at:at + size]
                        if block is body and returns(removed[-1]):  # a value must be returned
                            removed = removed[:-1]
                        del block.items[at:at + len(removed)]
                        if removed and self.still_fails():
                            progress = True
                        else:
                            block.items[at:at] = removed
                            at += size
                    size //= 2
        return progress

    def unwrap(self):
        """Puts the contents of a loop or branch in its place."""
        progress = False
        for body in self.bodies():
            for block in list(blocks(body)):
                at = 0
                while at < len(block.items):
                    s = block.items[at]
                    for inner in [p for p in s.parts if isinstance(p, Block)] if s.prelude is not None else []:
                        before = [Stmt(s.prelude)] if s.prelude else []
                        block.items[at:at + 1] = [*before, *inner.items]
                        if self.still_fails():
                            progress = True
                            break
                        block.items[at:at + 1 + len(before) + len(inner.items) - 1] = [s]
                    at += 1
        return progress

    def expressions(self):
        progress = False
        for body in reversed(self.bodies()):
            again = True
            while again and not self.late():
                again = False
                for owner, i in list(holders(body)):
                    if i >= len(owner.parts) or isinstance(owner.parts[i], (str, Block)):
                        continue
                    kept = owner.parts[i]
                    for candidate in simpler(kept):
                        if candidate.size() >= kept.size() and len(candidate.text()) >= len(kept.text()):
                            continue
                        owner.parts[i] = candidate
                        if self.still_fails():
                            progress = again = True
                            break
                        owner.parts[i] = kept
        return progress

    def used(self, name, without=None):
        return any(re.search(rf"\b{name}\b", function_text(f).split("{", 1)[1]) for f in self.program.functions if f is not without)

    def drop_helpers(self):
        p, progress = self.program, False
        for f in list(p.functions[:-1]):
            if not self.used(f.name, without=f):
                at = p.functions.index(f)
                p.functions.remove(f)
                if self.still_fails():
                    progress = True
                else:
                    p.functions.insert(at, f)
        return progress

    def parameters(self):
        """Drops what the program no longer mentions."""
        p, progress = self.program, False
        for a in list(p.parameters):
            leads_here = p.record and p.record.points_to is a or any(b.target is a for b in p.parameters)
            if leads_here or self.used(a.name):
                continue
            kept = list(p.parameters), p.functions[-1].head, p.record
            p.parameters = [b for b in p.parameters if b is not a]
            if a.kind == "record" and not self.used("Rec"):
                p.record = None
            head = p.functions[-1].head
            p.functions[-1].head = head[:head.index("f(") + 2] + ", ".join(b.declaration() for b in p.parameters) + ")"
            if self.still_fails():
                progress = True
            else:
                p.parameters, p.functions[-1].head, p.record = kept
        return progress
