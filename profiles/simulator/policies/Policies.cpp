//===- Policies.cpp - policies by name ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names (Policies.def). Each planner is also a policy of the same
// name that carries out a plan by this planner, so any planner's name works if
// such a plan is given; only the planners listed here are printed. One policy
// starts from another planner's plan and then moves data by itself.
//===----------------------------------------------------------------------===//
#include "Policies.h"
#include "simulator/PreparedRecord.h"
#include <algorithm>

namespace evenkeel {

namespace {

struct TunablePolicy {
  const char *Name;
  std::unique_ptr<Policy> (*Make)(const ReplayRequest &);
  const std::vector<Tunable> &(*Tunables)();
  const char *Planner = nullptr; // whose plan it starts from
};

constexpr TunablePolicy TunablePolicies[] = {
    {"weighted-interleave", makeWeightedInterleave, weightedInterleaveTunables},
    {"memory-mode", makeMemoryMode, memoryModeTunables},
    {"hot-page", makeHotPage, hotPageTunables},
    {"numa-balancing", makeNumaBalancing, numaBalancingTunables},
    {"tpp", makeTpp, tppTunables},
    {"damon", makeDamon, damonTunables},
    {"memtis", makeMemtis, memtisTunables},
    {"colloid", makeColloid, colloidTunables},
    {"arms", makeArms, armsTunables},
    {"shambles-lru", makeShamblesLru, shamblesLruTunables},
    {"shambles-window", makeShamblesWindow, shamblesWindowTunables},
    {"shambles-advised", makeShamblesAdvised, shamblesWindowTunables,
     "hmem-advisor"},
    {"alto", makeAlto, altoTunables},
};

const TunablePolicy *findTunable(const std::string &Name) {
  for (const TunablePolicy &P : TunablePolicies)
    if (Name == P.Name)
      return &P;
  return nullptr;
}

constexpr std::pair<const char *, const char *> Aliases[] = {
    {"merchandiser", "greedy-5"},
    {"soar", "aol"},
    {"oblivious", "first-touch"},
};

} // namespace

const std::vector<PolicyInfo> &allPolicies() {
  static const std::vector<PolicyInfo> All = {
#define EK_POLICY(Name, Kind, Does, Source)                                    \
  {Name, PolicyInfo::Kind, Does, Source},
#include "Policies.def"
#undef EK_POLICY
  };
  return All;
}

std::vector<std::string> policyNames() {
  std::vector<std::string> Names;
  for (const PolicyInfo &P : allPolicies())
    Names.push_back(P.Name);
  return Names;
}

std::string canonicalPolicy(const std::string &Name) {
  for (auto [Alias, Canonical] : Aliases)
    if (Name == Alias)
      return Canonical;
  return Name;
}

bool needsPlan(const std::string &Name) {
  static const char *const Own[] = {"slow-only", "fast-only", "first-touch",
                                    "interleave", "oracle"};
  std::string N = canonicalPolicy(Name);
  if (const TunablePolicy *P = findTunable(N))
    return P->Planner;
  return std::find(std::begin(Own), std::end(Own), N) == std::end(Own);
}

std::string policyPlanner(const std::string &Name) {
  const std::string N = canonicalPolicy(Name);
  const TunablePolicy *P = findTunable(N);
  return N == OwnStatic ? OwnPlanner : P && P->Planner ? P->Planner : N;
}

bool watchesPages(const std::string &Name) {
  std::string N = canonicalPolicy(Name);
  return N == "oracle" || (findTunable(N) && N != "weighted-interleave");
}

const std::vector<Tunable> &policyTunables(const std::string &Name) {
  static const std::vector<Tunable> None;
  const TunablePolicy *P = findTunable(canonicalPolicy(Name));
  return P ? P->Tunables() : None;
}

Expected<std::unique_ptr<Policy>> makePolicy(const std::string &Given,
                                             const ReplayRequest &R) {
  const std::string Name = canonicalPolicy(Given);
  if (R.Record && R.Record->OneIn != 1 && watchesPages(Name))
    return Error{"policy '" + Given +
                 "' goes by the counts of single pages, and the record has "
                 "followed one line in " +
                 std::to_string(R.Record->OneIn) +
                 "; record the target with --misses"};
  if (MaybeError E = checkSettings(R.Tuned, policyTunables(Name), Given))
    return *E;
  const TunablePolicy *Its = findTunable(Name);
  if (Its && !Its->Planner)
    return Its->Make(R);
  if (Name == "slow-only")
    return makeSlowOnly();
  if (Name == "fast-only")
    return makeFastOnly();
  if (Name == "first-touch")
    return makeFirstTouch();
  if (Name == "interleave")
    return makeInterleave();
  if (Name == "oracle") {
    if (R.Prepared)
      return makeOracle(R);
    auto Prepared = prepareRecord(*R.Record);
    if (!Prepared)
      return Prepared.takeError();
    ReplayRequest Own = R;
    Own.Prepared = Prepared->get();
    return makeOracle(Own);
  }
  if (R.P && canonicalPolicy(R.P->Planner) == policyPlanner(Name))
    return Its ? Its->Make(R) : makePlanned(Given, R, Name != OwnStatic);
  std::vector<std::string> Names = policyNames();
  if (std::find(Names.begin(), Names.end(), Given) != Names.end() ||
      Name != Given) {
    if (R.P)
      return Error{"policy '" + Given + "' needs a plan of planner '" +
                   policyPlanner(Name) + "'; the plan given was made by '" +
                   R.P->Planner + "'"};
    return Error{"policy '" + Given +
                 "' needs a plan and there is none; "
                 "give --plan, or --facts and --base"};
  }
  std::string All;
  for (const std::string &N : Names)
    All += (All.empty() ? "" : ", ") + N;
  return Error{"unknown policy '" + Given + "'; policies are " + All};
}

} // namespace evenkeel
