//===- LibraryReport.cpp - what calls of a library say --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LibraryReport.h.
//===----------------------------------------------------------------------===//
#include "LibraryReport.h"
#include "text/Reasons.h"
#include "text/Units.h"
#include <algorithm>

namespace evenkeel {
using Group = Finding::Group;
using State = Finding::State;

static std::string number(unsigned N, const char *What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

/// `2 in high-bandwidth memory, 1 in ordinary memory`
static std::string listed(const std::map<std::string, unsigned> &Counts,
                          const char *Between) {
  std::string Out;
  for (const auto &[What, N] : Counts)
    Out += (Out.empty() ? "" : ", ") + std::to_string(N) + Between + What;
  return Out;
}

static std::string lossText(const LibraryLoss &Lost) {
  std::string Out;
  if (Lost.Divided)
    Out += "lost: the plan divides the blocks of " +
           number(Lost.Divided, "site") +
           " between fast and slow memory, but a call places a whole block\n";
  if (Lost.Moves)
    Out +=
        "lost: " + number(Lost.Moves, "move") + " of objects between phases\n";
  if (Lost.WholeBytes != Lost.PlanBytes)
    Out += "of these sites' data, " + bytesToText(Lost.WholeBytes) +
           " go to fast memory, " + bytesToText(Lost.PlanBytes) +
           " in the plan\n";
  if (Out.empty())
    return "";
  std::string Fast = bytesToText(Lost.FastBytes);
  Fast.erase(std::remove(Fast.begin(), Fast.end(), ' '), Fast.end());
  return Out +
         "to see what this costs, write the plan as the calls have it "
         "(--whole-plan whole.json), then: evenkeel simulate --record RECORD "
         "--machine " +
         Lost.Machine + " --fast " + Fast + " --plan whole.json\n";
}

std::string librarySummaryText(const Merged &M, const LibraryLoss &Lost) {
  std::map<std::string, unsigned> Placed, Reasons;
  std::map<std::string, std::string> Places; // by reason
  unsigned Sites = 0, Frees = 0, Skipped = 0, Chosen = 0;
  for (const Finding &F : M.Findings) {
    if (F.What == State::Rewritten) {
      ++(F.Class == Group::Free ? Frees : Sites);
      if (F.Class == Group::Site)
        ++Placed[F.Memory];
    } else if (F.Class == Group::Site && F.What == State::Skipped) {
      ++Skipped;
      ++Reasons[F.Reason];
      Places[F.Reason] +=
          "  " + F.Reason + ": " + F.at() + " (" + F.Form + ")\n";
    }
    Chosen += F.Reason == "tier-chosen";
  }
  std::string Out = number(Sites, "site") + " rewritten";
  if (Sites)
    Out += ": " + listed(Placed, " in ");
  Out += "; " + number(Frees, "call") + " of free with them\n";
  if (Chosen)
    Out += number(Chosen, "site") + " had chosen the memory before\n";
  if (Skipped) {
    Out += number(Skipped, "planned site") +
           (Skipped == 1 ? " stays as it is (" : " stay as they are (") +
           listed(Reasons, " ") + ")\n";
    for (const auto &[Reason, Text] : Places)
      Out += Text;
  }
  for (const auto &[Name, N] : Reasons)
    Out +=
        Name + ": " + meaningOf(Name, {Reason::Rewrite, Reason::Leave}) + "\n";
  return Out + lossText(Lost);
}

} // namespace evenkeel
