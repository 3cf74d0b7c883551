//===- Machine.cpp - evenkeel machine list|show|detect|calibrate ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to show machine files and the memory of this computer, and how to
// measure it.
//===----------------------------------------------------------------------===//
#include "format/Machine.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/machines/Calibrate.h"
#include "cli/machines/Detect.h"
#include "cli/programs/Process.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static int list(const Args &A) {
  auto Machines = listMachines();
  if (A.has("--json")) {
    nlohmann::json J = {{"schema", "evenkeel.machines/1"},
                        {"machines", nlohmann::json::array()}};
    for (const auto &[Name, Title] : Machines)
      J["machines"].push_back({{"name", Name}, {"title", Title}});
    printJson(J);
    return 0;
  }
  Table T({"NAME", "TITLE"});
  for (const auto &[Name, Title] : Machines)
    T.row({Name, Title});
  std::fputs(T.str().c_str(), stdout);
  return 0;
}

static std::string figure(double V, const char *Unit) {
  char Buffer[64];
  std::snprintf(Buffer, sizeof Buffer, "%.6g %s", V, Unit);
  return Buffer;
}

static int show(const Args &A, const std::string &Name) {
  // Read it first: a broken file is an error with --json, too.
  Machine M = orFail(readMachine(Name));
  if (A.has("--json")) {
    std::string Text = orFail(machineText(Name));
    std::fwrite(Text.data(), 1, Text.size(), stdout);
    return 0;
  }
  std::printf("%s: %s\n%u cores at %.6g GHz, reorder window %u instructions; "
              "caches %s / %s / %s\n\n",
              M.Name.c_str(), M.Title.c_str(), M.Cores, M.GHz,
              M.RobInstructions, bytesText(M.L1Bytes).c_str(),
              bytesText(M.L2Bytes).c_str(), bytesText(M.LlcBytes).c_str());
  Table T({"TIER", ">CAPACITY", ">READ LATENCY", ">WRITE LATENCY",
           ">READ BANDWIDTH", ">WRITE BANDWIDTH"});
  for (const Tier &X : M.Tiers)
    T.row({X.Name, bytesText(X.CapacityBytes), figure(X.ReadLatencyNs, "ns"),
           figure(X.WriteLatencyNs, "ns"), figure(X.ReadBandwidthGBps, "GB/s"),
           figure(X.WriteBandwidthGBps, "GB/s")});
  std::fputs(T.str().c_str(), stdout);
  if (M.hasRequiredTier())
    std::printf("%s is required: data must be in it while a task accesses it; "
                "copies take %s, then %s in and %s out\n",
                M.Tiers[0].Name.c_str(), figure(M.Copies.StartUs, "us").c_str(),
                figure(M.Copies.InGBps, "GB/s").c_str(),
                figure(M.Copies.OutGBps, "GB/s").c_str());
  for (const std::string &Assumed : M.Assumed)
    std::printf("assumed: %s\n", Assumed.c_str());
  return 0;
}

static int detect(const Args &A) {
  Detected D = detectMemory();
  if (A.has("--json")) {
    nlohmann::json J = {{"schema", "evenkeel.detection/1"},
                        {"method", D.Method},
                        {"nodes", nlohmann::json::array()},
                        {"tiers", D.Tiers},
                        {"room_bytes", D.Room}};
    J["cgroup_room_bytes"] =
        D.CgroupRoom ? nlohmann::json(*D.CgroupRoom) : nlohmann::json();
    for (const DetectedNode &N : D.Nodes) {
      nlohmann::json X = {{"node", N.Number},
                          {"bytes", N.Bytes},
                          {"free_bytes", N.FreeBytes},
                          {"cpus", N.HasCpus},
                          {"allowed", N.Allowed},
                          {"near", N.Near},
                          {"tier", N.Tier}};
      X["kernel_tier"] =
          N.KernelTier ? nlohmann::json(*N.KernelTier) : nlohmann::json();
      X["read_latency_ns"] =
          N.LatencyNs ? nlohmann::json(*N.LatencyNs) : nlohmann::json();
      X["read_bandwidth_gbps"] =
          N.BandwidthGBps ? nlohmann::json(*N.BandwidthGBps) : nlohmann::json();
      J["nodes"].push_back(X);
    }
    printJson(J);
    return 0;
  }
  Table T({">NODE", ">TIER", ">SIZE", ">FREE", "CPUS", "USE", ">READ LATENCY",
           ">READ BANDWIDTH"});
  for (const DetectedNode &N : D.Nodes)
    T.row({std::to_string(N.Number), std::to_string(N.Tier), bytesText(N.Bytes),
           bytesText(N.FreeBytes), N.HasCpus ? "yes" : "no",
           !N.Allowed ? "not in the cpuset"
           : N.Near   ? "yes"
                      : "far",
           N.LatencyNs ? figure(*N.LatencyNs, "ns") : "unknown",
           N.BandwidthGBps ? figure(*N.BandwidthGBps, "GB/s") : "unknown"});
  std::fputs(T.str().c_str(), stdout);
  if (D.CgroupRoom)
    std::printf("cgroup limits leave %s\n", bytesText(*D.CgroupRoom).c_str());
  unsigned Usable = 0;
  for (unsigned I = 0; I < D.Tiers; ++I) {
    bool Any = std::any_of(D.Nodes.begin(), D.Nodes.end(),
                           [&](auto &N) { return N.Tier == I && N.Allowed; });
    if (!Any)
      continue;
    ++Usable;
    if (D.Tiers > 1)
      std::printf("tier %u: %s for this task now\n", I,
                  bytesText(D.Room[I]).c_str());
  }
  if (Usable <= 1)
    std::printf("one tier: nothing to place on this computer; plan for a "
                "machine file (evenkeel machine list) and judge with evenkeel "
                "simulate (%s)\n",
                D.Method.c_str());
  else
    std::printf("%u tiers (%s)\n", Usable, D.Method.c_str());
  return 0;
}

