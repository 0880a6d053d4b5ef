// Mistakes in registrations: each names the registration, what is there and what should be.
// RUN: not %clangxx -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
extern "C" {
double f(double x, const double *p, int n) { return x * p[n]; }
double g(double x) { return x; }
void h(double *x) { *x *= 2; }

double short_gradient(double x, const double *p, double *dp, double seed) { return seed; }
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__tapefree_register_gradient_f': the gradient 'short_gradient' of 'f' is double (double, pointer, pointer, double), and should be double (double, pointer, pointer, integer of 32 bits, double)
void *__tapefree_register_gradient_f[] = {(void *)f, (void *)short_gradient};

float wrong_result(double x, double seed) { return 1; }
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_register_gradient_result': the gradient 'wrong_result' of 'g' is float (double, double), and should be double (double, double)
void *__enzyme_register_gradient_result[] = {(void *)g, (void *)g, (void *)wrong_result};

double one(double x, double dx) { return dx; }
double two(double x, double dx) { return dx; }
void *__tapefree_register_derivative_one[] = {(void *)g, (void *)one};
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_register_derivative_two': 'g' has a registered derivative already: leave one of the two
void *__enzyme_register_derivative_two[] = {(void *)g, (void *)two};

// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_register_gradient_null': entry 3 is null: name a function there
void *__enzyme_register_gradient_null[] = {(void *)h, (void *)h, 0};

// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_inactivefn_later': the entries are null when the program is compiled: a registration is an array of constants, {(void *)f, ...}, not filled in at run time
void *__enzyme_inactivefn_later[1];

// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_inactive_global_f': entry 1 is not the address of a global variable
void *__enzyme_inactive_global_f[] = {(void *)f};

// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_function_like_none': no derivative is known of a function 'sine' of this type: docs/rules.md has those that are
void *__enzyme_function_like_none[] = {(void *)g, (void *)"sine"};
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_function_like_two': 'g' is double (double), which is not the signature of 'pow' for this type
void *__enzyme_function_like_two[] = {(void *)g, (void *)"pow"};

void *make(const char *what, unsigned long bytes);
void drop(void *, int);
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_allocation_like_size': entry 2 is the number, from 0, of an integer argument of 'make'
void *__enzyme_allocation_like_size[] = {(void *)make, (void *)0, (void *)"-1", (void *)drop};
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_allocation_like_free': 'drop' is void (pointer, integer of 32 bits), and what releases memory should be void (pointer)
void *__enzyme_allocation_like_free[] = {(void *)make, (void *)1, (void *)"-1", (void *)drop};

// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_register_splitderivative_g': splitderivative is not supported by this version of Tapefree: register a gradient and a derivative
void *__enzyme_register_splitderivative_g[] = {(void *)g, (void *)one, (void *)one, (void *)two};

struct Pair {
  double a, b, c;
};
double by_value(Pair p) { return p.a; }
// CHECK: error: {{.*}}registrations.cpp:[[#@LINE+1]]: tapefree: '__enzyme_register_gradient_class': 'by_value' takes or returns a class by value, and rules are for functions of numbers and pointers: pass it by pointer
void *__enzyme_register_gradient_class[] = {(void *)by_value, (void *)one};
}
// CHECK: 12 errors generated
