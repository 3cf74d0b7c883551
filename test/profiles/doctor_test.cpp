//===- doctor_test.cpp - what of a computer helps or hinders --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "cli/machines/Doctor.h"
#include <gtest/gtest.h>
#include <map>

using namespace evenkeel::cli;

namespace {

/// A computer with two tiers on which nothing is wrong.
struct Computer {
  std::map<std::string, std::string> Files = {
      {"/sys/kernel/mm/transparent_hugepage/enabled",
       "always [madvise] never\n"},
      {"/proc/sys/kernel/numa_balancing", "0\n"},
      {"/sys/kernel/mm/numa/demotion_enabled", "false\n"}};
  DoctorSources S;

  Computer() {
    for (unsigned I = 0; I < 2; ++I) {
      DetectedNode N;
      N.Number = N.Tier = I;
      N.LatencyNs = 100 + 100 * I;
      N.BandwidthGBps = 50;
      S.Memory.Nodes.push_back(N);
    }
    S.Memory.Method = "test";
    S.Memory.Tiers = 2;
    S.Memory.Room = {1 << 30, 8u << 28};
    S.File = [this](const std::string &Path) { return Files[Path]; };
    S.Program = [](const std::string &Name) { return "/usr/bin/" + Name; };
    S.Library = [](const std::string &) { return true; };
    S.MovePages = [] { return std::string(); };
  }
  Computer(const Computer &) = delete;
  Computer &operator=(const Computer &) = delete;

  DoctorFinding of(const std::string &Subject) const {
    for (const DoctorFinding &F : examine(S))
      if (F.Subject == Subject)
        return F;
    ADD_FAILURE() << Subject;
    return {};
  }
};

TEST(Doctor, NothingIsWrong) {
  const Computer C;
  for (const DoctorFinding &F : examine(C.S)) {
    EXPECT_EQ(F.Its, DoctorFinding::Fine) << F.Subject << ": " << F.Text;
    EXPECT_EQ(F.Advice, "") << F.Subject;
  }
  EXPECT_EQ(C.of("memory tiers").Text,
            "2 nodes in 2 tiers (test): tier 0 has room for 1.00 GiB, tier 1 "
            "has room for 2.00 GiB");
  EXPECT_EQ(C.of("transparent huge pages").Text, "madvise");
}

TEST(Doctor, OneTierIsPlannedForElsewhere) {
  Computer C;
  C.S.Memory.Nodes.pop_back();
  C.S.Memory.Tiers = 1;
  EXPECT_EQ(C.of("memory tiers").Its, DoctorFinding::Hint);
  EXPECT_NE(C.of("memory tiers").Advice.find("evenkeel tune --machine"),
            std::string::npos);
  // The kernel may balance what we do not place.
  C.Files["/proc/sys/kernel/numa_balancing"] = "1\n";
  EXPECT_EQ(C.of("kernel tiering").Its, DoctorFinding::Fine);
}

TEST(Doctor, ACpusetMayHideATier) {
  Computer C;
  C.S.Memory.Nodes[1].Allowed = false;
  EXPECT_EQ(C.of("memory tiers").Its, DoctorFinding::Problem);
  EXPECT_EQ(C.of("cpuset and cgroup").Its, DoctorFinding::Hint);
  EXPECT_NE(C.of("cpuset and cgroup").Text.find("1 nodes are refused"),
            std::string::npos);
}

TEST(Doctor, FirmwareMayTellNothing) {
  Computer C;
  C.S.Memory.Nodes[1].LatencyNs.reset();
  EXPECT_EQ(C.of("HMAT").Its, DoctorFinding::Hint);
  EXPECT_EQ(C.of("HMAT").Text,
            "1 of 2 nodes have latency and bandwidth from firmware");
}

TEST(Doctor, TheKernelWorksAgainstPlans) {
  Computer C;
  C.Files["/proc/sys/kernel/numa_balancing"] = "2\n";
  EXPECT_EQ(C.of("kernel tiering").Its, DoctorFinding::Problem);
  C.Files["/proc/sys/kernel/numa_balancing"] = "0\n";
  C.Files["/sys/kernel/mm/numa/demotion_enabled"] = "true\n";
  EXPECT_EQ(C.of("kernel tiering").Its, DoctorFinding::Problem);
  C.Files.clear(); // an older kernel
  EXPECT_EQ(C.of("kernel tiering").Its, DoctorFinding::Fine);
  C.Files["/sys/kernel/mm/transparent_hugepage/enabled"] =
      "[always] madvise never\n";
  EXPECT_EQ(C.of("transparent huge pages").Its, DoctorFinding::Hint);
}

TEST(Doctor, RightsAndToolsAreNamed) {
  Computer C;
  C.S.MovePages = [] { return std::string("mbind: no"); };
  EXPECT_EQ(C.of("binding and moving pages").Text, "refused: mbind: no");
  EXPECT_EQ(C.of("binding and moving pages").Its, DoctorFinding::Problem);
  C.S.Program = [](const std::string &Name) {
    return Name == "ld.lld-19" || Name == "srun" ? "" : "/bin/" + Name;
  };
  EXPECT_EQ(C.of("compilers").Text, "missing: ld.lld-19");
  EXPECT_EQ(C.of("launchers of MPI").Text, "mpirun, mpiexec");
  C.S.Library = [](const std::string &) { return false; };
  EXPECT_EQ(C.of("memkind").Its, DoctorFinding::Fine);
}

TEST(Doctor, CountersAreToldApart) {
  Computer C;
  EXPECT_EQ(C.of("hardware counters").Text.rfind("none that samples", 0), 0u);
  C.Files["/sys/bus/event_source/devices/ibs_op/type"] = "9\n";
  EXPECT_EQ(C.of("hardware counters").Text.rfind("IBS", 0), 0u);
  C.Files["/sys/bus/event_source/devices/cpu/caps/max_precise"] = "3\n";
  EXPECT_EQ(C.of("hardware counters").Text.rfind("PEBS", 0), 0u);
}

} // namespace
