#include "Report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace tapefree::tool {

std::string text(const Position &At) {
  if (At.File.empty())
    return {};
  std::string Text = printable(At.File);
  if (At.Line)
    Text += fmt::format(":{}", At.Line);
  if (At.Line && At.Column)
    Text += fmt::format(":{}", At.Column);
  return Text;
}

std::string count(size_t N, const char *What) { return fmt::format("{} {}{}", N, What, N == 1 ? "" : "s"); }

size_t width(const std::string &Text) {
  return size_t(std::count_if(Text.begin(), Text.end(), [](unsigned char C) { return (C & 0xc0) != 0x80; }));
}

/// Length of the UTF-8 sequence that begins at `At`; 0 if it is none.
static size_t sequence(const std::string &Text, size_t At) {
  const auto Byte = [&](size_t I) { return At + I < Text.size() ? (unsigned char)Text[At + I] : 0u; };
  const unsigned First = Byte(0);
  const size_t Length = First < 0x80 ? 1 : First >= 0xc2 && First < 0xe0 ? 2 : (First & 0xf0) == 0xe0 ? 3 : 4;
  if (Length == 4 && (First < 0xf0 || First > 0xf4))
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((Byte(I) & 0xc0) != 0x80)
      return 0;
  const bool Overlong = (First == 0xe0 && Byte(1) < 0xa0) || (First == 0xf0 && Byte(1) < 0x90);
  const bool Outside = (First == 0xed && Byte(1) >= 0xa0) || (First == 0xf4 && Byte(1) >= 0x90);
  return Overlong || Outside ? 0 : Length;
}

std::string printable(const std::string &Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size();) {
    const size_t Length = sequence(Text, I);
    const unsigned char C = (unsigned char)Text[I];
    const bool Control = (C < 0x20 && C != '\t') || C == 0x7f ||
                         (Length == 2 && C == 0xc2 && (unsigned char)Text[I + 1] < 0xa0);
    if (!Length || Control)
      Out += "\uFFFD";
    else
      Out.append(Text, I, Length);
    I += Length ? Length : 1;
  }
  return Out;
}

const std::vector<std::string> *Sources::lines(const std::string &File) {
  const auto [Found, New] = Files.try_emplace(File);
  std::optional<std::vector<std::string>> &Lines = Found->second;
  if (New) {
    namespace fs = std::filesystem;
    // By its path, and then, where the sources have moved, by its name alone.
    std::vector<fs::path> Paths;
    for (const std::string &Folder : Folders)
      Paths.push_back(fs::path(Folder) / File);
    if (!Folders.empty())
      Paths.push_back(fs::path(Folders.front()) / fs::path(File).filename());
    for (const fs::path &Path : Paths) {
      std::error_code Ignored;
      std::ifstream In;
      if (fs::is_regular_file(Path, Ignored))
        In.open(Path, std::ios::binary);
      if (!In.is_open())
        continue;
      Lines.emplace();
      for (std::string Line; std::getline(In, Line);) {
        if (!Line.empty() && Line.back() == '\r')
          Line.pop_back();
        Lines->push_back(std::move(Line));
      }
      break;
    }
  }
  return Lines ? &*Lines : nullptr;
}

const std::string *Sources::line(const Position &At) {
  const std::vector<std::string> *Lines = At.Line && !At.File.empty() ? lines(At.File) : nullptr;
  return Lines && At.Line <= Lines->size() ? &(*Lines)[At.Line - 1] : nullptr;
}

std::vector<std::string> Sources::missing() const {
  std::vector<std::string> Names;
  for (const auto &[File, Lines] : Files)
    if (!Lines)
      Names.push_back(File);
  return Names;
}

static bool writePage(const std::string &Path, const std::string &Page) {
  std::FILE *Out = std::fopen(Path.c_str(), "wb");
  const bool Good = Out && std::fwrite(Page.data(), 1, Page.size(), Out) == Page.size();
  // What the disk has no room for shows only here.
  return Out && std::fclose(Out) == 0 && Good;
}

int runReport(const ReportOptions &Options) {
  std::vector<ReportGradient> Gradients;
  std::vector<std::string> Folders = {Options.Source.empty() ? "." : Options.Source};
  for (const std::string &Path : Options.Records) {
    const size_t Before = Gradients.size();
    if (const auto Wrong = readRecord(Path, Gradients, Folders)) {
      fmt::print(stderr, "tapefree report: {}\n", printable(*Wrong));
      return 1;
    }
    if (Gradients.size() == Before)
      fmt::print(
          stderr,
          "tapefree report: note: {} has no gradients: compile with -fpass-plugin=libTapefree.so, -g and "
          "-fsave-optimization-record\n",
          printable(Path));
  }
  Sources Source(std::move(Folders));
  const bool Terminal = isatty(STDOUT_FILENO);
  const bool Color = Options.Color == "always" || (Options.Color == "auto" && Terminal);
  if (Options.Html.empty()) {
    // In a file or a pipe a sentence is one line, for grep.
    printReport(stdout, Gradients, Source, Color, Terminal ? 100 : size_t(-1) / 2);
  } else if (!writePage(Options.Html, htmlReport(Gradients, Source))) {
    fmt::print(stderr, "tapefree report: {}: {}\n", printable(Options.Html), std::strerror(errno));
    return 1;
  }
  for (const std::string &File : Source.missing())
    fmt::print(stderr,
               "tapefree report: note: {} is not found, and its lines are not shown: say where it is with "
               "--source\n",
               printable(File));
  return 0;
}

} // namespace tapefree::tool
