//===- Digest.h - a 128-bit digest of numbers -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: two 64-bit digests of all added numbers, in order (multiplied and
// shifted as in splitmix). They suffice to distinguish a million phases.
// Not here: protection against deliberate collisions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_DIGEST_H
#define EVENKEEL_PROFILES_PREDICT_BASE_DIGEST_H

#include <cstdint>
#include <cstring>
#include <utility>

namespace evenkeel {
namespace prediction {

class Digest {
  uint64_t A = 0x9e3779b97f4a7c15, B = 0xd1b54a32d192ed03;

  static uint64_t mix(uint64_t X) {
    X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9;
    X = (X ^ (X >> 27)) * 0x94d049bb133111eb;
    return X ^ (X >> 31);
  }

public:
  void add(uint64_t X) {
    A = mix(A ^ X);
    B = mix(B + X);
  }
  void add(double X) {
    uint64_t Bits;
    std::memcpy(&Bits, &X, sizeof Bits);
    add(Bits);
  }
  void add(const Digest &X) {
    add(X.A);
    add(X.B);
  }
  std::pair<uint64_t, uint64_t> value() const { return {A, B}; }
};

} // namespace prediction
} // namespace evenkeel

#endif
