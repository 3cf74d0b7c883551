//===- Inflate.cpp - zlib streams -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Inflate.h. A reader that has come to the end hands out zeros and knows
// that; each loop asks before it goes on.
//===----------------------------------------------------------------------===//
#include "Inflate.h"
#include <array>
#include <cstdint>
#include <vector>

namespace evenkeel::damo {
namespace {

class Bits {
  const std::string &Bytes;
  size_t At;
  uint32_t Held = 0;
  unsigned Count = 0;
  bool Ended = false;

public:
  Bits(const std::string &Of, size_t From) : Bytes(Of), At(From) {}

  bool ended() const { return Ended; }
  size_t position() const { return At; }

  /// The next \p N bits, the first one lowest; at most 16.
  uint32_t take(unsigned N) {
    while (Count < N) {
      Ended |= At >= Bytes.size();
      const uint32_t Byte =
          At < Bytes.size() ? static_cast<unsigned char>(Bytes[At++]) : 0;
      Held |= Byte << Count;
      Count += 8;
    }
    const uint32_t Out = Held & ((1u << N) - 1);
    Held >>= N;
    Count -= N;
    return Out;
  }

  void skip(size_t Whole) { At += Whole; }
  void toByte() {
    Held = 0;
    Count = 0;
  }
};

/// A canonical Huffman code (RFC 1951, 3.2.2): how many symbols have codes of
/// each length, and the symbols in the order of their codes.
struct Huffman {
  static constexpr unsigned Longest = 15;
  std::array<uint16_t, Longest + 1> OfLength{};
  std::vector<uint16_t> Symbols;

  /// False if the lengths are no code.
  bool set(const std::vector<uint8_t> &Lengths) {
    OfLength.fill(0);
    for (const uint8_t L : Lengths)
      ++OfLength[L];
    int Left = 1;
    for (unsigned L = 1; L <= Longest; ++L) {
      Left = Left * 2 - OfLength[L];
      if (Left < 0)
        return false;
    }
    std::array<uint16_t, Longest + 2> Begin{};
    for (unsigned L = 1; L <= Longest; ++L)
      Begin[L + 1] = uint16_t(Begin[L] + OfLength[L]);
    Symbols.assign(Begin[Longest + 1], 0);
    for (size_t S = 0; S < Lengths.size(); ++S)
      if (Lengths[S])
        Symbols[Begin[Lengths[S]]++] = uint16_t(S);
    OfLength[0] = 0;
    return true;
  }

