// A small, reproducible random generator: the same seed gives the same numbers on every machine and compiler.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tapefree::nn {

// SplitMix64: turns any seed, 0 included, into well mixed words. Used to fill the state of `rng`.
class splitmix64 {
public:
  constexpr explicit splitmix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
  }

private:
  std::uint64_t state_;
};

// xoshiro256**: period 2^256 - 1.
class rng {
public:
  constexpr explicit rng(std::uint64_t seed = 0) {
    splitmix64 fill(seed);
    for (std::uint64_t &word : state_)
      word = fill();
  }

  constexpr std::uint64_t operator()() {
    const std::uint64_t result = rotate_left(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate_left(state_[3], 45);
    return result;
  }

  // In [0, 1): every value is a multiple of 2^-24 (float) or 2^-53 (double), hence exact.
  template <class T> constexpr T uniform() {
    if constexpr (sizeof(T) <= sizeof(float))
      return static_cast<T>((*this)() >> 40) * static_cast<T>(0x1p-24);
    else
      return static_cast<T>((*this)() >> 11) * static_cast<T>(0x1p-53);
  }

  template <class T> constexpr T uniform(T low, T high) { return low + (high - low) * uniform<T>(); }

  // Mean 0, standard deviation 1 (Box-Muller; the second value of the pair is not used).
  template <class T> T normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform<double>()));
    return static_cast<T>(radius * std::cos(6.283185307179586 * uniform<double>()));
  }

  // In [0, bound) without bias; `bound` must not be 0.
  constexpr std::uint32_t below(std::uint32_t bound) {
    const std::uint32_t reject_under = (0u - bound) % bound;
    for (;;) {
      const std::uint64_t product = ((*this)() >> 32) * bound;
      if (static_cast<std::uint32_t>(product) >= reject_under)
        return static_cast<std::uint32_t>(product >> 32);
    }
  }

private:
  static constexpr std::uint64_t rotate_left(std::uint64_t word, int by) {
    return (word << by) | (word >> (64 - by));
  }

  std::uint64_t state_[4] = {};
};

// Fisher-Yates: every order is equally likely.
template <class I> constexpr void shuffle(rng &random, I *items, std::uint32_t count) {
  for (std::uint32_t left = count; left > 1; --left) {
    const std::uint32_t pick = random.below(left);
    const I item = items[left - 1];
    items[left - 1] = items[pick];
    items[pick] = item;
  }
}

} // namespace tapefree::nn
