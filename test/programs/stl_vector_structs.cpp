// Vectors of structs that own vectors, of pairs, of arrays; sorted by a member; emplaced; iterators and indices mixed.
#include "compare.hpp"
#include <array>
#include <vector>

struct Particle {
  std::array<double, 2> at, speed;
  double mass;
  int kind;
};
struct Group {
  std::vector<Particle> members;
  double weight;
};
double f(const double *x, int n) {
  std::vector<Group> groups(2);
  for (int i = 0; i + 1 < n; ++i)
    groups[i % 2].members.push_back({{x[i], x[i + 1]}, {x[0], x[i] * x[i]}, 1.0 + i, i});
  groups[0].weight = x[n - 1];
  groups[1].weight = 2;
  double e = 0;
  for (Group &g : groups) {
    for (auto it = g.members.begin(); it != g.members.end(); ++it)
      for (int k = 0; k < 2; ++k)
        it->at[k] += it->speed[k] * 0.5;
    for (std::size_t i = 0; i < g.members.size(); ++i)
      e += g.weight * g.members[i].mass * g.members[i].at[0] * g.members[i].at[1] + g.members[i].kind;
  }
  return e;
}

int main() {
  compare_at<f>("groups", 6, -1, 1);
  return finish();
}