static int calibrate(const Args &A) {
  const std::string Out = A.text("--output");
  if (!Out.empty())
    refuseForeign(Out);
  Detected D = detectMemory();
  Processor P = readProcessor();
  uint64_t Fit = ~uint64_t(0);
  for (const DetectedNode &N : D.Nodes)
    Fit = std::min(Fit, N.Bytes / 8);
  uint64_t Size = std::max<uint64_t>(256 << 20, 4 * P.Llc);
  if (A.has("--size"))
    Size = orFail(parseFastSize(A.text("--size"), 0));
  else
    Size = std::min(Size, std::max<uint64_t>(Fit, 16 << 20));
  if (Size < (1 << 20))
    fail("--size must be 1 MiB or more");
  const double Seconds = std::strtod(A.text("--seconds").c_str(), nullptr);
  if (!(Seconds > 0) || Seconds > 100)
    fail("--seconds must be above 0 and at most 100");
  Job J;
  J.Argv = {siblingProgram("evenkeel-measure"), std::to_string(Size),
            A.text("--seconds")};
  for (const DetectedNode &N : D.Nodes)
    J.Argv.push_back(std::to_string(N.Number));
  std::fprintf(stderr, "evenkeel: measuring %zu node(s) with %s buffers\n",
               D.Nodes.size(), bytesText(double(Size)).c_str());
  JobResult R = runJob(J);
  if (R.Status != 0)
    fail("evenkeel-measure ended with status " + std::to_string(R.Status) +
         (R.Err.empty() ? "" : ": " + firstError(R.Err)));
  Measurements M = orFail(parseMeasurements(R.Out));

  Table T({">NODE", ">LATENCY", ">THREADS", ">READ", ">WRITE", ">TRIAD"});
  for (const auto &[Number, N] : M.Nodes)
    for (const MeasuredNode::Bandwidth &B : N.Bandwidths)
      T.row({std::to_string(Number), figure(N.LatencyNs, "ns"),
             std::to_string(B.Threads), figure(B.Read, "GB/s"),
             figure(B.Write, "GB/s"), figure(B.Triad, "GB/s")});
  std::fputs(T.str().c_str(), stderr);
  std::vector<std::string> Wrong = implausible(M);
  for (const std::string &W : Wrong)
    std::fprintf(stderr, "evenkeel: implausible: %s\n", W.c_str());
  if (!Wrong.empty() && !A.has("--force"))
    fail(std::to_string(Wrong.size()) +
         " measurements are not plausible; calibrate on an idle computer, or "
         "add --force to write them nevertheless");
  if (std::none_of(M.Nodes.begin(), M.Nodes.end(),
                   [](auto &N) { return N.second.Measured; }))
    fail("no node could be measured");
  Machine Like = orFail(readMachine("ddr5-cxl"));
  std::string Text = machineOf(A.text("--name"), P, M, D, Like.Tiers.back());
  if (Out.empty())
    std::fwrite(Text.data(), 1, Text.size(), stdout);
  else
    writeFile(Out, Text);
  return 0;
}

static int run(const Args &A) {
  if (A.Positional.empty())
    fail("machine needs one of list, show NAME, detect, calibrate");
  const std::string &What = A.Positional[0];
  size_t Wanted = What == "show" ? 2 : 1;
  if (What != "list" && What != "show" && What != "detect" &&
      What != "calibrate")
    fail("unknown machine command '" + What +
         "'; use list, show, detect or calibrate");
  if (A.Positional.size() != Wanted)
    fail(What == "show" ? "machine show needs one NAME; see machine list"
                        : "machine " + What + " takes no argument");
  if (What == "calibrate")
    return calibrate(A);
  if (What == "list")
    return list(A);
  return What == "show" ? show(A, A.Positional[1]) : detect(A);
}

namespace evenkeel::cli {
const Subcommand &machineCommand() {
  static const Subcommand C = {
      "machine",
      "What memory does this computer, or a known machine, have, and how fast "
      "is it?",
      "machine list | show NAME | detect | calibrate [-o FILE]",
      "evenkeel machine show optane-6252n",
      {{"--output", "-o", "FILE",
        "calibrate: machine file to write (default: print it)"},
       {"--name", nullptr, "NAME", "calibrate: name of the machine in the file",
        "this"},
       {"--size", nullptr, "SIZE",
        "calibrate: size of the buffers that are read and written (default: "
        "256 MiB, or more for large caches)"},
       {"--seconds", nullptr, "S", "calibrate: seconds for each measurement",
        "0.1"},
       {"--force", nullptr, nullptr,
        "calibrate: write the file even if measurements are implausible"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
