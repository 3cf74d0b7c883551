//===- RunPolicy.cpp - evenkeel run --policy ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which policies run online; settings are those of the replay. Whatever
// keeps a policy from working is said in one line, and the program runs all the
// same.
//===----------------------------------------------------------------------===//
#include "RunPolicy.h"
#include "MovedPages.h"
#include "NameTouches.h"
#include "Watching.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include "format/File.h"
#include "format/Machine.h"
#include "format/ecohmem/FromTouches.h"
#include "format/ecohmem/Locations.h"
#include "nodes/Nodes.h"
#include "simulator/Replay.h"
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

static const char *const PolicyOptions[] = {"--fast", "--set", "--overhead",
                                            "--mechanism", "--initial"};

void evenkeel::cli::refusePolicyOptions(const Args &A) {
  for (const char *Name : PolicyOptions)
    if (A.has(Name))
      fail(std::string(Name) + " is for --policy");
}

/* --- fast and slow memory ---------------------------------------------------
 */

namespace {
struct Tiers {
  std::string Name; // "emulated" or "numa"
  uint64_t FastBytes = 0;
  uint64_t FastNodes = 0, SlowNodes = 0; // a bit for each; 0: emulated
};
} // namespace

static uint64_t nodesOf(const ek_nodes &N, unsigned Tier) {
  uint64_t Mask = 0;
  for (unsigned I = 0; I < N.count; ++I)
    if (N.node[I].tier == Tier && N.node[I].allowed && N.node[I].near)
      Mask |= uint64_t(1) << N.node[I].id;
  return Mask;
}

/// The fastest and the slowest tier that this process may use.
static Tiers tiersHere(const Args &A) {
  ek_nodes N{};
  ek_nodes_read("", &N);
  Tiers T;
  T.Name = "numa";
  unsigned Fastest = 0;
  for (unsigned Tier = 0; Tier < N.tiers; ++Tier) {
    const uint64_t Mask = nodesOf(N, Tier);
    if (!Mask)
      continue;
    if (!T.FastNodes) {
      T.FastNodes = Mask;
      Fastest = Tier;
    } else {
      T.SlowNodes = Mask;
    }
  }
  if (!T.SlowNodes)
    fail("this computer has one kind of memory, so there is no fast memory to "
         "move data to; --provider emulated --fast SIZE counts what would "
         "move");
  const uint64_t Room = ek_nodes_room(&N, Fastest);
  T.FastBytes = A.has("--fast") ? orFail(parseFastSize(A.text("--fast"), Room))
                                : Room / 8 * 7;
  if (T.FastBytes > Room)
    fail("--fast " + A.text("--fast") +
         " is more than is free in fast memory (" + bytesText(double(Room)) +
         ")");
  return T;
}

static Tiers tiersOf(const Args &A) {
  const std::string Provider = A.text("--provider");
  if (A.has("--fast"))
    orFail(checkFastSize(A.text("--fast")));
  if (Provider != "emulated") {
    if (!Provider.empty() && Provider != "numa")
      fail("--policy moves data between the nodes of this computer (--provider "
           "numa) or on emulated tiers (--provider emulated), not with '" +
           Provider + "'");
    return tiersHere(A);
  }
  if (!A.has("--fast") || A.text("--fast").back() == '%')
    fail("--provider emulated needs the size of the fast memory, as in --fast "
         "64MiB");
  Tiers T;
  T.Name = "emulated";
  T.FastBytes = orFail(parseFastSize(A.text("--fast"), 0));
  return T;
}

/* --- what is asked ----------------------------------------------------------
 */

/// Fails if a setting has a value that the runtime cannot use.
static void checkRanges(const Settings &S) {
  struct Range {
    const char *Name;
    double Least, Most;
  };
  for (const Range &X : {Range{"interval_us", 1, 1e6},
                         {"chunk_kib", 0, 1 << 20},
                         {"window", 1, 1e5}}) {
    auto At = S.find(X.Name);
    if (At != S.end() && !(At->second >= X.Least && At->second <= X.Most))
      fail(std::string(X.Name) + " is from " +
           std::to_string(static_cast<uint64_t>(X.Least)) + " to " +
           std::to_string(static_cast<uint64_t>(X.Most)));
  }
}

static AskedPolicy askedOf(const Args &A, const Tiers &T) {
  AskedPolicy P;
  P.Name = A.text("--policy");
  if (P.Name != "shambles-lru" && P.Name != "shambles-window" &&
      P.Name != "first-touch")
    fail("--policy is shambles-lru, shambles-window or first-touch, not '" +
         P.Name + "' (evenkeel simulate replays more)");
  for (const char *Name : {"--plan", "--stacks", "--workspace"})
    if (A.has(Name))
      fail("--policy moves data by what the program touches, without a plan; "
           "leave out " +
           std::string(Name));
  const std::vector<Tunable> &All = policyTunables(P.Name);
  for (const std::string &Text : A.all("--set"))
    orFail(parseSetting(Text, P.Set));
  orFail(checkSettings(P.Set, All, P.Name));
  for (const Tunable &X : All)
    P.Set[X.Name] = settingOf(P.Set, All, X.Name);
  checkRanges(P.Set);
  if (A.has("--initial"))
    P.Initial = fs::path(A.text("--initial")).filename().string();
  P.Tiers = T.Name;
  P.FastBytes = T.FastBytes;
  return P;
}

