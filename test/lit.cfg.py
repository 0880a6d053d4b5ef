# The lit suite: every .ll, .c, .cpp and .test under test/ that carries RUN lines.
#
#   %plugin         libTapefree.so
#   %opt            opt with the plugin loaded
#   %clangxx        clang++ (C++20, include/ on its path) with the plugin; %clang the same for C
#   %clangxx_plain  the same without the plugin
#   %tapefree       the command-line program; only for tests that say REQUIRES: program
#   %python         this interpreter
#   %clang_plugin   libTapefreeClang.so; tests that need it say REQUIRES: clang-plugin
#   %include        the project's include folder
#   opt, FileCheck, not, llvm-as, lli, ... are those of the LLVM that the plugin is for.
import os
import sys

import lit.formats

config.name = "Tapefree"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp", ".test"]
config.test_source_root = os.path.dirname(__file__)
# programs, nn and restrict are run by run_programs.py: plain programs without RUN lines. known-failing is not run.
config.excludes = ["programs", "fuzz", "nn", "restrict", "known-failing", "Inputs"]

config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.bin_dir, config.environment.get("PATH", "")]
)
if config.preload:
    config.environment["LD_PRELOAD"] = config.preload
    config.environment["ASAN_OPTIONS"] = "detect_leaks=0"

include = os.path.join(config.source_dir, "include")
clangxx = f"{config.llvm_tools_dir}/clang++ -std=c++20 -I{include}"
if config.clang_plugin:
    config.available_features.add("clang-plugin")
config.substitutions += [
    ("%clang_plugin", config.clang_plugin),
    ("%plugin", config.plugin),
    ("%include", include),
    ("%python", sys.executable),
    ("%tapefree", os.path.join(config.bin_dir, "tapefree")),
    ("%opt", f"{config.llvm_tools_dir}/opt -load-pass-plugin={config.plugin}"),
    ("%clangxx_plain", clangxx),
    ("%clangxx", f"{clangxx} -fpass-plugin={config.plugin}"),
    ("%clang", f"{config.llvm_tools_dir}/clang -I{include} -fpass-plugin={config.plugin}"),
]
if os.path.exists(os.path.join(config.bin_dir, "tapefree")):
    config.available_features.add("program")
