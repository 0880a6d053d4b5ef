// Containers whose links are made by code of the standard library that no header shows.
// RUN: not %clangxx -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <list>
#include <map>
void __tapefree_autodiff(void *, const double *, double *, int);

double listed(const double *x, int n) {
  std::list<double> l;
  // CHECK: library_containers.cpp:[[#@LINE+2]]:{{.*}} error: {{.*}}tapefree: the call of 'std::__detail::_List_node_base::_M_hook' is given differentiated data, and neither its body nor a derivative is known: make its body visible here, or keep differentiated values out of it
  for (int i = 0; i < n; ++i)
    l.push_back(x[i]);
  double s = 0;
  for (double v : l)
    s += v * v;
  return s;
}
double mapped(const double *x, int n) {
  std::map<int, double> m;
  for (int i = 0; i < n; ++i)
    // CHECK: library_containers.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'std::_Rb_tree_insert_and_rebalance' is given differentiated data
    m[i % 3] += x[i];
  return m.begin()->second;
}
void adjoints(const double *x, double *dx, int n) {
  __tapefree_autodiff((void *)listed, x, dx, n);
  __tapefree_autodiff((void *)mapped, x, dx, n);
}
