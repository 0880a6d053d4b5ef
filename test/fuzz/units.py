"""Compiles and runs units of many programs, and says what became of each."""
import copy
import os
import pathlib
import re
import signal
import subprocess

from emit import Emitter, unit_text
from generate import generate

HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
LEVELS = {"O0": ["-O0"], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"], "g": ["-O2", "-g"], "fast": ["-O2", "-ffast-math"]}
# The warnings are about programs that a reduction made meaningless.
STANDARD = ["-std=c++14", "-Wno-everything", "-Werror=uninitialized", "-Werror=return-type", "-Werror=infinite-recursion",
            f"-I{PROJECT / 'include'}", f"-I{HERE}"]
# What only someone who knows the compiler's inside could read: it counts as a failure, not as a refusal.
INSIDE = re.compile(r"internal|%[\w.]+\b|@\w+\(|getelementptr|\baddrspace|\bllvm\.\w|\bi(8|16|32|64)\b|\bphi\b|<badref>|LLVM ERROR")


class Task:
    """A program with the modes that it is tried in."""

    def __init__(self, seed, modes, options=None, program=None, without=()):
        self.seed, self.modes, self.options = seed, modes, options or {}
        self.program = program or generate(seed, without)

    @property
    def name(self):
        return self.program.name

    def emitter(self):
        return Emitter(self.program, self.modes, self.options)


class Finding:
    """One thing that went wrong with one task. kind: wrong, leak, crash, compiler, internal, invalid, ..."""

    def __init__(self, task, mode, kind, text, level):
        self.task, self.mode, self.kind, self.text, self.level = task, mode, kind, text, level

    @property
    def signature(self):
        return self.mode, self.kind, normal(self.text) if self.kind == "internal" or self.mode == "compiler" else ""


def normal(message):
    """A message without the names and numbers of its program."""
    message = re.sub(r" \(compile with -gline-tables-only.*", "", message)
    message = re.sub(r"[\w/-]+\.cpp:\d+|an unknown line", "LINE", message)
    message = re.sub(r"'[^']*'", "'…'", message)
    return re.sub(r"\b\d+\b", "N", message)


class Result:
    def __init__(self):
        self.programs = self.comparisons = self.nonzero = self.sensitive = self.useless = self.foreign = 0
        self.refusals = {}  # normal message: [seed, ...]
        self.findings = []

    def add(self, other):
        self.programs += other.programs
        self.comparisons += other.comparisons
        self.nonzero += other.nonzero
        self.sensitive += other.sensitive
        self.useless += other.useless
        self.foreign += other.foreign
        for message, seeds in other.refusals.items():
            self.refusals.setdefault(message, []).extend(seeds)
        self.findings += other.findings


def execute(command, limit):
    """(status, output); status is negative for a signal, None for a timeout."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                          start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output.decode(errors="replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # clang's own child, too
            output, _ = process.communicate()
            return None, output.decode(errors="replace")


class Machine:
    """The compiler, the plugin, and a folder for what they write."""

    def __init__(self, folder, plugin, clangxx="clang++-22", sanitize=False, extra=()):
        self.folder, self.plugin, self.clangxx = pathlib.Path(folder), plugin, clangxx
        self.flags = [*STANDARD, *extra]
        if sanitize:
            self.flags += ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-DTAPEFREE_FUZZ_SANITIZED"]
        self.objects = []
        for name in ("harness", "jet", "heap"):
            target = self.folder / f"{name}.o"
            command = [clangxx, *self.flags, "-O1", "-c", str(HERE / f"{name}.cpp"), "-o", str(target)]
            status, output = execute(command, 300)
            if status != 0:
                raise SystemExit(output)
            self.objects.append(str(target))

    def check_reference(self):
        """The functions of Jet against central differences."""
        binary = self.folder / "jet_test"
        command = [self.clangxx, *self.flags, "-O1", str(HERE / "jet_test.cpp"), self.objects[1], "-o", str(binary), "-lm"]
        for step in (command, [str(binary)]):
            status, output = execute(step, 300)
            if status != 0:
                raise SystemExit(output)

    def compile(self, tasks, level, stem, extra=()):
        """(binary or None, status, output, line of each program's beginning)"""
        source, binary = self.folder / f"{stem}.cpp", self.folder / stem
        text = unit_text([t.emitter() for t in tasks])
        source.write_text(text)
        starts = {m[1]: text.count("\n", 0, m.start()) + 1 for m in re.finditer(r"^namespace (p\d+) {", text, re.M)}
        if self.lines(level, tasks):
            extra = ["-gline-tables-only"]
        command = [self.clangxx, *self.flags, *LEVELS[level], *extra, "-fno-crash-diagnostics", "-fuse-ld=lld", *([f"-fpass-plugin={self.plugin}"] * bool(self.plugin)),
                   "-ferror-limit=0", str(source), *self.objects, "-o", str(binary), "-lm"]
        status, output = execute(command, 20 + 12 * len(tasks))
        return (binary if status == 0 else None), status, output, starts

    @staticmethod
    def lines(level, tasks):
        """Most units have lines, so that errors say whose they are; some do not, as that is another path."""
        return level != "g" and tasks[0].seed // 20 % 4 != 0

    def run(self, binary, arguments=()):
        return execute([str(binary), *arguments], 300)

    # ---- a unit, with what fails taken out of it

    def examine(self, tasks, level, stem):
        """The Result of these tasks. What does not compile is reported and left out; what crashes is halved."""
        result, tasks = Result(), list(tasks)
        result.programs = len(tasks)
        while tasks:
            binary, status, output, starts = self.compile(tasks, level, stem)
            if binary:
                self.judge(tasks, level, self.run(binary), result)
                binary.unlink()
                self.excuse(level, stem, result)
                break
            crashed = status != 1 or "Stack dump" in output
            blamed = self.blame(tasks, starts, output)
            if not blamed and not crashed and not self.lines(level, tasks):  # some messages have a line only so
                output = self.compile(tasks, level, stem, ["-gline-tables-only"])[2]
                blamed = self.blame(tasks, starts, output)
            if not blamed and not crashed and len(tasks) == 1:
                blamed = {tasks[0]: re.findall(r"error: (tapefree: .*)$", output, re.M)}
            if (crashed or not any(blamed.values())) and len(tasks) > 1:
                # Whom an error names is looked at alone; without a name, halves.
                named = [t for t in tasks if t in blamed]
                parts = [[t] for t in named] + [[t for t in tasks if t not in blamed]]
                if not named:
                    parts = [tasks[:len(tasks) // 2], tasks[len(tasks) // 2:]]
                for k, part in enumerate(parts):
                    inner = self.examine(part, level, f"{stem}{'abcdefghijklmnopqrstuvwxyz'[k % 26]}")
                    inner.programs = 0
                    result.add(inner)
                break
            if crashed or not any(blamed.values()):
                what = "took too long" if status is None else f"status {status}"
                result.findings.append(Finding(tasks[0], "compiler", "crash", f"{what}: {crash_line(output)}", level))
                break
            for task, messages in blamed.items():
                self.refuse(task, level, messages, result)
            tasks = [t for t in tasks if t not in blamed]
        return result

    @staticmethod
    def blame(tasks, starts, output):
        """{task: messages} of the errors that stand in a program's lines."""
        order = sorted(tasks, key=lambda t: starts[t.name])
        blamed = {}
        for line, message in re.findall(r"^[^\s:]+:(\d+):\d+: error: (.*)$", output, re.M):
            inside = [t for t in order if starts[t.name] <= int(line)]
            if inside:
                blamed.setdefault(inside[-1], []).append(message)
        return blamed

    @staticmethod
    def refuse(task, level, messages, result):
        for message in dict.fromkeys(messages):
            if not message.startswith("tapefree:"):
                result.findings.append(Finding(task, "compiler", "invalid", message, level))
            elif INSIDE.search(re.sub(r"'[^']*'", "''", message)) or "'%" in message:
                result.findings.append(Finding(task, "compiler", "internal", message, level))
            else:
                seeds = result.refusals.setdefault(normal(message), [])
                if task.seed not in seeds:
                    seeds.append(task.seed)
                continue
            break

    @staticmethod
    def judge(tasks, level, ran, result):
        status, output = ran
        by_name = {t.name: t for t in tasks}
        seen = set()
        for line in output.splitlines():
            words = line.split(" ", 3)
            if len(words) < 3 or words[1] not in by_name:
                continue
            task = by_name[words[1]]
            if words[0] == "C":
                result.comparisons += int(words[2])
                result.nonzero += int(words[3])
            elif words[0] == "S":
                result.sensitive += 1
            elif words[0] == "U":
                result.useless += 1
            elif words[0] == "F" and (task, words[2]) not in seen:
                seen.add((task, words[2]))
                kind = words[3].split(":")[0].split(" ")[0]
                if kind == "wrong":
                    kind = words[3].split(":")[0]
                result.findings.append(Finding(task, words[2], kind, words[3], level))
        if status != 0:
            result.findings.append(Finding(tasks[0], "run", "harness", f"status {status}: {output[-300:]}", level))


    def excuse(self, level, stem, result):
        """Takes out the programs that the compiler gets wrong by itself: clang has faults, too."""
        for task in {f.task for f in result.findings if f.mode == "primal"} if self.plugin else ():
            bare = copy.copy(self)
            bare.plugin = ""
            alone = Task(task.seed, [], task.options, program=task.program)
            binary, _, _, _ = bare.compile([alone], level, f"{stem}-bare")
            if binary and re.search(rf"^F {task.name} primal ", bare.run(binary)[1], re.M):
                result.findings = [f for f in result.findings if f.task is not task]
                result.foreign += 1


def crash_line(output):
    """The telling line of a compiler's last words."""
    for pattern in (r"Assertion.*", r"LLVM ERROR.*", r"tapefree::(?!TapefreePass)[\w:]+", r"error: .*"):
        found = re.search(pattern, output)
        if found:
            return found[0][:300]
    return output.strip()[-300:]
