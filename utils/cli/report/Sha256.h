//===- Sha256.h - the hash of a script or style -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: SHA-256 (FIPS 180-4) and base64, as a page's Content-Security-Policy
// names the one script and the one style that a browser may use.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_SHA256_H
#define EVENKEEL_UTILS_CLI_REPORT_SHA256_H

#include <array>
#include <cstdint>
#include <string>

namespace evenkeel::cli {

std::array<uint8_t, 32> sha256(const std::string &Text);
/// "sha256-...", in base64.
std::string integrityOf(const std::string &Text);

} // namespace evenkeel::cli

#endif
