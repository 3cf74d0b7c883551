//===- groups_test.cpp - groups of objects that are found by bits ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: runtime/placement/groups.h alone, with records that have no memory.
//===----------------------------------------------------------------------===//
#include "core/options.h"
#include "placement/groups.h"
#include "placement/place.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

/// A plan of \p N entries, and a record of an object of each.
struct Many {
  std::vector<ek_plan_object> Entries;
  std::vector<ek_object> Objects;
  ek_plan Plan{};

  explicit Many(size_t N) : Entries(N), Objects(N) {
    std::mt19937 Random{unsigned(N)};
    for (size_t I = 0; I < N; ++I) {
      Entries[I].group.worth = double(Random() % 1000);
      Objects[I].percent = EK_NO_FAST;
      Objects[I].plan = &Entries[I];
    }
    Plan.objects = Entries.data();
    Plan.count = N;
    ek_place_plan(&Plan);
    ek_place_lock();
  }
  ~Many() {
    for (ek_object &O : Objects)
      ek_group_list(&O, EK_UNLISTED);
    ek_place_unlock();
    ek_place_plan(nullptr);
  }
};

/// Groups with objects in \p List, those of the highest worth first.
std::vector<size_t> found(ek_list List) {
  std::vector<size_t> Out;
  for (size_t G = 0; (G = ek_groups_from(List, G)) != EK_NO_GROUP; ++G)
    Out.push_back(G);
  return Out;
}

std::vector<size_t> foundBackwards(ek_list List) {
  std::vector<size_t> Out;
  for (size_t G = SIZE_MAX; (G = ek_groups_before(List, G)) != EK_NO_GROUP;)
    Out.push_back(G);
  std::reverse(Out.begin(), Out.end());
  return Out;
}

class GroupSizes : public ::testing::TestWithParam<size_t> {};

} // namespace

TEST_P(GroupSizes, AreFoundWhereTheyHaveObjects) {
  Many M(GetParam());
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round < 200; ++Round) {
    ek_group_list(&M.Objects[Random() % M.Objects.size()],
                  ek_list(Random() % 3));
    if (Round == 150) { // the highest worth becomes the lowest
      for (ek_plan_object &E : M.Entries)
        E.group.worth = -E.group.worth;
      ek_groups_order();
    }
    if (Round % 10)
      continue;
    for (ek_list List : {EK_SHORT, EK_CONTENT}) {
      std::vector<size_t> Want;
      for (ek_object &O : M.Objects)
        if (O.list == List)
          Want.push_back(O.plan->group.at);
      std::sort(Want.begin(), Want.end());
      EXPECT_EQ(found(List), Want);
      EXPECT_EQ(foundBackwards(List), Want);
      EXPECT_EQ(ek_groups_any(List), !Want.empty());
      for (size_t I = 1; I < Want.size(); ++I)
        EXPECT_GE(ek_groups_at(Want[I - 1])->worth,
                  ek_groups_at(Want[I])->worth);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, GroupSizes,
                         ::testing::Values(1, 61, 62, 63, 4093, 100000));

/// Three objects do not need a search through 100,000 groups.
TEST(Groups, ThoseWithoutObjectsAreNotVisited) {
  Many M(100000);
  EXPECT_FALSE(ek_groups_any(EK_SHORT));
  EXPECT_TRUE(found(EK_SHORT).empty());
  for (size_t I : {3u, 70000u, 99999u})
    ek_group_list(&M.Objects[I], EK_SHORT);
  EXPECT_EQ(found(EK_SHORT).size(), 3u);
  EXPECT_EQ(foundBackwards(EK_SHORT).size(), 3u);
}

/// Objects of a group keep their order, whichever are added and removed
/// between.
TEST(Groups, AreQueues) {
  Many M(1);
  std::vector<ek_object> Of(3, M.Objects[0]);
  for (ek_object &O : Of)
    ek_group_list(&O, EK_CONTENT);
  ek_group *G = ek_group_of(&Of[0]);
  EXPECT_EQ(G->first[EK_CONTENT - 1], &Of[0]);
  ek_group_list(&Of[0], EK_CONTENT); // after the others
  ek_group_list(&Of[2], EK_UNLISTED);
  EXPECT_EQ(G->first[EK_CONTENT - 1], &Of[1]);
  EXPECT_EQ(Of[1].next, &Of[0]);
  EXPECT_EQ(G->last[EK_CONTENT - 1], &Of[0]);
  ek_group_list(&Of[0], EK_UNLISTED);
  EXPECT_TRUE(ek_groups_any(EK_CONTENT));
  ek_group_list(&Of[1], EK_SHORT);
  EXPECT_FALSE(ek_groups_any(EK_CONTENT));
  ek_group_list(&Of[1], EK_UNLISTED);
}

/// Entries of a plan that is replaced keep their groups.
TEST(Groups, OlderPlansKeepTheirs) {
  Many Old(100);
  ek_group_list(&Old.Objects[5], EK_SHORT);
  std::vector<ek_plan_object> Entries(200);
  ek_plan Next{};
  Next.objects = Entries.data();
  Next.count = Entries.size();
  ek_place_unlock();
  ASSERT_TRUE(ek_place_add_groups(&Next));
  ek_place_lock();
  EXPECT_EQ(found(EK_SHORT).size(), 1u);
  EXPECT_EQ(ek_groups_at(found(EK_SHORT)[0]), &Old.Entries[5].group);
}
