//===- CollectOptions.cpp - options of one unit's walk --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CollectOptions.h.
//===----------------------------------------------------------------------===//
#include "CollectOptions.h"
#include "format/ProjectFiles.h"

namespace evenkeel {

std::string CollectOptions::nameOf(const std::string &Path) const {
  if (!Within.empty() && nameBelow(Path, Within).empty())
    return "";
  return Beside ? nameInProject(Path, Root) : nameBelow(Path, Root);
}

} // namespace evenkeel
