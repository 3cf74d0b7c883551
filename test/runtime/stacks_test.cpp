//===- stacks_test.cpp - sites and contexts from a call stack ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the table without a real stack: addresses are given in the order of an
// unwinder, innermost first.
//===----------------------------------------------------------------------===//
extern "C" {
#include "calls/stacks.h"
}
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

/// Sites 10 (one place), 11 (a wrapper called at frames 2 and 3), 12 and 13
/// (one place), 14 and 15 (wrappers, both called at frame 6).
const char *const Table = R"({"schema":"evenkeel.stacks/1",
"program":"0123456789abcdef",
"frames":[{"at":"a:1:1","sites":["0000000000000010"]},
 {"at":"a:2:1","sites":["0000000000000011"]},{"at":"a:3:1","sites":[]},
 {"at":"a:4:1","sites":[]},
 {"at":"a:5:1","sites":["0000000000000012","0000000000000013"]},
 {"at":"a:6:1","sites":[]},{"at":"a:7:1","sites":[]}],
"contexts":[
 {"site":"0000000000000011","context":"00000000000000a1","calls":[2]},
 {"site":"0000000000000011","context":"00000000000000a2","calls":[3]},
 {"site":"0000000000000011","context":"00000000000000a3","calls":[3,5]},
 {"site":"0000000000000014","context":"00000000000000a4","calls":[6]},
 {"site":"0000000000000015","context":"00000000000000a5","calls":[6]}],
"modules":[{"name":"m","build":"id:00","ranges":[[0,10,[]],[10,20,[0]],
 [20,30,[1]],[30,40,[2]],[40,50,[3]],[50,60,[4]],[60,70,[5]],[70,80,[1,2]],
 [80,90,[1,-1]],[90,100,[6]]],
 "syncs":[{"sync":"0000000000000021","from":12,"to":14},
 {"sync":"0000000000000022","kind":"mpi-wait","from":14,"to":15}]}]})";

class Chains : public testing::Test {
protected:
  ek_stacks *S = nullptr;
  ek_asked Asked{};

  void SetUp() override {
    std::string Path =
        testing::TempDir() + "/ek-stacks-" + std::to_string(getpid()) + ".json";
    FILE *F = fopen(Path.c_str(), "w");
    fputs(Table, F);
    fclose(F);
    char Why[512];
    S = ek_stacks_read(Path.c_str(), Why, sizeof Why);
    unlink(Path.c_str());
    ASSERT_TRUE(S) << Why;
  }
  void TearDown() override { ek_stacks_free(S); }

  ek_stack_end ask(const std::vector<uint64_t> &Addresses) {
    ek_stack_state State{};
    ek_stack_end End = EK_STACK_OPEN;
    Asked = {};
    for (uint64_t A : Addresses)
      if ((End = ek_stack_step(S, S->modules, A, &State)) != EK_STACK_OPEN)
        break;
    return ek_stack_answer(S, &State, End, &Asked);
  }
};

} // namespace

TEST_F(Chains, TheFirstFrameOfTheProgramDecides) {
  EXPECT_EQ(ask({15}), EK_STACK_SITE);
  EXPECT_EQ(Asked.site, 0x10u);
  EXPECT_EQ(Asked.context, 0u);
  EXPECT_EQ(ask({5, 5, 19, 25}), EK_STACK_SITE) << "behind system headers";
  EXPECT_EQ(Asked.site, 0x10u);
  EXPECT_EQ(ask({1000, 15}), EK_STACK_NO_SITE) << "code that is no site";
  EXPECT_EQ(ask({55}), EK_STACK_AMBIGUOUS);
  EXPECT_EQ(ask({5}), EK_STACK_UNKNOWN);
  EXPECT_EQ(ask({}), EK_STACK_UNKNOWN);
}

TEST_F(Chains, WrappersAreToldApartByTheirCallers) {
  EXPECT_EQ(ask({25, 35}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0xa1u);
  EXPECT_EQ(ask({25, 45}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0xa2u);
  EXPECT_EQ(ask({25, 45, 65}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0xa3u) << "the longest chain";
  EXPECT_EQ(ask({25, 65}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0u) << "a caller that no context names";
  EXPECT_EQ(ask({25, 1000, 35}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0u);
  EXPECT_EQ(ask({25}), EK_STACK_SITE);
  EXPECT_EQ(ask({25, 15}), EK_STACK_SITE) << "inside another expression";
  EXPECT_EQ(Asked.site, 0x11u);
}

TEST_F(Chains, InlinedCallersStandInOneRange) {
  EXPECT_EQ(ask({75}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0xa1u);
  EXPECT_EQ(ask({85, 35}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0u) << "the chain ended before";
}

TEST_F(Chains, ATailCallLeavesTheCallOfTheWrapper) {
  EXPECT_EQ(ask({35}), EK_STACK_SITE);
  EXPECT_EQ(Asked.site, 0x11u);
  EXPECT_EQ(Asked.context, 0xa1u);
  EXPECT_EQ(ask({45, 65}), EK_STACK_SITE);
  EXPECT_EQ(Asked.context, 0xa3u);
  EXPECT_EQ(ask({95}), EK_STACK_AMBIGUOUS) << "two wrappers are called there";
  EXPECT_EQ(ask({65}), EK_STACK_NO_SITE) << "nobody knows that call alone";
}

TEST_F(Chains, ASyncPointIsOfItsKind) {
  const ek_stack_module *M = S->modules;
  EXPECT_TRUE(S->joins && S->waits);
  EXPECT_EQ(ek_stack_sync_at(M, 13, false), 0x21u);
  EXPECT_EQ(ek_stack_sync_at(M, 13, true), 0u);
  EXPECT_EQ(ek_stack_sync_at(M, 14, true), 0x22u);
  EXPECT_EQ(ek_stack_sync_at(M, 14, false), 0u);
  EXPECT_EQ(ek_stack_sync_at(M, 11, false), 0u);
  EXPECT_EQ(ek_stack_sync_at(M, 15, true), 0u);
}
