// `tapefree report`: what the gradients of a compilation keep and why, from the record that clang writes with
// -fsave-optimization-record: as a listing for the terminal, and as one page of HTML.
#pragma once
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tapefree::tool {

struct ReportOptions {
  std::vector<std::string> Records;
  std::string Html;   // file to write; none if empty
  std::string Source; // a folder to look for source files first
  std::string Color = "auto";
};

/// Exit status: 0, or 1 if a record cannot be read or the page not be written.
int runReport(const ReportOptions &Options);

struct Position {
  std::string File; // empty: unknown
  unsigned Line = 0, Column = 0;
};

/// A call on the way to a value.
struct ReportCall {
  std::string Caller;
  Position At;
};

struct KeptValue {
  std::string Name, Formula, Place, Cause, Why, Edit;
  std::string In; // the function that has the value
  Position At;
  std::string CauseName;
  Position CauseAt;
  std::optional<long long> Total; // bytes, where they are a number
  std::vector<ReportCall> Calls;  // that lead to it from the differentiated function, the outermost first
};

struct ReportGradient {
  std::string Function, Title; // "gradient of 'f'", "gradient of a derivative of 'f'"
  Position At, Request;        // of the function; of the call that asks for the gradient
  std::string Kept, Formula;   // "2 values" or "nothing"; the sum, empty where only the run tells
  unsigned Reloads = 0, Recomputes = 0;
  std::vector<ReportCall> Calls;
  std::string TestedBuffers, KeptThen; // of the body behind a run-time test; empty if there is none
  std::vector<KeptValue> Values;
};

/// Reads one record and adds its gradients, and the folders that its file names may be relative to. Returns
/// what is wrong with it, or nothing.
std::optional<std::string> readRecord(const std::string &Path, std::vector<ReportGradient> &Into,
                                      std::vector<std::string> &Folders);

/// The source files that the records name, read once each.
class Sources {
public:
  /// Looks into the folders in this order.
  explicit Sources(std::vector<std::string> Folders) : Folders(std::move(Folders)) {}
  /// The lines of a file, or null where it cannot be found.
  const std::vector<std::string> *lines(const std::string &File);
  const std::string *line(const Position &At);
  std::vector<std::string> missing() const;

private:
  std::vector<std::string> Folders;
  std::map<std::string, std::optional<std::vector<std::string>>> Files;
};

/// `Width`: of the lines that sentences are broken into.
void printReport(std::FILE *Out, const std::vector<ReportGradient> &Gradients, Sources &Source, bool Color,
                 size_t Width);
std::string htmlReport(const std::vector<ReportGradient> &Gradients, Sources &Source);

// Helpers of both.

/// "file.cpp:12:3", shorter where less is known.
std::string text(const Position &At);
/// "1 value", "2 values"
std::string count(size_t N, const char *What);
/// Valid UTF-8 without control characters (but tabs): neither a terminal nor a browser is told to do
/// anything.
std::string printable(const std::string &Text);
/// Number of characters, rather than bytes, of UTF-8.
size_t width(const std::string &Text);

} // namespace tapefree::tool