/// Writes the stacks of the first tier of the locations \p From for the
/// runtime.
static void writeInitial(const std::string &From, const std::string &To) {
  const ecohmem::Locations L = orFail(ecohmem::readLocations(From));
  std::set<uint64_t> Fast;
  for (const ecohmem::Location &X : L.List) {
    const std::optional<uint64_t> Hash = ecohmem::touchStackHash(X.Stack);
    if (!Hash)
      fail("'" + From +
           "' has frames of another form than FILE!ADDRESS; make "
           "it from what evenkeel export --touches writes");
    if (X.Tier == 0)
      Fast.insert(*Hash);
  }
  std::string Text;
  char Line[20];
  for (uint64_t Hash : Fast) {
    std::snprintf(Line, sizeof Line, "%016llx\n",
                  static_cast<unsigned long long>(Hash));
    Text += Line;
  }
  orFail(writeWholeFile(To, Text));
}

static std::string hexText(uint64_t N) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%llx", static_cast<unsigned long long>(N));
  return Text;
}

static Job jobOf(const Args &A, const AskedPolicy &P, const Tiers &T,
                 const std::string &Prefix) {
  Job J{A.Command, "", watchingEnvironment(A, Prefix), false, false};
  J.Program = findProgram(A.Command[0]);
  J.StdoutToStderr = A.has("--json");
  auto Number = [&](const char *Name, double Otherwise) {
    auto At = P.Set.find(Name);
    return At == P.Set.end() ? Otherwise : At->second;
  };
  const uint64_t Chunk = static_cast<uint64_t>(Number("chunk_kib", 1024)) << 10;
  J.Env.push_back({"EVENKEEL_TOUCHES_POLICY", P.Name});
  J.Env.push_back({"EVENKEEL_TOUCHES_CHUNK", std::to_string(Chunk)});
  J.Env.push_back({"EVENKEEL_TOUCHES_INTERVAL",
                   std::to_string(Number("interval_us", 200) * 1e-6)});
  J.Env.push_back({"EVENKEEL_TOUCHES_SAMPLES",
                   std::to_string(static_cast<uint64_t>(Number("window", 1)))});
  J.Env.push_back({"EVENKEEL_TOUCHES_FAST", std::to_string(T.FastBytes)});
  J.Env.push_back({"EVENKEEL_TOUCHES_FAST_NODES", hexText(T.FastNodes)});
  J.Env.push_back({"EVENKEEL_TOUCHES_SLOW_NODES", hexText(T.SlowNodes)});
  return J;
}

/* --- the command ------------------------------------------------------------
 */

/// Why the policy did nothing in some process, one line each.
static void sayWhyNot(const Args &A, const WatchedProcesses &L) {
  const std::string Shown = "'" + A.Command[0] + "'";
  if (!L.Why.empty())
    std::fprintf(stderr, "evenkeel: not all of %s was placed: %s\n",
                 Shown.c_str(), whyNotWatched(L.Why, A).c_str());
  if (L.CutShort)
    std::fprintf(stderr, "evenkeel: the figures of %s are cut short: %s\n",
                 Shown.c_str(), NoRoomForStreams);
  if (!L.Processes.empty())
    return;
  if (L.Short)
    std::fprintf(stderr,
                 "evenkeel: %s ran too short for a pass within --overhead %s, "
                 "so its data stayed where it was first placed\n",
                 Shown.c_str(), A.text("--overhead").c_str());
  else if (L.Why.empty() && !L.CutShort)
    std::fprintf(stderr,
                 "evenkeel: nothing of %s was placed: nothing was preloaded "
                 "into what it runs, or it ended before the first pass\n",
                 Shown.c_str());
}

/// Names are not worth the program's status: without them, objects are named
/// by addresses.
static std::map<std::string, ModuleNames>
namesOrNone(const std::vector<RawTouches> &Processes,
            const std::string &Folder) {
  try {
    return namesOf(Processes, Folder);
  } catch (const Failure &F) {
    std::fprintf(stderr, "evenkeel: source lines are not known: %s\n",
                 F.Line.c_str());
    return {};
  }
}

int evenkeel::cli::runPolicy(const Args &A) {
  const Tiers T = tiersOf(A);
  AskedPolicy P = askedOf(A, T);
  checkWatchable(A);
  TempDir Temp;
  const std::string Folder = Temp.path() + "/raw";
  fs::create_directory(Folder);
  Job J = jobOf(A, P, T, Folder + "/touches");
  if (A.has("--initial")) {
    writeInitial(A.text("--initial"), Temp.path() + "/initial");
    J.Env.push_back({"EVENKEEL_TOUCHES_INITIAL", Temp.path() + "/initial"});
  }
  for (const auto &[Name, Value] : J.Env)
    if (Name == "EVENKEEL_TOUCHES_OVERHEAD")
      P.Overhead = std::stod(Value);
  const JobResult Ran = runJob(J);
  const WatchedProcesses L = readWatched(Folder);
  sayWhyNot(A, L);
  if (!A.has("--json") && !A.has("--summary"))
    return Ran.Status;
  const TouchRecord R =
      namedRecord(L.Processes, namesOrNone(L.Processes, Temp.path()));
  if (A.has("--json")) {
    nlohmann::json Moves = nullptr;
    if (!L.Processes.empty())
      Moves = movesJson(P, L.Processes, R);
    printJson({{"schema", "evenkeel.run/1"},
               {"program_status", Ran.Status},
               {"summary", nullptr},
               {"moves", std::move(Moves)}});
  } else if (A.has("--summary") && !L.Processes.empty()) {
    std::fputs(movesText(P, L.Processes, R, 9).c_str(), stderr);
  }
  return Ran.Status;
}
