#!/usr/bin/env python3
"""Random programs, differentiated by the plugin and compared with dual numbers in the same binary. docs/fuzzing.md"""
import argparse
import concurrent.futures
import pathlib
import random
import sys
import tempfile
import time

import aliasing
from emit import LANES, MODES, NESTED
from reduce import Reducer
from report import report
from units import LEVELS, PROJECT, Machine, Task

RANDOM_LEVELS = ["O0", "O1", "O2", "O2", "O3", "g"]
WIDTHS = [1, 2, 3, 4, 5, 8, 11]


def parse(arguments):
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="programs (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the first program; the next ones follow (default 1)")
    parser.add_argument("--modes", default="forward,reverse,nested",
                        help=f"of {', '.join(MODES)}, and nested: one of the four nestings for each program; or aliasing alone: "
                             "programs of their own over buffers that overlap, under each alias policy")
    parser.add_argument("--settings", type=int, default=24, help="of where buffers lie, for each program of aliasing")
    parser.add_argument("--level", choices=list(LEVELS), help="for all units; otherwise each has a random one")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--unit", type=int, default=20, help="programs in one translation unit")
    parser.add_argument("--out", type=pathlib.Path, default=PROJECT / "build/fuzz", help="folder for reduced programs")
    parser.add_argument("--reductions", type=int, default=6, help="failures to reduce at most (0: none)")
    parser.add_argument("--reduce-seconds", type=int, default=120)
    parser.add_argument("--without", default="", help="statements not to generate, such as copy_memory,set_memory (statements.py)")
    parser.add_argument("--sanitize", action="store_true", help="address and undefined-behaviour sanitizers")
    parser.add_argument("--no-plugin", action="store_true", help="only the programs themselves, to look for faults in them")
    parser.add_argument("--check-reference", action="store_true", help="first check the dual numbers against differences")
    parser.add_argument("--plugin", default=str(PROJECT / "build/lib/libTapefree.so"))
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--verbose", action="store_true", help="a line for each unit")
    options = parser.parse_args(arguments)
    options.without = options.without.replace(",", " ").split()
    options.modes = options.modes.replace(",", " ").split()
    options.aliasing = options.modes == ["aliasing"]
    unknown = set(options.modes) - {*MODES, "nested"} - ({"aliasing"} if options.aliasing else set())
    if unknown:
        parser.error(f"no such mode: {' '.join(unknown)}")
    if options.no_plugin:
        options.modes, options.plugin = [], ""
    return options


def task(seed, options):
    """The program of a seed with what is asked of it. Nothing here depends on other seeds."""
    r = random.Random(seed * 7919 + 13)
    modes = [m for m in options.modes if m != "nested"]
    if "nested" in options.modes:
        modes.append(r.choice([m for m in NESTED if m not in modes] or ["fof"]))
    return Task(seed, modes, {"width": r.choice(WIDTHS), "lanes": r.choice(LANES)}, without=options.without)


def unit(first, options, machine):
    """Examines the unit that begins with seed first."""
    last = min(first + options.unit, options.seed + options.count)
    tasks = [task(seed, options) for seed in range(first, last)]
    level = options.level or random.Random(first).choice(RANDOM_LEVELS)
    began = time.monotonic()
    result = machine.examine(tasks, level, f"unit{first}")
    if options.verbose:
        print(f"seeds {first} to {last - 1}, {level}: {time.monotonic() - began:.1f} s, {result.comparisons} comparisons, "
              f"{sum(map(len, result.refusals.values()))} refused, {len(result.findings)} failures", flush=True)
    return result


def reduced(finding, options, machine):
    """Writes the failure's program, made small, to the out folder; the path."""
    kept, signature = finding.task, finding.signature
    stem = f"reduce{kept.seed}"

    def fails(candidate):
        result = machine.examine([candidate], finding.level, stem)
        return any(f.signature == signature for f in result.findings)

    if finding.mode in kept.modes:
        kept.modes = [finding.mode]
    for mode in list(kept.modes) if len(kept.modes) > 1 else []:  # a crash: of which mode?
        alone = Task(kept.seed, [mode], kept.options, program=kept.program)
        if fails(alone):
            kept.modes = [mode]
            break
    if fails(kept):
        Reducer(kept, fails, options.reduce_seconds).run()
    for f in machine.examine([kept], finding.level, stem).findings:
        if f.signature == signature:
            finding.text = f.text
    binary, _, _, _ = machine.compile([kept], finding.level, stem)
    dump = machine.run(binary, [finding.mode if finding.mode in kept.modes else kept.modes[0]])[1] if binary and kept.modes else ""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / f"seed{kept.seed}-{finding.mode}-{finding.kind.replace(' ', '-')}.cpp"
    path.write_text(report(finding, LEVELS[finding.level], "-fpass-plugin=build/lib/libTapefree.so", dump))
    return path


def reduce_some(findings, options, machine):
    """One of each kind first."""
    order, seen = [], set()
    for f in findings:
        order.append((f.signature in seen, len(order), f))
        seen.add(f.signature)
    chosen = [f for _, _, f in sorted(order, key=lambda x: x[:2]) if f.kind not in ("invalid", "harness")]
    for f in chosen[: options.reductions]:
        print(f"reducing seed {f.task.seed}, {f.mode}: {f.text}", flush=True)
        print(f"  {reduced(f, options, machine)}: seed {f.task.seed}, {f.mode}, {f.level}: {f.text}", flush=True)


def main():
    options = parse(sys.argv[1:])
    if options.aliasing:
        return aliasing.run(options)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tapefree-fuzz-") as folder:
        machine = Machine(folder, options.plugin, options.clangxx, options.sanitize)
        if options.check_reference:
            machine.check_reference()
        firsts = range(options.seed, options.seed + options.count, options.unit)
        total = None
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(lambda first: unit(first, options, machine), firsts):
                for f in result.findings:
                    print(f"FAIL seed {f.task.seed}, {f.mode}, {f.level}: {f.text}", flush=True)
                if total:
                    total.add(result)
                else:
                    total = result
        refused = sum(map(len, total.refusals.values()))
        for message, seeds in sorted(total.refusals.items(), key=lambda x: -len(x[1])):
            print(f"{len(seeds):6} refused: {message} (seed {', '.join(map(str, seeds[:3]))})")
        if options.reductions:
            reduce_some(total.findings, options, machine)
    print(f"{total.programs} programs (seeds {options.seed} to {options.seed + options.count - 1}), {total.comparisons} comparisons "
          f"({total.nonzero} of derivatives that are not zero), "
          f"{refused} refusals, {total.useless} of no use, {total.sensitive} too sensitive to rounding, "
          f"{total.foreign} wrong without the plugin, too, "
          f"{len(total.findings)} failures; {time.monotonic() - began:.0f} s")
    return 1 if total.findings else 0


if __name__ == "__main__":
    sys.exit(main())
