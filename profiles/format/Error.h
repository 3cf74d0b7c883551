//===- Error.h - one-line errors as values ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how code without LLVM reports bad input: by a value or one clear line
// (what is wrong, where, what to do). Tools print the line as `evenkeel: error:
// <line>` and exit with status 2.
// Not here: error codes and chains, which no code needs.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ERROR_H
#define EVENKEEL_PROFILES_FORMAT_ERROR_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace evenkeel {

/// One line: lower-case start, no final period.
struct Error {
  std::string Message;
};

/// A value of type T, or an Error. Check with `if (!E)` before `*E`.
template <typename T> class [[nodiscard]] Expected {
  std::optional<T> Value;
  Error Err;

public:
  Expected(T V) : Value(std::move(V)) {}
  Expected(Error E) : Err(std::move(E)) {}

  explicit operator bool() const { return Value.has_value(); }
  T &operator*() {
    assert(Value && "dereferencing an error");
    return *Value;
  }
  const T &operator*() const {
    assert(Value && "dereferencing an error");
    return *Value;
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  const std::string &message() const { return Err.Message; }
  Error takeError() { return std::move(Err); }
};

/// Success (empty) or an Error, for functions without a result.
using MaybeError = std::optional<Error>;

} // namespace evenkeel

#endif
