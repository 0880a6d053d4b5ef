// One page of HTML that needs nothing else: totals, a chart, each kept value, and the source with the values
// marked.
#include "Report.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace tapefree::tool {

static constexpr const char *Style = R"css(
:root { color-scheme: light dark; --back: #fbfbfa; --card: #fff; --text: #1f2328; --soft: #59636e; --line: #d9dde2;
  --accent: #0b66c3; --mark: #ffe7a8; --marked: #5c4300; --good: #1a7f37; --bar: #4c8fd6; }
@media (prefers-color-scheme: dark) { :root { --back: #14171b; --card: #1c2026; --text: #e4e7eb; --soft: #9aa4af;
  --line: #343a42; --accent: #6cb6ff; --mark: #5a4510; --marked: #ffe3a0; --good: #57c46f; --bar: #3f7fc4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 1.5rem 1.25rem 12rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
code, pre, .name { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .92em; }
a { color: var(--accent); }
.soft { color: var(--soft); }
.good { color: var(--good); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); font-size: .88em; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem; margin: .75rem 0; }
.card:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.card h3 { font-size: 1rem; margin: 0 0 .35rem; }
.card h3 .soft { font-weight: 400; margin-left: .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: .75rem 0; }
figcaption { color: var(--soft); font-size: .88em; }
svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--text); font: 13px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
svg rect { fill: var(--bar); }
.source { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5rem 0; margin: 0;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; line-height: 1.55; }
.row { display: block; position: relative; padding: 0 1rem 0 4.5rem; min-height: 1.55em; }
.row::before { content: attr(data-line); position: absolute; left: 0; width: 3.5rem; text-align: right; color: var(--soft); }
.row.has { background: color-mix(in srgb, var(--mark) 28%, transparent); }
.keep { background: var(--mark); color: var(--marked); border-radius: 3px; padding: 1px 2px; text-decoration: none;
  border-bottom: 2px solid currentColor; }
.keep:focus { outline: 2px solid var(--accent); outline-offset: 1px; }
.tip { display: none; position: absolute; z-index: 1; left: 4.5rem; right: 1rem; top: 100%; max-width: 44rem;
  background: var(--card); color: var(--text); border: 1px solid var(--accent); border-radius: 8px; padding: .6rem .8rem;
  box-shadow: 0 6px 24px rgb(0 0 0 / .25); white-space: normal; font: 14px/1.45 system-ui, "DejaVu Sans", sans-serif; }
.keep:hover .tip, .keep:focus .tip { display: block; }
.tip span { display: block; margin: .15rem 0; }
.tip .next { border-top: 1px solid var(--line); margin-top: .5rem; padding-top: .5rem; }
details summary { color: var(--soft); padding: 0 1rem 0 4.5rem; cursor: pointer; }
)css";

static std::string escape(const std::string &Raw) {
  std::string Out;
  for (const char C : printable(Raw))
    switch (C) {
    case '&':
      Out += "&amp;";
      break;
    case '<':
      Out += "&lt;";
      break;
    case '>':
      Out += "&gt;";
      break;
    case '"':
      Out += "&quot;";
      break;
    case '\'':
      Out += "&#39;";
      break;
    default:
      Out += C;
    }
  return Out;
}

namespace {
/// A kept value where the source is marked.
struct Mark {
  const KeptValue *Value;
  const ReportGradient *Of;
  size_t Number; // of its card
};
/// Values that are marked together: from a byte of the line on, this many.
struct Spot {
  size_t Begin, Length;
  std::vector<Mark> Marks;
};

class Page {
public:
  Page(const std::vector<ReportGradient> &Gradients, Sources &Source)
      : Gradients(Gradients), Source(Source) {}
  std::string write();

private:
  void totals();
  void gradient(const ReportGradient &G, size_t Number);
  void chart(const ReportGradient &G);
  void card(const KeptValue &V, size_t Number);
  void sources();
  void file(const std::string &Name, const std::map<unsigned, std::vector<Mark>> &Marked);
  void row(unsigned Number, const std::string &Line, const std::vector<Mark> *Marks);
  template <class... T> void add(fmt::format_string<T...> Format, T &&...Args) {
    fmt::format_to(std::back_inserter(Html), Format, std::forward<T>(Args)...);
  }

  const std::vector<ReportGradient> &Gradients;
  Sources &Source;
  std::string Html;
  std::vector<Mark> Marks;
  size_t Tips = 0;
};
} // namespace

