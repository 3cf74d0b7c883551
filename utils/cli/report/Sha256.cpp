//===- Sha256.cpp - the hash of a script or style -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sha256.h. The constants are the first 32 bits of the fractional parts of
// the square roots of the first 8 primes, and of the cube roots of the first
// 64.
//===----------------------------------------------------------------------===//
#include "Sha256.h"

namespace evenkeel::cli {
namespace {

constexpr std::array<uint32_t, 64> K{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t turned(uint32_t X, unsigned By) { return X >> By | X << (32 - By); }

/// Adds one block of 64 bytes.
void add(std::array<uint32_t, 8> &H, const uint8_t *Block) {
  std::array<uint32_t, 64> W;
  for (size_t I = 0; I < 16; ++I)
    W[I] = uint32_t(Block[4 * I]) << 24 | uint32_t(Block[4 * I + 1]) << 16 |
           uint32_t(Block[4 * I + 2]) << 8 | Block[4 * I + 3];
  for (size_t I = 16; I < 64; ++I)
    W[I] = W[I - 16] + W[I - 7] +
           (turned(W[I - 15], 7) ^ turned(W[I - 15], 18) ^ W[I - 15] >> 3) +
           (turned(W[I - 2], 17) ^ turned(W[I - 2], 19) ^ W[I - 2] >> 10);
  auto [A, B, C, D, E, F, G, L] = H;
  for (size_t I = 0; I < 64; ++I) {
    const uint32_t X = L + (turned(E, 6) ^ turned(E, 11) ^ turned(E, 25)) +
                       ((E & F) ^ (~E & G)) + K[I] + W[I];
    const uint32_t Y = (turned(A, 2) ^ turned(A, 13) ^ turned(A, 22)) +
                       ((A & B) ^ (A & C) ^ (B & C));
    L = G, G = F, F = E, E = D + X;
    D = C, C = B, B = A, A = X + Y;
  }
  const std::array<uint32_t, 8> Its{A, B, C, D, E, F, G, L};
  for (size_t I = 0; I < 8; ++I)
    H[I] += Its[I];
}

} // namespace

std::array<uint8_t, 32> sha256(const std::string &Text) {
  std::array<uint32_t, 8> H{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string Padded = Text + '\x80';
  Padded.append((120 - Padded.size() % 64) % 64, '\0');
  for (int Shift = 56; Shift >= 0; Shift -= 8)
    Padded += char(uint64_t(Text.size()) * 8 >> Shift & 0xff);
  for (size_t At = 0; At < Padded.size(); At += 64)
    add(H, reinterpret_cast<const uint8_t *>(Padded.data()) + At);
  std::array<uint8_t, 32> Out;
  for (size_t I = 0; I < 32; ++I)
    Out[I] = uint8_t(H[I / 4] >> (24 - 8 * (I % 4)));
  return Out;
}

std::string integrityOf(const std::string &Text) {
  static const char Digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::array<uint8_t, 32> Hash = sha256(Text);
  std::string Out = "sha256-";
  for (size_t I = 0; I < Hash.size(); I += 3) {
    uint32_t Three = 0;
    for (size_t J = I; J < I + 3; ++J)
      Three = Three << 8 | (J < Hash.size() ? Hash[J] : 0);
    for (int Shift = 18; Shift >= 0; Shift -= 6)
      Out += Digits[Three >> Shift & 63];
  }
  Out.back() = '='; // 32 bytes leave two for the last three
  return Out;
}

} // namespace evenkeel::cli
