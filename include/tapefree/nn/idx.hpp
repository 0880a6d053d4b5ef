// The IDX file format (MNIST and its relatives), parsed from bytes in memory. No I/O, no heap.
//
// Bytes 0 and 1 are zero, byte 2 is the element type, byte 3 the number of dimensions; then each dimension as
// a big-endian 32-bit number; then the elements, last dimension fastest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tapefree::nn {

enum class idx_status {
  ok,
  too_short_for_header,
  wrong_magic,
  wrong_type,
  wrong_rank,
  zero_dimension,
  too_large
};

inline constexpr std::uint8_t idx_unsigned_byte = 0x08;
inline constexpr int idx_max_rank = 4;
// No file that this library is meant for comes near; a header that asks for more is taken for damaged.
inline constexpr std::uint64_t idx_max_elements = std::uint64_t(1) << 31;

struct idx_header {
  idx_status status = idx_status::ok;
  std::uint8_t type = 0;
  int rank = 0;
  std::uint32_t dims[idx_max_rank] = {};
  std::size_t header_bytes = 0; // where the elements begin
  std::uint64_t element_count = 0;
};

// Reads the header of a file of unsigned bytes with `rank` dimensions (1 for labels, 3 for images).
constexpr idx_header parse_idx_header(const std::uint8_t *bytes, std::size_t size, int rank) {
  idx_header header;
  if (rank < 1 || rank > idx_max_rank) {
    header.status = idx_status::wrong_rank;
    return header;
  }
  if (size < 4) {
    header.status = idx_status::too_short_for_header;
    return header;
  }
  if (bytes[0] != 0 || bytes[1] != 0) {
    header.status = idx_status::wrong_magic;
    return header;
  }
  header.type = bytes[2];
  header.rank = bytes[3];
  if (header.type != idx_unsigned_byte) {
    header.status = idx_status::wrong_type;
    return header;
  }
  if (header.rank != rank) {
    header.status = idx_status::wrong_rank;
    return header;
  }
  header.header_bytes = 4 + 4 * static_cast<std::size_t>(rank);
  if (size < header.header_bytes) {
    header.status = idx_status::too_short_for_header;
    return header;
  }
  header.element_count = 1;
  for (int d = 0; d < rank; ++d) {
    std::uint32_t extent = 0;
    for (int k = 0; k < 4; ++k)
      extent = extent << 8 | bytes[4 + 4 * d + k];
    header.dims[d] = extent;
    if (extent == 0) {
      header.status = idx_status::zero_dimension;
      return header;
    }
    // Both factors are below 2^32, so the product cannot wrap round before it is compared.
    header.element_count *= extent;
    if (header.element_count > idx_max_elements) {
      header.status = idx_status::too_large;
      return header;
    }
  }
  return header;
}

} // namespace tapefree::nn
