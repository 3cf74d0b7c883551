//===- Calibrate.cpp - a machine file from measurements -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Calibrate.h.
//===----------------------------------------------------------------------===//
#include "Calibrate.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

using nlohmann::ordered_json;

namespace evenkeel::cli {

double MeasuredNode::read() const {
  double Best = 0;
  for (const Bandwidth &B : Bandwidths)
    Best = std::max(Best, B.Read);
  return Best;
}

double MeasuredNode::write() const {
  double Best = 0;
  for (const Bandwidth &B : Bandwidths)
    Best = std::max(Best, B.Write);
  return Best;
}

Expected<Measurements> parseMeasurements(const std::string &Text) {
  Measurements M;
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);) {
    std::istringstream In(Line);
    std::string What;
    unsigned Node = 0, Other = 0;
    In >> What >> Node;
    MeasuredNode &N = M.Nodes[Node];
    double A = 0, B = 0, C = 0;
    if (What == "cpus") {
      M.Cpus = Node;
      if (!N.Measured)
        M.Nodes.erase(Node);
    } else if (What == "unmeasured") {
      N.Measured = false;
    } else if (What == "cached") {
      In >> N.CachedNs;
      N.Measured = true;
    } else if (What == "latency") {
      In >> N.LatencyNs >> N.AgainNs;
    } else if (What == "loaded") {
      In >> A >> B;
      N.Loaded.push_back({A, B});
    } else if (What == "bandwidth") {
      In >> Other >> A >> B >> C;
      N.Bandwidths.push_back({Other, A, B, C});
    } else if (What == "move") {
      In >> Other >> A;
      M.MoveUs[{Node, Other}] = A;
    } else {
      In.setstate(std::ios::failbit);
    }
    if (In.fail())
      return Error{"evenkeel-measure printed '" + Line +
                   "', which is not a measurement; is it the same version?"};
  }
  return M;
}

static std::string number(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.3g", V);
  return Text;
}

std::vector<std::string> implausible(const Measurements &M) {
  std::vector<std::string> Out;
  unsigned Measured = 0;
  for (const auto &[Number, N] : M.Nodes) {
    if (!N.Measured)
      continue;
    ++Measured;
    auto Say = [&, Number = Number](const std::string &What) {
      Out.push_back("node " + std::to_string(Number) + ": " + What);
    };
    if (!(N.CachedNs > 0.2 && N.CachedNs < 10))
      Say("a chase in the first-level cache takes " + number(N.CachedNs) +
          " ns a load; 0.5 to 5 are usual");
    if (!(N.LatencyNs > 20 && N.LatencyNs < 3000))
      Say("a chase through memory takes " + number(N.LatencyNs) +
          " ns a load; 50 to 500 are usual");
    if (N.LatencyNs < 5 * N.CachedNs)
      Say("memory is not slower than 5 times the first-level cache: the buffer "
          "fits a cache; give a larger --size");
    double Least = std::min(N.LatencyNs, N.AgainNs);
    if (std::max(N.LatencyNs, N.AgainNs) > 1.25 * Least)
      Say("two measurements of latency differ by more than a quarter (" +
          number(N.LatencyNs) + " and " + number(N.AgainNs) +
          " ns): the computer is busy");
    for (auto [Gbps, Ns] : N.Loaded)
      if (Ns < 0.8 * Least) {
        Say("latency under load (" + number(Ns) + " ns) is below idle latency");
        break;
      }
    if (N.Bandwidths.empty() || !(N.read() > 0.5 && N.read() < 20000))
      Say("reads reach " + number(N.read()) + " GB/s");
    else {
      double One = N.Bandwidths.front().Read;
      if (N.read() < One || N.Bandwidths.back().Read < 0.5 * One)
        Say("all threads together read " + number(N.Bandwidths.back().Read) +
            " GB/s, one alone " + number(One) + ": the computer is busy");
      // One line per latency, with a few tens of lines in flight at most.
      if (One * N.LatencyNs / 64 > 400)
        Say("one thread reads " + number(One) +
            " GB/s, more than misses in flight allow at this latency: the "
            "buffer fits a cache; give a larger --size");
      if (N.write() > 1.5 * N.read())
        Say("writes (" + number(N.write()) + " GB/s) are faster than reads (" +
            number(N.read()) + ")");
    }
  }
  if (!Measured)
    Out.push_back("no node could be measured");
  for (auto [Pair, Us] : M.MoveUs)
    if (!(Us > 0.05 && Us < 1000))
      Out.push_back("moving a page from node " + std::to_string(Pair.first) +
                    " to " + std::to_string(Pair.second) + " takes " +
                    number(Us) + " us");
  return Out;
}

