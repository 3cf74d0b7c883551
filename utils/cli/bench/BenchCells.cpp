//===- BenchCells.cpp - the replays of a comparison -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BenchCells.h. A cell's key is a hash of the contents of record, profile,
// facts and machine file, of this program, and of the arguments.
//===----------------------------------------------------------------------===//
#include "BenchCells.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include "format/File.h"
#include "format/Machine.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

namespace evenkeel::cli {

static std::string fileNamePart(const std::string &S) {
  std::string Out = S.substr(S.find_last_of('/') + 1);
  for (char &C : Out)
    if (!std::isalnum(static_cast<unsigned char>(C)) && !std::strchr("._-", C))
      C = '_';
  return Out;
}

std::string BenchCell::name() const {
  std::string N = Workload->Name + "." + Target->Name + "." +
                  fileNamePart(Machine) + "." + fileNamePart(Fast);
  return V.Name.empty() ? N : N + "." + V.Name;
}

namespace {
/// FNV-1a over 8 bytes at a time, sufficient to distinguish versions of a file.
class Hash {
  uint64_t State = 14695981039346656037ull;

public:
  void add(const char *Data, size_t Size) {
    for (size_t I = 0; I < Size; I += 8) {
      uint64_t Word = 0;
      std::memcpy(&Word, Data + I, std::min<size_t>(8, Size - I));
      State = (State ^ Word) * 1099511628211ull;
      State ^= State >> 29;
    }
    State = (State ^ Size) * 1099511628211ull;
  }
  void add(const std::string &S) { add(S.data(), S.size()); }
  void addFile(const std::string &Path) {
    struct stat S;
    if (::stat(Path.c_str(), &S) == 0 && !S_ISREG(S.st_mode))
      fail("cannot read " + Path + ": it is not a regular file");
    std::unique_ptr<FILE, int (*)(FILE *)> F(std::fopen(Path.c_str(), "rb"),
                                             std::fclose);
    if (!F)
      fail("cannot read '" + Path + "': " + std::strerror(errno));
    std::vector<char> Buffer(1 << 20);
    while (size_t N = std::fread(Buffer.data(), 1, Buffer.size(), F.get()))
      add(Buffer.data(), N);
  }
  std::string text() const {
    char Buffer[17];
    std::snprintf(Buffer, sizeof Buffer, "%016llx",
                  static_cast<unsigned long long>(State));
    return Buffer;
  }
};

/// Hashes of files, each read once.
class FileHashes {
  std::map<std::string, std::string> Known;

public:
  const std::string &of(const std::string &Path) {
    auto [At, New] = Known.try_emplace(Path);
    if (New) {
      Hash H;
      H.addFile(Path);
      At->second = H.text();
    }
    return At->second;
  }
};
} // namespace

/// The machine file, modified by \p V.
static std::string variantText(const std::string &Machine, const Variant &V) {
  std::string Text = orFail(machineText(Machine));
  if (V.Name.empty())
    return Text;
  nlohmann::json J = nlohmann::json::parse(Text);
  J["name"] = J["name"].get<std::string>() + "." + V.Name;
  for (size_t I = 1; I < J["tiers"].size(); ++I)
    for (const char *Field : {"read_latency_ns", "write_latency_ns"}) {
      nlohmann::json &F = J["tiers"][I][Field];
      F["value"] = F["value"].get<double>() * V.SlowLatencyFactor;
    }
  return J.dump(1) + "\n";
}

static std::vector<std::string> simulateArguments(const BenchCell &C,
                                                  const CellOptions &O) {
  std::string Policies;
  for (const std::string &P : C.V.Name.empty() ? O.Policies : O.VariantPolicies)
    Policies += (Policies.empty() ? "" : ",") + P;
  std::vector<std::string> Out = {
      "simulate",       "--json",         "--record",
      C.Target->Record, "--facts",        C.Workload->Facts,
      "--base",         C.Workload->Base, "--fast",
      C.Fast,           "--policy",       Policies};
  for (const std::string &B : C.Workload->MoreBases)
    Out.insert(Out.end(), {"--base", B});
  for (const std::string &F : C.Target->For)
    Out.insert(Out.end(), {"--for", F});
  if (C.Target->Threads)
    Out.insert(Out.end(), {"--threads", std::to_string(C.Target->Threads)});
  if (O.OtherPhases)
    Out.push_back("--allow-other-phases");
  // With another last level, the run would not have begun with this prefix.
  if (!C.Target->Prefix.empty() && C.V.Llc.empty())
    Out.insert(Out.end(), {"--prefix", C.Target->Prefix});
  if (!C.V.Llc.empty())
    Out.insert(Out.end(), {"--llc", C.V.Llc});
  if (C.V.Name.empty())
    Out.insert(Out.end(), O.Extra.begin(), O.Extra.end());
  return Out;
}

static std::string keyOf(const BenchCell &C, const CellOptions &O,
                         FileHashes &Files) {
  Hash H;
  for (const std::string &A : simulateArguments(C, O))
    H.add(A);
  for (const std::string *P :
       {&C.Target->Record, &C.Workload->Facts, &C.Workload->Base})
    H.add(Files.of(*P));
  for (const std::string &B : C.Workload->MoreBases)
    H.add(Files.of(B));
  if (!C.Target->Prefix.empty())
    H.add(Files.of(C.Target->Prefix));
  H.add(variantText(C.Machine, {}));
  H.add(variantText(C.Machine, C.V));
  H.add(Files.of("/proc/self/exe"));
  if (const std::string Moved = movedTuning(); !Moved.empty())
    H.add(Moved);
  return H.text();
}

static std::string pathOf(const BenchCell &C, const CellOptions &O) {
  return O.Directory + "/" + C.name() + ".json";
}

/// The stored result for \p Key, or "" if there is none.
static std::string keptResult(const std::string &Path, const std::string &Key) {
  auto Text = readWholeFile(Path);
  if (!Text)
    return "";
  nlohmann::json J = nlohmann::json::parse(*Text, nullptr, false);
  if (!J.is_object() || J.value("key", "") != Key || !J.contains("result"))
    return "";
  return J["result"].dump();
}

std::vector<size_t> missingCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O) {
  FileHashes Files;
  std::vector<size_t> Out;
  for (size_t I = 0; I < Cells.size(); ++I)
    if (keptResult(pathOf(Cells[I], O), keyOf(Cells[I], O, Files)).empty())
      Out.push_back(I);
  return Out;
}

