//===- PlanFile.cpp - read and write plan.json ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON of Plan.h.
// Not here: how plans are made (planner/) and carried out (runtime/).
//===----------------------------------------------------------------------===//
#include "AlikeEntries.h"
#include "AlikePlanPhases.h"
#include "Plan.h"
#include "PlanEntries.h"
#include "format/File.h"
#include "format/Identity.h"
#include "format/ek_raw.h"
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

using namespace evenkeel;
using nlohmann::json;

static const char *const Remedy = "write it with `evenkeel plan`";

void evenkeel::applyChange(std::vector<PlanObject> &Objects,
                           const PlanChange &C) {
  auto Key = [](const PlanObject &O) {
    return std::make_tuple(O.Site, O.Context, O.Creator, O.Ordinal, O.OfSite,
                           O.Arena);
  };
  std::map<decltype(Key(PlanObject())), size_t> Entries;
  for (size_t I = 0; I < Objects.size(); ++I)
    Entries.try_emplace(Key(Objects[I]), I);
  for (const PlanObject &New : C.Objects) {
    const auto [At, IsNew] = Entries.try_emplace(Key(New), Objects.size());
    if (IsNew) {
      Objects.push_back(New);
      continue;
    }
    Objects[At->second].Share = New.Share;
    Objects[At->second].Ranges = New.Ranges;
  }
}

const PlanObject *Plan::find(const InstanceName &Name) const {
  const PlanObject *Best = nullptr;
  int BestRank = -1;
  for (const PlanObject &O : Objects)
    if (int Rank = O.rankFor(Name); Rank > BestRank) {
      Best = &O;
      BestRank = Rank;
    }
  return Best;
}

static bool isShare(double S) { return S >= 0 && S <= 1; }

/// Reads one entry of "objects"; \p W names it in errors.
static PlanObject readObject(JsonReader &R, const json &O,
                             const std::string &W) {
  PlanObject X;
  X.Site = R.id(O, W, "site");
  X.At = R.string(O, W, "at", true);
  if (R.member(O, W, "context", true))
    X.Context = R.id(O, W, "context");
  auto Index = [&](const char *Name) -> std::optional<uint32_t> {
    if (!R.member(O, W, Name, true))
      return std::nullopt;
    return R.unsigned32(O, W, Name);
  };
  X.Creator = Index("creator");
  X.Ordinal = Index("ordinal");
  X.OfSite = Index("ordinal_of_site");
  if (R.member(O, W, "alike", true)) {
    X.Alike = R.unsigned32(O, W, "alike");
    if (!hasItsOrdinals(X))
      R.fail(W + ".alike", "must be the number of ordinals of the entry");
  }
  for (const json &C : R.array(O, W, "calls", true)) {
    if (C.is_string())
      X.Calls.push_back(C.get<std::string>());
    else
      R.fail(W + ".calls", "must be strings");
  }
  X.LeftAlone = R.boolean(O, W, "left_alone", false, true);
  X.Arena = R.boolean(O, W, "arena", false, true);
  X.Share = R.number(O, W, "share");
  if (!isShare(X.Share))
    R.fail(W + ".share", "must lie between 0 and 1");
  size_t K = 0;
  unsigned Last = 0;
  for (const json &G : R.array(O, W, "ranges")) {
    std::string RW = W + ".ranges[" + std::to_string(K++) + "]";
    if (!G.is_array() || G.size() != 3 || !G[0].is_number_unsigned() ||
        !G[1].is_number_unsigned() || !G[2].is_number()) {
      R.fail(RW, "must be [from, to, share]");
      break;
    }
    uint64_t From = G[0].get<uint64_t>(), To = G[1].get<uint64_t>();
    double Share = G[2].get<double>();
    if (From < Last || From >= To || To > EK_CHUNKS || !isShare(Share)) {
      R.fail(RW, "must be sorted chunks within 0..256 with a share "
                 "between 0 and 1");
      break;
    }
    Last = static_cast<unsigned>(To);
    X.Ranges.push_back({static_cast<unsigned>(From), Last, Share});
  }
  if (X.Arena && (X.Ordinal || !X.Ranges.empty()))
    R.fail(W + ".arena", "goes with neither an ordinal nor ranges");
  if (R.member(O, W, "predicted_bytes", true))
    X.PredictedBytes = R.unsignedInt(O, W, "predicted_bytes");
  if (X.Ordinal && X.Creator) // Alike is 1
    X.LeastBytes = X.MostBytes = X.PredictedBytes;
  if (const json *E = R.member(O, W, "bytes_of_each", true)) {
    if (!E->is_array() || E->size() != 2 || !(*E)[0].is_number_unsigned() ||
        !(*E)[1].is_number_unsigned() || (*E)[0] > (*E)[1]) {
      R.fail(W + ".bytes_of_each", "must be [least, most]");
    } else {
      X.LeastBytes = (*E)[0].get<uint64_t>();
      X.MostBytes = (*E)[1].get<uint64_t>();
    }
  }
  X.GainSeconds = R.maybeNumber(O, W, "gain_s").value_or(0);
  X.Reason = R.string(O, W, "reason", true);
  return X;
}

