"""Random programs over buffers that may overlap, under each alias policy: ./dev fuzz --modes aliasing. docs/fuzzing.md

A program reaches its buffers as parameters, as members of a struct, and through a table of pointers. aliasing.cpp runs
its gradients with the buffers apart, equal, shifted and mixed, and knows from dual numbers what is right.
"""
import concurrent.futures
import random
import re
import tempfile
import time

from tree import Block, Function, Stmt, blocks, function_text
from units import HERE, LEVELS, STANDARD, Machine, execute

LENGTH, MOST_INDEX = 12, 9
POLICIES = ["checked", "c", "disjoint"]
RANDOM_LEVELS = ["O0", "O1", "O2", "O2", "O3"]


class Program:
    """ways: how each buffer is spelled; the first ones are parameters, then members of w, then elements of t."""

    def __init__(self, seed):
        self.seed, self.name = seed, f"a{seed}"
        r = self.random = random.Random(seed * 6133 + 11)
        self.parameters = r.choice([1, 2, 2, 3, 3, 4])
        self.members = r.choice([0, 0, 0, 2, 2, 3])
        self.elements = r.choice([0, 0, 0, 2, 3]) if self.parameters + self.members > 1 else 2
        self.ways = ([f"x{k}" for k in range(self.parameters)] + [f"w->m{k}" for k in range(self.members)]
                     + [f"t[{k}]" for k in range(self.elements)])
        self.written = set()
        self.restricted = {w for w in self.ways[:self.parameters] if r.random() < 0.2}
        self.names = self.depth = 0
        self.indices, self.values, self.pointers, self.fields_moved = [], [], [], False
        self.helpers = [self.helper(k) for k in range(r.choice([0, 0, 1, 1, 2]))]
        body = self.block(r.choice([2, 3, 3, 4, 5]))
        body.items.insert(0, Stmt("T s(0.3);"))
        body.items.append(Stmt("return s;"))
        self.functions = [Function("f", self.head(), body)]

    def chance(self, p):
        return self.random.random() < p

    def pick(self, options):
        return self.random.choice(options)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def head(self):
        words = [f"P x{k}" for k in range(self.parameters)] + ["Work<P> *w"] * bool(self.members)
        words += ["P *t"] * bool(self.elements) + ["const int *index", "int n"]
        return f"template <class T, class P> T f({', '.join(words)})"

    # ---- helpers: of two cells, whose parameters may be restrict; or recursive over two buffers

    def helper(self, k):
        kind = self.pick(["cells", "cells", "restrict", "restrict", "recursive", "apart"])
        inline = self.pick(["static inline", "static __attribute__((noinline))"])
        name = f"h{k}"
        if kind == "recursive":
            text = (f"template <class T, class P> static void {name}(P p, P q, int k) {{\n  if (k <= 0) return;\n"
                    f"  p[k] = T(0.4) * q[k - 1] * p[k] + T(0.2) * sin(q[k]);\n  {name}<T, P>(p, q, k - 1);\n"
                    + self.pick(["", "  q[k] = T(0.5) * q[k] + T(0.1) * p[k - 1] * p[k];\n"]) + "}\n")
        else:
            steps = [self.pick(["*p = T(0.4) * *p * *q + T(0.2) * *q;", "*p = T(0.5) * sin(*p) + T(0.2) * *q * *q;"])]
            if self.chance(0.6):
                steps.append(self.pick(["*q = T(0.5) * cos(*p) * *q;", "*p = T(0.3) * *p * *p + T(0.3) * *q;"]))
            body = "\n  ".join([*steps, f"return {self.pick(['*p * *q', 'sin(*p)', '*p'])};"])
            text = f"template <class T, class P> {inline} T {name}(P p, P q) {{\n  {body}\n}}\n"
            if kind == "restrict":  # for double with the promise, and without it
                text = "".join(f"{inline} {t} {name}({p}p, {p}q) {{\n  " + re.sub(r"\bT\(", f"{t}(", body) + "\n}\n"
                               for t, p in (("double", "double *__restrict__ "), ("J", "Tracked ")))
        return name, kind, text

    def call(self):
        if not self.helpers:
            return None
        name, kind, _ = self.pick(self.helpers)
        if kind == "recursive":
            p, q = self.base(True), self.base(True)
            return [Stmt(f"{name}<T, P>({p}, {q}, {self.pick(['n', '3', '5'])});")]
        i = self.index(most=MOST_INDEX - 3)
        if kind == "restrict" and (not self.restricted or self.chance(0.5)):
            p = self.base(True)
            q, j = p, f"{i} + {self.pick([1, 2])}"
        elif kind == "restrict":
            p, q, j = self.pick(sorted(self.restricted)), None, self.index()
            self.written.add(p)
            for _ in range(9):
                q = self.base(True)
                if p not in self.of(q):
                    break
            else:
                return None
            if self.chance(0.5):
                p, q, i, j = q, p, j, i
        else:
            p, q, j = self.base(True), self.base(True), self.index()
        arguments = f"({p} + ({i}), {q} + ({j}))"
        made = f"{name}{arguments}" if kind == "restrict" else f"{name}<T, P>{arguments}"
        return [Stmt(f"s = T(0.5) * s + T(0.3) * {made};")]

    # ---- pointers

    def of(self, base):
        """The buffers that a pointer may lead to."""
        for name, ways in self.pointers:
            if name == base:
                return ways
        if base.startswith("t[") and base not in self.ways:
            return {w for w in self.ways if w[0] == "t"}
        if self.fields_moved and base.startswith("w->"):
            return {w for w in self.ways if w.startswith("w->")} | self.fields_moved
        return {base}

    def base(self, write=False):
        some = list(self.ways)
        if self.elements and self.indices:
            some.append(f"t[{self.indices[-1]} % {self.elements}]")
        some += [name for name, _ in self.pointers] * 2
        chosen = self.pick(some)
        if write:
            self.written |= self.of(chosen)
        return chosen

    def pointer(self):
        """A local pointer: moved on, or one of two."""
        a, b = self.base(), self.base()
        name = self.fresh("p")
        kind = self.pick(["moved", "moved", "chosen", "data"])
        plain = not any(a == q or b == q for q, _ in self.pointers)  # they have been moved on already
        if kind == "moved":
            if not plain:
                return None
            text, ways = f"{a} + {self.pick([0, 1, 2])}", self.of(a)
        elif kind == "chosen":
            text, ways = f"{self.pick(['n > 3', 'n % 2', self.condition()])} ? {a} : {b}", self.of(a) | self.of(b)
        else:
            text, ways = f"{self.value_condition()} ? {a} : {b}", self.of(a) | self.of(b)
        self.pointers.append((name, ways))
        return [Stmt(f"P {name} = {text};")]

    def swap_pointers(self):
        local = [(n, w) for n, w in self.pointers]
        if len(local) >= 2 and self.chance(0.7):
            (a, wa), (b, wb) = self.random.sample(local, 2)
            if a == b:
                return None
            both = wa | wb
            self.pointers = [(n, both if n in (a, b) else w) for n, w in self.pointers]
            if both & self.written:
                self.written |= both
            return [Stmt(f"{{ P o = {a}; {a} = {b}; {b} = o; }}")]
        if self.members >= 2:
            target = self.pick([w for w in self.ways if w.startswith("w->")])
            source = self.pick([w for w in self.ways if w[0] in "xw"])
            self.fields_moved = (self.fields_moved or set()) | {source}
            fields = {w for w in self.ways if w.startswith("w->")}
            if fields & self.written:  # through what was moved, in an earlier iteration
                self.written |= fields | self.fields_moved
            return [Stmt(f"{target} = {source};")]
        return None

    # ---- values

    def index(self, most=MOST_INDEX):
        if not self.indices:
            return str(self.random.randint(0, min(most, 7)))
        i = self.pick(self.indices)
        forms = [i, i, i, f"{i} + 1", f"5 - {i}", f"{i} / 2", f"{i} % 3", str(self.random.randint(0, 5)), f"index[{i}] % {most}"]
        if most >= MOST_INDEX:
            forms += [f"{i} + 3", f"index[{i}]", f"{i} * 2 % 9"]
        if len(self.indices) > 1:
            forms += [f"({self.indices[-1]} + {self.indices[-2]}) % {most}"] * 2
        return self.pick(forms)

    def read(self):
        if self.values and self.chance(0.2):
            return self.pick(self.values)
        return f"{self.base()}[{self.index()}]"

    def value(self):
        a, b, c = self.read(), self.read(), self.read()
        return self.pick([f"T(0.4) * {a} * {b} + T(0.2) * {c}", f"sin({a}) * T(0.8)", f"T(0.6) * {a} + T(0.1) * {b} * {b}",
                          f"T(0.7) * cos({a}) * {b}", f"T(0.5) * {a}", f"T(0.3) * exp(T(-1.0) * {a} * {a}) + T(0.2) * {b}", a])

    def condition(self):
        return f"index[{self.pick(self.indices)}] % 2" if self.indices else f"index[{self.random.randint(0, 8)}] > 4"

    def value_condition(self):
        return f"number({self.read()}) > {self.pick([-0.3, 0.0, 0.2])}"

    # ---- statements

    def block(self, count):
        kept = list(self.values), list(self.pointers)
        self.depth += 1
        items = []
        for _ in range(count):
            items += self.statement()
        self.depth -= 1
        self.values, outer = kept[0], dict(kept[1])
        self.pointers = [(n, w) for n, w in self.pointers if n in outer]
        return Block(items)

    def statement(self):
        makers = [self.store] * 5 + [self.add] + [self.sum] * 2 + [self.local] * 2 + [self.call] * 2 + [self.branch] * 2
        makers += [self.pointer, self.copy, self.swap_pointers]
        if self.depth <= 2:
            makers += [self.loop] * (9 if self.depth == 1 else 3) + [self.walk]
        for _ in range(20):
            made = self.pick(makers)()
            if made:
                return made
        return []

    def store(self):
        value = self.value()
        return [Stmt(f"{self.base(True)}[{self.index()}] = {value};")]

    def add(self):
        value = self.value()
        return [Stmt(f"{self.base(True)}[{self.index()}] += T(0.02) * ({value});")]

    def sum(self):
        return [Stmt(self.pick([f"s += T(0.1) * ({self.value()});", f"s = T(0.5) * s + T(0.5) * ({self.value()});",
                                f"s = T(0.6) * s * {self.read()} + T(0.3) * {self.read()};"]))]

    def local(self):
        name, value = self.fresh("v"), self.value()
        self.values.append(name)
        return [Stmt(f"T {name} = {value};")]

    def branch(self):
        condition = self.condition() if self.chance(0.6) else self.value_condition()
        first = self.block(self.pick([1, 2]))
        return [Stmt(f"if ({condition}) ", first, *([" else ", self.block(1)] if self.chance(0.4) else []))]

    def copy(self):
        to, source = self.base(True), self.base()
        return [Stmt(f"move({to}, {source}, {self.pick(['n', '3', '6', 'n / 2'])});"),
                Stmt(f"s += T(0.02) * {to}[1] * {source}[0];")]  # of what type the bytes are, an access must tell

    def loop(self):
        i = self.fresh("i")
        head = self.pick([f"for (int {i} = 0; {i} < n; ++{i}) "] * 4 + [f"for (int {i} = n - 1; {i} >= 0; --{i}) ", f"for (int {i} = 0; {i} < n; {i} += 2) ",
                         f"for (int {i} = 1; {i} < n; ++{i}) ", f"for (int {i} = 0; {i} < 6; ++{i}) "])
        if self.indices and self.chance(0.3):
            head = f"for (int {i} = 0; {i} <= {self.indices[-1]}; ++{i}) "
        elif self.chance(0.1):
            head = f"for (int {i} = 0; {i} < n && {self.value_condition()}; ++{i}) "
        self.indices.append(i)
        body = self.block(self.pick([1, 2, 2, 3]))
        self.indices.pop()
        return [Stmt(head, body)]

    def walk(self):
        i, p = self.fresh("i"), self.fresh("p")
        base = self.pick(self.ways)
        ways = self.of(base)
        self.written |= ways
        self.indices.append(i)
        inner = self.block(1)
        inner.items.append(Stmt(f"*{p} = {self.value()};"))
        inner.items.append(Stmt(f"++{p};"))
        self.indices.pop()
        return [Stmt(f"P {p} = {base};"), Stmt(f"for (int {i} = 0; {i} < n; ++{i}) ", inner)]

    # ---- as C++

    def text(self):
        calls = [f"at[{k}]" for k in range(self.parameters)]
        setup, shadow_setup, dup = [], [], []
        for k in range(self.parameters):
            dup.append(f"tapefree_dup, at[{k}], shadow[{k}]")
        names = [f"x{k}" for k in range(self.parameters)]
        formals = [f"double *{'__restrict__ ' if n in self.restricted else ''}{n}" for n in names]
        if self.members:
            values = [f"at[{self.parameters + k}]" for k in range(self.members)]
            setup.append(f"Work<P> w = {{{', '.join(values)}}};")
            shadow_setup.append(f"Work<P> dw = {{{', '.join(v.replace('at[', 'shadow[') for v in values)}}};")
            calls.append("&w"), names.append("w"), formals.append("Work<double *> *w"), dup.append("tapefree_dup, &w, &dw")
        if self.elements:
            values = [f"at[{self.parameters + self.members + k}]" for k in range(self.elements)]
            setup.append(f"P t[] = {{{', '.join(values)}}};")
            shadow_setup.append(f"P dt[] = {{{', '.join(v.replace('at[', 'shadow[') for v in values)}}};")
            calls.append("t"), names.append("t"), formals.append("double **t"), dup.append("tapefree_dup, t, dt")
        names += ["index", "n"]
        formals += ["const int *index", "int n"]
        dup += ["tapefree_const, index", "tapefree_const, n"]
        flags = {word: ", ".join(str(w in some).lower() for w in self.ways)
                 for word, some in (("written", self.written), ("restricted", self.restricted))}
        arguments = "const int *index, int n"
        out = [f"namespace {self.name} {{"]
        if self.members:
            out.append("template <class P> struct Work { P " + ", ".join(f"m{k}" for k in range(self.members)) + "; };")
        out += [text for _, _, text in self.helpers]
        out += [function_text(f) for f in self.functions]
        out.append("typedef double T;\ntypedef double *P;")
        out.append(f"double primal({', '.join(formals)}) {{ return f<double, double *>({', '.join(names)}); }}")
        out.append(f"double run(P const *at, {arguments}) {{ {' '.join(setup)} return primal({', '.join([*calls, 'index', 'n'])}); }}")
        tracked = " ".join(setup).replace("<P>", "<Tracked>").replace("P t[]", "Tracked t[]")
        out.append(f"J reference(const Tracked *at, {arguments}) {{ {tracked} return f<J, Tracked>({', '.join([*calls, 'index', 'n'])}); }}")
        for policy in POLICIES:
            out.append(f"void {policy}(P const *at, P const *shadow, {arguments}) {{ {' '.join(setup + shadow_setup)}\n"
                       f"  __tapefree_autodiff<void>((void *)primal, tapefree_alias_{policy}, {', '.join(dup)}); }}")
        for word in flags:
            out.append(f"const bool is_{word}[] = {{{flags[word]}}};")
        out.append(f'const Program entry = {{"{self.name}", {len(self.ways)}, is_written, is_restricted, {LENGTH}, run, reference, '
                   f"{{{', '.join(POLICIES)}}}}};")
        return "\n".join([*out, "}", ""])


