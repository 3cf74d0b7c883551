//===- Numbers.cpp - numbers as ecoHMEM reads and prints them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Numbers.h.
//===----------------------------------------------------------------------===//
#include "Numbers.h"
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace evenkeel;

static std::string trimmed(const std::string &Text) {
  static const char *const Blanks = " \t\n\r\f\v";
  size_t From = Text.find_first_not_of(Blanks);
  if (From == std::string::npos)
    return "";
  return Text.substr(From, Text.find_last_not_of(Blanks) + 1 - From);
}

/// Whether strtod() reads \p Text as Python does: no hexadecimal numbers, no
/// "nan(...)".
static bool isPlainNumber(const std::string &Text) {
  size_t I = !Text.empty() && (Text[0] == '+' || Text[0] == '-');
  std::string Rest = Text.substr(I);
  for (char &C : Rest)
    C = char(std::tolower(static_cast<unsigned char>(C)));
  if (Rest == "inf" || Rest == "infinity" || Rest == "nan")
    return true;
  return !Rest.empty() &&
         Rest.find_first_not_of("0123456789.e+-") == std::string::npos;
}

std::optional<double> ecohmem::readFloat(const std::string &Text) {
  std::string T = trimmed(Text);
  if (!isPlainNumber(T))
    return std::nullopt;
  char *End = nullptr;
  double V = std::strtod(T.c_str(), &End);
  if (End == T.c_str() || *End)
    return std::nullopt;
  return V;
}

std::optional<int64_t> ecohmem::readInteger(const std::string &Text) {
  std::string T = trimmed(Text);
  size_t Sign = !T.empty() && T[0] == '+';
  int64_t V = 0;
  auto [End, Wrong] = std::from_chars(T.data() + Sign, T.data() + T.size(), V);
  if (Wrong != std::errc() || End != T.data() + T.size() ||
      (Sign && T.size() > 1 && T[1] == '-'))
    return std::nullopt;
  return V;
}

std::optional<int64_t> ecohmem::wholePart(std::optional<double> Number) {
  if (!Number || !(std::fabs(*Number) <= 0x1p62))
    return std::nullopt;
  return int64_t(*Number);
}

std::optional<int64_t> ecohmem::readBytes(const std::string &Text) {
  if (Text.empty())
    return std::nullopt;
  char Unit = Text.back();
  if (Unit >= '0' && Unit <= '9')
    return wholePart(readFloat(Text));
  std::optional<double> V = readFloat(Text.substr(0, Text.size() - 1));
  static const std::string Units = "bkmgt";
  size_t Power =
      Units.find(char(std::tolower(static_cast<unsigned char>(Unit))));
  if (!V || Power == std::string::npos)
    return std::nullopt;
  return wholePart(*V * std::pow(1024.0, double(Power)));
}

std::string ecohmem::floatText(double Number) {
  if (std::isnan(Number))
    return "nan";
  if (std::isinf(Number))
    return Number < 0 ? "-inf" : "inf";
  char Buffer[64];
  double Size = std::fabs(Number);
  bool Short = Size == 0 || (Size >= 1e-4 && Size < 1e16);
  auto Format =
      Short ? std::chars_format::fixed : std::chars_format::scientific;
  char *End = std::to_chars(Buffer, Buffer + sizeof Buffer, Number, Format).ptr;
  std::string Out(Buffer, End);
  if (Short && Out.find('.') == std::string::npos)
    Out += ".0";
  return Out;
}

std::string ecohmem::unixLines(const std::string &Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text[I] != '\r') {
      Out += Text[I];
      continue;
    }
    Out += '\n';
    if (I + 1 < Text.size() && Text[I + 1] == '\n')
      ++I;
  }
  return Out;
}
