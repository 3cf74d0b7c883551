//===- PlannedObjects.cpp - the objects in a plan's tables ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlannedObjects.h.
//===----------------------------------------------------------------------===//
#include "PlannedObjects.h"
#include "cli/common/Cli.h"
#include "cli/tables/SourceNames.h"
#include "format/Identity.h"
#include "format/Nearest.h"
#include <algorithm>
#include <set>

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

/// "row" for m->row[i].
static std::string lastPart(const std::string &Name) {
  const std::string Whole = Name.substr(0, Name.find('['));
  const size_t Before = Whole.find_last_of(".>");
  return Before == std::string::npos ? Whole : Whole.substr(Before + 1);
}

/// The objects whose id, place or (for a call, one of its) places \p Fits.
template <typename Test>
static std::vector<ObjectName> objectsThat(const Facts &F, const Test &Fits) {
  std::vector<ObjectName> Sites, Contexts;
  for (const SiteFact &S : F.Sites) {
    if (Fits(S.Id, S.At))
      Sites.push_back({S.Id, 0});
    for (const SiteFact::Caller &C : S.Contexts)
      if (Fits(C.Id, "") ||
          std::any_of(C.Calls.begin(), C.Calls.end(),
                      [&](const std::string &At) { return Fits(0, At); }))
        Contexts.push_back({S.Id, C.Id});
  }
  return Sites.empty() ? Contexts : Sites;
}

/// The end of a message on \p Text, which names nothing: what is like it.
static std::string likeText(const Facts &F, const std::string &Text,
                            SourceNames &Names) {
  constexpr size_t Most = 3;
  std::set<std::pair<size_t, std::string>> Near;
  for (const SiteFact &S : F.Sites)
    for (const std::string &Name : {Names.at(S.At), S.At})
      if (!Name.empty())
        Near.insert({editDistance(Text, Name), Name});
  std::string Out;
  size_t Shown = 0;
  for (const auto &[Distance, Name] : Near)
    if (++Shown <= Most)
      Out += (Out.empty() ? "" : ", ") + Name;
  return Out;
}

std::vector<ObjectName> objectsNamed(const Facts &F, const std::string &Text,
                                     SourceNames &Names) {
  std::vector<ObjectName> Out =
      objectsThat(F, [&](uint64_t Id, const std::string &At) {
        return (Id && idToString(Id) == Text) || isAt(At, Text);
      });
  if (Out.empty())
    Out = objectsThat(F, [&](uint64_t, const std::string &At) {
      const std::string Name = Names.at(At);
      return !Name.empty() && (Name == Text || lastPart(Name) == Text);
    });
  if (Out.empty()) {
    const std::string Like = likeText(F, Text, Names);
    fail("no site or call of a wrapper '" + Text +
         "'; give its variable, path:line:col or id as shown" +
         (Like.empty() ? "" : "; nearest: " + Like));
  }
  return Out;
}

} // namespace evenkeel::cli
