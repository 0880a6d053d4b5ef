// Reads image and label files in the IDX format, plain or gzip, and finds the four files of an MNIST-like
// data set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tapefree::tool {

// A value, or one line that says why there is none.
template <class T> struct Result {
  T Value{};
  std::string Error;

  bool ok() const { return Error.empty(); }
  static Result failed(std::string Why) {
    Result R;
    R.Error = std::move(Why);
    return R;
  }
};

struct IdxArray {
  std::vector<std::uint32_t> Dims;
  std::vector<std::uint8_t> Elements;
};

// The contents of a file, plain or gzip, as an array of `Rank` dimensions. `Name` is used in errors.
Result<IdxArray> decodeIdx(std::span<const std::uint8_t> File, int Rank, const std::string &Name);

Result<IdxArray> readIdx(const std::string &Path, int Rank);

struct ImageSet {
  std::uint32_t Count = 0, Rows = 0, Columns = 0;
  std::vector<std::uint8_t> Pixels; // [Count][Rows][Columns]
  std::vector<std::uint8_t> Labels; // [Count]
};

// Reads a pair of files; every label must be below `Classes`.
Result<ImageSet> readImageSet(const std::string &ImagePath, const std::string &LabelPath, int Classes);

struct DataSet {
  ImageSet Train, Test;
};

// Looks in Directory, and in the places under it where packages of MNIST put the files.
Result<DataSet> readDataSet(const std::string &Directory, int Classes);

} // namespace tapefree::tool
