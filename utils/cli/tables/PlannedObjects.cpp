//===- PlannedObjects.cpp - the objects in a plan's tables ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlannedObjects.h.
//===----------------------------------------------------------------------===//
#include "PlannedObjects.h"
#include "cli/common/Cli.h"
#include "format/Identity.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel::cli {

PlannedObjects::PlannedObjects(const Problem &P) {
  std::map<uint64_t, uint64_t> First;
  for (const PredictedInstance &I : P.Instances)
    if (I.Fixed != PredictedInstance::Small &&
        First.try_emplace(I.Site, I.Context).first->second != I.Context)
      Divided.insert(I.Site);
}

static const SiteFact::Caller *callerOf(const Facts &F, const ObjectName &O) {
  const SiteFact *S = O.Context ? F.site(O.Site) : nullptr;
  for (size_t I = 0; S && I < S->Contexts.size(); ++I)
    if (S->Contexts[I].Id == O.Context)
      return &S->Contexts[I];
  return nullptr;
}

std::string placeOf(const Facts &F, const ObjectName &O) {
  const SiteFact *S = F.site(O.Site);
  std::string Out = S && !S->At.empty() ? S->At : idToString(O.Site);
  if (!O.Context)
    return Out;
  const SiteFact::Caller *C = callerOf(F, O);
  if (!C)
    return Out + " in context " + idToString(O.Context);
  for (const std::string &Call : C->Calls)
    Out += (&Call == C->Calls.data() ? " from " : " < ") + Call;
  return Out;
}

std::string shortPlaceOf(const Facts &F, const ObjectName &O) {
  const SiteFact::Caller *C = O.Context ? callerOf(F, O) : nullptr;
  if (!C || C->Calls.size() < 2)
    return placeOf(F, O);
  return placeOf(F, {O.Site, 0}) + (C->Calls.size() > 2 ? " .. " : " < ") +
         C->Calls.back();
}

std::string idOf(const ObjectName &O) {
  return idToString(O.Context ? O.Context : O.Site);
}

/// Whether \p At is the place \p Text, or on that line.
static bool isAt(const std::string &At, const std::string &Text) {
  return At == Text || (At.rfind(Text + ":", 0) == 0 &&
                        At.find(':', Text.size() + 1) == std::string::npos &&
                        Text.find(':') != std::string::npos);
}

std::vector<ObjectName> objectsNamed(const Facts &F,
                                     const std::string &IdOrPlace) {
  std::vector<ObjectName> Sites, Contexts;
  for (const SiteFact &S : F.Sites) {
    if (idToString(S.Id) == IdOrPlace || isAt(S.At, IdOrPlace))
      Sites.push_back({S.Id, 0});
    for (const SiteFact::Caller &C : S.Contexts)
      if (idToString(C.Id) == IdOrPlace ||
          std::any_of(
              C.Calls.begin(), C.Calls.end(),
              [&](const std::string &At) { return isAt(At, IdOrPlace); }))
        Contexts.push_back({S.Id, C.Id});
  }
  if (Sites.empty() && Contexts.empty())
    fail("no site or call of a wrapper '" + IdOrPlace +
         "'; give its id or path:line:col as shown");
  return Sites.empty() ? Contexts : Sites;
}

} // namespace evenkeel::cli
