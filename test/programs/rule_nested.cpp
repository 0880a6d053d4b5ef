// NOLANES: only calls of the API
// Derivatives of derivatives of functions with rules: the rule's own functions are differentiated as code, and what they
// call has its rule again. And derivatives inside rules.
#include <tapefree/rule.hpp>
#include "support.hpp"
namespace tf = tapefree;

double wave(double x, double k) { return std::sin(k * x); }
tf::gradients<double, double> wave_gradient(double x, double k, double seed) {
  return tf::partials(seed * k * std::cos(k * x), seed * x * std::cos(k * x));
}
double wave_tangent(double x, double dx, double k, double dk) { return std::cos(k * x) * (k * dx + x * dk); }
inline constexpr tf::register_gradient<wave, wave_gradient> wave_has_a_gradient;
inline constexpr tf::register_derivative<wave, wave_tangent> wave_has_a_derivative;

// Its gradient calls itself again, and asks for a gradient.
double quartic(double x) { return x * x * x * x; }
static double cubed(double x) { return x * x * x * 4; }
double quartic_gradient(double x, double seed) { return seed * quartic(x) * 4 / x; }
double quartic_tangent(double x, double dx) { return dx * (cubed(x) + 0 * tf::gradient(cubed, tf::active(x))); }
inline constexpr tf::register_gradient<quartic, quartic_gradient> quartic_has_a_gradient;
inline constexpr tf::register_derivative<quartic, quartic_tangent> quartic_has_a_derivative;

struct Kept { double squared, x; };
double cube(double x) { return x * x * x; }
tf::with_tape<double, Kept> cube_augmented(double x) { return {x * x * x, {x * x, x}}; }
double cube_gradient(tf::not_read, double seed, const Kept& t) { return 3 * t.squared * seed; }
inline constexpr tf::register_gradient<cube, cube_augmented, cube_gradient> cube_has_a_gradient;

double f(double x) { return wave(x, 1.5) * quartic(x) + cube(x * x); }
double slope(double x) { return tf::gradient(f, tf::active(x)); }
double slope_forward(double x) { return tf::derivative(f, tf::dup(x, 1.0)); }
double second(double x) { return tf::gradient(slope, tf::active(x)); }

int main() {
  double x = 0.8;
  double s = std::sin(1.5 * x), c = std::cos(1.5 * x) * 1.5, p = x * x * x * x;
  double want1 = c * p + s * 4 * p / x + 6 * std::pow(x, 5);
  double want2 = -2.25 * s * p + 2 * c * 4 * p / x + s * 12 * x * x + 30 * p;
  double want3 = -2.25 * c * p - 3 * 2.25 * s * 4 * p / x + 3 * c * 12 * x * x + s * 24 * x + 120 * x * x * x;
  check("gradient", slope(x), want1);
  check("derivative", slope_forward(x), want1);
  check("reverse over reverse", second(x), want2);
  check("forward over reverse", tf::derivative(slope, tf::dup(x, 1.0)), want2);
  check("reverse over forward", tf::gradient(slope_forward, tf::active(x)), want2);
  check("forward over forward", tf::derivative(slope_forward, tf::dup(x, 1.0)), want2);
  check("third", tf::gradient(second, tf::active(x)), want3);
  return finish();
}