/// Without the quotes that a sentence puts around code.
static std::string plainName(const KeptValue &V) {
  const std::string &Name = V.Name;
  const bool Quoted = Name.size() > 2 && Name.front() == '\'' && Name.back() == '\'';
  return Quoted ? Name.substr(1, Name.size() - 2) : Name;
}

static std::string bytes(const ReportGradient &G) {
  return G.Values.empty() ? "0 bytes" : G.Formula.empty() ? "only the run tells" : G.Formula;
}

static std::string secondBody(const ReportGradient &G) {
  return G.TestedBuffers.empty()
             ? std::string()
             : fmt::format("tests {} buffers; if none overlap, keeps {}", G.TestedBuffers, G.KeptThen);
}

void Page::totals() {
  add("<div class=\"wide\"><table><thead><tr><th>Gradient</th><th class=\"number\">Kept</th><th>Bytes</th>"
      "<th class=\"number\">Read again</th><th class=\"number\">Computed again</th><th>Run-time "
      "test</th></tr></thead>"
      "<tbody>\n");
  for (size_t I = 0; I < Gradients.size(); ++I) {
    const ReportGradient &G = Gradients[I];
    add("<tr><td><a href=\"#g{}\"><span class=\"name\">{}</span></a>{}<br><span class=\"soft\">{}</span></td>"
        "<td class=\"number{}\">{}</td><td>{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td><td>{}</td>"
        "</tr>\n",
        I + 1, escape(G.Function),
        G.Title.find("of a derivative") != std::string::npos ? " (a derivative of it)" : "",
        escape(text({G.At.File, G.At.Line, 0})), G.Values.empty() ? " good" : "", G.Values.size(),
        escape(bytes(G)), G.Reloads, G.Recomputes, G.TestedBuffers.empty() ? "none" : escape(secondBody(G)));
  }
  add("</tbody></table></div>\n");
}

/// Bars by formula: as long as their bytes where all are numbers, else as the number of values.
void Page::chart(const ReportGradient &G) {
  const bool Numbers =
      std::all_of(G.Values.begin(), G.Values.end(), [](const KeptValue &V) { return V.Total.has_value(); });
  struct Bar {
    std::string Formula;
    size_t Values = 0;
    long long Bytes = 0;
    double length(bool Numbers) const { return Numbers ? double(Bytes) : double(Values); }
  };
  std::vector<Bar> Bars;
  for (const KeptValue &V : G.Values) {
    auto Found = std::find_if(Bars.begin(), Bars.end(), [&](const Bar &B) { return B.Formula == V.Formula; });
    if (Found == Bars.end())
      Found = Bars.insert(Bars.end(), Bar{V.Formula});
    ++Found->Values;
    Found->Bytes += V.Total.value_or(0);
  }
  std::sort(Bars.begin(), Bars.end(), [&](const Bar &A, const Bar &B) {
    return std::pair(-A.length(Numbers), A.Formula) < std::pair(-B.length(Numbers), B.Formula);
  });
  const double Longest = std::max(Bars.front().length(Numbers), 1.0);
  constexpr size_t Shown = 12;
  const size_t Rows = std::min(Bars.size(), Shown);
  add("<figure><svg role=\"img\" aria-label=\"Kept values by their formulas\" width=\"720\" height=\"{0}\" "
      "viewBox=\"0 0 720 {0}\">\n",
      Rows * 28 + 4);
  for (size_t I = 0; I < Rows; ++I) {
    const Bar &B = Bars[I];
    std::string Label = printable(B.Formula);
    if (width(Label) > 40) {
      size_t End = 0;
      for (size_t Characters = 0; Characters < 39; ++End)
        Characters += ((unsigned char)Label[End + 1] & 0xc0) != 0x80;
      Label = Label.substr(0, End) + "…";
    }
    add("<g><title>{}</title><text x=\"0\" y=\"{}\">{}</text><rect x=\"280\" y=\"{}\" width=\"{:.1f}\" "
        "height=\"18\" "
        "rx=\"3\"/><text x=\"{:.1f}\" y=\"{}\">{}</text></g>\n",
        escape(B.Formula), I * 28 + 18, escape(Label), I * 28 + 5,
        std::max(320 * B.length(Numbers) / Longest, 2.0),
        290 + std::max(320 * B.length(Numbers) / Longest, 2.0), I * 28 + 18, count(B.Values, "value"));
  }
  add("</svg><figcaption>Kept values by formula. {}{}</figcaption></figure>\n",
      Numbers ? "A bar is as long as the bytes of its values."
              : "The bytes depend on variables, so a bar is as long as the number of values that have the "
                "formula.",
      Bars.size() > Shown ? fmt::format(" {} more formulas are not drawn.", Bars.size() - Shown)
                          : std::string());
}