static std::string firstLine(const std::string &Path) {
  std::ifstream In(Path);
  std::string Line;
  std::getline(In, Line);
  return Line;
}

Processor readProcessor() {
  Processor P;
  std::ifstream Info("/proc/cpuinfo");
  for (std::string Line; std::getline(Info, Line);) {
    auto Value = [&] { return Line.substr(Line.find(':') + 2); };
    if (P.Model.empty() && Line.rfind("model name", 0) == 0)
      P.Model = Value();
    if (P.GHz == 0 && Line.rfind("cpu MHz", 0) == 0)
      P.GHz = std::strtod(Value().c_str(), nullptr) / 1000;
  }
  if (std::string Max =
          firstLine("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency");
      !Max.empty())
    P.GHz = std::strtod(Max.c_str(), nullptr) / 1e6;
  P.Cores = unsigned(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
  for (int Index = 0; Index < 8; ++Index) {
    std::string Dir = "/sys/devices/system/cpu/cpu0/cache/index" +
                      std::to_string(Index) + "/";
    std::string Level = firstLine(Dir + "level"),
                Size = firstLine(Dir + "size");
    if (Size.empty() || firstLine(Dir + "type") == "Instruction")
      continue;
    uint64_t Bytes = std::strtoull(Size.c_str(), nullptr, 10)
                     << (Size.back() == 'M'   ? 20
                         : Size.back() == 'K' ? 10
                                              : 0);
    unsigned Ways = unsigned(std::strtoul(
        firstLine(Dir + "ways_of_associativity").c_str(), nullptr, 10));
    if (Level == "1")
      P.L1 = Bytes, P.L1Ways = Ways;
    else if (Level == "2")
      P.L2 = Bytes, P.L2Ways = Ways;
    else if (Level == "3")
      P.Llc = Bytes, P.LlcWays = Ways;
  }
  return P;
}

static ordered_json figure(double V, const char *Key, const std::string &Why) {
  ordered_json F;
  if (V == std::floor(V) && std::abs(V) < 9e15)
    F["value"] = int64_t(V);
  else
    F["value"] = std::round(V * 1000) / 1000;
  F[Key] = Why;
  return F;
}

/// (utilisation, factor), both rising from (0, 1). Measured points that do not
/// rise are noise and are raised to their neighbours.
static ordered_json loadedCurve(const MeasuredNode &N) {
  std::vector<std::pair<double, double>> Points{{0, 1}};
  std::vector<std::pair<double, double>> Sorted = N.Loaded;
  std::sort(Sorted.begin(), Sorted.end());
  for (auto [Gbps, Ns] : Sorted) {
    double U = std::round(std::min(1.0, Gbps / N.read()) * 1000) / 1000;
    double F = std::round(std::max(1.0, Ns / N.LatencyNs) * 1000) / 1000;
    F = std::max(F, Points.back().second);
    if (U > Points.back().first)
      Points.push_back({U, F});
    else
      Points.back().second = F;
  }
  Points.front().second = 1;
  ordered_json Out = ordered_json::array();
  for (auto [U, F] : Points)
    Out.push_back({U, F});
  return Out;
}

std::string machineOf(const std::string &Name, const Processor &P,
                      const Measurements &M, const Detected &D,
                      const Tier &Second) {
  const std::string By = "measured by evenkeel machine calibrate: ";
  const std::string Told = "this computer's /sys and /proc";
  auto Know = [&](double V, double Else, const char *Why) {
    return V > 0 ? figure(V, "source", Told) : figure(Else, "assumed", Why);
  };
  std::vector<const DetectedNode *> Order;
  for (const DetectedNode &N : D.Nodes)
    if (auto It = M.Nodes.find(N.Number);
        It != M.Nodes.end() && It->second.Measured)
      Order.push_back(&N);
  std::sort(Order.begin(), Order.end(), [&](auto *A, auto *B) {
    double LA = M.Nodes.at(A->Number).LatencyNs;
    double LB = M.Nodes.at(B->Number).LatencyNs;
    return LA != LB ? LA < LB : A->Number < B->Number;
  });

  ordered_json J;
  J["schema"] = "evenkeel.machine/1";
  J["name"] = Name;
  J["title"] =
      (P.Model.empty() ? std::string("this computer") : P.Model) + ", measured";
  J["cores"] = Know(P.Cores, 1, "unknown");
  J["ghz"] = Know(P.GHz, 2.5, "the kernel reports no clock");
  J["rob_instructions"] =
      figure(224, "assumed", "not reported by the computer; as in Skylake");
  J["caches"] = {
      {"l1_bytes", Know(double(P.L1), 32768, "not reported by the computer")},
      {"l1_ways", Know(P.L1Ways, 8, "not reported by the computer")},
      {"l2_bytes", Know(double(P.L2), 1 << 20, "not reported by the computer")},
      {"l2_ways", Know(P.L2Ways, 16, "not reported by the computer")},
      {"llc_bytes",
       Know(double(P.Llc), 32 << 20, "not reported by the computer")},
      {"llc_ways", Know(P.LlcWays, 16, "not reported by the computer")}};
  J["prefetch_depth"] = figure(20, "assumed", "as Intel's L2 streamer");
  J["tiers"] = ordered_json::array();
  for (const DetectedNode *N : Order) {
    const MeasuredNode &X = M.Nodes.at(N->Number);
    ordered_json T;
    T["name"] = "node" + std::to_string(N->Number);
    T["capacity_bytes"] = figure(double(N->Bytes), "source", Told);
    T["read_latency_ns"] =
        figure(X.LatencyNs, "source", By + "pointer chase, best of rounds");
    T["write_latency_ns"] =
        figure(X.LatencyNs, "assumed", "write-backs weigh like loads");
    T["read_bandwidth_gbps"] =
        figure(X.read(), "source", By + "reads, best of thread counts");
    T["write_bandwidth_gbps"] =
        figure(X.write(), "source", By + "writes, best of thread counts");
    J["tiers"].push_back(std::move(T));
  }
  if (Order.size() == 1) {
    const std::string Why = "this computer has one node of memory; as tier '" +
                            Second.Name + "' of ddr5-cxl";
    J["tiers"].push_back(
        {{"name", Second.Name},
         {"capacity_bytes",
          figure(double(Second.CapacityBytes), "assumed", Why)},
         {"read_latency_ns", figure(Second.ReadLatencyNs, "assumed", Why)},
         {"write_latency_ns", figure(Second.WriteLatencyNs, "assumed", Why)},
         {"read_bandwidth_gbps",
          figure(Second.ReadBandwidthGBps, "assumed", Why)},
         {"write_bandwidth_gbps",
          figure(Second.WriteBandwidthGBps, "assumed", Why)}});
  }
  const MeasuredNode &Fast = M.Nodes.at(Order.front()->Number);
  if (Fast.Loaded.empty())
    J["loaded_latency"] = {
        {"points", {{0, 1}, {0.65, 1.05}, {0.9, 1.7}, {1, 3}}},
        {"assumed", "one processor only: nothing can load "
                    "memory beside a chase"}};
  else
    J["loaded_latency"] = {{"points", loadedCurve(Fast)},
                           {"source", By + "chase beside readers, fast node"}};
  double Us = 0;
  if (Order.size() > 1) {
    auto Down = M.MoveUs.find({Order[0]->Number, Order[1]->Number});
    auto Up = M.MoveUs.find({Order[1]->Number, Order[0]->Number});
    if (Down != M.MoveUs.end() && Up != M.MoveUs.end())
      Us = std::max(Down->second, Up->second);
  }
  J["migration"] = {
      {"page_us", Us > 0 ? figure(Us, "source", By + "move_pages, 4 KiB")
                         : figure(12, "assumed",
                                  "SOAR (OSDI 2025) testbed: one 4 KiB page")},
      // The time of move_pages includes the copy.
      {"bandwidth_gbps",
       Us > 0 ? figure(1000, "assumed", "the copy is part of page_us")
              : figure(8, "assumed", "copies by a few helper threads")}};
  return J.dump(1) + "\n";
}

} // namespace evenkeel::cli
