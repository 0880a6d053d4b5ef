// An older standard is one error that says what to do.
// RUN: not %clangxx -std=c++17 -fsyntax-only -ferror-limit=5 %s 2>&1 | FileCheck %s
// CHECK: error: Tapefree's C++ interface needs C++20: add -std=c++20
// CHECK: 1 error generated
#include <tapefree/jacobian.hpp>
