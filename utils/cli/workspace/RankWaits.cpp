//===- RankWaits.cpp - what the ranks of the last run lost ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RankWaits.h.
//===----------------------------------------------------------------------===//
#include "RankWaits.h"
#include "cli/common/Cli.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "cli/workspace/Workspace.h"
#include "format/Identity.h"
#include <cstdio>
#include <filesystem>

namespace evenkeel::cli {

static std::string placeOf(const CollectiveImbalance &C, const Facts &F) {
  if (!C.Call.empty())
    return C.Call;
  for (const SyncFact &S : F.Syncs)
    if (S.Id == C.Sync)
      return S.At;
  return idToString(C.Sync);
}

/// Of the collective where most of \p Part is lost.
static const CollectiveImbalance &mostOf(const Imbalance &I,
                                         double CollectiveImbalance::*Part) {
  const CollectiveImbalance *Most = &I.Collectives[0];
  for (const CollectiveImbalance &C : I.Collectives)
    if (double(C.Times) * C.*Part > double(Most->Times) * Most->*Part)
      Most = &C;
  return *Most;
}

static std::string shareText(double Share) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f %%", 100 * Share);
  return Text;
}

std::string RankWaits::text(const Facts &F) const {
  if (!NotUsed.empty())
    return NotUsed;
  if (!Its || Its->Collectives.empty())
    return "";
  const double Systematic = Its->systematicShare(),
               Dynamic = Its->dynamicShare();
  const CollectiveImbalance &S = mostOf(*Its, &CollectiveImbalance::Systematic);
  const CollectiveImbalance &D = mostOf(*Its, &CollectiveImbalance::Dynamic);
  std::string Out = "of the last run's time, an average rank waited " +
                    shareText(Systematic + Dynamic) +
                    " at collectives: " + shareText(Systematic) +
                    " systematic, which placement can mend";
  if (Systematic >= Dynamic && Systematic > 0)
    Out += " (rank " + std::to_string(S.Slowest) + " is the slowest before " +
           placeOf(S, F) + ")";
  Out += "; " + shareText(Dynamic) + " dynamic, which it cannot";
  if (Dynamic > Systematic)
    Out += " (ranks are late in turn before " + placeOf(D, F) + ")";
  if (S.RankSpread > 1)
    Out += "; there are two kinds of ranks";
  return Out;
}

RankWaits rankWaits(const std::vector<std::string> &Command,
                    const std::string &Named) {
  RankWaits Out;
  const std::optional<BuiltCommand> Program =
      Command.empty() ? std::nullopt : builtIn(Command);
  if (!Program)
    return Out;
  const Workspace W(Program->Program, Named);
  const std::string Path = W.imbalance(commandId(Command, Program->Word));
  std::error_code E;
  if (!std::filesystem::exists(Path, E))
    return Out;
  Expected<Imbalance> Its = readImbalance(Path);
  if (!Its)
    Out.NotUsed = "what ranks lost at collectives cannot be read: not used";
  else if (Its->Build != Program->Built.Build)
    Out.NotUsed = "what ranks lost at collectives was seen in another build of "
                  "the program: not used";
  else
    Out.Its = std::move(*Its);
  return Out;
}

} // namespace evenkeel::cli
