// A call that nothing is known of may put memory where it is read again, as std::list's _M_hook does: what it is given must not hold
// differentiated values, although nothing that is visible reads them there.
// RUN: not %clangxx -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
void __tapefree_autodiff(void *, const double *, double *, int);
struct Node {
  Node *next;
  double value;
};
void hook(Node **list, Node *n);
void note(double *values);

double sum(const double *x, int n) {
  Node *list = nullptr;
  for (int i = 0; i < n; ++i) {
    Node *node = new Node{nullptr, x[i]};
    // CHECK: linked_elsewhere.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'hook' is given differentiated data, and neither its body nor a derivative is known: make its body visible here, or keep differentiated values out of it
    hook(&list, node);
  }
  double s = 0;
  for (Node *p = list; p; p = p->next)
    s += p->value;
  return s;
}
double noted(const double *x, int n) {
  double copy[2] = {x[0], x[n - 1]};
  // CHECK: linked_elsewhere.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'note' is given differentiated data
  note(copy);
  return x[0];
}
void adjoints(const double *x, double *dx, int n) {
  __tapefree_autodiff((void *)sum, x, dx, n);
  __tapefree_autodiff((void *)noted, x, dx, n);
}
