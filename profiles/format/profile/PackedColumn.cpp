//===- PackedColumn.cpp - numbers of many rows in few bytes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PackedColumn.h.
//===----------------------------------------------------------------------===//
#include "PackedColumn.h"
#include <cmath>
#include <cstring>

using namespace evenkeel;

namespace {

uint64_t reversed(uint64_t V) { return __builtin_bswap64(V); }

uint64_t toCode(const Column &C, uint64_t V, uint64_t Before) {
  if (C.Type == Column::F64)
    return reversed(V ^ Before);
  const uint64_t D = V - Before;
  return D << 1 ^ (0 - (D >> 63));
}
uint64_t fromCode(const Column &C, uint64_t Code, uint64_t Before) {
  if (C.Type == Column::F64)
    return reversed(Code) ^ Before;
  return Before + (Code >> 1 ^ (0 - (Code & 1)));
}

void put(std::string &Out, uint64_t Code) {
  for (; Code >= 0x80; Code >>= 7)
    Out += static_cast<char>(Code | 0x80);
  Out += static_cast<char>(Code);
}

/// Reads one number; false: the bytes end before, or it has more than 64 bits.
bool take(const unsigned char *&At, const unsigned char *End, uint64_t &Code) {
  Code = 0;
  for (unsigned Shift = 0; At != End; Shift += 7) {
    const uint64_t Byte = *At++;
    if (Shift == 63 && Byte > 1)
      return false;
    Code |= (Byte & 0x7f) << Shift;
    if (Byte < 0x80)
      return true;
  }
  return false;
}

/// Whether \p Bits is a number of the column's type.
bool isOf(const Column &C, uint64_t Bits) {
  if (C.Type == Column::U32)
    return Bits <= UINT32_MAX;
  if (C.Type != Column::F64)
    return true;
  double V;
  std::memcpy(&V, &Bits, sizeof V);
  return std::isfinite(V);
}

} // namespace

std::string evenkeel::packColumn(const Column &C, const void *Rows,
                                 size_t Stride, size_t Count) {
  const size_t Bytes = C.Type == Column::U32 ? 4 : 8;
  const char *At = static_cast<const char *>(Rows) + C.Offset;
  std::string Out;
  uint64_t Before = 0;
  for (size_t I = 0; I < Count; ++I, At += Stride) {
    uint64_t V = 0;
    std::memcpy(&V, At, Bytes); // little endian, as ek_raw.h
    put(Out, toCode(C, V, Before));
    Before = V;
  }
  return Out;
}

bool evenkeel::unpackColumn(const Column &C, std::string_view Data, void *Rows,
                            size_t Stride, size_t Count) {
  const auto *At = reinterpret_cast<const unsigned char *>(Data.data());
  const unsigned char *End = At + Data.size();
  const size_t Bytes = C.Type == Column::U32 ? 4 : 8;
  char *To = static_cast<char *>(Rows) + C.Offset;
  uint64_t V = 0;
  for (size_t I = 0; I < Count; ++I, To += Stride) {
    uint64_t Code;
    if (!take(At, End, Code))
      return false;
    V = fromCode(C, Code, V);
    if (!isOf(C, V))
      return false;
    std::memcpy(To, &V, Bytes);
  }
  return At == End;
}
