// Memory from a small arena and placement new: a bump allocator in a static array and one on the stack; an allocator of the user's for
// std::vector.
#include "compare.hpp"
#include <new>
#include <vector>

struct Arena {
  alignas(16) unsigned char bytes[4096];
  std::size_t used = 0;
  void *take(std::size_t n) {
    void *p = bytes + used;
    used += (n + 15) / 16 * 16;
    return p;
  }
};
struct Pair {
  double a, b;
  Pair(double x, double y) : a(x), b(x * y) {}
};
double placed(const double *x, int n) {
  alignas(Pair) unsigned char room[8 * sizeof(Pair)];
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    Pair *p = new (room + i * sizeof(Pair)) Pair(x[i], x[(i + 1) % n]);
    sum += p->a * p->b;
  }
  return sum * reinterpret_cast<Pair *>(room)->b;
}
double arena(const double *x, int n) {
  Arena memory;
  double *squares = static_cast<double *>(memory.take(n * sizeof(double)));
  Pair *pair = new (memory.take(sizeof(Pair))) Pair(x[0], x[1]);
  for (int i = 0; i < n; ++i)
    squares[i] = x[i] * pair->b;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += squares[i] * squares[n - 1 - i];
  return sum * pair->a;
}
template <class T> struct Counted {
  typedef T value_type;
  Counted() = default;
  template <class U> Counted(const Counted<U> &) {}
  T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }
  void deallocate(T *p, std::size_t) { std::free(p); }
  friend bool operator==(Counted, Counted) { return true; }
};
double allocator(const double *x, int n) {
  std::vector<double, Counted<double>> v;
  for (int i = 0; i < n; ++i)
    v.push_back(x[i] * x[0]);
  double sum = 0;
  for (double e : v)
    sum += e * v.back();
  return sum;
}

int main() {
  compare_at<placed>("placed", 5, -1, 1);
  compare_at<arena>("arena", 5, -1, 1);
  compare_at<allocator>("allocator", 5, -1, 1);
  return finish();
}
