// Shared by programs that ./dev fuzz found and reduced: states by offset, and what must come out.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tapefree/abi.h>

struct Value { unsigned offset; char kind; double value; }; // kind '-' is not compared
inline void put(void *state, const Value *v, int n) {
  for (int i = 0; i < n; ++i) {
    char *p = (char *)state + v[i].offset;
    v[i].kind == 'f' ? void(*(float *)p = (float)v[i].value) : void(*(double *)p = v[i].value);
  }
}
inline int wrong(const char *name, const void *state, const Value *v, int n, double tolerance) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (v[i].kind == '-') continue;
    const char *p = (const char *)state + v[i].offset;
    const double got = v[i].kind == 'f' ? *(const float *)p : *(const double *)p;
    if (std::fabs(got - v[i].value) <= tolerance * (1 + std::fabs(v[i].value))) continue;
    ++count;
    std::printf("%s at offset %u: got %.12g, must be %.12g\n", name, v[i].offset, got, v[i].value);
  }
  return count;
}
