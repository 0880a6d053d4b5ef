#!/usr/bin/env python3
"""What a derivative costs when it is compiled, and how that grows with the code.

    bench/compile_time.py [--levels O0 O1 O2] [--kinds straight memory ...] [--lines 1250 2500 5000 10000]

For each kind of code (all lines in one function, but for `functions`): seconds of user time of clang for the file with the
gradient, those of the file without it, and the first over that of half as many lines. At last, what loading the plugin costs a
file that asks for no derivative. Only ratios of one run mean something. At -O2 much of the time is that of LLVM's passes behind
the plugin: its vectoriser of straight lines and its scheduler are slower than linear in the size of a block.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent.parent
REQUEST = """
void df(const double *x, double *dx, int n) {
  tapefree::gradient(f, tapefree::dup(x, dx), tapefree::constant(n));
}
"""
BARE = "double g(const double *x, int n) { return f(x, n); }\n"
STREAMS = """#include <iostream>
#include <map>
#include <regex>
#include <string>
int main() {
  std::map<std::string, int> words;
  std::regex word("[a-z]+");
  for (std::string s; std::cin >> s;)
    words[std::regex_replace(s, word, "w")]++;
  for (auto &[w, n] : words)
    std::cout << w << ' ' << n << std::endl;
}
"""


def straight(n):
    """Local variables, each line computed from the ones before."""
    terms = ["sin({1})", "x[{0}] * {1}", "{1} / (1.0 + {1} * {1})", "exp(-{1})"]
    lines = (f"  {'abcd'[i % 4]} = {'abcd'[i % 4]} * {'abcd'[(i + 1) % 4]} + "
             f"{terms[i % 4].format(i % 97, 'abcd'[(i + 1) % 4])};" for i in range(n))
    return "double a = x[0], b = x[1], c = x[2], d = x[3];", lines, "a + b + c + d"


def memory(n):
    """Elements of an array, overwritten again and again."""
    lines = (f"  t[{i * 7 % 64}] = t[{i * 5 % 64}] * t[{(i * 3 + 1) % 64}] + x[{i % 97}];" for i in range(n))
    return "double t[64];\n  for (int i = 0; i < 64; i++) t[i] = x[i];", lines, "t[0] + t[7] + t[63]"


def branches(n):
    """Conditions on what is computed, five lines each."""
    lines = (f"  if (a > x[{i % 97}])\n    a -= b * x[{i % 89}];\n  else\n    b += a * x[{i % 83}];\n  a *= 0.5;" for i in range(n // 5))
    return "double a = x[0], b = x[1];", lines, "a + b"


def loops(n):
    """Loops, five lines each, one behind the other."""
    lines = (f"  for (int i = 0; i < n; i++) {{\n    double v = x[i] + {i % 7}.5;\n    if (v > s)\n      s += v * sin(s);\n  }}"
             for i in range(n // 5))
    return "double s = 0;", lines, "s"


def functions(n):
    """Functions of ten lines with a loop, each called once."""
    lines = (f"  s += g{k}(x, n);" for k in range(n // 10))
    return "double s = 0;", lines, "s"


KINDS = {k.__name__: k for k in (straight, memory, branches, loops, functions)}


def program(kind, n, request):
    start, lines, value = KINDS[kind](n)
    text = "#include <math.h>\n#include <tapefree/tapefree.hpp>\n"
    if kind == "functions":
        text += "".join(f"static double g{k}(const double *x, int n) {{\n  double s = {k};\n\n  for (int i = 0; i < n; i++) {{\n"
                        f"    s += x[i] * x[i];\n    s *= 0.5;\n  }}\n\n  return s;\n}}\n" for k in range(n // 10))
    body = "\n".join(lines)
    return f"{text}static double f(const double *x, int n) {{\n  {start}\n{body}\n  return {value};\n}}\n{REQUEST if request else BARE}"


class Compiler:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def seconds(self, text, level, plugin=True, times=1):
        """The least user time of `times` compilations."""
        source = self.folder / "program.cpp"
        source.write_text(text)
        command = [self.options.clangxx, "-std=c++20", "-w", f"-{level}", f"-I{HERE / 'include'}", "-c", source, "-o", os.devnull]
        command += [f"-fpass-plugin={self.options.plugin}"] * plugin
        best = float("inf")
        for _ in range(times):
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run(command, check=True)
            best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", default=HERE / "build/lib/libTapefree.so")
    parser.add_argument("--clangxx", default="clang++-22")
    parser.add_argument("--levels", nargs="+", default=["O0", "O1"])
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--lines", nargs="+", type=int, default=[1250, 2500, 5000, 10000])
    parser.add_argument("--times", type=int, default=5, help="compilations of the file without a request")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options, pathlib.Path(folder))
        print(f"{'code':10} {'level':5} {'lines':>6} {'gradient s':>10} {'without s':>10} {'growth':>7}")
        for kind in options.kinds:
            for level in options.levels:
                last = None
                for n in options.lines:
                    with_gradient = compiler.seconds(program(kind, n, True), level)
                    without = compiler.seconds(program(kind, n, False), level)
                    growth = f"{with_gradient / last:7.2f}" if last else ""
                    print(f"{kind:10} {level:5} {n:6} {with_gradient:10.2f} {without:10.2f} {growth}", flush=True)
                    last = with_gradient
        for level in options.levels:
            plain, loaded = (compiler.seconds(STREAMS, level, plugin, options.times) for plugin in (False, True))
            print(f"no request {level:5} {loaded:17.3f} {plain:10.3f} {100 * (loaded / plain - 1):+6.1f} %")


if __name__ == "__main__":
    main()
