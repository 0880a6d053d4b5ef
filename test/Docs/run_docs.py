#!/usr/bin/env python3
"""Runs what the documentation shows: README.md, CONTRIBUTING.md and docs/*.md.

The info string of a fenced block says what it is:
  ```cpp run              a whole program: compiled at -O2 and run
  ```cpp compile          compiled only
  ```cpp fails            refused by the compiler
  ```cpp body             statements: put behind the prelude of the page and into a function, then compiled
  ```c run, ```c compile  the same in C
  ```sh run               commands: each must succeed
  ```console              lines that begin with "$ " are commands, the others what they print; `console fails` expects
                          a failure of the last one
  ```text output          what the block before printed (the program, or the compiler's errors)
  ```cpp text, ```sh text, ```text, ```yaml text: only shown
A block may add `file=NAME`, the name under which later commands find it, and a C++ or C block `O0` for another level.
The prelude of a page is an HTML comment that begins with "prelude".

Output is compared without regard to white space, `…` stands for anything, and numbers with a point may differ in
their last digits. Every page has its own scratch folder, in which `include` and the plugins in `build/lib` are what the
commands of the page expect, and clang++-22, opt-22 and their like are those of --tools.
Also checked: links to files, and that each `./dev VERB` exists.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = ["clang", "clang++", "opt", "ld.lld"]
LANGUAGES = {"cpp", "c", "sh", "console", "text", "yaml"}
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")
LIMIT = 60


class Block:
    def __init__(self, line, info, text):
        self.line, self.text = line, text
        self.language, *self.words = info.split()
        self.file = next((w[5:] for w in self.words if w.startswith("file=")), None)


class Failure(Exception):
    pass


def read_page(path):
    """The blocks, the prelude, and the text outside of blocks."""
    text = path.read_text()
    prelude = re.search(r"<!-- prelude\n(.*?)-->", text, re.S)
    blocks, prose, fence = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        if fence:
            if line.strip() == "```":
                if not fence[1].strip():
                    raise Failure(f"{path.name}:{fence[0]}: the block does not say what it is")
                blocks.append(Block(fence[0], fence[1], "\n".join(fence[2]) + "\n"))
                fence = None
            else:
                fence[2].append(line)
        elif line.startswith("```"):
            fence = (number, line[3:], [])
        else:
            prose.append(line)
    if fence:
        raise Failure(f"{path.name}:{fence[0]}: the block does not end")
    return blocks, prelude.group(1) if prelude else "", "\n".join(prose)


def agree(expected, actual):
    """Equal but for white space, `…`, and the last digits of numbers."""
    expected, actual = " ".join(expected.split()), " ".join(actual.split())
    pattern, numbers, at = "", [], 0
    for found in re.finditer(rf" ?… ?|{NUMBER.pattern}", expected):
        pattern += re.escape(expected[at:found.start()])
        at = found.end()
        if "…" in found.group():
            pattern += ".*"
        elif re.search(r"[.e]", found.group()):
            pattern += r"([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
            numbers.append(float(found.group()))
        else:
            pattern += re.escape(found.group())
    match = re.fullmatch(pattern + re.escape(expected[at:]), actual, re.S)
    return bool(match) and all(
        math.isclose(want, float(got), rel_tol=1e-4, abs_tol=1e-9) for want, got in zip(numbers, match.groups())
    )


class Page:
    def __init__(self, path, options, scratch):
        self.path, self.options, self.scratch = path, options, scratch
        self.environment = dict(os.environ, PATH=f"{scratch / 'bin'}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        for name in ("TAPEFREE_STRICT", "TAPEFREE_ALIAS"):
            self.environment.pop(name, None)
        self.shown, self.count = "", 0
        (scratch / "bin").mkdir()
        (scratch / "build/lib").mkdir(parents=True)
        plugin = pathlib.Path(options.plugin).resolve()
        (scratch / "build/lib/libTapefree.so").symlink_to(plugin)
        (scratch / "build/lib/libTapefreeClang.so").symlink_to(plugin.parent / "libTapefreeClang.so")
        for name in ("include", "dev"):
            (scratch / name).symlink_to(PROJECT / name)
        preload = f"export LD_PRELOAD='{options.preload}' ASAN_OPTIONS=detect_leaks=0\n" if options.preload else ""
        for tool in TOOLS:
            for name in (tool, f"{tool}-22"):
                self.script(name, f'{preload}exec "{options.tools}/{tool}" "$@"')
        if options.tapefree:
            self.script("tapefree", f'exec "{options.tapefree}" "$@"')

    def script(self, name, text):
        path = self.scratch / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def shell(self, command):
        done = subprocess.run(
            ["bash", "-c", command], cwd=self.scratch, env=self.environment, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LIMIT,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    def source(self, block, prelude):
        kind = block.words[0]
        name = block.file or f"line{block.line}.{block.language}"
        text = block.text
        if kind == "body":
            inside = "".join(f"  {line}\n" if line else "\n" for line in text.splitlines())
            text = f"{prelude}\nvoid shown_on_line_{block.line}() {{\n{inside}}}\n"
        (self.scratch / name).write_text(text)
        compiler = "clang++-22 -std=c++20" if block.language == "cpp" else "clang-22"
        level = next((w for w in block.words if re.fullmatch("O[0-3]", w)), "O2")
        command = f"{compiler} -{level} -g -I include -fpass-plugin=build/lib/libTapefree.so {name}"
        status, output = self.shell(command + (" -o program" if kind == "run" else " -c -o object.o"))
        if (status != 0) != (kind == "fails"):
            raise Failure(f"{'refused' if status else 'accepted'} by the compiler\n{output}")
        if kind == "run":
            status, output = self.shell("./program")
            if status:
                raise Failure(f"the program failed: {status}\n{output}")
        return output

    def commands(self, block):
        """(command, what it shall print)"""
        if block.language == "sh":
            return [(line, None) for line in block.text.splitlines() if line and not line.startswith("#")]
        result = []
        for line in block.text.splitlines():
            if line.startswith("$ "):
                result.append([line[2:], ""])
            elif result and not result[-1][1] and result[-1][0].endswith("\\"):
                result[-1][0] = result[-1][0][:-1] + line.strip()
            elif result:
                result[-1][1] += line + "\n"
            else:
                raise Failure("a console block begins with a command: $ ...")
        return result

    def run(self, block, prelude):
        if block.language not in LANGUAGES:
            raise Failure(f"unknown kind of block: {block.language}")
        if block.language == "text" and "output" in block.words:
            if not agree(block.text, self.shown):
                raise Failure(f"shown:\n{block.text}but the block before printed:\n{self.shown}")
        elif block.language in ("text", "yaml") or "text" in block.words:
            if block.file:
                (self.scratch / block.file).write_text(block.text)
        elif block.language in ("cpp", "c"):
            if not block.words or block.words[0] not in ("run", "compile", "fails", "body"):
                raise Failure("say what to do with it: run, compile, fails, body or text")
            self.shown = self.source(block, prelude)
        else:
            if "tapefree" in block.words and not self.options.tapefree:
                return
            commands = self.commands(block)
            for index, (command, expected) in enumerate(commands):
                status, output = self.shell(command)
                fails = "fails" in block.words and index + 1 == len(commands)
                if (status != 0) != fails:
                    raise Failure(f"exit status {status}: {command}\n{output}")
                if expected is not None and not agree(expected, output):
                    raise Failure(f"{command}\nshown:\n{expected}printed:\n{output}")
        self.count += 1


def check_prose(path, prose, verbs):
    problems = []
    for target in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", prose):
        if not re.match(r"[a-z]+:", target) and not (path.parent / target).exists():
            problems.append(f"{path.name}: no file {target}")
    for verb in re.findall(r"\./dev ([a-z]+)", path.read_text()):
        if verb not in verbs:
            problems.append(f"{path.name}: ./dev has no verb {verb}")
    return problems


def check_page(path, options, verbs):
    try:
        blocks, prelude, prose = read_page(path)
    except Failure as failure:
        return 0, [str(failure)]
    problems = check_prose(path, prose, verbs)
    with tempfile.TemporaryDirectory() as scratch:
        page = Page(path, options, pathlib.Path(scratch))
        for block in blocks:
            try:
                page.run(block, prelude)
            except Failure as failure:
                problems.append(f"{path.name}:{block.line}: {failure}")
            except subprocess.TimeoutExpired as late:
                problems.append(f"{path.name}:{block.line}: more than {LIMIT} s: {late.cmd[-1]}")
        return page.count, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="(default: all)")
    parser.add_argument("--plugin", default=str(PROJECT / "build/lib/libTapefree.so"))
    parser.add_argument("--tools", default="/usr/lib/llvm-22/bin", help="folder of clang, opt, ...")
    parser.add_argument("--tapefree", default="", help="the command-line program; without it its blocks are not run")
    parser.add_argument("--preload", default="", help="library to preload into the tools (a sanitized plugin's)")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args()
    pages = options.pages or [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *sorted((PROJECT / "docs").glob("*.md"))]
    text = subprocess.run([PROJECT / "dev", "help"], stdout=subprocess.PIPE, check=True).stdout.decode()
    verbs = set(re.findall(r"^  ([a-z]+)", text, re.M)) | {"help"}
    began, failed, total = time.monotonic(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (count, problems) in zip(pages, pool.map(lambda p: check_page(p, options, verbs), pages)):
            print(f"{path.name}: {count} blocks, {len(problems)} problems", flush=True)
            for problem in problems:
                print(f"\n=== {problem}")
            failed += len(problems)
            total += count
    print(f"{total} blocks, {failed} problems, {time.monotonic() - began:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
