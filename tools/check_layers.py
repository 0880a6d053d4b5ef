#!/usr/bin/env python3
"""Checks what keeps the project readable: includes go only downward, and no file is longer than 800 lines.

Layers, lowest first; a file includes its own layer and those below, never above:
  Support < Rules < Request < Frontend, Prepare < Analysis < Plan < Emit < Explain < Pipeline
Frontend and Prepare do not see each other. Rules do not see Analysis (they lie below), and a plan is pure
data: Plan includes no IRBuilder.
"""
import pathlib
import re
import sys

LAYERS = [["Support"], ["Rules"], ["Request"], ["Frontend", "Prepare"], ["Analysis"], ["Plan"], ["Emit"], ["Explain"], ["Pipeline"]]
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
FORBIDDEN = {"Plan": ["llvm/IR/IRBuilder.h"]}
LONGEST = 800
SOURCES = {".h", ".hpp", ".cpp", ".c", ".def", ".inc", ".py"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def layer_of_include(spelled, folder, lib):
    """The layer that an #include names, or None for what is not of lib/."""
    first = spelled.split("/")[0]
    if first in HEIGHT and (lib / spelled).parent.is_dir():
        return first
    beside = (folder / spelled).resolve()
    if beside.is_relative_to(lib) and beside.exists():
        return beside.relative_to(lib).parts[0]
    return None


def check_includes(path, lib):
    layer = path.relative_to(lib).parts[0]
    if layer not in HEIGHT:
        if path.parent != lib:
            yield f"{path}: lib/{layer} is no known layer; add it to LAYERS in tools/check_layers.py"
        return
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        spelled = found.group(1)
        if spelled in FORBIDDEN.get(layer, []):
            yield f"{path}:{number}: {layer} may not include {spelled}"
        other = layer_of_include(spelled, path.parent, lib)
        if other is None or other == layer:
            continue
        if other not in HEIGHT or HEIGHT[other] >= HEIGHT[layer]:
            yield f"{path}:{number}: {layer} may not include {spelled}: {other} is not below it"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    lib = root / "lib"
    problems, count = [], 0
    for folder in ("lib", "clang", "include", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            count += 1
            lines = path.read_bytes().count(b"\n")
            if lines > LONGEST:
                problems.append(f"{path}: {lines} lines; split it along what it knows ({LONGEST} at most)")
            if folder == "lib":
                problems += check_includes(path, lib)
    for problem in problems:
        print(problem.replace(f"{root}/", ""))
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
