//===- CommandLineTexts.cpp - texts on a command line ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CommandLineTexts.h.
//===----------------------------------------------------------------------===//
#include "CommandLineTexts.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <strings.h>

using namespace evenkeel;

using Words = std::vector<std::string>;

static bool isOneOf(const std::string &Word, const Words &Names) {
  return std::find(Names.begin(), Names.end(), Word) != Names.end();
}

namespace {
/// The command line as getopt sees it: options in front, operands behind.
struct Parsed {
  std::optional<std::string> Value; // of the last of the options asked for
  Words Operands;
};

class OptionParser {
  const InputFact &I;
  const Words &Arguments;
  size_t At = 1;
  Parsed Out;

  /// 0: no value; 1: a value; 2: a value in the same word, if any.
  int valuesOf(char Letter) const {
    const size_t Found = I.Letters.find(Letter);
    if (Letter == ':' || Found == std::string::npos)
      return isOneOf(std::string("-") + Letter, I.Names);
    if (I.Letters.compare(Found + 1, 2, "::") == 0)
      return 2;
    return I.Letters.compare(Found + 1, 1, ":") == 0;
  }

  void letters(const std::string &Word) {
    for (size_t K = 1; K < Word.size(); ++K) {
      const int Values = valuesOf(Word[K]);
      const bool Asked = isOneOf(std::string("-") + Word[K], I.Names);
      if (!Values)
        continue;
      if (K + 1 < Word.size() || Values == 2) {
        if (Asked)
          Out.Value = Word.substr(K + 1);
      } else if (++At < Arguments.size() && Asked) {
        Out.Value = Arguments[At];
      }
      return;
    }
  }

  /// --name, --name=value; names may be shortened while they stay unique.
  void longName(const std::string &Word) {
    const size_t Equal = Word.find('=');
    const std::string Name = Word.substr(2, Equal - 2);
    std::string Full;
    bool HasValue = false;
    unsigned Fits = 0;
    for (std::string Known : I.LongNames) {
      const bool Values = Known.back() == ':';
      if (Values)
        Known.pop_back();
      if (Known.compare(0, Name.size(), Name) != 0)
        continue;
      ++Fits;
      const bool Exact = Known == Name;
      if (Exact || Fits == 1) {
        Full = Known;
        HasValue = Values;
      }
      if (Exact) {
        Fits = 1;
        break;
      }
    }
    if (Fits != 1)
      return;
    const bool Asked = isOneOf("--" + Full, I.Names);
    if (Equal != std::string::npos) {
      if (Asked)
        Out.Value = Word.substr(Equal + 1);
    } else if (HasValue && ++At < Arguments.size() && Asked) {
      Out.Value = Arguments[At];
    }
  }

public:
  OptionParser(const InputFact &I, const Words &Arguments)
      : I(I), Arguments(Arguments) {}

  Parsed run() {
    for (; At < Arguments.size(); ++At) {
      const std::string &Word = Arguments[At];
      if (Word == "--") {
        Out.Operands.insert(Out.Operands.end(),
                            Arguments.begin() + std::ptrdiff_t(At) + 1,
                            Arguments.end());
        break;
      }
      if (Word.size() < 2 || Word[0] != '-')
        Out.Operands.push_back(Word);
      else if (Word[1] == '-')
        longName(Word);
      else
        letters(Word);
    }
    return std::move(Out);
  }
};
} // namespace

/// The value of an option that the program looks for itself; the last counts.
static std::optional<std::string> optionValue(const InputFact &I,
                                              const Words &Arguments) {
  std::optional<std::string> Value;
  for (size_t At = 1; At < Arguments.size(); ++At)
    for (const std::string &Name : I.Names) {
      if (I.Form == "joined") {
        if (Arguments[At].compare(0, Name.size(), Name) == 0 &&
            Arguments[At].size() > Name.size())
          Value = Arguments[At].substr(Name.size());
      } else if (Arguments[At] == Name && At + 1 < Arguments.size()) {
        Value = Arguments[At + 1];
      }
    }
  return Value;
}

