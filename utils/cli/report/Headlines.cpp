//===- Headlines.cpp - the sentences of a report --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Headlines.h.
//===----------------------------------------------------------------------===//
#include "Headlines.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace evenkeel::cli {

static std::string blue(const std::string &Text) {
  return "<em class=\"f\">" + Text + "</em>";
}

static std::string number(size_t N, const std::string &What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

/// "a", "a and b", "a, b and c".
static std::string listed(const std::vector<std::string> &Words) {
  std::string Out;
  for (size_t I = 0; I < Words.size(); ++I)
    Out += (I == 0 ? "" : I + 1 == Words.size() ? " and " : ", ") + Words[I];
  return Out;
}

Headlines::Headlines(const ReportInput &Its, const ReportData &Data)
    : In(Its), D(Data),
      Time(cli::timeUnit(std::max(D.Times.AllSlow, D.Times.FirstTouch))),
      Size(cli::sizeUnit(D.PeakBytes)) {}

std::string Headlines::program() const {
  return In.Name.empty() ? "the program" : codeText(In.Name);
}

std::string Headlines::run() const {
  return In.FirstPhases ? "the first " + std::to_string(In.FirstPhases) +
                              " phases of " + program()
                        : program();
}

std::string Headlines::lane(bool Several) const {
  const size_t Ranks = In.P->Ranks.size();
  return std::string(Ranks > 1 && Ranks == D.Lanes ? "rank" : "task") +
         (Several ? "s" : "");
}

std::string Headlines::lanes(const LaidOutPhase &P,
                             const std::vector<uint32_t> &Lanes) const {
  if (Lanes.empty())
    return "no " + lane(false);
  if (Lanes.size() > 3)
    return std::to_string(Lanes.size()) + " of " +
           std::to_string(P.Busy.size()) + " " + lane(true);
  std::vector<std::string> Numbers;
  for (const uint32_t L : Lanes)
    Numbers.push_back(std::to_string(
        In.P->Ranks.size() == D.Lanes && D.Lanes > 1 ? L : P.LastTask[L]));
  return lane(Lanes.size() > 1) + " " + listed(Numbers);
}

static bool same(double A, double B) {
  return std::fabs(A - B) <= 0.001 * std::max(A, B);
}

// --- gain -------------------------------------------------------------------

std::string Headlines::gain() const {
  const Answer &A = D.Times;
  const double With =
      In.P->Planner == OwnPlanner ? A.withMoves(D.Replayed) : A.Plan;
  const bool Moves = !same(With, A.Plan);
  if (In.P->AllFits)
    return "All data of " + program() + " " +
           (D.Replayed ? "fits" : "is predicted to fit") + " into the " +
           size(D.FastBytes) + " of fast memory: no plan is needed.";
  if ((!Moves && In.P->KeepsFirstTouch) || same(With, A.FirstTouch))
    return "For " + program() +
           (!Moves && In.P->KeepsFirstTouch
                ? ", no placement is predicted to be faster than first touch, "
                  "so the plan changes nothing: "
                : ", the plan is as fast as first touch: ") +
           time(A.FirstTouch) + ".";
  const std::string Takes = D.Replayed       ? " takes "
                            : In.FirstPhases ? " are predicted to take "
                                             : " is predicted to take ";
  if (With > A.FirstTouch)
    return "The plan loses: " + run() + Takes +
           percentDigits(With / A.FirstTouch - 1) + " longer with it (" +
           time(With) + ") than with first touch (" + time(A.FirstTouch) + ").";
  return std::string(Moves ? "With the plan and its moves at hooks, "
                           : "With the plan, ") +
         run() + Takes + blue(time(With)) + " instead of " +
         time(A.FirstTouch) +
         " under first touch: " + percentDigits(1 - With / A.FirstTouch) +
         " less, with the same " + size(D.FastBytes) + " of fast memory.";
}

std::string Headlines::gainNote() const {
  const Answer &A = D.Times;
  std::string Machine = "the machine file " + codeText(In.M->Name);
  if (!In.M->Title.empty())
    Machine += " (" + escaped(In.M->Title) + ")";
  if (!D.Replayed)
    return "Times are predicted for " + Machine +
           (In.Base.empty() ? std::string()
            : In.BaseRole == "prefix"
                ? ", from the beginning of this very run"
                : ", from a run of " + codeText(In.Base)) +
           ". Nothing was measured on two-tier hardware, and no recorded run "
           "was replayed. " +
           (A.Moving ? "Without moves it takes " + time(A.Plan) +
                           ", and so the pictures below show it. "
                     : "") +
           (A.Within > 1 ? "Times may be off by more than their own length: "
                           "take them as a guess."
                         : "Nine in ten task times are expected to be within " +
                               fixedDigits(std::max(1.0, 100 * A.Within), 0) +
                               "\u00a0%.");
  std::string Out = "Times come from a replay of the recorded run on " +
                    Machine + ", not from two-tier hardware.";
  if (A.Limit)
    Out += " Proven limit: no placement that stays put takes less than " +
           time(*A.Limit) + ", so the plan leaves at most " +
           time(std::max(0.0, A.Plan - *A.Limit)) + ".";
  if (A.AtHooks && A.MovedAtHooks > 0)
    Out += " Where hooks plan again, " + size(A.MovedAtHooks) +
           " are moved during the run, and it takes " + time(*A.AtHooks) +
           ". Without, it takes " + time(A.Plan) +
           ", and so the pictures below show it.";
  return Out;
}

// --- amounts ----------------------------------------------------------------

std::string Headlines::amount() const {
  const std::vector<AmountPoint> &P = D.Amounts;
  if (P.size() < 2)
    return "";
  const AmountPoint &First = P.front(), &Last = P.back();
  auto Each = [&](const AmountPoint &A, const AmountPoint &B) {
    return threeDigits(std::max(0.0, Time.of(A.Plan - B.Plan)) /
                       Size.of(B.Bytes - A.Bytes)) +
           "\u00a0" + Time.Name;
  };
  if (First.Plan <= Last.Plan * 1.001)
    return "More fast memory saves no time.";
  if (!D.Knee)
    return "Each " + Size.Name + " saves about " + Each(First, Last) +
           ", all the way.";
  const AmountPoint &K = P[*D.Knee];
  return "Up to " + size(K.Bytes) + ", each " + Size.Name + " saves " +
         Each(First, K) + ". Above that, " + Each(K, Last) + ".";
}

std::string Headlines::amountNote() const {
  if (!(D.Times.Plan < D.Times.FirstTouch * 0.999) || D.Amounts.empty())
    return "";
  if (!D.FirstTouchNeeds)
    return "First touch is never as fast as the plan is with " +
           size(D.FastBytes) + ".";
  return "First touch needs " + size(*D.FirstTouchNeeds) +
         " to be as fast as the plan is with " + size(D.FastBytes) + ".";
}

// --- objects ----------------------------------------------------------------

static std::string nameOf(const ObjectData &O) {
  return O.Name.empty() ? codeText(O.At) : codeText(O.Name);
}

std::string Headlines::objects() const {
  const auto Most =
      std::max_element(D.Objects.begin(), D.Objects.end(),
                       [](const ObjectData &A, const ObjectData &B) {
                         return A.GainSeconds < B.GainSeconds;
                       });
  if (In.P->KeepsFirstTouch)
    return In.P->AllFits ? "All of them are fast."
                         : "None of them is placed: first touch is kept.";
  if (Most == D.Objects.end() || Most->GainSeconds <= 0)
    return "No object by itself saves time in fast memory.";
  return nameOf(*Most) + " saves most, " +
         threeDigits(Time.of(Most->GainSeconds)) + " of " + time(D.Gain) +
         ", with " + fixedDigits(100 * Most->FastShare, 0) +
         "\u00a0% of it in fast memory.";
}

std::string Headlines::objectsNote() const {
  std::string Out = "Saved: predicted, against the object in slow memory and "
                    "all others as planned.";
  if (D.PlacedBytes > D.PlacedAtOnce * 1.001 && D.PlacedAtOnce > 0)
    Out += " Room of freed objects is used again: at most " +
           size(D.PlacedAtOnce) + " are taken at once, " + size(D.PlacedBytes) +
           " over the run.";
  if (D.Replayed && std::fabs(D.PeakBytes / In.Pr->PeakBytes - 1) > 0.1)
    Out += " The plan expected " + size(In.Pr->PeakBytes) +
           " of data at most; the recorded run has " + size(D.PeakBytes) + ".";
  for (const ObjectData &O : D.Objects)
    if (O.WouldGain && *O.WouldGain > 0.001 * D.Times.Plan) {
      Out += " In brackets: what an object that stays slow would save if all "
             "of it were fast, on top of the plan.";
      break;
    }
  return Out + " Strips show each object from its first to its last byte; " +
         blue("blue") + " is in fast memory.";
}

// --- tasks ------------------------------------------------------------------

std::string Headlines::tasks() const {
  size_t Slowest = SIZE_MAX, Longest = 0;
  for (size_t G = 0; G < D.Groups.size(); ++G) {
    const LaidOutPhase &P = D.FirstTouch.Groups[G];
    if (P.Seconds > D.FirstTouch.Groups[Longest].Seconds)
      Longest = G;
    if (D.LanesPerBand == 1 && !P.Explicit && !slowLanes(P).empty() &&
        (Slowest == SIZE_MAX ||
         P.Seconds > D.FirstTouch.Groups[Slowest].Seconds))
      Slowest = G;
  }
  if (D.Groups.empty())
    return "No phase takes time worth showing.";
  const double All = D.FirstTouch.Makespan;
  auto Where = [&](size_t G) {
    const GroupData &X = D.Groups[G];
    return X.Function.empty() ? escaped(X.Named) : codeText(X.Function);
  };
  auto Change = [&](size_t G) {
    const double Was = D.FirstTouch.Groups[G].Seconds,
                 Is = D.Plan.Groups[G].Seconds;
    if (In.P->KeepsFirstTouch || same(Was, Is))
      return " It takes " + threeDigits(Time.of(Was)) + " of " + time(All) +
             ".";
    return std::string(Is < Was ? " The plan shortens it by "
                                : " The plan makes it longer, by ") +
           threeDigits(Time.of(std::fabs(Was - Is))) + " of " + time(Was) + ".";
  };
  // What matters little is no headline.
  if (Slowest != SIZE_MAX &&
      D.FirstTouch.Groups[Slowest].Seconds > 0.05 * All) {
    const LaidOutPhase &P = D.FirstTouch.Groups[Slowest];
    const std::vector<uint32_t> Slow = slowLanes(P);
    std::string Who = lanes(P, Slow);
    Who[0] = char(std::toupper(static_cast<unsigned char>(Who[0])));
    return Who + (Slow.size() == 1 ? " holds" : " hold") +
           " up the others in " + Where(Slowest) + "." + Change(Slowest);
  }
  if (D.FirstTouch.Groups[Longest].Explicit) {
    const LaidOutPhase &P = D.FirstTouch.Groups[Longest];
    const double Busy = std::accumulate(P.Busy.begin(), P.Busy.end(), 0.0);
    const double Could = P.Seconds * double(P.Busy.size());
    return "Tasks keep " + std::to_string(P.Busy.size()) +
           " workers busy for " +
           fixedDigits(100 * (Could > 0 ? Busy / Could : 1), 0) +
           "\u00a0% of " + Where(Longest) + "." + Change(Longest);
  }
  return (D.Lanes > 1 ? "No " + lane(false) + " holds up the others: "
                      : std::string("Most time goes into ")) +
         (D.Lanes > 1 ? "most time goes into " : "") + Where(Longest) + "." +
         Change(Longest);
}

std::string Headlines::tasksNote() const {
  std::string Out = "<em class=\"c\">Orange</em>: the slowest " + lane(true) +
                    " of an uneven phase. Hatched: waiting.";
  if (D.LanesPerBand > 1)
    Out += " Each row shows the slowest of " + std::to_string(D.LanesPerBand) +
           " neighbouring " + lane(true) + ".";
  if (D.Explicit)
    Out += " In phases of explicit tasks, each row is a worker.";
  if (D.JoinedBars)
    Out += " Short tasks beside each other are drawn as one.";
  if (D.ShortPhases)
    Out += " Left out: " + number(D.ShortPhases, "phase") +
           (Time.of(D.ShortSeconds) < 0.001
                ? " that take next to no time."
                : " of " + time(D.ShortSeconds) + " in all.");
  return Out;
}

std::string Headlines::memory() const {
  std::vector<std::string> All, Parts;
  for (const ObjectData &O : D.Objects)
    if (O.FastShare > 0.995)
      All.push_back(nameOf(O));
    else if (O.FastShare > 0.005)
      Parts.push_back(fixedDigits(100 * O.FastShare, 0) + "\u00a0% of " +
                      nameOf(O));
  if (In.P->KeepsFirstTouch || (All.empty() && Parts.empty()))
    return In.P->KeepsFirstTouch
               ? "The plan places nothing: pages stay where they are first "
                 "touched."
               : "The plan puts nothing into fast memory.";
  constexpr size_t Most = 4;
  std::vector<std::string> Words;
  for (const std::string &Name : All)
    Words.push_back("all of " + Name);
  Words.insert(Words.end(), Parts.begin(), Parts.end());
  if (Words.size() > Most) {
    const size_t Left = D.PlacedObjects - (Most - 1);
    Words.resize(Most - 1);
    Words.push_back("parts of " + std::to_string(Left) + " more");
  }
  std::string Out = "The plan puts " + listed(Words) + " into fast memory.";
  if (!D.Moves.empty())
    Out += " It moves data before " + number(D.Moves.size(), "phase") + ".";
  return Out;
}

std::string Headlines::occupancy() const {
  double Touch = 0, Plan = 0;
  for (const OccupancyData &O : D.Occupancy) {
    Touch = std::max(Touch, O.FirstTouch);
    Plan = std::max(Plan, O.Plan);
  }
  const std::string Of = " of " + size(D.FastBytes) + " of fast memory";
  auto Number = [&](double Bytes) { return threeDigits(Size.of(Bytes)); };
  if (D.Occupancy.empty())
    return "";
  if (In.P->KeepsFirstTouch)
    return "The program is predicted to use at most " + Number(Touch) + Of +
           ".";
  return "The plan is predicted to use at most " + Number(Plan) + Of +
         ", first touch " + Number(Touch) + ".";
}

// --- belief -----------------------------------------------------------------

std::string Headlines::belief() const {
  const BeliefData &B = D.Belief;
  if (!B.Tasks)
    return "No task takes 0.1 ms or more, so there is nothing to " +
           std::string(D.Replayed ? "compare." : "judge.");
  if (!D.Replayed)
    return D.Times.Within > 1
               ? "Not much: times may be off by more than their own length."
               : "Nine in ten task times are expected to be within " +
                     fixedDigits(std::max(1.0, 100 * D.Times.Within), 0) +
                     "\u00a0% of the truth.";
  const std::string Worst =
      "; the worst is " + percentDigits(B.Worst) + " off.";
  return (B.Inside == B.Tasks
              ? "All " + std::to_string(B.Tasks)
              : std::to_string(B.Inside) + " of " + std::to_string(B.Tasks)) +
         " task times were predicted within 10\u00a0%" + Worst;
}

std::string Headlines::beliefNote() const {
  const Answer &A = D.Times;
  if (!D.Replayed)
    return "The error comes from how each figure was estimated, as the table "
           "below lists. It does not cover the machine file. To see predicted "
           "beside replayed times, record the target (" +
           codeText("evenkeel record --misses --role target") + ") and give " +
           codeText("--record") + ".";
  std::string Out;
  if (A.Predicted)
    Out = "The plan " +
          (In.Base.empty() ? std::string("")
                           : "knew " + codeText(In.Base) + " and ") +
          "predicted " + time(*A.Predicted) + "; the replay took " +
          time(A.Plan) + " (" +
          signedDigits(100 * (*A.Predicted / A.Plan - 1)) + "\u00a0%). ";
  return Out + "Only tasks of 0.1 ms and more. Mean error " +
         percentDigits(D.Belief.Mean) +
         ". Both use one machine file, so this tests counts, sizes and the "
         "cost model, not the machine file.";
}

// --- assumptions ------------------------------------------------------------

std::vector<EvidenceRow> evidenceOf(const Problem &P) {
  std::vector<EvidenceRow> Rows;
  std::map<std::string, unsigned> Sum;
  for (const auto &[Method, N] : P.Methods) {
    const size_t Colon = Method.find(": ");
    if (!N || Colon == std::string::npos)
      continue;
    Rows.push_back({Method.substr(0, Colon), Method.substr(Colon + 2), N, 0});
    Sum[Rows.back().Kind] += N;
  }
  for (EvidenceRow &R : Rows)
    R.Share = double(R.Figures) / Sum[R.Kind];
  std::sort(Rows.begin(), Rows.end(),
            [](const EvidenceRow &A, const EvidenceRow &B) {
              return std::tie(A.Kind, B.Figures, A.Way) <
                     std::tie(B.Kind, A.Figures, B.Way);
            });
  return Rows;
}

std::string Headlines::assumed() const {
  unsigned Counts = 0, Formulas = 0, Kept = 0;
  for (const EvidenceRow &R : evidenceOf(*In.Pr))
    if (R.Kind == "count") {
      Counts += R.Figures;
      Kept += R.Way == "that of the base input" ? R.Figures : 0;
      if (R.Way == "closed form" ||
          R.Way == "closed form, measured symbol given")
        Formulas += R.Figures;
    }
  std::string Out;
  if (Counts && Kept == Counts)
    Out = In.BaseRole == "prefix"
              ? "All access counts come from the beginning of this run"
              : "All access counts are those of the base run";
  else if (Counts && Formulas + Kept == Counts)
    Out = "All access counts follow from formulas of the source";
  else if (Counts)
    Out = fixedDigits(100.0 * (Counts - Formulas - Kept) / Counts, 0) +
          "\u00a0% of the access counts are scaled from the base run";
  const size_t N = In.M->Assumed.size();
  if (N)
    Out += (Out.empty() ? "" : "; ") + number(N, "figure") +
           " of the machine file " + (N == 1 ? "is" : "are") + " assumed";
  return Out.empty() ? "Nothing was assumed." : Out + ".";
}

} // namespace evenkeel::cli
