#!/usr/bin/env bash
# run.sh PLUGIN [CLANGXX] [flags...]: times Jacobians and Hessians, W directions at once, against one at a time. One line of JSON
# for each: one_ns and batch_ns are nanoseconds for the whole matrix. `./dev bench bench/matrices` calls it.
set -euo pipefail
plugin=${1:?usage: run.sh PLUGIN [CLANGXX] [flags...]}
clangxx=${2:-clang++-22}
shift
[ $# -gt 0 ] && shift
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$clangxx" -std=c++20 -O3 -march=native -fno-math-errno "-I$here/../../include" "-fpass-plugin=$plugin" "$@" \
  "$here/matrices.cpp" -o "$out/matrices" -lm
"$out/matrices"
