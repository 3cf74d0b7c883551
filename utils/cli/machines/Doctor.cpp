//===- Doctor.cpp - what of this computer helps or hinders ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Doctor.h. Where the kernel's settings are: Documentation/admin-guide/mm
// (transhuge, numaperf) and sysctl/kernel of Linux 6.
//===----------------------------------------------------------------------===//
#include "Doctor.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/File.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace evenkeel::cli {

using Finding = DoctorFinding;

/// The word in brackets of a setting such as "always [madvise] never", or all
/// of a setting without brackets, without the line end.
static std::string chosen(const std::string &Text) {
  const size_t Open = Text.find('['), Close = Text.find(']', Open);
  if (Open != std::string::npos && Close != std::string::npos)
    return Text.substr(Open + 1, Close - Open - 1);
  return Text.substr(0, Text.find('\n'));
}

static Finding memories(const Detected &D) {
  const unsigned Tiers = usableTiers(D);
  std::string Text = std::to_string(D.Nodes.size()) +
                     (D.Nodes.size() == 1 ? " node" : " nodes") + " in " +
                     std::to_string(D.Tiers) +
                     (D.Tiers == 1 ? " tier" : " tiers") + " (" + D.Method +
                     ")";
  if (Tiers > 1) {
    for (unsigned I = 0; I < D.Tiers; ++I)
      Text += (I ? ", tier " : ": tier ") + std::to_string(I) +
              " has room for " + bytesText(double(D.Room[I]));
    return {"memory tiers", Finding::Fine, Text, ""};
  }
  if (D.Tiers > 1)
    return {"memory tiers", Finding::Problem,
            Text + ", of which the cpuset allows one",
            "start with another cpuset, or numactl --membind=all"};
  return {"memory tiers", Finding::Hint, Text + ": nothing to place here",
          "plan for another machine: evenkeel tune --machine ddr5-cxl"};
}

static Finding figures(const Detected &D) {
  size_t Known = 0;
  for (const DetectedNode &N : D.Nodes)
    Known += N.LatencyNs && N.BandwidthGBps;
  const std::string Text = std::to_string(Known) + " of " +
                           std::to_string(D.Nodes.size()) +
                           " nodes have latency and bandwidth from firmware";
  if (Known == D.Nodes.size())
    return {"HMAT", Finding::Fine, Text, ""};
  if (usableTiers(D) < 2)
    return {"HMAT", Finding::Fine, Text, ""};
  return {"HMAT", Finding::Hint, Text,
          "measure them: evenkeel machine calibrate --output machine.json"};
}

static Finding limits(const Detected &D) {
  size_t Refused = 0, Far = 0;
  for (const DetectedNode &N : D.Nodes) {
    Refused += !N.Allowed;
    Far += N.Allowed && !N.Near;
  }
  std::string Text = Refused ? std::to_string(Refused) + " nodes are refused"
                             : "all nodes are allowed";
  if (Far)
    Text += ", " + std::to_string(Far) + " are far from these processors";
  if (D.CgroupRoom)
    Text += "; the cgroup leaves " + bytesText(double(*D.CgroupRoom));
  return {"cpuset and cgroup", Refused ? Finding::Hint : Finding::Fine, Text,
          Refused ? "ask for all of the node's memories in your job" : ""};
}

static Finding rights(const DoctorSources &S) {
  const std::string Why = S.MovePages();
  if (Why.empty())
    return {"binding and moving pages", Finding::Fine, "allowed", ""};
  return {"binding and moving pages", Finding::Problem, "refused: " + Why,
          "containers: allow mbind and move_pages (docker run "
          "--cap-add=SYS_NICE)"};
}

static Finding hugePages(const DoctorSources &S) {
  const std::string Mode =
      chosen(S.File("/sys/kernel/mm/transparent_hugepage/enabled"));
  if (Mode.empty())
    return {"transparent huge pages", Finding::Fine, "not in this kernel", ""};
  if (Mode == "always")
    return {"transparent huge pages", Finding::Hint,
            Mode + ": pages of 2 MiB move as a whole, and a plan's shares are "
                   "rounded to them",
            "for objects of a few MiB: echo madvise > "
            "/sys/kernel/mm/transparent_hugepage/enabled"};
  return {"transparent huge pages", Finding::Fine, Mode, ""};
}