/// Adds \p H, and the phases alike that the entry \p O lists, to \p All.
static void readAgain(JsonReader &R, const json &O, const std::string &W,
                      PlanPhase &H, std::vector<PlanPhase> &All) {
  const json &Again = R.array(O, W, "again", true);
  // A small file must not expand to gigabytes.
  constexpr size_t MostTasks = 1 << 24;
  if (All.size() + Again.size() * (1 + H.Tasks.size()) > MostTasks)
    R.fail(W + ".again", "lists too many phases");
  uint32_t Last = H.Phase;
  for (const json &N : Again) {
    if (R.failed())
      return;
    if (!N.is_number_unsigned() || N.get<uint64_t>() <= Last ||
        N.get<uint64_t>() >= UINT32_MAX) {
      R.fail(W + ".again", "must be rising numbers of later phases");
      return;
    }
    All.push_back(H);
    All.back().Phase = Last = N.get<uint32_t>();
  }
  All.push_back(std::move(H));
}

static std::vector<PlanValue> readValues(JsonReader &R, const json &J) {
  std::vector<PlanValue> Out;
  size_t I = 0;
  for (const json &V : R.array(J, "", "values", true)) {
    const std::string W = "values[" + std::to_string(I++) + "]";
    Out.push_back({R.id(V, W, "region"), R.id(V, W, "handed_as"),
                   R.id(V, W, "symbol"), R.maybeNumber(V, W, "expected"),
                   R.boolean(V, W, "total", false, true)});
  }
  return Out;
}

/// The first workers of the ranks.
static std::vector<uint32_t> readRanks(JsonReader &R, const json &J) {
  std::vector<uint32_t> Out;
  for (const json &N : R.array(J, "", "ranks", true)) {
    bool Fits = N.is_number_unsigned() && N.get<uint64_t>() <= UINT32_MAX;
    if (!Fits || (Out.empty() ? N.get<uint64_t>() != 0
                              : N.get<uint64_t>() <= Out.back())) {
      R.fail("ranks", "must rise from 0");
      break;
    }
    Out.push_back(N.get<uint32_t>());
  }
  return Out;
}

/// The objects of \p O, whose place in the file is \p W (empty: the file
/// itself). Stops at the first error.
static std::vector<PlanObject> readObjects(JsonReader &R, const json &O,
                                           const std::string &W) {
  const std::string Begin = W.empty() ? "" : W + ".";
  std::vector<PlanObject> Out;
  for (const json &X : R.array(O, W, "objects")) {
    Out.push_back(readObject(
        R, X, Begin + "objects[" + std::to_string(Out.size()) + "]"));
    if (R.failed())
      break;
  }
  return Out;
}