def unit_text(programs, configurations):
    entries = ", ".join(f"{p.name}::entry" for p in programs)
    return ('#include "aliasing.hpp"\nusing namespace aliasing;\n' + "\n".join(p.text() for p in programs)
            + f"int main(int argc, char **argv) {{\n  const Program all[] = {{{entries}}};\n"
            f"  return run(all, {len(programs)}, {configurations}, {programs[0].seed}u, argc > 1 ? argv[1] : nullptr);\n}}\n")


class Bench:
    """Compiles and runs units."""

    def __init__(self, folder, options):
        self.machine, self.options = Machine(folder, options.plugin, options.clangxx, options.sanitize), options
        self.runner = self.machine.folder / "aliasing.o"
        command = [options.clangxx, *self.flags(), "-O1", "-c", str(HERE / "aliasing.cpp"), "-o", str(self.runner)]
        status, output = execute(command, 300)
        if status != 0:
            raise SystemExit(output)

    def flags(self):
        return [f for f in self.machine.flags if not f.startswith("-std=")] + ["-std=c++17"]

    def examine(self, programs, level, stem):
        """(status, output); status 1 with FAIL lines in the output is a wrong number."""
        source, binary = self.machine.folder / f"{stem}.cpp", self.machine.folder / stem
        source.write_text(unit_text(programs, self.options.settings))
        plugin = self.options.plugin
        status, output = execute([self.options.clangxx, *self.flags(), *LEVELS[level], "-gline-tables-only", "-fno-crash-diagnostics", "-fuse-ld=lld",
                                  f"-fplugin={plugin}", f"-fpass-plugin={plugin}", "-mllvm", "-tapefree-check-disjoint", "-ferror-limit=0",
                                  str(source), str(self.runner), self.machine.objects[1], "-o", str(binary), "-lm"], 60 + 20 * len(programs))
        if status != 0:
            return "compiler", output
        status, output = execute([str(binary)], 300)
        binary.unlink()
        return ("good" if status == 0 else "wrong"), output

    def alone(self, programs, level, stem):
        """The programs of a unit that fail, each with what it says; refusals; and the unit's counts."""
        verdict, output = self.examine(programs, level, stem)
        if verdict == "good":
            return [], [], counts(output)
        failed, refused, sums = [], [], [0, 0, 0]
        if verdict == "wrong" and "FAIL" in output:
            named = set(re.findall(r"FAIL (a\d+) ", output))
            text = {p: "\n".join(x for x in output.splitlines() if f"FAIL {p.name} " in x) for p in programs if p.name in named}
            return list(text.items()), [], counts(output)
        if len(programs) == 1:
            if verdict == "compiler" and "error: tapefree:" in output and "Stack dump" not in output:
                return [], [(programs[0], re.search(r"error: (tapefree: .*)", output)[1])], sums
            return [(programs[0], f"{verdict}: {output.strip()[-600:]}")], [], sums
        for k, part in enumerate((programs[:len(programs) // 2], programs[len(programs) // 2:])):
            f, r, c = self.alone(part, level, f"{stem}{'ab'[k]}")
            failed, refused, sums = failed + f, refused + r, [a + b for a, b in zip(sums, c)]
        return failed, refused, sums

    def reduce(self, program, level, seconds):
        """Takes statements away while it still gives a wrong number or breaks the compiler."""
        kind = self.examine([program], level, "reduce")[0]
        end, progress = time.monotonic() + seconds, True
        while progress and time.monotonic() < end:
            progress = False
            for block in list(blocks(program.functions[0].body)):
                at = 0
                while at < len(block.items) and time.monotonic() < end:
                    kept = block.items[at]
                    inner = [p for p in kept.parts if isinstance(p, Block)]
                    for candidate in [[], *([inner[0].items] if inner else [])]:
                        block.items[at:at + 1] = candidate
                        verdict, output = self.examine([program], level, "reduce")
                        if verdict == kind and (kind == "compiler" and "Stack dump" in output or "FAIL a" in output):
                            progress = True
                            break
                        block.items[at:at + len(candidate)] = [kept]
                    else:
                        at += 1


def counts(output):
    found = re.search(r"(\d+) gradients, (\d+) settings without overlap, (\d+) traps", output)
    return [int(found[k]) for k in (1, 2, 3)] if found else [0, 0, 0]


def run(options):
    """The command with --modes aliasing: the exit status."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tapefree-aliasing-") as folder:
        bench = Bench(folder, options)

        def unit(first):
            programs = [Program(s) for s in range(first, min(first + options.unit, options.seed + options.count))]
            level = options.level or random.Random(first).choice(RANDOM_LEVELS)
            return level, bench.alone(programs, level, f"unit{first}")

        failures, refusals, sums = [], [], [0, 0, 0]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for level, (failed, refused, unit_sums) in pool.map(unit, range(options.seed, options.seed + options.count, options.unit)):
                for program, text in failed:
                    print(f"FAIL seed {program.seed}, {level}: {text}", flush=True)
                failures += [(p, level) for p, _ in failed]
                refusals += refused
                sums = [a + b for a, b in zip(sums, unit_sums)]
                if options.verbose:
                    print(f"{level}: {unit_sums[0]} gradients, {unit_sums[2]} traps", flush=True)
        for program, message in refusals[:5]:
            print(f"refused (seed {program.seed}): {message}")
        for program, level in failures[:options.reductions]:
            bench.reduce(program, level, options.reduce_seconds)
            options.out.mkdir(parents=True, exist_ok=True)
            path = options.out / f"aliasing{program.seed}.cpp"
            path.write_text(f"// {level}\n" + unit_text([program], options.settings))
            print(f"reduced: {path}", flush=True)
    print(f"{options.count} programs (seeds {options.seed} to {options.seed + options.count - 1}), {sums[0]} gradients, {sums[1]} settings "
          f"without overlap, {sums[2]} traps, {len(refusals)} refusals, {len(failures)} failures; {time.monotonic() - began:.0f} s")
    return 1 if failures else 0
