// Reads a YAML record by LLVM's own parser. Built without RTTI, as LLVM is.
#include "Report.hpp"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkParser.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace llvm;

namespace tapefree::tool {

/// The character behind a backslash in a double-quoted scalar, as far as LLVM writes them.
static std::string unescapeDouble(StringRef Raw) {
  std::string Out;
  while (!Raw.empty()) {
    char C = Raw.front();
    Raw = Raw.drop_front();
    if (C != '\\' || Raw.empty()) {
      Out += C;
      continue;
    }
    char Kind = Raw.front();
    Raw = Raw.drop_front();
    size_t Digits = Kind == 'x' ? 2 : Kind == 'u' ? 4 : Kind == 'U' ? 8 : 0;
    unsigned Code = 0;
    if (Digits) {
      if (Raw.size() < Digits || Raw.take_front(Digits).getAsInteger(16, Code))
        continue; // not written by LLVM
      Raw = Raw.drop_front(Digits);
      char Buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *End = Buffer;
      if (ConvertCodePointToUTF8(Code, End))
        Out.append(Buffer, End);
      continue;
    }
    constexpr StringRef Letters = "0abtnvfre", Meant("\0\a\b\t\n\v\f\r\x1b", 9);
    size_t Which = Letters.find(Kind);
    Out += Which == StringRef::npos ? Kind : Meant[Which];
  }
  return Out;
}

/// The parser gives scalars as they are written, less single quotes around them.
static std::string unescape(StringRef Raw) {
  if (Raw.size() >= 2 && Raw.front() == '"' && Raw.back() == '"')
    return unescapeDouble(Raw.drop_front().drop_back());
  std::string Out;
  for (size_t I = 0; I < Raw.size(); ++I) {
    Out += Raw[I];
    if (Raw.substr(I, 2) == "''")
      ++I;
  }
  return Out;
}

static Position position(const std::optional<remarks::RemarkLocation> &Loc) {
  if (!Loc)
    return {};
  return {unescape(Loc->SourceFilePath), Loc->SourceLine, Loc->SourceColumn};
}

namespace {
class Reader {
public:
  Reader(std::vector<ReportGradient> &Into, std::vector<std::string> &Folders)
      : Into(Into), Folders(Folders), First(Into.size()) {}
  /// What is wrong with the remark, or nothing.
  std::optional<std::string> add(remarks::Remark &R);

private:
  std::string get(remarks::Remark &R, StringRef Key) const {
    remarks::Argument *A = R.getArgByKey(Key);
    return A ? unescape(A->Val) : std::string();
  }
  static Position place(remarks::Remark &R, StringRef Key) {
    remarks::Argument *A = R.getArgByKey(Key);
    return A ? position(A->Loc) : Position();
  }
  static unsigned number(remarks::Remark &R, StringRef Key) {
    remarks::Argument *A = R.getArgByKey(Key);
    return A ? A->getValAsInt<unsigned>().value_or(0) : 0;
  }
  static std::vector<ReportCall> calls(const remarks::Remark &R) {
    std::vector<ReportCall> Calls;
    for (const remarks::Argument &A : R.Args)
      if (A.Key == "Caller")
        Calls.push_back({unescape(A.Val), position(A.Loc)});
    return Calls;
  }
  ReportGradient gradient(remarks::Remark &R) const;
  KeptValue kept(remarks::Remark &R) const;

