//===- seen_file.cpp - the file that a run leaves in its workspace --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which folder is the program's workspace, and whether it is the user's
// own; that each input keeps the last EK_SEEN_RUNS runs of each rank, under
// names that concurrent runs may both choose: the later one replaces the other,
// whole. Throws nothing.
//===----------------------------------------------------------------------===//
#include "core/file.h"
#include "core/stats.h"
#include "format/File.h"
#include "format/inputs/SeenRun.h"
#include "observe/seen.h"
#include "observe/sums.h"

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace evenkeel;

namespace {

FileState stateOf(const ek_seen_named &F) {
  return {F.bytes, std::to_string(F.changed.tv_sec) + "." +
                       std::to_string(F.changed.tv_nsec)};
}

/// The program's workspace, if there is one of this user; else "". Sets
/// \p Build to that of the files there.
std::string workspaceOf(const std::string &Program, std::string &Build) {
  const std::string First =
      std::string(ek_seen.top) + "/" + Program.substr(Program.rfind('/') + 1);
  for (unsigned N = 1; N <= EK_SEEN_INPUTS; ++N) {
    const std::string Folder = N == 1 ? First : First + "-" + std::to_string(N);
    const std::string List = Folder + "/workspace.json";
    struct stat S;
    if (stat(List.c_str(), &S) != 0)
      return "";
    const Expected<nlohmann::json> J =
        readJsonFile(List, "workspace", 1, "ask again");
    if (!J || !J->contains("build") || !(*J)["build"].is_string())
      return "";
    if (ek_seen.shared && J->value("path", "") != Program)
      continue;
    Build = (*J)["build"].get<std::string>();
    return S.st_uid == geteuid() && !Build.empty() ? Folder : "";
  }
  return "";
}

/// The number of entries of \p Folder.
size_t entries(const std::string &Folder) {
  size_t N = 0;
  if (DIR *D = opendir(Folder.c_str())) {
    while (const dirent *X = readdir(D))
      N += X->d_name[0] != '.';
    closedir(D);
  }
  return N;
}

/// Makes the folder for runs of the input \p Id below \p Workspace; "": there
/// are too many inputs, or it cannot be made (counted).
std::string folderFor(const std::string &Workspace, const std::string &Id) {
  const std::string Inputs = Workspace + "/inputs", Its = Inputs + "/" + Id;
  mkdir(Inputs.c_str(), 0777);
  struct stat S;
  if (stat(Its.c_str(), &S) != 0 && entries(Inputs) >= EK_SEEN_INPUTS) {
    ek_count(EK_WHY_seen_many, 1);
    return "";
  }
  mkdir(Its.c_str(), 0777);
  std::string Seen = Its + "/seen";
  mkdir(Seen.c_str(), 0777);
  if (stat(Seen.c_str(), &S) == 0 && S_ISDIR(S.st_mode))
    return Seen;
  ek_count(EK_WHY_seen_lost, 1);
  return "";
}

/// The first free name for rank \p Rank in \p Folder, or that of its oldest
/// run.
std::string nameIn(const std::string &Folder, uint32_t Rank) {
  std::string Oldest;
  std::pair<time_t, long> Since;
  for (unsigned N = 0; N < EK_SEEN_RUNS; ++N) {
    const std::string Name =
        Folder + "/" + std::to_string(Rank) + "-" + std::to_string(N) + ".json";
    struct stat S;
    if (stat(Name.c_str(), &S) != 0)
      return Name;
    const std::pair<time_t, long> At(S.st_mtim.tv_sec, S.st_mtim.tv_nsec);
    if (Oldest.empty() || At < Since) {
      Oldest = Name;
      Since = At;
    }
  }
  return Oldest;
}

void addValues(SeenRun &R) {
  for (const ek_seen_value &V : ek_seen.values)
    if (V.state == 2)
      R.Values.push_back({V.region, V.variable, V.first, V.least, V.most});
  std::sort(R.Values.begin(), R.Values.end(), [](const auto &A, const auto &B) {
    return std::tie(A.Region, A.Variable) < std::tie(B.Region, B.Variable);
  });
}

void addTotals(SeenRun &R) {
  for (const ek_seen_total &T : ek_seen.totals)
    if (T.state == 2)
      R.Totals.push_back(
          {T.region, T.total, T.thread, T.first, T.least, T.most});
  std::sort(R.Totals.begin(), R.Totals.end(), [](const auto &A, const auto &B) {
    return std::tie(A.Region, A.Loop, A.Thread) <
           std::tie(B.Region, B.Loop, B.Thread);
  });
}

void addLive(const ek_told *O, void *All) {
  static_cast<std::vector<SeenRun::Object> *>(All)->push_back(
      {O->site, O->context, O->creator, O->ordinal, O->in_context,
       O->peak_bytes});
}

void addObjects(SeenRun &R, ek_seen_alive *Alive) {
  for (const ek_seen_object &O : ek_seen.objects)
    if (O.state == 2)
      R.Objects.push_back(
          {O.site, O.context, O.creator, O.ordinal, O.in_context, O.bytes});
  Alive(addLive, &R.Objects);
  std::sort(R.Objects.begin(), R.Objects.end(),
            [](const auto &A, const auto &B) {
              return std::tie(A.Site, A.Creator, A.Ordinal, A.Context) <
                     std::tie(B.Site, B.Creator, B.Ordinal, B.Context);
            });
}

void addPhases(SeenRun &R) {
  for (const ek_seen_phase &P : ek_seen.phases)
    if (P.state == 2)
      R.Phases.push_back({P.sync, 0, P.times, double(P.ns) * 1e-9});
  std::sort(R.Phases.begin(), R.Phases.end(),
            [](const auto &A, const auto &B) { return A.Id < B.Id; });
}

void addTimes(ek_sum_kind Kind, uint64_t (*HookOf)(uint64_t),
              std::vector<SeenRun::Times> &Out) {
  ek_sum *Sums = nullptr;
  size_t Count = ek_sums_take(Kind, &Sums);
  for (size_t I = 0; HookOf && I < Count; ++I)
    Sums[I].id = HookOf(Sums[I].id);
  Count = ek_sums_join(Sums, Count);
  for (size_t I = 0; I < Count; ++I)
    Out.push_back(
        {Sums[I].id, Sums[I].which, Sums[I].times, double(Sums[I].ns) * 1e-9});
  std::free(Sums);
}

/// Removes rows beyond the first \p Most.
template <typename T>
void bound(std::vector<T> &Rows, size_t Most, uint64_t Already,
           const char *What, SeenRun &R) {
  const uint64_t Left = Already + (Rows.size() > Most ? Rows.size() - Most : 0);
  Rows.resize(std::min(Rows.size(), Most));
  if (Left)
    R.LeftOut[What] = Left;
}

/// The files named by the command that the run has not changed: others are its
/// outputs.
void addFiles(SeenRun &R) {
  for (size_t I = 0; I < ek_seen.file_count; ++I) {
    const ek_seen_named &Then = ek_seen.files[I];
    const std::string &Word = R.Command[Then.word];
    ek_seen_named Now = {};
    if (ek_seen_look((Word[0] == '/' ? Word : R.Folder + "/" + Word).c_str(),
                     &Now) &&
        Now.device == Then.device && Now.node == Then.node &&
        stateOf(Now) == stateOf(Then))
      R.Files[Then.word] = stateOf(Then);
  }
}

/// The words of the command, the program by its base name.
std::vector<std::string> commandWords() {
  std::vector<std::string> Words;
  for (size_t At = 0; At < ek_seen.command_bytes; At += Words.back().size() + 1)
    Words.emplace_back(ek_seen.command + At);
  Words[0] = Words[0].substr(Words[0].rfind('/') + 1);
  return Words;
}

std::string idOf(const std::vector<std::string> &Command) {
  return inputId(Command[0], {Command.begin() + 1, Command.end()});
}

SeenRun whatWasSeen(const ek_seen_end &End) {
  SeenRun R;
  R.Command = commandWords();
  R.Program = stateOf(ek_seen.file);
  R.Folder = ek_seen.folder;
  if (const char *Threads = std::getenv("OMP_NUM_THREADS"))
    R.Threads = Threads;
  R.Rank = End.rank;
  R.Ranks = End.ranks;
  R.Planned = End.planned;
  timespec Now;
  clock_gettime(CLOCK_MONOTONIC, &Now);
  R.Seconds = double(Now.tv_sec) + double(Now.tv_nsec) * 1e-9 -
              double(ek_seen.began_ns) * 1e-9;
  addFiles(R);
  addValues(R);
  addTotals(R);
  addObjects(R, End.alive);
  addPhases(R);
  addTimes(EK_SUM_REGION, nullptr, R.Tasks);
  addTimes(EK_SUM_TEAM, End.hook_of, R.Teams);
  bound(R.Values, EK_SEEN_VALUES, ek_seen.more_values, "values", R);
  bound(R.Totals, EK_SEEN_TOTALS, ek_seen.more_totals, "totals", R);
  bound(R.Objects, EK_SEEN_OBJECTS, ek_seen.more_objects, "objects", R);
  bound(R.Phases, EK_SEEN_PHASES, ek_seen.more_phases, "phases", R);
  bound(R.Tasks, EK_SEEN_TASKS, 0, "tasks", R);
  bound(R.Teams, EK_SEEN_TASKS, 0, "teams", R);
  if (End.types) {
    const nlohmann::json J = nlohmann::json::parse(End.types, nullptr, false);
    if (Expected<SeenTypes> Types = seenTypesFromJson(J, "types", "this run"))
      R.Types = std::move(*Types);
  }
  return R;
}

} // namespace