  /// The next symbol, or -1.
  int read(Bits &In) const {
    int Code = 0, First = 0, Index = 0;
    for (unsigned L = 1; L <= Longest; ++L) {
      Code |= int(In.take(1));
      const int N = OfLength[L];
      if (Code - First < N)
        return Symbols[size_t(Index + Code - First)];
      Index += N;
      First = (First + N) * 2;
      Code *= 2;
    }
    return -1;
  }
};

constexpr uint16_t LengthBase[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                   15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                   67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr uint8_t LengthBits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                  2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr uint16_t FarBase[] = {
    1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
    33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr uint8_t FarBits[] = {0, 0, 0,  0,  1,  1,  2,  2,  3,  3,
                               4, 4, 5,  5,  6,  6,  7,  7,  8,  8,
                               9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

} // namespace

/// A block of codes. False if it is damaged or \p Out would grow too large.
static bool readCodes(Bits &In, const Huffman &Lengths, const Huffman &Far,
                      size_t Most, std::string &Out) {
  while (!In.ended()) {
    const int S = Lengths.read(In);
    if (S < 0 || Out.size() >= Most)
      return S == 256;
    if (S < 256) {
      Out += char(S);
      continue;
    }
    if (S == 256)
      return true;
    const size_t Which = size_t(S) - 257;
    if (Which >= std::size(LengthBase))
      return false;
    const size_t N = LengthBase[Which] + In.take(LengthBits[Which]);
    const int D = Far.read(In);
    if (D < 0 || size_t(D) >= std::size(FarBase))
      return false;
    const size_t Back = FarBase[D] + In.take(FarBits[D]);
    if (Back > Out.size() || N > Most - Out.size())
      return false;
    for (size_t I = 0; I < N; ++I)
      Out += Out[Out.size() - Back];
  }
  return false;
}

static bool readFixed(Bits &In, size_t Most, std::string &Out) {
  std::vector<uint8_t> Lengths(288, 8);
  for (size_t S = 144; S < 280; ++S)
    Lengths[S] = S < 256 ? 9 : 7;
  Huffman Codes, Far;
  return Codes.set(Lengths) && Far.set(std::vector<uint8_t>(30, 5)) &&
         readCodes(In, Codes, Far, Most, Out);
}

static bool readDynamic(Bits &In, size_t Most, std::string &Out) {
  const size_t Codes = In.take(5) + 257, Fars = In.take(5) + 1,
               Given = In.take(4) + 4;
  static constexpr uint8_t Order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
  if (Codes > 286 || Fars > 30)
    return false;
  std::vector<uint8_t> Lengths(std::size(Order));
  for (size_t I = 0; I < Given; ++I)
    Lengths[Order[I]] = uint8_t(In.take(3));
  Huffman OfLengths;
  if (!OfLengths.set(Lengths))
    return false;
  Lengths.clear();
  while (Lengths.size() < Codes + Fars) {
    const int S = In.ended() ? -1 : OfLengths.read(In);
    if (S < 0 || S > 18 || (S == 16 && Lengths.empty()))
      return false;
    if (S < 16) {
      Lengths.push_back(uint8_t(S));
      continue;
    }
    const uint8_t Again = S == 16 ? Lengths.back() : 0;
    const size_t N = S == 16   ? 3 + In.take(2)
                     : S == 17 ? 3 + In.take(3)
                               : 11 + In.take(7);
    if (Lengths.size() + N > Codes + Fars)
      return false;
    Lengths.insert(Lengths.end(), N, Again);
  }
  const auto Middle = Lengths.begin() + std::ptrdiff_t(Codes);
  Huffman OfBytes, Far;
  return OfBytes.set({Lengths.begin(), Middle}) &&
         Far.set({Middle, Lengths.end()}) &&
         readCodes(In, OfBytes, Far, Most, Out);
}

static bool readStored(Bits &In, const std::string &Bytes, size_t Most,
                       std::string &Out) {
  In.toByte();
  const uint32_t N = In.take(16), Not = In.take(16);
  if (In.ended() || (N ^ Not) != 0xffff || N > Bytes.size() - In.position() ||
      N > Most - Out.size())
    return false;
  Out.append(Bytes, In.position(), N);
  In.skip(N);
  return true;
}

static uint32_t adler(const std::string &Text) {
  uint32_t A = 1, B = 0;
  for (const char C : Text) {
    A = (A + static_cast<unsigned char>(C)) % 65521;
    B = (B + A) % 65521;
  }
  return B << 16 | A;
}

bool isZlib(const std::string &Bytes) {
  if (Bytes.size() < 2)
    return false;
  const unsigned First = static_cast<unsigned char>(Bytes[0]),
                 Second = static_cast<unsigned char>(Bytes[1]);
  return (First & 15) == 8 && First >> 4 <= 7 &&
         (First << 8 | Second) % 31 == 0 && !(Second & 0x20);
}

Expected<std::string> inflated(const std::string &Bytes, size_t Most) {
  if (!isZlib(Bytes))
    return Error{"no zlib stream"};
  Bits In(Bytes, 2);
  std::string Out;
  for (bool Last = false; !Last;) {
    Last = In.take(1);
    const uint32_t Kind = In.take(2);
    const bool Good = Kind == 0   ? readStored(In, Bytes, Most, Out)
                      : Kind == 1 ? readFixed(In, Most, Out)
                      : Kind == 2 ? readDynamic(In, Most, Out)
                                  : false;
    if (!Good || In.ended())
      return Error{Out.size() >= Most ? "the zlib stream holds too much"
                                      : "damaged or cut zlib stream"};
  }
  In.toByte();
  uint32_t Sum = 0;
  for (int I = 0; I < 4; ++I)
    Sum = Sum << 8 | In.take(8);
  if (In.ended() || Sum != adler(Out))
    return Error{"damaged or cut zlib stream"};
  return Out;
}

} // namespace evenkeel::damo
