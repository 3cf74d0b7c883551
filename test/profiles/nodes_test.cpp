//===- nodes_test.cpp - nodes and limits of synthetic computers -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "nodes/Nodes.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>

namespace fs = std::filesystem;

namespace {

class Nodes : public testing::Test {
protected:
  fs::path Root;
  std::unique_ptr<ek_nodes> N = std::make_unique<ek_nodes>();
  void SetUp() override {
    char Name[] = "/tmp/ek-nodes-XXXXXX";
    ASSERT_NE(mkdtemp(Name), nullptr);
    Root = Name;
  }
  void TearDown() override { fs::remove_all(Root); }
  void put(const std::string &File, const std::string &Text) {
    fs::create_directories((Root / File).parent_path());
    std::ofstream(Root / File) << Text << "\n";
  }
  void node(unsigned Id, const char *Cpus, const char *Distance, unsigned KiB,
            unsigned FreeKiB, const char *MBps = nullptr,
            const char *Ns = nullptr) {
    std::string D = "sys/devices/system/node/node" + std::to_string(Id) + "/";
    std::string P = "Node " + std::to_string(Id) + " ";
    put(D + "cpulist", Cpus);
    put(D + "distance", Distance);
    put(D + "meminfo", P + "MemTotal: " + std::to_string(KiB) + " kB\n" + P +
                           "MemFree: " + std::to_string(FreeKiB) + " kB\n" + P +
                           "Inactive(file): 8 kB\n" + P + "SReclaimable: 4 kB");
    if (MBps)
      put(D + "access0/initiators/read_bandwidth", MBps);
    if (Ns)
      put(D + "access0/initiators/read_latency", Ns);
  }
  void task(const char *Cpus, const char *Mems) {
    put("proc/self/status", std::string("Name:\tx\nCpus_allowed_list:\t") +
                                Cpus + "\nMems_allowed_list:\t" + Mems);
  }
  unsigned read() { return ek_nodes_read(Root.c_str(), N.get()); }
};

// Two sockets, each with its own far memory.
TEST_F(Nodes, DistanceAlone) {
  node(0, "0-3", "10 21 17 28", 4096, 100);
  node(1, "4-7", "21 10 28 17", 4096, 100);
  node(2, "", "17 28 10 30", 65536, 1000);
  node(5, "", "28 17 30 10", 65536, 1000);
  task("0-7", "0-5");
  ASSERT_EQ(read(), 4u);
  EXPECT_EQ(N->order, EK_ORDER_DISTANCE);
  EXPECT_EQ(N->tiers, 2u);
  for (unsigned I = 0; I < 4; ++I) {
    EXPECT_EQ(N->node[I].tier, I < 2 ? 0u : 1u);
    EXPECT_TRUE(N->node[I].near);
    EXPECT_TRUE(N->node[I].allowed);
  }
  EXPECT_EQ(N->node[3].id, 5u);
  EXPECT_EQ(N->node[3].bytes, 64u << 20);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 2 * 112u * 1024);
  EXPECT_EQ(N->free_limit, UINT64_MAX);

  task("5", "0-5"); // from one socket
  ASSERT_EQ(read(), 4u);
  EXPECT_FALSE(N->node[0].near);
  EXPECT_TRUE(N->node[1].near);
  EXPECT_FALSE(N->node[2].near);
  EXPECT_TRUE(N->node[3].near);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 112u * 1024);

  task("5", "0,2,5"); // its own node is closed: the other is the nearest
  ASSERT_EQ(read(), 4u);
  EXPECT_TRUE(N->node[0].near);
  EXPECT_FALSE(N->node[1].allowed);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 112u * 1024);
}

// A node without processors that is faster.
TEST_F(Nodes, AttributesComeFirst) {
  node(0, "0-3", "10 13", 4096, 100, "100000", "90");
  node(1, "", "13 10", 4096, 100, "400000", "110");
  put("sys/devices/virtual/memory_tiering/memory_tier4/nodelist", "0");
  put("sys/devices/virtual/memory_tiering/memory_tier5/nodelist", "1");
  task("0-3", "0-1");
  ASSERT_EQ(read(), 2u);
  EXPECT_EQ(N->order, EK_ORDER_ATTRIBUTES);
  EXPECT_STREQ(N->source, "sysfs");
  EXPECT_EQ(N->tiers, 2u);
  EXPECT_EQ(N->node[1].tier, 0u);
  EXPECT_EQ(N->node[0].tier, 1u);
  EXPECT_EQ(N->node[1].bandwidth_mbps, 400000);
  EXPECT_EQ(N->node[0].latency_ns, 90);
}

TEST_F(Nodes, MemoryTiersWhereOneNodeHasNone) {
  node(0, "0", "10 20 30", 4096, 100, "20000", "50");
  node(1, "", "20 10 40", 4096, 100, "5000", "250");
  node(2, "", "30 40 10", 4096, 100);
  put("sys/devices/virtual/memory_tiering/memory_tier4/nodelist", "0");
  put("sys/devices/virtual/memory_tiering/memory_tier22/nodelist", "2");
  put("sys/devices/virtual/memory_tiering/memory_tier90/nodelist", "1");
  ASSERT_EQ(read(), 3u);
  EXPECT_EQ(N->order, EK_ORDER_MEMORY_TIERS);
  EXPECT_EQ(N->node[0].tier, 0u);
  EXPECT_EQ(N->node[2].tier, 1u);
  EXPECT_EQ(N->node[1].tier, 2u);
  EXPECT_EQ(N->node[1].memory_tier, 90);
}

