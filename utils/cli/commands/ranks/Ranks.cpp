//===- Ranks.cpp - evenkeel ranks -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the ranks' times come from (a run of the command, a file, or one
// time for all), the delays that users inject, and the table of ways to sum.
// Not here: the replay (profiles/collectives).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "cli/workspace/Workspace.h"
#include "collectives/Replay.h"
#include "collectives/ek_choice.h"
#include "format/inputs/Imbalance.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

/// A number from \p Least to \p Most; \p Option is for the error.
static double numberOf(const std::string &Option, const std::string &Text,
                       double Least, double Most) {
  char *End = nullptr;
  const double X = std::strtod(Text.c_str(), &End);
  if (Text.empty() || *End || !(X >= Least && X <= Most)) {
    char Range[64];
    std::snprintf(Range, sizeof Range, "%g to %g", Least, Most);
    fail(Option + " '" + Text + "': expected a number, " + Range);
  }
  return X;
}

static uint64_t countOf(const std::string &Option, const std::string &Text,
                        double Least, double Most) {
  const double X = numberOf(Option, Text, Least, Most);
  if (X != std::floor(X))
    fail(Option + " '" + Text + "': expected a whole number");
  return uint64_t(X);
}

/// "10ms", "50us", "2s".
static double secondsOf(const std::string &Option, const std::string &Text) {
  const size_t Unit = Text.find_first_not_of("0123456789.");
  const std::string Name = Unit == std::string::npos ? "" : Text.substr(Unit);
  const double Scale = Name == "s"    ? 1
                       : Name == "ms" ? 1e-3
                       : Name == "us" ? 1e-6
                                      : 0;
  if (Scale == 0 || Unit == 0)
    fail(Option + " '" + Text +
         "': expected a time with a unit, as in 10ms, 50us or 2s");
  return Scale * numberOf(Option, Text.substr(0, Unit), 0, 1e9);
}

/// From 0 to 1, evenly.
static double drawn(uint64_t Kind, uint64_t Rank, uint64_t Iteration) {
  const uint64_t X =
      ek_choice_hash(Kind + ek_choice_hash(Rank + (Iteration << 20)));
  return double(X >> 11) / double(1ULL << 53);
}

/// Adds to or multiplies the work of a rank.
using Delay = std::function<double(uint32_t Rank, uint32_t Ranks,
                                   uint64_t Iteration, double Work)>;

static Delay delayOf(const std::string &Text, uint64_t Kind) {
  const size_t Is = Text.find('=');
  const std::string Name = Text.substr(0, Is);
  const std::string Value = Is == std::string::npos ? "" : Text.substr(Is + 1);
  const std::string Option = "--delay";
  if (Name == "uniform") {
    const size_t Dash = Value.find('-');
    if (Dash == std::string::npos)
      fail("--delay '" + Text + "': expected uniform=LEAST-MOST");
    const double Least = secondsOf(Option, Value.substr(0, Dash)),
                 Most = secondsOf(Option, Value.substr(Dash + 1));
    if (Least > Most)
      fail("--delay '" + Text + "': the least is more than the most");
    return [=](uint32_t R, uint32_t, uint64_t I, double W) {
      return W + Least + (Most - Least) * drawn(Kind, R, I);
    };
  }
  const size_t Comma = Value.find(',');
  if ((Name != "some" && Name != "slow") || Comma == std::string::npos)
    fail("--delay '" + Text +
         "': expected uniform=LEAST-MOST, some=SHARE%,TIME or "
         "slow=SHARE%,FACTOR");
  std::string Share = Value.substr(0, Comma);
  if (Share.empty() || Share.back() != '%')
    fail("--delay '" + Text + "': expected a share in percent, as in 25%");
  Share.pop_back();
  const double Part = numberOf(Option, Share, 0, 100) / 100;
  if (Name == "some") {
    const double Seconds = secondsOf(Option, Value.substr(Comma + 1));
    return [=](uint32_t R, uint32_t, uint64_t I, double W) {
      return W + (drawn(Kind, R, I) < Part ? Seconds : 0);
    };
  }
  const double Factor = numberOf(Option, Value.substr(Comma + 1), 1, 1000);
  return [=](uint32_t R, uint32_t Ranks, uint64_t, double W) {
    return R < std::lround(Part * Ranks) ? W * Factor : W;
  };
}

/// The recorded times: of the last run of the command, or of --from.
static Imbalance recorded(const Args &A) {
  std::string Path = A.text("--from");
  if (Path.empty()) {
    const std::optional<BuiltCommand> Its = builtIn(A.Command);
    if (!Its)
      fail("'" + A.Command[0] +
           "' was not built by evenkeel-cc, so nothing is kept of its runs; "
           "give --from or --work");
    Path = Workspace(Its->Program, A.text("--workspace"))
               .imbalance(commandId(A.Command, Its->Word));
  }
  Imbalance I = orFail(readImbalance(Path));
  if (I.Work.empty())
    fail("'" + shownPath(Path) + "' has no times of ranks");
  return I;
}

/// The times of the run, for any number of ranks: rank r works as a recorded
/// rank, in recorded iterations drawn at random.
static WorkOf workOf(const Args &A, const std::vector<Delay> &Delays,
                     uint32_t Ranks) {
  WorkOf Base;
  if (A.has("--work")) {
    const double Each = secondsOf("--work", A.text("--work"));
    Base = [=](uint32_t, uint64_t) { return Each; };
  } else {
    const Imbalance I = recorded(A);
    Base = [Work = I.Work, Recorded = I.Ranks](uint32_t R, uint64_t N) {
      const uint64_t Row = ek_choice_hash(N + (uint64_t(R / Recorded) << 40));
      return Work[Row % Work.size()][R % Recorded];
    };
  }
  return [=](uint32_t R, uint64_t N) {
    double W = Base(R, N);
    for (const Delay &D : Delays)
      W = D(R, Ranks, N, W);
    return W;
  };
}