void Page::card(const KeptValue &V, size_t Number) {
  add("<div class=\"card\" id=\"k{}\"><h3><code>{}</code> <span class=\"soft\">{}, {}</span></h3>\n<dl>",
      Number, escape(V.Name), escape(V.Formula), escape(V.Place));
  if (V.At.Line)
    add("<dt>line</dt><dd>{}{}</dd>",
        Source.line(V.At) ? fmt::format("<a href=\"#m{}\">", Number) : std::string(),
        escape(text(V.At)) + (Source.line(V.At) ? "</a>" : ""));
  if (!V.Calls.empty()) {
    std::string Chain = "<code>" + escape(V.In) + "</code>";
    for (size_t I = V.Calls.size(); I-- > 0;)
      Chain += fmt::format(", which <code>{}</code> calls at {}", escape(V.Calls[I].Caller),
                           V.Calls[I].At.Line ? escape(text(V.Calls[I].At)) : "an unknown line");
    add("<dt>in</dt><dd>{}</dd>", Chain);
  }
  add("<dt>cause</dt><dd>{}</dd>", escape(V.Why));
  if (V.CauseAt.Line && !V.CauseName.empty())
    add("<dt></dt><dd class=\"soft\">{} is at {}</dd>", escape(V.CauseName), escape(text(V.CauseAt)));
  add("<dt>edit</dt><dd>{}</dd></dl></div>\n", escape(V.Edit));
}

void Page::gradient(const ReportGradient &G, size_t Number) {
  add("<section><h2 id=\"g{}\">{}</h2>\n<p>", Number, escape(G.Title));
  if (G.At.Line)
    add("{}. ", escape(text({G.At.File, G.At.Line, 0})));
  if (!G.Calls.empty())
    add("A part of the gradient of <code>{}</code>, reached by the call at {}. ", escape(G.Calls[0].Caller),
        G.Calls.back().At.Line ? escape(text(G.Calls.back().At)) : "an unknown line");
  else if (G.Request.Line)
    add("Asked for at {}. ", escape(text(G.Request)));
  add("Keeps <strong{}>{}</strong> ({}); {} read again, {} computed again.",
      G.Values.empty() ? " class=\"good\"" : "", escape(G.Kept), escape(bytes(G)), count(G.Reloads, "value"),
      count(G.Recomputes, "value"));
  if (!G.TestedBuffers.empty())
    add(" At run time it {}.", escape(secondBody(G)));
  add("</p>\n");
  if (!G.Values.empty())
    chart(G);
  for (const KeptValue &V : G.Values) {
    Marks.push_back({&V, &G, Marks.size() + 1});
    card(V, Marks.size());
  }
  add("</section>\n");
}

/// What of the line to mark: the value's own text if it stands there, else the word or sign that the column
/// points at.
static Spot spotOf(const std::string &Line, const Mark &M) {
  const Position &At = M.Value->At;
  size_t Begin = At.Column ? At.Column - 1 : Line.find_first_not_of(" \t");
  if (Begin == std::string::npos || Begin >= Line.size())
    Begin = std::min(Line.find_first_not_of(" \t"), Line.size());
  const std::string Name = plainName(*M.Value);
  size_t Length = 0;
  if (Line.compare(Begin, Name.size(), Name) == 0)
    Length = Name.size();
  if (!Length)
    while (Begin + Length < Line.size() &&
           (std::isalnum((unsigned char)Line[Begin + Length]) || Line[Begin + Length] == '_'))
      ++Length;
  if (!Length && Begin < Line.size()) // a sign, all of its bytes
    do
      ++Length;
    while (Begin + Length < Line.size() && ((unsigned char)Line[Begin + Length] & 0xc0) == 0x80);
  return {Begin, Length, {M}};
}

