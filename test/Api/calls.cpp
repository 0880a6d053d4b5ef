// What the typed API leaves for the plugin, at -O0: the function and each marker stand directly at the call
// once the always_inline wrappers are gone.
// RUN: %clangxx_plain -O0 -Xclang -disable-O0-optnone -fno-discard-value-names -S -emit-llvm %s -o - \
// RUN:   | opt -passes='always-inline,function(mem2reg)' -S | FileCheck %s
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

double square(double x) { return x * x; }
double dot(const double *w, const double *x, int n);
double product(double x, const double &y);
struct Point {
  double x, y;
};
double norm(Point p) { return p.x * p.x + p.y * p.y; }

// CHECK-LABEL: define {{.*}} @by_name
// CHECK: [[OUT:%.*]] = load i32, ptr @tapefree_out
// CHECK: call noundef double @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @_Z6squared, i32 noundef [[OUT]], double
extern "C" double by_name(double x) { return tf::gradient(square, tf::active(x)); }

// CHECK-LABEL: define {{.*}} @by_template
// CHECK: [[STRICT:%.*]] = load i32, ptr @tapefree_strict
// CHECK: [[VALUE:%.*]] = load i32, ptr @tapefree_primal_return
// CHECK: [[OUT:%.*]] = load i32, ptr @tapefree_out
// CHECK: call { double, double } @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @_Z6squared, i32 noundef [[STRICT]], i32 noundef [[VALUE]], i32 noundef [[OUT]], double
extern "C" double by_template(double x) { return tf::strict::value_and_gradient<square>(tf::active(x)).gradient; }

// CHECK-LABEL: define {{.*}} @arrays
// CHECK: [[DUP:%.*]] = load i32, ptr @tapefree_dup,
// CHECK: [[CONST:%.*]] = load i32, ptr @tapefree_const
// CHECK: [[CONST2:%.*]] = load i32, ptr @tapefree_const
// CHECK: call void @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @_Z3dotPKdS0_i, i32 noundef [[DUP]], ptr noundef %{{[^,]*}}, ptr noundef %{{[^,]*}}, i32 noundef [[CONST]], ptr noundef %{{[^,]*}}, i32 noundef [[CONST2]], i32 noundef %{{[^,]*}})
extern "C" void arrays(double *w, double *dw, const double *x, int n) {
  tf::gradient(dot, tf::dup(w, dw), tf::constant(x), tf::constant(n));
}

// An active const reference has a local and a local shadow.
// CHECK-LABEL: define {{.*}} @const_reference
// CHECK: [[OUT:%.*]] = load i32, ptr @tapefree_out
// CHECK: [[DUP:%.*]] = load i32, ptr @tapefree_dup,
// CHECK: call noundef double @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @_Z7productdRKd, i32 noundef [[OUT]], double noundef %{{[^,]*}}, i32 noundef [[DUP]], ptr noundef %{{[^,]*}}, ptr noundef %{{[^,]*}})
extern "C" double const_reference(double x, double y) {
  auto [dx, dy] = tf::gradient(product, tf::active(x), tf::active(y));
  return dx + dy;
}

// A lambda is called through a function of its own; one with state gets it as a constant.
// CHECK-LABEL: define {{.*}} @lambda
// CHECK: call noundef double @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @{{.*}}call_stateless{{.*}}, i32 noundef
extern "C" double lambda(double x) {
  return tf::gradient([](double y) { return y * y; }, tf::active(x));
}
// CHECK-LABEL: define {{.*}} @closure
// CHECK: [[CONST:%.*]] = load i32, ptr @tapefree_const
// CHECK: [[OUT:%.*]] = load i32, ptr @tapefree_out
// CHECK: call noundef double @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @{{.*}}call_object{{.*}}, i32 noundef [[CONST]], ptr noundef %{{[^,]*}}, i32 noundef [[OUT]], double
extern "C" double closure(double x, double k) {
  return tf::gradient([k](double y) { return k * y; }, tf::active(x));
}

// A class by value travels by address.
// CHECK-LABEL: define {{.*}} @class_by_value
// CHECK: [[DUP:%.*]] = load i32, ptr @tapefree_dup,
// CHECK: call void @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @{{.*}}constant_target{{.*}}, i32 noundef [[DUP]], ptr noundef %{{[^,]*}}, ptr noundef %{{[^,]*}})
extern "C" void class_by_value(Point p, Point *dp) { tf::gradient<norm>(tf::dup(p, *dp)); }

// CHECK-LABEL: define {{.*}} @forward
// CHECK: [[VALUE:%.*]] = load i32, ptr @tapefree_primal_return
// CHECK: [[DUP:%.*]] = load i32, ptr @tapefree_dup,
// CHECK: call { double, double } @_Z{{.*}}__tapefree_fwddiff{{[^(]*}}(ptr noundef @_Z6squared, i32 noundef [[VALUE]], i32 noundef [[DUP]], double noundef %{{[^,]*}}, double noundef %{{[^,]*}})
extern "C" double forward(double x) { return tf::value_and_derivative(square, tf::dup(x, 1.0)).derivative; }

// CHECK-LABEL: define {{.*}} @batch
// CHECK: [[WIDTH:%.*]] = load i32, ptr @tapefree_width
// CHECK: [[DUPV:%.*]] = load i32, ptr @tapefree_dupv,
// CHECK: call void @_Z{{.*}}__tapefree_autodiff{{[^(]*}}(ptr noundef @_Z3dotPKdS0_i, i32 noundef [[WIDTH]], i32 noundef 4, i32 noundef [[DUPV]], i64 noundef %{{[^,]*}}, ptr noundef %{{[^,]*}}, ptr noundef %{{[^,]*}}, i32
extern "C" void batch(double *w, double *dw, const double *x, int n) {
  tf::batch<4>::gradient(dot, tf::dupv(w, dw, 8 * n), tf::constant(x), tf::constant(n));
}
