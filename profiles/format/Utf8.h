//===- Utf8.h - characters of a text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: UTF-8 as RFC 3629 has it: no overlong forms, no surrogates.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_UTF8_H
#define EVENKEEL_PROFILES_FORMAT_UTF8_H

#include <cstdint>
#include <string>

namespace evenkeel {

struct Utf8Character {
  uint32_t Code = 0;
  unsigned Bytes = 0; // 0: what is there is no character
};

/// The character that begins at byte \p At of \p Text.
Utf8Character utf8At(const std::string &Text, size_t At);

bool isUtf8(const std::string &Text);

} // namespace evenkeel

#endif
