//===- Reasons.cpp - meanings of the reasons for falling short ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Reasons.h.
//===----------------------------------------------------------------------===//
#include "Reasons.h"

namespace evenkeel {

const std::vector<Reason> &allReasons() {
  static const std::vector<Reason> All = {
#define EK_WHY(Area, Name, Meaning, ToDo) {Reason::Area, Name, Meaning, ToDo},
#include "Reasons.def"
#undef EK_WHY
  };
  return All;
}

/// Whether the row \p Known is about \p Name. Rows that end in ':' or '-' are
/// prefixes.
static bool isOf(const std::string &Known, const std::string &Name) {
  const char Last = Known.back();
  return Last == ':' || Last == '-' ? Name.compare(0, Known.size(), Known) == 0
                                    : Name == Known;
}

std::string meaningOf(const std::string &Name,
                      const std::vector<Reason::AreaType> &Areas) {
  for (Reason::AreaType Area : Areas)
    for (const Reason &R : allReasons())
      if (R.Area == Area && isOf(R.Name, Name))
        return R.Meaning;
  return "";
}

} // namespace evenkeel
