//===- Utf8.cpp - characters of a text ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Utf8.h.
//===----------------------------------------------------------------------===//
#include "Utf8.h"

namespace evenkeel {

Utf8Character utf8At(const std::string &Text, size_t At) {
  if (At >= Text.size())
    return {};
  const uint32_t First = static_cast<unsigned char>(Text[At]);
  if (First < 0x80)
    return {First, 1};
  const unsigned Bytes = First >= 0xf0 ? 4 : First >= 0xe0 ? 3 : 2;
  if (First < 0xc2 || First > 0xf4 || Text.size() - At < Bytes)
    return {};
  uint32_t Code = First & (0x7fu >> Bytes);
  for (unsigned I = 1; I < Bytes; ++I) {
    const uint32_t Next = static_cast<unsigned char>(Text[At + I]);
    if ((Next & 0xc0) != 0x80)
      return {};
    Code = Code << 6 | (Next & 0x3f);
  }
  static constexpr uint32_t Least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (Code < Least[Bytes] || Code > 0x10ffff ||
      (Code >= 0xd800 && Code < 0xe000))
    return {};
  return {Code, Bytes};
}

bool isUtf8(const std::string &Text) {
  for (size_t I = 0; I < Text.size();) {
    const unsigned Bytes = utf8At(Text, I).Bytes;
    if (!Bytes)
      return false;
    I += Bytes;
  }
  return true;
}

} // namespace evenkeel