static std::vector<PlanChange> readChanges(JsonReader &R, const json &J) {
  std::vector<PlanChange> Out;
  for (const json &C : R.array(J, "", "changes", true)) {
    const std::string W = "changes[" + std::to_string(Out.size()) + "]";
    PlanChange X;
    X.Phase = R.unsigned32(C, W, "phase");
    if (!Out.empty() && X.Phase <= Out.back().Phase)
      R.fail(W + ".phase", "must rise");
    X.Objects = readObjects(R, C, W);
    if (R.failed())
      break;
    Out.push_back(std::move(X));
  }
  return Out;
}

static PlanTask readTask(JsonReader &R, const json &O, const std::string &W) {
  PlanTask X;
  X.Index = R.unsigned32(O, W, "index");
  X.Seconds = R.number(O, W, "seconds");
  X.SlowOnlySeconds = R.number(O, W, "slow_only_s");
  X.FastOnlySeconds = R.number(O, W, "fast_only_s");
  X.BoundSeconds = R.maybeNumber(O, W, "bound_s").value_or(0);
  X.Explicit = R.boolean(O, W, "explicit", false, true);
  return X;
}

static std::vector<PlanTaskKind> readTaskKinds(JsonReader &R, const json &O,
                                               const std::string &In) {
  std::vector<PlanTaskKind> Out;
  for (const json &K : R.array(O, In, "task_kinds", true)) {
    const std::string W =
        In + ".task_kinds[" + std::to_string(Out.size()) + "]";
    Out.push_back({R.id(K, W, "region"), R.unsigned32(K, W, "tasks"),
                   R.number(K, W, "seconds")});
  }
  return Out;
}

static std::vector<PlanPhase> readPhases(JsonReader &R, const json &Predicted) {
  std::vector<PlanPhase> Out;
  size_t N = 0;
  for (const json &O : R.array(Predicted, "predicted", "phases", true)) {
    const std::string W = "predicted.phases[" + std::to_string(N++) + "]";
    PlanPhase H;
    H.Phase = R.unsigned32(O, W, "phase");
    H.Region = R.id(O, W, "region");
    H.At = R.string(O, W, "at", true);
    if (R.member(O, W, "sync", true))
      H.Sync = R.id(O, W, "sync");
    H.SyncAt = R.string(O, W, "sync_at", true);
    H.Seconds = R.number(O, W, "seconds");
    for (const json &K : R.array(O, W, "tasks", true))
      H.Tasks.push_back(
          readTask(R, K, W + ".tasks[" + std::to_string(H.Tasks.size()) + "]"));
    H.TaskKinds = readTaskKinds(R, O, W);
    readAgain(R, O, W, H, Out);
  }
  if (Out.size() > N)
    orderPhases(Out);
  return Out;
}

/// Makes entries for objects that are alike one entry for each object, unless
/// \p For can do with fewer. Returns false if there would be too many.
static bool expandObjects(Plan &P, PlanUse For) {
  // Moves list objects one by one.
  if (For == PlanUse::Run && P.Changes.empty() && areApart(P.Objects))
    return true;
  bool Known = expandAlike(P.Objects);
  for (PlanChange &C : P.Changes)
    Known = Known && expandAlike(C.Objects);
  return Known;
}