static std::optional<std::string> wholeText(const InputFact &I,
                                            const CommandLine &C) {
  const auto Index = size_t(I.Index);
  if (I.Kind == "argument")
    return Index < C.Arguments.size() ? std::optional(C.Arguments[Index])
                                      : std::nullopt;
  if (I.Kind == "operand") {
    const Words Operands = OptionParser(I, C.Arguments).run().Operands;
    return Index && Index <= Operands.size()
               ? std::optional(Operands[Index - 1])
               : std::nullopt;
  }
  if (I.Kind == "option")
    return I.Form == "getopt" ? OptionParser(I, C.Arguments).run().Value
                              : optionValue(I, C.Arguments);
  if (I.Kind == "environment")
    if (auto It = C.Environment.find(I.Name); It != C.Environment.end())
      return It->second;
  return std::nullopt;
}

std::optional<std::string> evenkeel::textOnCommandLine(const InputFact &I,
                                                       const CommandLine &C) {
  std::optional<std::string> Text = wholeText(I, C);
  if (!Text || I.Skip == 0 || I.Kind == "option")
    return Text;
  size_t From = size_t(I.Skip);
  if (I.Skip < 0) {
    From = Text->find('=');
    if (From++ == std::string::npos)
      return std::nullopt;
  }
  return From <= Text->size() ? std::optional(Text->substr(From))
                              : std::nullopt;
}

static std::optional<double> wholeNumber(const char *&From, int64_t Base) {
  char *End = nullptr;
  const long long N = std::strtoll(From, &End, int(Base));
  if (End == From)
    return std::nullopt;
  From = End;
  return double(N);
}

static std::optional<double> realNumber(const char *&From) {
  char *End = nullptr;
  const double N = std::strtod(From, &End);
  if (End == From)
    return std::nullopt;
  From = End;
  return N;
}

static void skipBlanks(const char *&From) {
  while (std::isspace(static_cast<unsigned char>(*From)))
    ++From;
}

/// The value number \p Field that scanf reads from \p Text.
static std::optional<double> scanned(const std::string &Format, int64_t Field,
                                     const char *Text) {
  for (const char *F = Format.c_str(); *F; ++F) {
    if (std::isspace(static_cast<unsigned char>(*F))) {
      skipBlanks(Text);
      continue;
    }
    if (*F != '%' || F[1] == '%') {
      F += *F == '%';
      if (*Text++ != *F)
        return std::nullopt;
      continue;
    }
    ++F;
    const bool Kept = *F != '*';
    F += !Kept;
    while (std::isdigit(static_cast<unsigned char>(*F)) ||
           (*F && std::string("hlLqjzt").find(*F) != std::string::npos))
      ++F;
    std::optional<double> N;
    switch (*F) {
    case 'd':
    case 'u':
      N = wholeNumber(Text, 10);
      break;
    case 'i':
      N = wholeNumber(Text, 0);
      break;
    case 'x':
    case 'X':
      N = wholeNumber(Text, 16);
      break;
    case 'f':
    case 'g':
    case 'e':
      N = realNumber(Text);
      break;
    case 's':
      skipBlanks(Text);
      while (*Text && !std::isspace(static_cast<unsigned char>(*Text)))
        ++Text;
      N = 0;
      break;
    case 'c':
      N = 0;
      Text += *Text != 0;
      break;
    default:
      return std::nullopt;
    }
    if (!N)
      return std::nullopt;
    if (Kept && Field-- == 0)
      return *F == 's' || *F == 'c' ? std::nullopt : N;
  }
  return std::nullopt;
}

std::optional<double> evenkeel::numberIn(const InputFact &I,
                                         const std::string &Text) {
  const char *From = Text.c_str();
  if (I.Convert == "integer")
    return wholeNumber(From, I.Base);
  if (I.Convert == "number")
    return realNumber(From);
  if (I.Convert == "equals")
    return Text == I.Format;
  if (I.Convert == "equals-any-case")
    return ::strcasecmp(Text.c_str(), I.Format.c_str()) == 0;
  if (I.Convert == "scan")
    return scanned(I.Format, I.Field, From);
  return std::nullopt;
}