static Finding kernelTiering(const DoctorSources &S) {
  const std::string Balancing =
      chosen(S.File("/proc/sys/kernel/numa_balancing"));
  const std::string Demotion =
      chosen(S.File("/sys/kernel/mm/numa/demotion_enabled"));
  const bool Moves = (!Balancing.empty() && Balancing != "0") ||
                     Demotion == "true" || Demotion == "1";
  const std::string Text =
      "numa_balancing " + (Balancing.empty() ? "absent" : Balancing) +
      ", demotion " + (Demotion.empty() ? "absent" : Demotion);
  if (!Moves || usableTiers(S.Memory) < 2)
    return {"kernel tiering", Finding::Fine, Text, ""};
  return {"kernel tiering", Finding::Problem,
          Text + ": the kernel moves pages, too, against the plan",
          "echo 0 > /proc/sys/kernel/numa_balancing; echo false > "
          "/sys/kernel/mm/numa/demotion_enabled"};
}

static Finding counters(const DoctorSources &S) {
  const std::string Paranoid =
      chosen(S.File("/proc/sys/kernel/perf_event_paranoid"));
  const bool Pebs =
      !S.File("/sys/bus/event_source/devices/cpu/caps/max_precise").empty() &&
      chosen(S.File("/sys/bus/event_source/devices/cpu/caps/"
                    "max_precise")) != "0";
  const bool Ibs = !S.File("/sys/bus/event_source/devices/ibs_op/type").empty();
  const std::string Kind = Pebs ? "PEBS" : Ibs ? "IBS" : "none that samples";
  return {"hardware counters", Finding::Fine,
          Kind + ", perf_event_paranoid " +
              (Paranoid.empty() ? "absent" : Paranoid) +
              "; not needed: records count in software",
          ""};
}

static Finding tools(const DoctorSources &S) {
  std::string Missing;
  for (const char *Name : {"clang-19", "clang++-19", "ld.lld-19", "opt-19"})
    if (S.Program(Name).empty())
      Missing += (Missing.empty() ? "" : ", ") + std::string(Name);
  if (Missing.empty())
    return {"compilers", Finding::Fine, "clang, opt and lld 19", ""};
  return {"compilers", Finding::Problem, "missing: " + Missing,
          "apt install clang-19 lld-19 llvm-19"};
}

static Finding memkind(const DoctorSources &S) {
  if (S.Library("libmemkind.so.0"))
    return {"memkind", Finding::Fine, "libmemkind.so.0 is there", ""};
  return {"memkind", Finding::Fine,
          "not there; only --provider memkind needs it", ""};
}

static Finding launchers(const DoctorSources &S) {
  std::string Found;
  for (const char *Name : {"mpirun", "mpiexec", "srun"})
    if (!S.Program(Name).empty())
      Found += (Found.empty() ? "" : ", ") + std::string(Name);
  return {"launchers of MPI", Finding::Fine,
          Found.empty() ? "none, which only MPI programs need" : Found, ""};
}

std::vector<DoctorFinding> examine(const DoctorSources &S) {
  return {memories(S.Memory), figures(S.Memory), limits(S.Memory), rights(S),
          hugePages(S),       kernelTiering(S),  counters(S),      tools(S),
          memkind(S),         launchers(S)};
}

/// Whether this process may bind a page to a node and ask where it is.
static std::string tryMovePages() {
  const long Page = sysconf(_SC_PAGESIZE);
  void *P = mmap(nullptr, static_cast<size_t>(Page), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (P == MAP_FAILED)
    return std::strerror(errno);
  std::string Why;
  constexpr int Preferred = 1; // MPOL_PREFERRED
  if (syscall(SYS_mbind, P, Page, Preferred, nullptr, 0, 0) != 0)
    Why = std::string("mbind: ") + std::strerror(errno);
  *static_cast<volatile char *>(P) = 1;
  int Where = 0;
  if (Why.empty() && syscall(SYS_move_pages, 0, 1UL, &P, nullptr, &Where, 0))
    Why = std::string("move_pages: ") + std::strerror(errno);
  munmap(P, static_cast<size_t>(Page));
  return Why;
}

DoctorSources thisComputer() {
  DoctorSources S;
  S.Memory = detectMemory();
  S.File = [](const std::string &Path) {
    Expected<std::string> Text = readWholeFile(Path);
    return Text ? *Text : std::string();
  };
  S.Program = [](const std::string &Name) {
    std::string Found = findProgram(Name);
    if (!Found.empty())
      return Found;
    const size_t Dash = Name.rfind("-19");
    return findProgram("/usr/lib/llvm-19/bin/" + Name.substr(0, Dash));
  };
  S.Library = [](const std::string &Name) {
    void *Handle = dlopen(Name.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (Handle)
      dlclose(Handle);
    return Handle != nullptr;
  };
  S.MovePages = tryMovePages;
  return S;
}

} // namespace evenkeel::cli
