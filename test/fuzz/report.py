"""A failing program as one file that stands alone: inputs and expected results are literal numbers."""
import pathlib
import re

from emit import NESTED, Emitter, untemplated

OWN = {
    "powi": "inline double powi(double x, int n) { return __builtin_powi(x, n); }\n"
            "inline float powi(float x, int n) { return __builtin_powif(x, n); }\n",
    "exp10": "inline float exp10(float x) { return __builtin_exp10f(x); }\n",
    "roundeven": "inline double roundeven(double x) { return __builtin_roundeven(x); }\n"
                 "inline float roundeven(float x) { return __builtin_roundevenf(x); }\n",
    "plain": "template <class T> T plain(T x) { return x; }\n",
}
STD = ("acosh asinh atanh cbrt copysign erf erfc exp2 expm1 fabs fdim fma fmax fmin fmod hypot ldexp lgamma log1p log2 nearbyint "
       "remainder rint round tgamma trunc sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt floor ceil atan2 pow").split()
# The programs in test/programs that came from here include the same text.
CHECK = "\n" + (pathlib.Path(__file__).parent.parent / "programs/found.hpp").read_text().split("#include <tapefree/abi.h>\n")[1]


def values(name, words):
    items = []
    for word in words:
        offset, kind, value = word.split(":")
        items.append(f"{{{offset}, '{'-' if value == '-' else kind}', {'0' if value == '-' else value}}}")
    return f"static const Value {name}[] = {{{', '.join(items)}}};\n".replace("nan", "NAN").replace("inf", "INFINITY")


def report(finding, flags, plugin_flags, dump):
    """The text; dump is what the unit printed about inputs and expected results."""
    task, mode = finding.task, finding.mode if finding.mode in ("forward", "reverse", *NESTED) else finding.task.modes[0]
    e = Emitter(task.program, [mode], task.options)
    calls, fields = e.calls()
    calls = untemplated(calls)
    body = untemplated(e.templates())
    state = untemplated(e.state_text())
    state = re.sub(r"void slots\(.*?\n}\n", "", state, flags=re.S)
    names = [n for n in STD if re.search(rf"\b{n}\(", body)]
    own = "".join(code for name, code in OWN.items() if re.search(rf"\b{name}\(", body))
    vectors = dict(re.findall(r"^D (\S+) (.*)$", dump, re.M))
    out = [f"// Found by ./dev fuzz: seed {task.seed}, {mode}, {' '.join(flags)}.\n// {finding.text}\n",
           f"// clang++-22 -std=c++14 {' '.join(flags)} -I include {plugin_flags} FILE.cpp -o bug && ./bug\n",
           "#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <tapefree/abi.h>\n\n",
           own, "namespace bug {\ntypedef double D;\ntypedef float F;\n",
           *[f"using std::{n};\n" for n in names], body, "\n", state, "\ntypedef State S;\n", untemplated(e.plain()), calls, "}\n"]
    if finding.mode == "compiler" or mode == "batch":
        out.append("int main() {}\n")
        return "".join(out)
    states = ["s", "d"] if mode in ("forward", "reverse") else ["s", "d", "t", "td"]
    out.append(CHECK)
    for s in states:
        out.append(values(s.replace("-", "_") + "_in", vectors.get(s, "").split()))
        out.append(values(s + "_want", vectors.get("want-" + s, "").split()))
    name = fields[NESTED.get(mode, mode)]
    tolerance = 1e-4 if task.program.floats else 1e-9
    out.append("int main() {\n  static bug::S " + ", ".join(states) + ";\n")
    for s in states:
        out.append(f"  bug::start({s});\n  put(&{s}, {s}_in, sizeof {s}_in / sizeof *{s}_in);\n")
    out.append(f"  bug::{name}({', '.join(states)});\n  int count = 0;\n")
    for s in states:
        out.append(f'  count += wrong("{s}", &{s}, {s}_want, sizeof {s}_want / sizeof *{s}_want, {tolerance});\n')
    out.append('  std::puts(count ? "FAIL" : "ok");\n  return count != 0;\n}\n')
    return "".join(out)
