//===- Paths.cpp - canonical and relative paths ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Paths.h.
//===----------------------------------------------------------------------===//
#include "Paths.h"
#include "format/ProjectFiles.h"
#include <filesystem>

namespace evenkeel {

std::string canonicalPath(const std::string &Path,
                          const std::string &Directory) {
  std::filesystem::path P(Path);
  if (P.is_relative())
    P = std::filesystem::path(Directory) / P;
  std::error_code EC;
  std::filesystem::path Real = std::filesystem::weakly_canonical(P, EC);
  return (EC ? P.lexically_normal() : Real).generic_string();
}

std::string relativeTo(const std::string &Absolute, const std::string &Root) {
  return nameBelow(Absolute, Root);
}

} // namespace evenkeel