TEST_F(Nodes, CgroupsAboveLimitToo) {
  node(0, "0-3", "10", 1 << 20, 1 << 20);
  put("proc/self/cgroup", "0::/job/step");
  put("sys/fs/cgroup/job/step/memory.max", "max");
  put("sys/fs/cgroup/job/step/memory.current", "4096");
  put("sys/fs/cgroup/job/memory.max", "1048576");
  put("sys/fs/cgroup/job/memory.current", "48576");
  ASSERT_EQ(read(), 1u);
  EXPECT_EQ(N->free_limit, 1000000u);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 1000000u);
  EXPECT_EQ(N->tiers, 1u);
  put("proc/self/cgroup", "5:cpu:/x\n4:memory,hugetlb:/old");
  put("sys/fs/cgroup/memory/old/memory.limit_in_bytes", "5000");
  put("sys/fs/cgroup/memory/old/memory.usage_in_bytes", "6000");
  ASSERT_EQ(read(), 1u);
  EXPECT_EQ(N->free_limit, 0u);
}

/// A zone as /proc/zoneinfo has it, in pages of 4 KiB.
std::string zone(unsigned Node, const char *Name, unsigned Free, unsigned Low,
                 const char *Protection) {
  return "Node " + std::to_string(Node) + ", zone " + Name +
         "\n  per-node stats\n      nr_free_pages 77\n  pages free     " +
         std::to_string(Free) + "\n        boost    0\n        min      1\n" +
         "        low      " + std::to_string(Low) +
         "\n        high     99\n        managed  " + std::to_string(Free) +
         "\n        protection: (" + Protection + ")\n      nr_free_pages 88\n";
}

// Memory that the kernel keeps back before it uses another node is not
// available to the task.
TEST_F(Nodes, WatermarksAreNotFree) {
  const uint64_t Page = 4096, Cache = 12 << 10;
  node(0, "0-3", "10 20", 1 << 20, 4 * 3000);
  node(1, "", "20 10", 1 << 20, 4 * 5000);
  put("proc/zoneinfo", zone(0, "     DMA", 1000, 10, "0, 500, 900, 900") +
                           zone(0, "   DMA32", 2000, 300, "0, 0, 0, 0") +
                           zone(1, "  Normal", 5000, 400, "0, 0, 0, 0") +
                           zone(1, " Movable", 0, 32, "0, 0, 0, 0"));
  ASSERT_EQ(read(), 2u);
  EXPECT_EQ(N->node[0].free_bytes, (90 + 1700) * Page + Cache);
  EXPECT_EQ(N->node[1].free_bytes, 4600 * Page + Cache);
  put("proc/zoneinfo", zone(0, "  Normal", 100, 300, "0, 0, 0, 0") +
                           zone(1, "  Normal", 300, 299, "0, 0, 0, 0"));
  ASSERT_EQ(read(), 2u);
  // Dropped page-cache pages first fill the zone up to its watermark.
  EXPECT_EQ(N->node[0].free_bytes, 0u);
  EXPECT_EQ(N->node[1].free_bytes, Page + Cache);
  put("proc/zoneinfo", "no zones");
  ASSERT_EQ(read(), 2u);
  EXPECT_EQ(N->node[0].free_bytes, 3000 * Page + Cache);
}

// numactl: --membind removes nodes, other options do not.
TEST_F(Nodes, TheCallersPolicy) {
  auto Read = [&](int Mode, uint64_t Mask) {
    node(0, "0-3", "10 20 17", 4096, 100);
    node(1, "4-7", "20 10 20", 4096, 100);
    node(2, "", "17 20 10", 4096, 1000);
    task("0-7", "0-2");
    EXPECT_EQ(read(), 3u);
    ek_nodes_follow_policy(N.get(), Mode, Mask);
    return N->policy;
  };
  enum { Default, Preferred, Bind, Interleave, Local, PreferredMany, Weighted };
  EXPECT_EQ(Read(Default, 0), EK_POLICY_NONE);
  EXPECT_EQ(Read(Local, 0), EK_POLICY_NONE);
  EXPECT_EQ(Read(Preferred, 0), EK_POLICY_NONE); // as local
  for (int Mode : {+Preferred, +Interleave, +PreferredMany, +Weighted,
                   Interleave | 1 << 15}) {
    EXPECT_EQ(Read(Mode, 4), EK_POLICY_FIRST) << Mode;
    EXPECT_EQ(N->left_out, 0u);
    EXPECT_EQ(ek_nodes_room(N.get(), 0), 2 * 112u * 1024);
  }
  EXPECT_EQ(Read(Bind, 7), EK_POLICY_ONLY);
  EXPECT_EQ(N->left_out, 0u);
  EXPECT_EQ(Read(Bind | 1 << 14, 6), EK_POLICY_ONLY);
  EXPECT_EQ(N->left_out, 1u);
  EXPECT_FALSE(N->node[0].allowed);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 112u * 1024);
  EXPECT_EQ(Read(Bind, 4), EK_POLICY_ONLY);
  EXPECT_EQ(N->left_out, 2u);
  EXPECT_EQ(ek_nodes_room(N.get(), 0), 0u);
  EXPECT_EQ(ek_nodes_room(N.get(), 1), 1012u * 1024);
}

TEST_F(Nodes, NothingThere) { EXPECT_EQ(read(), 0u); }

} // namespace