Expected<Plan> evenkeel::readPlan(const std::string &Path, PlanUse For) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  std::vector<PlanObject> Taken;
  takePlanEntries(*Text, Taken, For == PlanUse::Look);
  Plan P;
  if (For == PlanUse::Run) // readReplan checks it when planning again
    takePlanReplan(*Text, P.ReplanJson);
  Expected<json> J = parseJsonText(*Text, Path, "plan", 1, Remedy);
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  P.Program = R.string(*J, "", "program");
  P.Planner = R.string(*J, "", "planner");
  P.Model = R.string(*J, "", "model");
  P.Machine = R.string(*J, "", "machine");
  P.FastBytes = R.unsignedInt(*J, "", "fast_bytes");
  // Older files lack it.
  P.ReservedBytes = R.member(*J, "", "reserved_bytes", true)
                        ? R.unsignedInt(*J, "", "reserved_bytes")
                        : P.FastBytes;
  P.KeepsFirstTouch = R.boolean(*J, "", "keeps_first_touch", false, true);
  P.AllFits = R.boolean(*J, "", "all_fits", false, true);
  P.BaseInput = R.string(*J, "", "base_input", true);
  P.Ranks = readRanks(R, *J);
  P.Objects = readObjects(R, *J, "");
  if (P.Objects.empty()) // else a second member has this name, and counts
    P.Objects = std::move(Taken);
  P.Changes = readChanges(R, *J);
  if (R.failed())
    return R.error();
  if (const json *Q = R.member(*J, "", "predicted", true)) {
    P.PredictedMakespan = R.number(*Q, "predicted", "makespan_s");
    if (R.member(*Q, "predicted", "with_moves_s", true))
      P.MovingMakespan = R.number(*Q, "predicted", "with_moves_s");
    P.Phases = readPhases(R, *Q);
  }
  P.Values = readValues(R, *J);
  const json *Again = R.member(*J, "", "replan", true);
  if (Again && P.ReplanJson.empty())
    P.ReplanJson = Again->dump();
  for (const json &A : R.array(*J, "", "assumed", true)) {
    if (A.is_string())
      P.Assumed.push_back(A.get<std::string>());
    else
      R.fail("assumed", "must be strings");
  }
  if (R.failed())
    return R.error();
  if (!expandObjects(P, For))
    return Error{Path + ": lists more than " + std::to_string(MostPlanned) +
                 " objects; " + Remedy};
  return P;
}

/// The entries in the file's order. Within a site, wildcards (no creator or
/// ordinal) come first.
static std::vector<const PlanObject *>
sorted(const std::vector<PlanObject> &Objects) {
  // Many objects have the same texts, so that texts get numbers first.
  std::map<std::string_view, size_t> Places;
  auto Before = [](const auto *A, const auto *B) { return *A < *B; };
  std::map<const std::vector<std::string> *, size_t, decltype(Before)> Chains(
      Before);
  for (const PlanObject &O : Objects) {
    Places.try_emplace(O.At);
    Chains.try_emplace(&O.Calls);
  }
  size_t N = 0;
  for (auto &[Text, Number] : Places)
    Number = N++;
  for (auto &[Calls, Number] : Chains)
    Number = N++;
  struct Entry {
    size_t Place, Chain;
    const PlanObject *O;
    auto key() const {
      return std::tie(Place, O->Site, Chain, O->Context, O->Creator, O->Ordinal,
                      O->Arena);
    }
  };
  std::vector<Entry> Entries;
  Entries.reserve(Objects.size());
  for (const PlanObject &O : Objects)
    Entries.push_back({Places.at(O.At), Chains.at(&O.Calls), &O});
  std::sort(Entries.begin(), Entries.end(),
            [](const Entry &A, const Entry &B) { return A.key() < B.key(); });
  std::vector<const PlanObject *> Out;
  Out.reserve(Entries.size());
  for (const Entry &E : Entries)
    Out.push_back(E.O);
  return Out;
}

static json objectsToJson(const std::vector<PlanObject> &Objects) {
  const std::vector<const PlanObject *> Sorted = sorted(Objects);
  json Out = json::array();
  for (size_t I = 0; I < Sorted.size();) {
    const PlanObject *O = Sorted[I];
    const uint32_t Alike = alikeFrom(Sorted, I);
    I += Alike;
    json Ranges = json::array();
    for (const PlanRange &R : O->Ranges)
      Ranges.push_back({R.From, R.To, R.Share});
    json Entry = {{"site", idToString(O->Site)},
                  {"at", O->At},
                  {"creator", O->Creator ? json(*O->Creator) : json(nullptr)},
                  {"ordinal", O->Ordinal ? json(*O->Ordinal) : json(nullptr)},
                  {"share", O->Share},
                  {"ranges", std::move(Ranges)},
                  {"predicted_bytes", O->PredictedBytes},
                  {"gain_s", O->GainSeconds},
                  {"reason", O->Reason}};
    if (O->LeftAlone)
      Entry["left_alone"] = true;
    if (O->Arena)
      Entry["arena"] = true;
    if (Alike > 1)
      Entry["alike"] = Alike;
    if (O->Context) {
      Entry["context"] = idToString(*O->Context);
      Entry["calls"] = O->Calls;
      if (O->OfSite)
        Entry["ordinal_of_site"] = *O->OfSite;
    }
    if (O->MostBytes && !(O->Ordinal && O->Creator))
      Entry["bytes_of_each"] = {O->LeastBytes, O->MostBytes};
    Out.push_back(std::move(Entry));
  }
  return Out;
}