void Page::row(unsigned Number, const std::string &Line, const std::vector<Mark> *InRow) {
  if (!InRow) {
    add("<span class=\"row\" data-line=\"{}\">{}</span>", Number, escape(Line));
    return;
  }
  std::vector<Spot> Spots;
  for (const Mark &M : *InRow)
    Spots.push_back(spotOf(Line, M));
  std::sort(Spots.begin(), Spots.end(), [](const Spot &A, const Spot &B) {
    return std::pair(A.Begin, A.Marks[0].Number) < std::pair(B.Begin, B.Marks[0].Number);
  });
  for (size_t I = 1; I < Spots.size();) // one mark where two would lie over each other
    if (Spots[I].Begin < Spots[I - 1].Begin + Spots[I - 1].Length || Spots[I].Begin == Spots[I - 1].Begin) {
      Spots[I - 1].Length =
          std::max(Spots[I - 1].Begin + Spots[I - 1].Length, Spots[I].Begin + Spots[I].Length) -
          Spots[I - 1].Begin;
      Spots[I - 1].Marks.insert(Spots[I - 1].Marks.end(), Spots[I].Marks.begin(), Spots[I].Marks.end());
      Spots.erase(Spots.begin() + long(I));
    } else {
      ++I;
    }
  add("<span class=\"row has\" data-line=\"{}\">", Number);
  size_t Done = 0;
  for (const Spot &S : Spots) {
    add("{}", escape(Line.substr(Done, S.Begin - Done)));
    for (const Mark &M : S.Marks)
      add("<span id=\"m{}\"></span>", M.Number);
    add("<a class=\"keep\" href=\"#k{}\" aria-describedby=\"t{}\">{}<span class=\"tip\" role=\"tooltip\" "
        "id=\"t{}\">",
        S.Marks[0].Number, Tips + 1, escape(Line.substr(S.Begin, S.Length)), Tips + 1);
    ++Tips;
    for (const Mark &M : S.Marks)
      add("<span{}><strong>{}</strong>: {}, {} (gradient of {})</span><span>Because {}.</span><span>To avoid "
          "it, "
          "{}.</span>",
          &M == S.Marks.data() ? "" : " class=\"next\"", escape(plainName(*M.Value)),
          escape(M.Value->Formula), escape(M.Value->Place), escape(M.Of->Function), escape(M.Value->Why),
          escape(M.Value->Edit));
    add("</span></a>");
    Done = S.Begin + S.Length;
  }
  add("{}</span>", escape(Line.substr(Done)));
}

void Page::file(const std::string &Name, const std::map<unsigned, std::vector<Mark>> &Marked) {
  const std::vector<std::string> *Lines = Source.lines(Name);
  if (!Lines)
    return;
  add("<h2>{}</h2>\n<pre class=\"source\">", escape(Name));
  constexpr unsigned Around = 4, Least = 10; // lines shown near a mark; lines worth folding
  const unsigned End = unsigned(Lines->size());
  std::vector<bool> Shown(End + 2);
  for (const auto &[Line, InRow] : Marked)
    for (unsigned I = Line > Around ? Line - Around : 1; I <= std::min(Line + Around, End); ++I)
      Shown[I] = true;
  for (unsigned I = 1; I <= End;) {
    unsigned Last = I;
    while (Last <= End && !Shown[Last])
      ++Last;
    const bool Fold = Last - I >= Least;
    if (Fold)
      add("<details><summary>lines {} to {}</summary>", I, Last - 1);
    for (; I < Last; ++I)
      row(I, (*Lines)[I - 1], nullptr);
    if (Fold)
      add("</details>");
    for (; I <= End && Shown[I]; ++I) {
      const auto Found = Marked.find(I);
      row(I, (*Lines)[I - 1], Found == Marked.end() ? nullptr : &Found->second);
    }
  }
  add("</pre>\n");
}

void Page::sources() {
  std::vector<std::string> Order;
  std::map<std::string, std::map<unsigned, std::vector<Mark>>> Files;
  for (const Mark &M : Marks) {
    const Position &At = M.Value->At;
    if (!Source.line(At))
      continue;
    if (!Files.count(At.File))
      Order.push_back(At.File);
    Files[At.File][At.Line].push_back(M);
  }
  if (Order.empty())
    return;
  for (const std::string &Name : Order)
    file(Name, Files[Name]);
}

std::string Page::write() {
  size_t Values = 0;
  for (const ReportGradient &G : Gradients)
    Values += G.Values.size();
  add("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Tapefree "
      "report</title>\n"
      "<style>{}</style></head><body>\n<h1>What the gradients keep</h1>\n<p class=\"soft\">{}, {} kept. In "
      "the source "
      "below, point at a marked value, or go to it with the tab key, for its cause and the edit that removes "
      "it.</p>\n",
      Style, count(Gradients.size(), "gradient"), count(Values, "value"));
  totals();
  for (size_t I = 0; I < Gradients.size(); ++I)
    gradient(Gradients[I], I + 1);
  sources();
  add("</body></html>\n");
  return std::move(Html);
}

std::string htmlReport(const std::vector<ReportGradient> &Gradients, Sources &Source) {
  return Page(Gradients, Source).write();
}

} // namespace tapefree::tool
