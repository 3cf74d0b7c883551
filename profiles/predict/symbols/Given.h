//===- Given.h - symbol values that the user states -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how `--for` spells a value.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_GIVEN_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_GIVEN_H

#include "format/Error.h"
#include "problem/Request.h"

namespace evenkeel {

/// The value that \p Text, `NAME=VALUE` or `NAME@TASK=VALUE`, gives.
Expected<Given> parseGiven(const std::string &Text);

} // namespace evenkeel

#endif
