// std::unique_ptr: to a scalar, to an array, in a struct, moved, in nodes that own others.
#include "compare.hpp"
#include <memory>

struct Leaf {
  double value;
};
struct Node {
  double value;
  std::unique_ptr<Leaf> left, right;
};
double chained(const double *x, int n) {
  auto root = std::make_unique<Node>();
  root->value = x[0];
  root->left = std::make_unique<Leaf>();
  root->right = std::make_unique<Leaf>();
  root->left->value = x[1] * root->value;
  root->right->value = sin(root->left->value) * x[n - 1];
  std::swap(root->left, root->right);
  return root->left->value * root->right->value + root->value;
}

double simple(const double *x, int n) {
  auto one = std::make_unique<double>(x[0]);
  std::unique_ptr<double[]> many(new double[n]);
  for (int i = 0; i < n; ++i)
    many[i] = x[i] * *one;
  auto other = std::move(one);
  *other *= many[n - 1];
  one.reset(new double(*other * x[1]));
  return *one * *other + many[1];
}

int main() {
  compare_at<simple>("simple", 4, -1, 1);
  compare_at<chained>("chained", 4, 0.2, 1);
  return finish();
}