std::string evenkeel::planToJson(const Plan &P) {
  json J;
  J["schema"] = "evenkeel.plan/1";
  J["program"] = P.Program;
  J["planner"] = P.Planner;
  J["model"] = P.Model;
  J["machine"] = P.Machine;
  J["fast_bytes"] = P.FastBytes;
  J["reserved_bytes"] = P.ReservedBytes;
  J["keeps_first_touch"] = P.KeepsFirstTouch;
  if (P.AllFits)
    J["all_fits"] = true;
  J["base_input"] = P.BaseInput;
  if (!P.Ranks.empty())
    J["ranks"] = P.Ranks;
  J["objects"] = objectsToJson(P.Objects);
  // Most plans move nothing and have no such member.
  if (!P.Changes.empty())
    J["changes"] = json::array();
  for (const PlanChange &C : P.Changes)
    J["changes"].push_back(
        {{"phase", C.Phase}, {"objects", objectsToJson(C.Objects)}});
  json Phases = json::array();
  for (const AlikePlanPhases &Alike : alikePhases(P.Phases)) {
    const PlanPhase &H = P.Phases[Alike.First];
    json Tasks = json::array();
    for (const PlanTask &T : H.Tasks)
      Tasks.push_back({{"index", T.Index},
                       {"explicit", T.Explicit},
                       {"seconds", T.Seconds},
                       {"slow_only_s", T.SlowOnlySeconds},
                       {"fast_only_s", T.FastOnlySeconds},
                       {"bound_s", T.BoundSeconds}});
    Phases.push_back({{"phase", H.Phase},
                      {"region", idToString(H.Region)},
                      {"at", H.At},
                      {"seconds", H.Seconds},
                      {"tasks", std::move(Tasks)}});
    if (H.Sync)
      Phases.back()["sync"] = idToString(H.Sync);
    if (!H.SyncAt.empty())
      Phases.back()["sync_at"] = H.SyncAt;
    for (const PlanTaskKind &K : H.TaskKinds)
      Phases.back()["task_kinds"].push_back({{"region", idToString(K.Region)},
                                             {"tasks", K.Tasks},
                                             {"seconds", K.Seconds}});
    if (!Alike.Again.empty())
      Phases.back()["again"] = Alike.Again;
  }
  J["predicted"] = {{"makespan_s", P.PredictedMakespan},
                    {"phases", std::move(Phases)}};
  if (P.MovingMakespan)
    J["predicted"]["with_moves_s"] = *P.MovingMakespan;
  J["assumed"] = P.Assumed;
  if (!P.Values.empty())
    J["values"] = json::array();
  for (const PlanValue &V : P.Values) {
    J["values"].push_back(
        {{"region", idToString(V.Region)},
         {"handed_as", idToString(V.HandedAs)},
         {"symbol", idToString(V.Symbol)},
         {"expected", V.Expected ? json(*V.Expected) : json(nullptr)}});
    if (V.IsTotal)
      J["values"].back()["total"] = true;
  }
  // Its numbers are not for people, so it goes on one line. Strings contain no
  // line ends, so the first such line is this member.
  const std::string Line = "\n \"replan\": ";
  J["replan"] = nullptr;
  std::string Text =
      J.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
  const bool Good = json::accept(P.ReplanJson);
  Text.replace(Text.find(Line) + Line.size(), 4, Good ? P.ReplanJson : "{}");
  return Text;
}
