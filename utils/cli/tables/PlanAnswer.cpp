//===- PlanAnswer.cpp - a plan in fifteen lines ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanAnswer.h.
//===----------------------------------------------------------------------===//
#include "PlanAnswer.h"
#include "PlanDemands.h"
#include "PlanJson.h"
#include "PlanTables.h"
#include "SourceNames.h"
#include "planner/Explain.h"
#include "problem/ReachedTiers.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

namespace {
struct AnswerRow {
  ObjectName Which;
  double Bytes = 0, Share = 0, Lines = 0, Seconds = 0;
};
} // namespace

static void sortRows(std::vector<AnswerRow> &Rows) {
  std::sort(Rows.begin(), Rows.end(),
            [](const AnswerRow &A, const AnswerRow &B) {
              if (A.Seconds != B.Seconds)
                return A.Seconds > B.Seconds;
              return A.Lines != B.Lines ? A.Lines > B.Lines : A.Which < B.Which;
            });
}

/// What the run would lose with all of an object slow, for the objects that
/// matter most: an entry of the plan knows what it saves by itself, but the
/// entries of several ranks or threads may save the same time.
static void weighTogether(const Planned &X, std::vector<AnswerRow> &Rows) {
  constexpr size_t Most = 8; // each costs two predictions
  const auto Mod = orFail(makeModel(X.P.Model));
  const Machine M = withoutUnreachedTiers(X.M, X.Pr.PeakBytes);
  if (Rows.size() > Most)
    for (size_t I = Most; I < Rows.size(); ++I)
      Rows[I].Seconds = 0;
  for (size_t I = 0; I < std::min(Most, Rows.size()); ++I) {
    ObjectExplanation E;
    if (Rows[I].Share > 0 &&
        explainObject(X.Pr, X.P, M, *Mod, Rows[I].Which, E))
      Rows[I].Seconds = std::max(0.0, E.SlowMakespan - E.Makespan);
  }
  sortRows(Rows);
}

/// All objects with memory traffic or a place in fast memory; those that the
/// plan gains most by first.
static std::vector<AnswerRow> rowsOf(const Planned &X) {
  const PlannedObjects Objects(X.Pr);
  const auto Shares = fastShares(X.P, X.Pr, Objects);
  const auto Gains = gainsOf(X.P, X.Pr, Objects);
  const auto Demands = demandsOf(X.Pr, Objects);
  std::vector<AnswerRow> Rows;
  for (const auto &[Which, Bytes] : bytesOf(X.Pr, Objects)) {
    AnswerRow R{Which, Bytes};
    if (auto S = Shares.find(Which); S != Shares.end())
      R.Share = S->second;
    if (auto G = Gains.find(Which); G != Gains.end())
      R.Seconds = G->second.Seconds;
    if (auto D = Demands.find(Which); D != Demands.end())
      for (const SiteDemand &S : D->second)
        R.Lines += S.sum();
    if (R.Lines > 0 || R.Share > 0)
      Rows.push_back(R);
  }
  sortRows(Rows);
  weighTogether(X, Rows);
  return Rows;
}

static double linesOf(const Planned &X) {
  double Lines = 0;
  for (const auto &[Which, Its] : demandsOf(X.Pr, PlannedObjects(X.Pr)))
    for (const SiteDemand &S : Its)
      Lines += S.sum();
  return Lines;
}

std::optional<NoGain> noGain(const Planned &X) {
  const Outlook &O = X.Ahead;
  if (!X.P.KeepsFirstTouch && X.P.makespan() < O.FirstTouch)
    return std::nullopt;
  const double Fast = double(X.P.FastBytes);
  constexpr double LittlePart = 0.02; // of the time
  if (linesOf(X) <= 0)
    return NoGain{"caches",
                  "no access to main memory was seen: the data (" +
                      bytesText(X.Pr.PeakBytes) +
                      ") fits the caches; plan for an input with more than " +
                      bytesText(double(X.M.LlcBytes)) + " of data"};
  if (Fast >= X.Pr.PeakBytes)
    return NoGain{"fits", "all data fits into fast memory, where first touch "
                          "puts it; --fast with less than " +
                              bytesText(X.Pr.PeakBytes) +
                              " shows what less of it would cost"};
  if (O.AllSlow - O.AllFast < LittlePart * O.AllSlow)
    return NoGain{"even", "memory hardly matters: with all data slow, the "
                          "program takes " +
                              percentText(O.AllSlow / O.AllFast - 1) +
                              " longer than with all data fast"};
  if (O.FirstTouch - O.AllFast < LittlePart * O.FirstTouch)
    return NoGain{"already", "first touch already puts what matters into fast "
                             "memory"};
  return NoGain{
      "uncertain",
      "no placement is better than first touch by more than its estimate may "
      "be off: tasks use the data evenly, or too little of it fits; compare "
      "amounts of fast memory with --fast, or machines with evenkeel whatif"};
}

