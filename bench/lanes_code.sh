#!/usr/bin/env bash
# Code size of a batch of 32 derivatives as a multiple of that of a batch of 4, for workloads that bench/lanes.hpp can take:
#
#   bench/lanes_code.sh DIR/04_ba.cpp...
#
# CXX and PLUGIN may name the compiler and the plugin. The bytes are what the plugin adds to a file: without it the call stands there
# as an ordinary one, with all its arguments.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
compiler=${CXX:-clang++-22} plugin=${PLUGIN:-$here/../build/lib/libTapefree.so}
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT

code() { # SOURCE OPTION...: bytes of code, constants and unwind tables
  "$compiler" -std=c++20 -w -O3 -march=native -fno-math-errno -I "$(dirname "$1")" -include "$here/lanes.hpp" "${@:2}" \
    -c "$1" -o "$object"
  size "$object" | awk 'END { print $1 }'
}

added() { # SOURCE LANES DERIVATIVE
  echo $(($(code "$1" "-DLANES=$2" "-DLANES_CODE=$3" "-fpass-plugin=$plugin") - $(code "$1" "-DLANES=$2" "-DLANES_CODE=$3")))
}

for source in "$@"; do
  for way in reverse forward; do
    for layout in separate strided interleaved; do
      derivative="layout::$layout,$([ $way = forward ] && echo true || echo false)"
      few=$(added "$source" 4 "$derivative") many=$(added "$source" 32 "$derivative")
      awk -v n="$(basename "$source" .cpp) $way $layout" -v f="$few" -v m="$many" \
        'BEGIN { printf "%-34s %6d bytes at width 4, %6d at width 32: %.2f\n", n, f, m, m / f }'
    done
  done
done
