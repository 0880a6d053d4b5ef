#!/usr/bin/env python3
"""Compiles each program of a folder with the plugin at every optimisation level, and runs it.

A program is NAME.cpp with a plain main; exit status 0 is a pass. Its first lines may say
  // FLAGS: -fopenmp       further compiler flags
  // SOURCES: ../a.cpp     further sources, seen from the program's folder
  // LIBS: -lz             libraries
  // LEVELS: O0 O2         only these levels
  // NOFASTMATH            not with -ffast-math
  // ARGS: 3 x             arguments of the run
  // SANITIZE: address     only this sanitizer (with leaks) where sanitizers are asked for
  // NOSANITIZE            not under the sanitizers
  // NOLANES: why          not in batches (--lanes); `// LANES: 0 1` only in these layouts
Prints one row per program and the output of what failed; exits non-zero if anything failed, 77 if the
folder is absent or has no program.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LEVELS = {
    "O0": ["-O0"],
    "O1": ["-O1"],
    "O2": ["-O2"],
    "O3": ["-O3"],
    "g": ["-O1", "-g"],
    "fast": ["-O3", "-ffast-math", "-march=native"],
}
WIDTHS = [1, 2, 3, 4, 8]
LAYOUTS = ["0", "1", "2"]  # separate, one behind the other, interleaved
SANITIZERS = ["address", "undefined"]
SANITIZER_FLAGS = ["-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-g1"]
PROJECT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77


class Program:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        head = "".join(path.read_text(errors="replace").splitlines(keepends=True)[:20])

        def words(key):
            return [w for line in re.findall(rf"^// {key}:(.*)$", head, re.M) for w in line.split()]

        def said(key):
            return re.search(rf"^// {key}\b", head, re.M) is not None

        self.flags = words("FLAGS")
        self.sources = [str(path.parent / w) for w in words("SOURCES")]
        self.libraries = words("LIBS")
        self.arguments = words("ARGS")
        self.levels = words("LEVELS")
        self.fast_math = not said("NOFASTMATH")
        self.layouts = [] if said("NOLANES") else words("LANES") or LAYOUTS
        self.sanitizers = [] if said("NOSANITIZE") else words("SANITIZE") or SANITIZERS

    def runs_at(self, level, sanitized):
        if sanitized and not self.sanitizers:
            return False
        if level == "fast" and not self.fast_math:
            return False
        return not self.levels or level in self.levels


def execute(command, limit, environment):
    """Exit status (or a word) and output of a command."""
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            timeout=limit, env=environment, check=False,
        )
        return done.returncode, done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        return f"more than {limit} s", (late.stdout or b"").decode(errors="replace")


class Column:
    """What all programs are tried at: a level and, in batches, a width and a layout (None: each program its own)."""

    def __init__(self, level, width=None, layout=None):
        self.level, self.width, self.layout = level, width, layout

    def __str__(self):
        return self.level + (f"/{self.width}{'sdi'[int(self.layout)]}" if self.width else "")

    def takes(self, program, options):
        if options.in_turn:
            at = [level for level in options.levels if program.runs_at(level, options.sanitize)]
            if at and self.level != at[options.programs.index(program) % len(at)]:
                return False
        return program.runs_at(self.level, options.sanitize) and self.layout in (None, *program.layouts)

    def lanes(self, program, options):
        """(width, layout), or None for a derivative of width 1."""
        if not options.lanes:
            return None
        number = options.programs.index(program)
        # Further widths show nothing new: up to 8 lanes are one vector, above there is a loop over chunks and a rest.
        return self.width or [4, 8, 11, 5][number // 3 % 4], self.layout or program.layouts[number % len(program.layouts)]


def columns(options):
    if options.lanes != "all":
        return [Column(level) for level in options.levels]
    return [Column(level, width, layout) for level in options.levels for width in WIDTHS for layout in LAYOUTS]


def check(program, column, options, scratch):
    """None for a pass, else (what failed, command, output)."""
    level, lanes = column.level, column.lanes(program, options)
    binary = scratch / f"{program.name}.{str(column).replace('/', '.')}"
    command = [options.clangxx, "-std=c++20", *LEVELS[level], f"-I{PROJECT / 'include'}", f"-I{program.path.parent}"]
    if options.sanitize:
        command += ["-fsanitize=" + ",".join(program.sanitizers), *SANITIZER_FLAGS]
    if lanes:
        command += ["-w", f"-DTEST_LANES={lanes[0]}", f"-DTEST_LAYOUT={lanes[1]}"]
    command += program.flags + options.extra + [f"-fpass-plugin={options.plugin}"] * bool(options.plugin)
    command += [f"-fplugin={options.clang_plugin}"] * bool(options.clang_plugin)
    command += [str(program.path), *program.sources, "-o", str(binary), *program.libraries, "-lm"]
    environment = dict(os.environ)
    if options.preload:
        environment.update(LD_PRELOAD=options.preload, ASAN_OPTIONS="detect_leaks=0")
    status, output = execute(command, options.compile_limit, environment)
    if status != 0:
        return f"compile: {status}", command, output
    environment = dict(os.environ)
    if options.sanitize:
        environment.update(
            ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1",
            UBSAN_OPTIONS="print_stacktrace=1",
        )
    status, output = execute([str(binary), *program.arguments], options.run_limit, environment)
    binary.unlink(missing_ok=True)
    return None if status == 0 else (f"run: {status}", command, output)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--plugin", default=str(PROJECT / "build/lib/libTapefree.so"), help="'' compiles without one")
    parser.add_argument("--clang-plugin", default="", help="libTapefreeClang.so, to compile with it as well")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--only", default="", help="regular expression on the programs' names")
    parser.add_argument("--levels", default=" ".join(LEVELS), help=f"of: {' '.join(LEVELS)}")
    parser.add_argument("--sanitize", action="store_true", help="address and undefined-behaviour sanitizers, with leaks")
    parser.add_argument("--in-turn", action="store_true", help="each program at one of the levels, in turn, not at all of them")
    parser.add_argument("--lanes", nargs="?", const="one", choices=["one", "all"], help="every derivative in a batch: "
                        f"one width and layout for each program, or all of {' '.join(map(str, WIDTHS))} in all layouts")
    parser.add_argument("--extra", action="append", default=[], help="one more compiler flag (may be repeated)")
    parser.add_argument("--preload", default="", help="library to preload into the compiler (a sanitized plugin's)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--compile-limit", type=int, default=180, metavar="S")
    parser.add_argument("--run-limit", type=int, default=120, metavar="S")
    parser.add_argument("--lines", type=int, default=40, help="of a failure's output to print")
    options = parser.parse_args(arguments)
    options.levels = options.levels.replace(",", " ").split()
    unknown = [level for level in options.levels if level not in LEVELS]
    if unknown:
        parser.error(f"no such level: {' '.join(unknown)}")
    return options


def main():
    options = parse(sys.argv[1:])
    programs = [Program(p) for p in sorted(options.folder.glob("*.cpp")) if re.search(options.only, p.stem)]
    if not programs:
        print(f"skipped: no programs in {options.folder}")
        return SKIPPED
    if options.lanes:
        programs = [p for p in programs if p.layouts]
    options.programs = programs
    began = time.monotonic()
    width = max(len(p.name) for p in programs)
    heads = columns(options)
    print(" " * width, *(f"{str(head):>5}" for head in heads))
    failures, count = [], 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [
            (
                program,
                [
                    pool.submit(check, program, head, options, pathlib.Path(scratch))
                    if head.takes(program, options)
                    else None
                    for head in heads
                ],
            )
            for program in programs
        ]
        for program, cells in rows:
            row = []
            for head, cell in zip(heads, cells):
                result = cell.result() if cell else None
                count += cell is not None
                row.append("-" if not cell else "FAIL" if result else "ok")
                if result:
                    failures.append((f"{program.name} {head}", *result))
            print(f"{program.name:{width}}", *(f"{word:>{max(5, len(str(head)))}}" for head, word in zip(heads, row)), flush=True)
    for name, what, command, output in failures:
        lines = output.splitlines()
        print(f"\n=== {name}: {what}\n{' '.join(command)}")
        print("\n".join(lines[: options.lines]))
        if len(lines) > options.lines:
            print(f"... {len(lines) - options.lines} more lines")
    print(f"\n{count - len(failures)} of {count} passed in {time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
