//===- PlanEntries.cpp - a fast reader of a plan's entries ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanEntries.h. Gives up at anything that would need a second look
// (escapes, bytes beyond ASCII, numbers of another type, unknown or repeated
// names).
//===----------------------------------------------------------------------===//
#include "PlanEntries.h"
#include "AlikeEntries.h"
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

using namespace evenkeel;

namespace {

constexpr std::string_view Begin = "\n \"objects\": [";

class Reader {
  const char *At;
  const char *const End;
  const bool Reasons;

  bool skip(char C) {
    blanks();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  void blanks() {
    while (At != End && (*At == ' ' || *At == '\n'))
      ++At;
  }
  bool text(std::string_view &Out) {
    if (!skip('"'))
      return false;
    const char *Quote =
        static_cast<const char *>(std::memchr(At, '"', size_t(End - At)));
    if (!Quote)
      return false;
    unsigned char Odd = 0;
    for (const char *C = At; C != Quote; ++C)
      Odd |= static_cast<unsigned char>(*C < ' ') | (*C == '\\');
    Out = {At, size_t(Quote - At)};
    At = Quote + 1;
    return !Odd; // char is signed: bytes beyond ASCII are below ' '
  }
  bool isNull() {
    blanks();
    if (End - At < 4 || std::memcmp(At, "null", 4) != 0)
      return false;
    At += 4;
    return true;
  }
  /// Whether the number begins as JSON requires.
  bool isNumber(bool Signed) {
    blanks();
    const char *C = At + (Signed && At != End && *At == '-');
    return C != End && *C >= '0' && *C <= '9' &&
           !(*C == '0' && C + 1 != End && C[1] >= '0' && C[1] <= '9');
  }
  /// Whether the number ends here; false for another type of number.
  bool ends() const {
    return At != End && (*At == ',' || *At == '\n' || *At == ' ' ||
                         *At == ']' || *At == '}');
  }
  template <class T> bool whole(T &Out) {
    if (!isNumber(false))
      return false;
    const auto [To, Error] = std::from_chars(At, End, Out);
    At = To;
    return Error == std::errc() && ends();
  }
  bool number(double &Out) {
    if (!isNumber(true))
      return false;
    const auto [To, Error] = std::from_chars(At, End, Out);
    const std::string_view Digits(At, size_t(To - At));
    const size_t Point = Digits.find('.');
    const bool Odd = Point != std::string_view::npos &&
                     (Point + 1 == Digits.size() || Digits[Point + 1] < '0' ||
                      Digits[Point + 1] > '9');
    At = To;
    return Error == std::errc() && std::isfinite(Out) && !Odd && ends();
  }
  bool share(double &Out) { return number(Out) && Out >= 0 && Out <= 1; }
  bool maybe(std::optional<uint32_t> &Out) {
    if (isNull())
      return true;
    uint32_t X;
    if (!whole(X))
      return false;
    Out = X;
    return true;
  }
  bool id(uint64_t &Out) {
    std::string_view Text;
    if (!text(Text) || Text.size() != 16)
      return false;
    for (char C : Text)
      if (!((C >= '0' && C <= '9') || (C >= 'a' && C <= 'f')))
        return false;
    const auto [To, Error] =
        std::from_chars(Text.data(), Text.data() + 16, Out, 16);
    return Error == std::errc() && To == Text.data() + 16 && Out != 0;
  }
  /// Reads the values of an array, each by \p Each.
  template <class F> bool list(F Each) {
    if (!skip('['))
      return false;
    if (skip(']'))
      return true;
    do
      if (!Each())
        return false;
    while (skip(','));
    return skip(']');
  }
  bool ranges(std::vector<PlanRange> &Out) {
    return list([&] {
      PlanRange G;
      const unsigned Last = Out.empty() ? 0 : Out.back().To;
      if (!skip('[') || !whole(G.From) || !skip(',') || !whole(G.To) ||
          !skip(',') || !share(G.Share) || !skip(']') || G.From < Last ||
          G.From >= G.To || G.To > EK_CHUNKS)
        return false;
      Out.push_back(G);
      return true;
    });
  }
  bool calls(std::vector<std::string> &Out) {
    return list([&] {
      std::string_view Text;
      if (!text(Text))
        return false;
      Out.emplace_back(Text);
      return true;
    });
  }
  bool words(std::string &Out, bool Wanted) {
    std::string_view Text;
    if (!text(Text))
      return false;
    if (Wanted)
      Out = Text;
    return true;
  }

  enum Name : unsigned {
    Alike,
    Arena,
    At_,
    Bytes,
    Calls,
    Context,
    Creator,
    Gain,
    Left,
    OfSite,
    Ordinal,
    Predicted,
    Ranges,
    Reason,
    Share,
    Site,
    Names
  };
  static Name named(std::string_view Text) {
    constexpr std::string_view All[] = {
        "alike",      "arena",           "at",      "bytes_of_each",
        "calls",      "context",         "creator", "gain_s",
        "left_alone", "ordinal_of_site", "ordinal", "predicted_bytes",
        "ranges",     "reason",          "share",   "site"};
    unsigned N = 0;
    while (N < Names && All[N] != Text)
      ++N;
    return Name(N);
  }

  bool member(Name N, PlanObject &X, bool &HasEach) {
    switch (N) {
    case Alike:
      return whole(X.Alike);
    case Arena:
      X.Arena = true;
      return skip('t') && skip('r') && skip('u') && skip('e');
    case At_:
      return words(X.At, true);
    case Bytes:
      HasEach = true;
      return skip('[') && whole(X.LeastBytes) && skip(',') &&
             whole(X.MostBytes) && skip(']') && X.LeastBytes <= X.MostBytes;
    case Calls:
      return calls(X.Calls);
    case Context:
      return id(X.Context.emplace());
    case Creator:
      return maybe(X.Creator);
    case Gain:
      return number(X.GainSeconds);
    case Left:
      X.LeftAlone = true;
      return skip('t') && skip('r') && skip('u') && skip('e');
    case OfSite:
      return maybe(X.OfSite);
    case Ordinal:
      return maybe(X.Ordinal);
    case Predicted:
      return whole(X.PredictedBytes);
    case Ranges:
      return ranges(X.Ranges);
    case Reason:
      return words(X.Reason, Reasons);
    case Share:
      return share(X.Share);
    case Site:
      return id(X.Site);
    case Names:
      break;
    }
    return false;
  }

  bool entry(PlanObject &X) {
    unsigned Seen = 0;
    bool HasEach = false;
    if (!skip('{'))
      return false;
    do {
      std::string_view Text;
      if (!text(Text) || !skip(':'))
        return false;
      const Name N = named(Text);
      if (N == Names || Seen & 1u << N || !member(N, X, HasEach))
        return false;
      Seen |= 1u << N;
    } while (skip(','));
    if (Seen & 1u << Alike && !hasItsOrdinals(X))
      return false;
    if (X.Arena && (X.Ordinal || !X.Ranges.empty()))
      return false;
    if (!HasEach && X.Ordinal && X.Creator) // Alike is 1
      X.LeastBytes = X.MostBytes = X.PredictedBytes;
    constexpr unsigned Needed = 1u << Site | 1u << Share | 1u << Ranges;
    return (Seen & Needed) == Needed && skip('}');
  }

public:
  Reader(std::string_view Text, bool Reasons)
      : At(Text.data()), End(At + Text.size()), Reasons(Reasons) {}

  /// Reads the entries up to the end of their array; returns the position after
  /// the closing bracket, or null if the text is unusual.
  const char *entries(std::vector<PlanObject> &Out) {
    if (skip(']'))
      return At;
    do
      if (!entry(Out.emplace_back()))
        return nullptr;
    while (skip(','));
    return skip(']') ? At : nullptr;
  }
};

} // namespace

bool evenkeel::takePlanEntries(std::string &Text,
                               std::vector<PlanObject> &Objects, bool Reasons) {
  // Strings contain no line ends, so only the plan's own member matches.
  const size_t From = Text.find(Begin);
  if (From == std::string::npos || Text.compare(0, 2, "{\n") != 0)
    return false;
  const size_t First = From + Begin.size();
  std::vector<PlanObject> Out;
  // Entries are hardly ever shorter; unused reserved memory costs nothing.
  constexpr size_t ShortestEntry = 200;
  Out.reserve(Text.size() / ShortestEntry);
  const char *To =
      Reader(std::string_view(Text).substr(First), Reasons).entries(Out);
  if (!To)
    return false;
  Text = Text.substr(0, First) + "]" + Text.substr(size_t(To - Text.data()));
  Objects = std::move(Out);
  return true;
}

bool evenkeel::takePlanReplan(std::string &Text, std::string &Value) {
  constexpr std::string_view Line = "\n \"replan\": {";
  const size_t At = Text.find(Line);
  if (At == std::string::npos ||
      Text.find(Line, At + Line.size()) != std::string::npos)
    return false;
  const size_t From = At + Line.size() - 1;
  size_t To = Text.find('\n', From);
  if (To == std::string::npos)
    return false;
  To -= Text[To - 1] == ',';
  if (To - From < 2 || Text[To - 1] != '}')
    return false;
  Value.assign(Text, From, To - From);
  Text.replace(From, To - From, "null");
  return true;
}