static std::string lessTime(double Seconds, const Outlook &O) {
  char Text[96];
  std::snprintf(Text, sizeof Text, "%.1f %% less time than first touch",
                100 * (1 - Seconds / O.FirstTouch));
  return Text;
}

std::string gainLine(const Planned &X) {
  if (noGain(X))
    return "nothing to gain over first touch";
  return lessTime(X.P.makespan(), X.Ahead);
}

static std::string certainty(const Planned &X) {
  const double Within = boundOfMakespan(X.P);
  if (Within > 1)
    return "a guess: times may be off by more than their own length";
  char Text[64];
  std::snprintf(Text, sizeof Text, "nine in ten task times are within %.0f %%",
                std::max(1.0, 100 * Within));
  return Text;
}

/// "rank pagerank.c:82:23"; all calls of a context, if the short place is that
/// of another one of \p Rows, too.
static std::string namedPlace(const Planned &X, const ObjectName &Which,
                              const std::vector<AnswerRow> &Rows,
                              SourceNames &Names) {
  std::string Place = shortPlaceOf(X.In.F, Which);
  const auto Alike =
      std::count_if(Rows.begin(), Rows.end(), [&](const AnswerRow &R) {
        return shortPlaceOf(X.In.F, R.Which) == Place;
      });
  if (Alike > 1)
    Place = placeOf(X.In.F, Which);
  const SiteFact *S = X.In.F.site(Which.Site);
  std::string At = S ? S->At : "";
  for (size_t I = 0; S && Which.Context && I < S->Contexts.size(); ++I)
    if (const SiteFact::Caller &C = S->Contexts[I];
        C.Id == Which.Context && !C.Calls.empty())
      At = C.Calls[0]; // there the block gets its name, as in reports
  const std::string Name = At.empty() ? "" : Names.at(At);
  return Name.empty() ? Place : Name + " " + Place;
}

std::string planAnswer(const Planned &X, bool All, const std::string &Sources) {
  std::string Out;
  Table Times({"  predicted", ">time", ""});
  auto Row = [&](const char *Name, double Seconds, const std::string &Note) {
    Times.row({std::string("  ") + Name, secondsText(Seconds), Note});
  };
  Row("all data slow", X.Ahead.AllSlow, "");
  Row("first touch", X.Ahead.FirstTouch, "");
  if (X.P.MovingMakespan) {
    Row("this plan", X.P.PredictedMakespan, "without its moves");
    Row("with its moves", *X.P.MovingMakespan, gainLine(X));
  } else {
    Row("this plan", X.P.PredictedMakespan, gainLine(X));
  }
  Row("all data fast", X.Ahead.AllFast, "");
  Out += Times.str();
  if (std::optional<NoGain> Why = noGain(X))
    return Out + "why: " + Why->Text + "\n";
  const std::vector<AnswerRow> Rows = rowsOf(X);
  constexpr size_t Most = 4;
  SourceNames Names(Sources);
  Table Objects({"  object", ">size", ">in fast", ">saves"});
  size_t Shown = 0;
  for (const AnswerRow &R : Rows) {
    if (!All && (Shown == Most || R.Share <= 0))
      break;
    Objects.row({"  " + namedPlace(X, R.Which, Rows, Names), bytesText(R.Bytes),
                 percentText(R.Share),
                 R.Seconds > 0 ? secondsText(R.Seconds) : "-"});
    ++Shown;
  }
  if (Shown)
    Out += Objects.str();
  Out += certainty(X);
  const std::string Phases = std::to_string(X.In.Base.Phases.size());
  if (X.isBeginning())
    Out += "; times are of the first " + Phases + " phases";
  else if (!X.In.Prefix)
    Out += "; times are of " + Phases + " phases, as in the base run";
  return Out + "\n";
}

nlohmann::json planAnswerJson(const Planned &X) {
  nlohmann::json J = {
      {"schema", "evenkeel.answer/1"},
      {"machine", X.P.Machine},
      {"fast_bytes", X.P.FastBytes},
      {"peak_bytes", X.Pr.PeakBytes},
      {"all_slow_s", X.Ahead.AllSlow},
      {"first_touch_s", X.Ahead.FirstTouch},
      {"plan_s", X.P.PredictedMakespan},
      {"all_fast_s", X.Ahead.AllFast},
      {"within", boundOfMakespan(X.P)},
      {"first_phases", X.isBeginning() ? X.In.Base.Phases.size() : 0},
      {"objects", nlohmann::json::array()},
      {"notes", X.P.Notes}};
  if (X.P.MovingMakespan)
    J["with_moves_s"] = *X.P.MovingMakespan;
  if (const std::optional<NoGain> Why = noGain(X))
    J["no_gain"] = {{"reason", Why->Reason}, {"text", Why->Text}};
  for (const AnswerRow &R : rowsOf(X))
    J["objects"].push_back({{"at", placeOf(X.In.F, R.Which)},
                            {"id", idOf(R.Which)},
                            {"bytes", R.Bytes},
                            {"fast_share", R.Share},
                            {"saved_s", R.Seconds}});
  return J;
}

} // namespace evenkeel::cli
