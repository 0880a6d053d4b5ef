// The listing for a terminal.
#include "Report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tapefree::tool {

namespace {
class Listing {
public:
  Listing(std::FILE *Out, Sources &Source, bool Color, size_t Width)
      : Out(Out), Source(Source), Color(Color), Width(Width) {}
  void gradient(const ReportGradient &G);

private:
  void kept(const KeptValue &V);
  void quote(const Position &At, const std::string &What);
  void paragraph(const char *Label, const std::string &Text);
  std::string styled(const char *Style, const std::string &Text) const {
    return Color ? fmt::format("\x1b[{}m{}\x1b[0m", Style, Text) : Text;
  }

  std::FILE *Out;
  Sources &Source;
  bool Color;
  size_t Width;
};
} // namespace

static constexpr const char *Bold = "1", *Value = "1;33", *Caret = "1;32", *Good = "32";

/// The label, and the text beside it.
void Listing::paragraph(const char *Label, const std::string &Text) {
  constexpr size_t Indent = 14;
  std::string Line = fmt::format("    {:<10}", Label);
  size_t Used = Indent;
  const std::string Clean = printable(Text);
  for (size_t Begin = 0; Begin < Clean.size();) {
    const size_t End = std::min(Clean.find(' ', Begin), Clean.size());
    const std::string Word = Clean.substr(Begin, End - Begin);
    if (Used > Indent && Used + 1 + width(Word) > Width) {
      Line += fmt::format("\n{:{}}", "", Indent);
      Used = Indent;
    } else if (Used > Indent) {
      Line += ' ';
      ++Used;
    }
    Line += Word;
    Used += width(Word);
    Begin = End + 1;
  }
  fmt::print(Out, "{}\n", Line);
}

/// A source line with a caret below.
void Listing::quote(const Position &At, const std::string &What) {
  fmt::print(Out, "    {}{}\n", At.Line ? text(At) : "at an unknown line",
             What.empty() ? "" : ": " + printable(What));
  const std::string *Line = Source.line(At);
  if (!Line)
    return;
  const std::string Before = Line->substr(0, At.Column ? At.Column - 1 : 0);
  std::string Space;
  for (const char C : Before)
    if (C == '\t')
      Space += '\t';
    else if (((unsigned char)C & 0xc0) != 0x80)
      Space += ' ';
  fmt::print(Out, "    {:>5} | {}\n", At.Line, printable(*Line));
  if (At.Column)
    fmt::print(Out, "    {:>5} | {}{}\n", "", Space, styled(Caret, "^"));
}

void Listing::kept(const KeptValue &V) {
  fmt::print(Out, "\n  {}: {}, {}\n", styled(Value, printable(V.Name)), printable(V.Formula),
             printable(V.Place));
  quote(V.At, "");
  const bool Elsewhere = V.CauseAt.Line && (V.CauseAt.Line != V.At.Line || V.CauseAt.File != V.At.File);
  if (Elsewhere)
    quote(V.CauseAt, V.CauseName);
  for (size_t I = V.Calls.size(); I-- > 0;)
    paragraph(I + 1 == V.Calls.size() ? "in" : "",
              fmt::format("{}which '{}' calls at {}{}",
                          I + 1 == V.Calls.size() ? "'" + V.In + "', " : std::string(), V.Calls[I].Caller,
                          V.Calls[I].At.Line ? text(V.Calls[I].At) : "an unknown line", I ? "," : ""));
  paragraph("because", V.Why);
  paragraph("edit", V.Edit);
}

void Listing::gradient(const ReportGradient &G) {
  const std::string Where = text({G.At.File, G.At.Line, 0});
  fmt::print(Out, "{}{}\n", Where.empty() ? "" : Where + ": ", styled(Bold, printable(G.Title)));
  if (!G.Calls.empty())
    paragraph("a part of", fmt::format("the gradient of '{}', reached by the call at {}", G.Calls[0].Caller,
                                       G.Calls.back().At.Line ? text(G.Calls.back().At) : "an unknown line"));
  else if (G.Request.Line)
    paragraph("asked for", "at " + text(G.Request));
  const std::string Bytes = G.Values.empty()    ? "0 bytes"
                            : G.Formula.empty() ? "how many bytes, only the run tells"
                                                : printable(G.Formula);
  paragraph("keeps", fmt::format("{} ({}); {} read again, {} computed again", printable(G.Kept), Bytes,
                                 count(G.Reloads, "value"), count(G.Recomputes, "value")));
  if (!G.TestedBuffers.empty())
    paragraph("run time",
              fmt::format("a test that {} buffers and their shadows do not overlap chooses a second body, "
                          "which keeps {}",
                          G.TestedBuffers, G.KeptThen));
  for (const KeptValue &V : G.Values)
    kept(V);
}

void printReport(std::FILE *Out, const std::vector<ReportGradient> &Gradients, Sources &Source, bool Color,
                 size_t Width) {
  Listing List(Out, Source, Color, Width);
  size_t Values = 0, Without = 0;
  for (const ReportGradient &G : Gradients) {
    List.gradient(G);
    fmt::print(Out, "\n");
    Values += G.Values.size();
    Without += G.Values.empty();
  }
  if (!Gradients.empty())
    fmt::print(Out, "{}{}, {} without a kept value; {} kept{}\n",
               Color && !Values ? fmt::format("\x1b[{}m", Good) : "", count(Gradients.size(), "gradient"),
               Without, count(Values, "value"), Color && !Values ? "\x1b[0m" : "");
}

} // namespace tapefree::tool