  std::vector<ReportGradient> &Into;
  std::vector<std::string> &Folders;
  size_t First;
};
} // namespace

ReportGradient Reader::gradient(remarks::Remark &R) const {
  ReportGradient G;
  G.Function = get(R, "Function");
  bool Again = !R.Args.empty() && R.Args[0].Val.contains("derivative");
  G.Title = (Again ? "gradient of a derivative of '" : "gradient of '") + G.Function + "'";
  G.At = position(R.Loc);
  G.Request = place(R, "Request");
  G.Kept = get(R, "Kept");
  G.Formula = get(R, "Formula");
  G.Reloads = number(R, "Reloads");
  G.Recomputes = number(R, "Recomputes");
  G.Calls = calls(R);
  return G;
}

KeptValue Reader::kept(remarks::Remark &R) const {
  KeptValue V;
  V.Name = get(R, "Value");
  V.Formula = get(R, "Formula");
  V.Place = get(R, "Place");
  V.Cause = get(R, "Cause");
  V.Why = get(R, "Why");
  V.Edit = get(R, "Edit");
  V.In = get(R, "In");
  V.At = position(R.Loc);
  V.CauseName = get(R, "ByWhat");
  V.CauseAt = place(R, "By");
  if (remarks::Argument *Total = R.getArgByKey("Total"))
    V.Total = Total->getValAsInt<long long>();
  V.Calls = calls(R);
  return V;
}

std::optional<std::string> Reader::add(remarks::Remark &R) {
  if (R.RemarkName == "KeepCause") // says again what Keep does
    return std::nullopt;
  std::string Folder = get(R, "Folder");
  if (!Folder.empty() && std::find(Folders.begin(), Folders.end(), Folder) == Folders.end())
    Folders.push_back(Folder);
  size_t Number = number(R, "Gradient");
  size_t Known = Into.size() - First;
  if (R.RemarkName == "Gradient") {
    if (Number != Known + 1)
      return "its gradients are not numbered: it was written by another version of Tapefree";
    Into.push_back(gradient(R));
    return std::nullopt;
  }
  if (R.RemarkName != "Keep" && R.RemarkName != "Checked")
    return std::nullopt;
  if (!Number || Number > Known)
    return "a remark belongs to no gradient: the record is not whole, or of another version of Tapefree";
  ReportGradient &G = Into[First + Number - 1];
  if (R.RemarkName == "Keep") {
    G.Values.push_back(kept(R));
  } else {
    G.TestedBuffers = get(R, "Buffers");
    G.KeptThen = get(R, "Kept");
  }
  return std::nullopt;
}

/// "YAML:5:1: error: what" with more lines behind: the line number and what.
static std::string problem(Error E, const std::string &Path) {
  std::string Message = toString(std::move(E));
  StringRef Text(Message);
  unsigned Line = 0;
  if (Text.consume_front("YAML:") && !Text.consumeInteger(10, Line))
    Text = Text.split("error: ").second;
  Text = Text.take_until([](char C) { return C == '\n'; });
  return Path + (Line ? ":" + std::to_string(Line) : "") +
         ": not a record of optimizations in YAML: " + (Text.empty() ? "malformed" : Text.str());
}

std::optional<std::string> readRecord(const std::string &Path, std::vector<ReportGradient> &Into,
                                      std::vector<std::string> &Folders) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File)
    return Path + ": " + File.getError().message();
  StringRef Text = (*File)->getBuffer();
  if (Text.starts_with("RMRK"))
    return Path + ": a record in LLVM's bitstream format: compile with -fsave-optimization-record=yaml";
  if (Text.trim().empty()) // what clang writes where nothing was remarked
    return std::nullopt;
  if (!Text.starts_with("---"))
    return Path + ": not a record of optimizations in YAML: it does not begin with ---";
  if (!Text.rtrim().ends_with("\n..."))
    return Path + ": not whole: it ends inside of a remark";
  auto Parser = remarks::createRemarkParser(remarks::Format::YAML, Text);
  if (!Parser)
    return problem(Parser.takeError(), Path);
  Reader Read(Into, Folders);
  while (true) {
    Expected<std::unique_ptr<remarks::Remark>> R = (*Parser)->next();
    if (!R) {
      Error E = R.takeError();
      if (!E.isA<remarks::EndOfFileError>())
        return problem(std::move(E), Path);
      consumeError(std::move(E));
      return std::nullopt;
    }
    if ((*R)->PassName == "tapefree")
      if (auto Wrong = Read.add(**R))
        return Path + ": " + *Wrong;
  }
}

} // namespace tapefree::tool