void ek_seen_write(const ek_seen_end *End) {
  if (!ek_seen_on || getpid() != ek_seen.owner)
    return;
  if (End->rank >= EK_SEEN_RANKS) {
    ek_count(EK_WHY_seen_many, 1);
    return;
  }
  try {
    std::string Build;
    const std::string Workspace = workspaceOf(ek_seen.program, Build);
    if (Workspace.empty())
      return;
    SeenRun R = whatWasSeen(*End);
    R.Build = Build;
    const std::string Folder = folderFor(Workspace, idOf(R.Command));
    if (Folder.empty())
      return;
    for (const auto &[What, N] : R.LeftOut)
      ek_count(EK_WHY_seen_left_out, N);
    const std::string Text = seenRunToJson(R);
    if (!ek_file_put(nameIn(Folder, R.Rank).c_str(), Text.data(), Text.size()))
      ek_count(EK_WHY_seen_lost, 1);
  } catch (const std::exception &) {
    ek_count(EK_WHY_seen_lost, 1);
  }
}

void ek_seen_keep_imbalance(char *(*Make)(const char *Build, size_t *Bytes)) {
  if (!ek_seen_on || getpid() != ek_seen.owner)
    return;
  try {
    std::string Build;
    const std::string Workspace = workspaceOf(ek_seen.program, Build);
    const std::string Folder =
        Workspace.empty() ? "" : folderFor(Workspace, idOf(commandWords()));
    if (Folder.empty())
      return;
    size_t Bytes = 0;
    char *Text = Make(Build.c_str(), &Bytes);
    if (Text &&
        !ek_file_put((Folder + "/../imbalance.json").c_str(), Text, Bytes))
      ek_count(EK_WHY_seen_lost, 1);
    std::free(Text);
  } catch (const std::exception &) {
    ek_count(EK_WHY_seen_lost, 1);
  }
}
