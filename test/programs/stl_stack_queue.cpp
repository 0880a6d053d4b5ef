// std::stack over a vector, std::priority_queue: numbers pushed, combined and popped.
#include "compare.hpp"
#include <queue>
#include <stack>
#include <vector>

double stacked(const double *x, int n) {
  std::stack<double, std::vector<double>> s;
  for (int i = 0; i < n; ++i) {
    s.push(x[i]);
    if (i % 2) {
      double b = s.top();
      s.pop();
      s.top() = s.top() * b + x[0];
    }
  }
  double r = 1;
  for (; !s.empty(); s.pop())
    r *= s.top() + 1;
  return r;
}
double merged(const double *x, int n) { // Huffman-like: the two smallest are merged
  std::priority_queue<double, std::vector<double>, std::greater<double>> q;
  for (int i = 0; i < n; ++i)
    q.push(x[i] * x[i]);
  double cost = 0;
  while (q.size() > 1) {
    double a = q.top();
    q.pop();
    double b = q.top();
    q.pop();
    cost += a * b;
    q.push(a + b);
  }
  return cost;
}

int main() {
  compare_at<stacked>("stack", 7, -1, 1);
  double x[5] = {0.3, 0.55, 0.8, 1.1, 1.4};
  compare<merged>("queue", x, 5);
  return finish();
}
