//===- RequiredReplay.cpp - simulate on a required tier -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RequiredReplay.h.
//===----------------------------------------------------------------------===//
#include "RequiredReplay.h"
#include "required/RecordedGraph.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::required;

/// Options that plan, or ask for pages, have no meaning here.
static void checkOptions(const Args &A, const Machine &M) {
  for (const char *Option :
       {"--facts", "--base", "--for", "--plan", "--threads", "--tasks",
        "--prefix", "--plan-machine", "--llc", "--profile-of-target",
        "--decisions", "--placements", "--tune"})
    if (A.has(Option))
      fail(std::string(Option) + " does not go with machine '" + M.Name +
           "', which has a required tier; policies there see the record's task "
           "graph");
}

static std::vector<const CopyPolicy *> chosen(const Args &A) {
  std::vector<const CopyPolicy *> Out;
  for (const std::string &Name : splitList(A.text("--policy"), ',')) {
    if (Name != "all") {
      Out.push_back(orFail(copyPolicy(Name)));
      continue;
    }
    for (const CopyPolicy &P : copyPolicies())
      Out.push_back(&P);
  }
  return Out;
}

/// --set POLICY.NAME=NUMBER, by policy.
static std::map<std::string, Settings>
readSettings(const Args &A, const std::vector<const CopyPolicy *> &Policies) {
  std::map<std::string, Settings> Out;
  for (const std::string &Text : A.all("--set")) {
    const size_t Dot = Text.find('.');
    const std::string Name = Text.substr(0, Dot);
    auto Its = std::find_if(Policies.begin(), Policies.end(),
                            [&](auto *P) { return Name == P->Name; });
    if (Dot == std::string::npos || Dot > Text.find('='))
      fail("'" + Text + "' is not a setting; write POLICY.NAME=NUMBER");
    if (Its == Policies.end())
      fail("--set names policy '" + Name + "', which is not replayed");
    orFail(parseSetting(Text.substr(Dot + 1), Out[Name]));
    orFail(checkSettings(Out[Name], (*Its)->Tunables(), Name));
  }
  return Out;
}

static std::vector<FastAmount> readAmounts(const Args &A, const Machine &M,
                                           const TaskGraph &G, uint64_t Peak) {
  std::vector<FastAmount> Out;
  for (const std::string &Text : splitList(A.require("--fast"), ',')) {
    FastAmount X{Text, orFail(parseFastSize(Text, Peak))};
    if (MaybeError E = checkFastOn(M, X.Bytes))
      fail("--fast " + Text + ": " + E->Message);
    if (MaybeError E = checkFits(G, X.Bytes))
      fail("--fast " + Text + ": " + E->Message);
    Out.push_back(std::move(X));
  }
  if (Out.empty())
    fail("--fast needs a share (25%) or a size (16GiB)");
  std::sort(Out.begin(), Out.end(), [](auto &X, auto &Y) {
    return std::tie(X.Bytes, X.Asked) < std::tie(Y.Bytes, Y.Asked);
  });
  return Out;
}

static int listPolicies(bool Json) {
  if (Json) {
    nlohmann::json J = nlohmann::json::array();
    for (const CopyPolicy &P : copyPolicies())
      J.push_back(P.Name);
    printJson(J);
    return 0;
  }
  Table T({"POLICY", "WHAT IT DOES", "SOURCE"});
  for (const CopyPolicy &P : copyPolicies())
    T.row({P.Name, P.Does, P.Source});
  std::fputs(T.str().c_str(), stdout);
  return 0;
}

static std::string figureText(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%g", V);
  return Text;
}

static int listSettings() {
  Table T({"SETTING", ">DEFAULT", "GRID", "MEANING"});
  for (const CopyPolicy &P : copyPolicies())
    for (const Tunable &X : P.Tunables()) {
      std::string Grid;
      for (double V : X.Grid)
        Grid += (Grid.empty() ? "" : " ") + figureText(V);
      T.row({std::string(P.Name) + "." + X.Name, figureText(X.Default), Grid,
             X.Meaning});
    }
  std::fputs(T.str().c_str(), stdout);
  return 0;
}

int evenkeel::cli::simulateRequired(const Args &A, Machine M) {
  if (A.text("--policy") == "list")
    return listPolicies(A.has("--json"));
  if (A.text("--policy") == "settings")
    return listSettings();
  checkOptions(A, M);
  const std::vector<const CopyPolicy *> Policies = chosen(A);
  const std::map<std::string, Settings> Set = readSettings(A, Policies);
  const MissRecord Record = orFail(readMissRecord(A.require("--record")));
  if (Record.Role == "prefix")
    fail("'" + A.text("--record") +
         "' has the beginning of a run; to replay it, record all of it with "
         "--role target");
  const auto Prepared = orFail(prepareRecord(Record));
  RequiredRuns Out;
  const TaskGraph G = orFail(recordedGraph(*Prepared, M));
  Out.Steps = G.Steps.size();
  Out.BreadthFirst = peakBytes(G, breadthFirst(G));
  Out.DepthFirst = peakBytes(G, depthFirst(G));
  Out.M = std::move(M);
  for (FastAmount &Fast : readAmounts(A, Out.M, G, Out.BreadthFirst)) {
    Out.Points.push_back({std::move(Fast), {}});
    RequiredPoint &P = Out.Points.back();
    for (const CopyPolicy *Policy : Policies) {
      auto Its = Set.find(Policy->Name);
      P.Runs.push_back(runAtBest(*Policy, G, {P.Fast.Bytes, Out.M.Copies, 1},
                                 Its == Set.end() ? Settings{} : Its->second));
    }
  }
  if (A.has("--json"))
    printJson(requiredToJson(Out));
  else
    std::fputs(requiredText(Out).c_str(), stdout);
  return 0;
}