static nlohmann::json rowJson(uint32_t Ranks, SumWay Way, const ReplayResult &R,
                              double Gain) {
  return {{"ranks", Ranks},
          {"way", nameOf(Way)},
          {"seconds", R.Seconds},
          {"rounds", R.Rounds},
          {"contributions", R.Contributions},
          {"contributors", R.Parts},
          {"response_s", R.Response},
          {"wait_s", R.Wait},
          {"staleness", Way == SumWay::Gossip ? nlohmann::json()
                                              : nlohmann::json(R.Staleness)},
          {"worst_staleness", Way == SumWay::Gossip
                                  ? nlohmann::json()
                                  : nlohmann::json(R.WorstStaleness)},
          {"merged_share", R.Merged},
          {"groups", R.Groups},
          {"speedup", Gain}};
}

static std::string figure(const char *Form, double X) {
  char Text[48];
  std::snprintf(Text, sizeof Text, Form, X);
  return Text;
}

static int run(const Args &A) {
  const int Sources = A.has("--work") + A.has("--from") + !A.Command.empty();
  if (Sources != 1)
    fail(Sources ? "--work, --from and a command exclude each other"
                 : "how long do ranks work? say --work TIME or --from FILE, or "
                   "name the command whose last run is meant, behind --");
  std::vector<Delay> Delays;
  for (const std::string &Text : A.all("--delay"))
    Delays.push_back(delayOf(Text, Delays.size() + 1));
  ReplaySetting S;
  S.Iterations = countOf("--iterations", A.text("--iterations"), 1, 100000);
  S.Cost = secondsOf("--cost", A.text("--cost"));
  S.Bound = uint32_t(countOf("--bound", A.text("--bound"), 0, 1000000));
  S.Probes = uint32_t(countOf("--probes", A.text("--probes"), 1, 4096));
  nlohmann::json Rows = nlohmann::json::array();
  Table T({">ranks", "way", ">time", ">speedup", ">response", ">contributors",
           ">missed", ">at most"});
  for (const std::string &N : splitList(A.text("--ranks"), ',')) {
    S.Ranks = uint32_t(countOf("--ranks", N, 2, 4096));
    const WorkOf Work = workOf(A, Delays, S.Ranks);
    double Full = 0;
    for (SumWay Way : AllSumWays) {
      const ReplayResult R = replaySums(Way, S, Work);
      Full = Way == SumWay::Allreduce ? R.Seconds : Full;
      const double Gain = R.Seconds > 0 ? Full / R.Seconds : 1;
      Rows.push_back(rowJson(S.Ranks, Way, R, Gain));
      const bool Sums = Way != SumWay::Gossip; // else there are no sums to miss
      T.row({N, nameOf(Way), secondsText(R.Seconds), figure("%.2f x", Gain),
             secondsText(R.Response), figure("%.1f", R.Parts),
             Sums ? figure("%.2f", R.Staleness) : "-",
             Sums ? std::to_string(R.WorstStaleness) : "-"});
    }
  }
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.ranks/1"},
               {"iterations", S.Iterations},
               {"bound", S.Bound},
               {"probes", S.Probes},
               {"cost_s", S.Cost},
               {"rows", Rows}});
  else
    std::printf("%s\nuntil each rank has contributed %llu iterations on "
                "average; what the sums are worth is not in these times\n",
                T.str().c_str(), static_cast<unsigned long long>(S.Iterations));
  return 0;
}

namespace evenkeel::cli {
const Subcommand &ranksCommand() {
  static const Subcommand C = {
      "ranks",
      "What would ranks gain if sums did not wait for stragglers?",
      "ranks [--work TIME | --from FILE | -- CMD...] [--delay KIND...] "
      "[--ranks N,N...]",
      "evenkeel ranks --work 10ms --delay uniform=10ms-50ms --ranks 4,64",
      {{"--work", nullptr, "TIME",
        "all ranks work as long as this before a sum, as in 10ms"},
       {"--from", nullptr, "FILE",
        "the times of recorded ranks (imbalance.json in a workspace)"},
       {"--delay", nullptr, "KIND",
        "uniform=LEAST-MOST: each rank takes so much longer, at random; "
        "some=SHARE%,TIME: at random, a share of the times; "
        "slow=SHARE%,FACTOR: a share of the ranks, always; repeatable"},
       {"--ranks", nullptr, "N,N...",
        "numbers of ranks; ranks beyond the recorded ones work as those, at "
        "other times",
        "4,16,64,256"},
       {"--iterations", nullptr, "N", "contributions of an average rank",
        "200"},
       {"--cost", nullptr, "TIME", "time of a sum once it has begun", "500us"},
       {"--bound", nullptr, "N",
        "rounds that a contribution to a relaxed sum may miss", "3"},
       {"--probes", nullptr, "N",
        "ranks that are drawn for each relaxed sum; the first that is ready "
        "starts it",
        "2"},
       {"--workspace", nullptr, "DIR",
        "where the runs of the command left their times (default: "
        "EVENKEEL_WORKSPACE, or .evenkeel beside the program)"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
