//===- Terminal.cpp - text in columns -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Terminal.h.
//===----------------------------------------------------------------------===//
#include "Terminal.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace evenkeel::cli {

static bool continues(char Byte) {
  return (static_cast<unsigned char>(Byte) & 0xc0) == 0x80;
}

static size_t terminalWidth() {
  if (const char *Text = std::getenv("COLUMNS"))
    if (const long N = std::strtol(Text, nullptr, 10); N > 0)
      return size_t(N);
  winsize Size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0 && Size.ws_col
             ? Size.ws_col
             : 80;
}

/// Whether the locale's characters are those of UTF-8.
static bool isUtf8() {
  for (const char *Name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char *Locale = std::getenv(Name); Locale && *Locale)
      return ::strcasestr(Locale, "utf-8") || ::strcasestr(Locale, "utf8");
  return false;
}

static bool hasColours() {
  const char *No = std::getenv("NO_COLOR"), *Kind = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) && !(No && *No) &&
         !(Kind && std::strcmp(Kind, "dumb") == 0);
}

TextStyle terminalStyle() {
  TextStyle S;
  S.Width = std::clamp<size_t>(terminalWidth(), 40, 200);
  S.Ascii = !isUtf8();
  S.Colour = hasColours();
  return S;
}

TextStyle styleOf(const Args &A) {
  TextStyle S = terminalStyle();
  S.Ascii |= A.has("--ascii");
  if (!A.has("--width"))
    return S;
  const std::string Text = A.text("--width");
  char *End = nullptr;
  errno = 0;
  const long N = std::strtol(Text.c_str(), &End, 10);
  if (Text.empty() || *End || errno || N < 40 || N > 1000)
    fail("--width: '" + Text + "' is not a number of columns from 40 to 1000");
  S.Width = size_t(N);
  return S;
}

std::vector<Option> styleOptions() {
  return {{"--width", nullptr, "COLUMNS",
           "columns to draw in (default: those of the terminal)"},
          {"--ascii", nullptr, nullptr,
           "draw with ASCII only (default: if the locale is not UTF-8)"}};
}

size_t columnsOf(const std::string &Text) {
  return size_t(std::count_if(Text.begin(), Text.end(),
                              [](char C) { return !continues(C); }));
}

static std::string cut(size_t Columns, const std::string &Text) {
  size_t N = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    if (!continues(Text[I]) && N++ == Columns)
      return Text.substr(0, I);
  return Text;
}

std::string leftIn(size_t Columns, const std::string &Text) {
  const std::string Shown = cut(Columns, Text);
  return Shown + std::string(Columns - columnsOf(Shown), ' ');
}

std::string rightIn(size_t Columns, const std::string &Text) {
  const std::string Shown = cut(Columns, Text);
  return std::string(Columns - columnsOf(Shown), ' ') + Shown;
}

std::string repeated(const std::string &Character, size_t Times) {
  std::string Out;
  while (Times--)
    Out += Character;
  return Out;
}

std::string asciiText(const std::string &Text) {
  static const std::pair<const char *, const char *> Pairs[] = {
      {"\u00a0", " "}, {"\u2212", "-"},   {"\u2013", "-"},
      {"\u00d7", "x"}, {"\u2026", "..."}, {"\u2019", "'"},
      {"\u00b5", "u"}, {"\u00bc", "1/4"}, {"\u00bd", "1/2"}};
  std::string Out;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (static_cast<unsigned char>(Text[I]) < 0x80) {
      Out += Text[I];
      continue;
    }
    const char *To = "?";
    for (const auto &[From, Plain] : Pairs)
      if (Text.compare(I, std::strlen(From), From) == 0)
        To = Plain;
    Out += To;
    while (I + 1 < Text.size() && continues(Text[I + 1]))
      ++I;
  }
  return Out;
}

std::string painted(const TextStyle &S, Paint P, const std::string &Text) {
  static const char *const Codes[] = {"", "2", "34", "33", "1"};
  if (!S.Colour || P == Paint::None || Text.empty())
    return Text;
  return std::string("\x1b[") + Codes[int(P)] + "m" + Text + "\x1b[0m";
}

std::string brokenLines(const std::string &Text, size_t Columns,
                        size_t Indent) {
  std::string Out;
  size_t Used = 0;
  for (const std::string &Word : splitList(Text, ' ')) {
    const size_t Its = columnsOf(Word);
    if (Used && Used + 1 + Its > Columns) {
      Out += "\n" + std::string(Indent, ' ');
      Used = Indent;
    } else if (Used) {
      Out += " ";
      ++Used;
    }
    Out += Word;
    Used += Its;
  }
  return Out;
}

} // namespace evenkeel::cli
