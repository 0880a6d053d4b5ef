// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// Intrinsics of x86: loads, stores, arithmetic, blends, shuffles, horizontal sums, of four doubles and eight floats.
#include "compare.hpp"
#include <immintrin.h>

__attribute__((target("avx2,fma"))) double doubles(const double *x, int n) {
  __m256d sum = _mm256_setzero_pd(), half = _mm256_set1_pd(0.5);
  for (int i = 0; i + 4 <= n; i += 4) {
    __m256d v = _mm256_loadu_pd(x + i), w = _mm256_mul_pd(v, v);
    sum = _mm256_fmadd_pd(w, half, sum);
    __m256d positive = _mm256_cmp_pd(v, half, _CMP_GT_OQ);
    sum = _mm256_add_pd(sum, _mm256_blendv_pd(w, _mm256_mul_pd(w, v), positive));
    sum = _mm256_sub_pd(sum, _mm256_permute_pd(v, 0b0101));
  }
  double out[4];
  _mm256_storeu_pd(out, _mm256_sqrt_pd(_mm256_mul_pd(sum, sum)));
  __m128d low = _mm_add_pd(_mm256_castpd256_pd128(sum), _mm256_extractf128_pd(sum, 1));
  return out[0] * out[3] + _mm_cvtsd_f64(_mm_mul_pd(low, _mm_unpackhi_pd(low, low)));
}
__attribute__((target("avx2,fma"))) float floats(const float *x, int n) {
  __m256 sum = _mm256_set1_ps(1);
  for (int i = 0; i + 8 <= n; i += 8) {
    __m256 v = _mm256_loadu_ps(x + i);
    sum = _mm256_div_ps(_mm256_add_ps(sum, _mm256_mul_ps(v, v)), _mm256_add_ps(_mm256_set1_ps(2), _mm256_mul_ps(v, v)));
  }
  __m128 q = _mm_mul_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
  float out[4];
  _mm_storeu_ps(out, q);
  return out[0] * out[1] + out[2] - out[3] * out[3];
}
double floats_in_double(const double *x, int n) {
  double sum[8], q[4];
  for (int k = 0; k < 8; ++k) {
    sum[k] = 1;
    for (int i = k; i + 8 - k <= n; i += 8)
      sum[k] = (sum[k] + x[i] * x[i]) / (2 + x[i] * x[i]);
  }
  for (int k = 0; k < 4; ++k)
    q[k] = sum[k] * sum[k + 4];
  return q[0] * q[1] + q[2] - q[3] * q[3];
}

int main() {
  double x[16];
  fill(x, 16, 5, -1, 1);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    compare<doubles>("doubles", x, 8);
    compare<floats, floats_in_double>("floats", x, 16);
  }
  return finish();
}