double estimateSeconds(const std::vector<BenchCell> &Cells,
                       const std::vector<size_t> &Missing,
                       const CellOptions &O) {
  // Measured with all policies and a record of 60 MB: about 0.2 us/B.
  constexpr double DefaultSecondsPerByte = 2e-7;
  auto Bytes = [&](size_t I) {
    struct stat S;
    return stat(Cells[I].Target->Record.c_str(), &S) == 0 ? double(S.st_size)
                                                          : 0;
  };
  double KeptBytes = 0, KeptSeconds = 0, MissingBytes = 0;
  std::vector<bool> IsMissing(Cells.size());
  for (size_t I : Missing) {
    IsMissing[I] = true;
    MissingBytes += Bytes(I);
  }
  for (size_t I = 0; I < Cells.size(); ++I) {
    if (IsMissing[I])
      continue;
    auto Text = readWholeFile(pathOf(Cells[I], O));
    nlohmann::json J =
        Text ? nlohmann::json::parse(*Text, nullptr, false) : nlohmann::json();
    if (!J.is_object())
      continue;
    KeptSeconds += J.value("seconds", 0.0);
    KeptBytes += Bytes(I);
  }
  // All settings of all rivals in addition to the defaults take 1.3 to 5.3
  // times a workload's time, and 1.8 times that of all workloads, as measured.
  constexpr double TuningTakes = 1.8;
  const bool Tuning =
      std::find(O.Extra.begin(), O.Extra.end(), "--tune") != O.Extra.end();
  double PerByte = KeptBytes > 0
                       ? KeptSeconds / KeptBytes
                       : DefaultSecondsPerByte * (Tuning ? TuningTakes : 1);
  return MissingBytes * PerByte;
}

std::vector<CellResult> runCells(const std::vector<BenchCell> &Cells,
                                 const CellOptions &O) {
  if (mkdir(O.Directory.c_str(), 0777) != 0 && errno != EEXIST)
    fail("cannot make '" + O.Directory + "': " + std::strerror(errno));
  FileHashes Files;
  TempDir Machines;
  std::vector<CellResult> Results(Cells.size());
  std::vector<Job> Jobs;
  std::vector<size_t> CellOfJob;
  std::vector<std::string> Keys;
  for (size_t I = 0; I < Cells.size(); ++I) {
    const BenchCell &C = Cells[I];
    std::string Key = keyOf(C, O, Files);
    Results[I].Json = keptResult(pathOf(C, O), Key);
    Results[I].Kept = !Results[I].Json.empty();
    if (Results[I].Kept)
      continue;
    Job J;
    J.Argv = simulateArguments(C, O);
    J.Argv.insert(J.Argv.begin(), siblingProgram("evenkeel"));
    std::string Machine = C.Machine;
    if (!C.V.Name.empty()) {
      Machine = Machines.path() + "/" + C.name() + ".json";
      orFail(writeWholeFile(Machine, variantText(C.Machine, C.V)));
      J.Argv.insert(J.Argv.end(), {"--plan-machine", C.Machine});
    }
    J.Argv.insert(J.Argv.end(), {"--machine", Machine});
    Jobs.push_back(std::move(J));
    CellOfJob.push_back(I);
    Keys.push_back(Key);
  }
  runJobs(Jobs, O.Parallel, "replaying", [&](size_t N, const JobResult &R) {
    CellResult &Out = Results[CellOfJob[N]];
    if (R.Status != 0) {
      Out.Error = firstError(R.Err);
      if (Out.Error.empty())
        Out.Error = "simulate ended with status " + std::to_string(R.Status);
      return;
    }
    Out.Json = R.Out;
    nlohmann::json Kept = {{"key", Keys[N]},
                           {"seconds", R.CpuSeconds},
                           {"result", nlohmann::json::parse(R.Out)}};
    orFail(writeWholeFile(pathOf(Cells[CellOfJob[N]], O), Kept.dump() + "\n"));
  });
  return Results;
}

} // namespace evenkeel::cli
