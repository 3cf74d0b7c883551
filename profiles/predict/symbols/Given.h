//===- Given.h - symbol values that the user states -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the syntax of values in `--for`.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_GIVEN_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_GIVEN_H

#include "format/Error.h"
#include "problem/Request.h"

namespace evenkeel {

/// Parses \p Text, `NAME=VALUE` or `NAME@TASK=VALUE`.
Expected<Given> parseGiven(const std::string &Text);

} // namespace evenkeel

#endif
