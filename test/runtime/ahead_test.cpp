//===- ahead_test.cpp - what comes into the required tier ahead -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the copier brings in for tasks to come, step by step: which, in
// which order, as far ahead as what, and what leaves for it; what it must leave
// alone. That freed memory leaves the account.
// Not here: the copier's thread among others (residence_test.cpp, ahead.test).
//===----------------------------------------------------------------------===//
#include "required_tiers.h"

namespace {

TEST_P(Tiers, WhatWasAnnouncedIsThereWhenTheTaskStarts) {
  Memory M({8192, 8192});
  auto R = make(GetParam(), 80 * 1024, 2);
  M.Words[7] = 7;
  const std::vector<Wanted> Needs = {want(M.Objects[0])};
  EXPECT_FALSE(R->stepAhead());
  EXPECT_EQ(R->announce(5, Needs), Residence::Announced::First);
  EXPECT_TRUE(R->stepAhead());
  EXPECT_FALSE(R->stepAhead());
  EXPECT_EQ(R->counts().Ahead, 1u);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(T, Needs, Where, Bytes, 5), Outcome::Done);
  EXPECT_EQ(static_cast<uint32_t *>(Where[0])[7], 7u);
  const Counts C = R->counts();
  EXPECT_EQ(C.Found, 1u);
  EXPECT_EQ(C.AheadFound, 1u);
  EXPECT_EQ(C.In, 1u);
  R->leave(T);
}

// A task waits for an earlier one that writes what it needs: its data will be
// in the tier then, and comes from there.
TEST_P(Tiers, WhatAnEarlierTaskWritesDoesNotComeAhead) {
  Memory M({4096, 4096, 4096});
  auto R = make(GetParam(), 80 * 1024, 4);
  R->announce(1, {want(M.Objects[0]), want(M.Objects[1], false, true)});
  R->announce(2, {want(M.Objects[1], true, false), want(M.Objects[2])});
  while (R->stepAhead()) {
  }
  EXPECT_EQ(R->counts().Ahead, 3u);
  // With copies, what is only written is room without a copy.
  if (GetParam() == Kind::Copies) {
    EXPECT_EQ(R->counts().InBytes, 2u * 4096 * 4);
  }
}

// Room that was taken for a task that writes all of it has no data: a task that
// reads the range gets the program's.
TEST_P(Tiers, RoomWithoutDataIsNotRead) {
  Memory M({4096});
  auto R = make(GetParam(), 40 * 1024, 2);
  M.Words[9] = 9;
  R->announce(1, {want(M.Objects[0], false, true)});
  EXPECT_TRUE(R->stepAhead());
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  const Range Half = {M.Objects[0].From, M.Objects[0].From + 8192};
  ASSERT_EQ(R->acquire(T, {want(Half)}, Where, Bytes, 2), Outcome::Done);
  EXPECT_EQ(static_cast<uint32_t *>(Where[0])[9], 9u);
  R->leave(T);
  R->bringHome();
  EXPECT_EQ(M.Words[9], 9u);
}

// As far as so many heavy tasks. Tasks without a time count as heavy.
TEST_P(Tiers, CheapTasksDoNotCount) {
  Memory M(std::vector<size_t>(12, 2048));
  auto R = make(GetParam(), 48 * 4096, 2);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  auto Run = [&](unsigned O, uint64_t Task, unsigned Us) {
    ASSERT_EQ(R->acquire(T, {want(M.Objects[O])}, Where, Bytes, Task),
              Outcome::Done);
    usleep(Us);
    R->release(T, M.Objects[O].From);
  };
  Run(0, 1, 20000); // heavy
  Run(0, 2, 10);    // cheap
  const uint64_t Before = R->counts().Ahead;
  for (unsigned O = 1; O < 5; ++O)
    R->announce(2, {want(M.Objects[O])});
  for (unsigned O = 5; O < 12; ++O)
    R->announce(1, {want(M.Objects[O])});
  while (R->stepAhead()) {
  }
  EXPECT_EQ(R->counts().Ahead - Before, 4u + 2u);
  R->leave(T);
}

// What is needed soon stays; what no task to come needs leaves.
TEST_P(Tiers, WhatNoTaskNeedsMakesRoom) {
  Memory M({4096, 4096, 4096});
  auto R = make(GetParam(), 44 * 1024, 2); // room for two
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  for (unsigned O = 0; O < 2; ++O) {
    ASSERT_EQ(R->acquire(T, {want(M.Objects[O])}, Where, Bytes), Outcome::Done);
    R->release(T, M.Objects[O].From);
  }
  R->announce(3, {want(M.Objects[0])}); // the least recently used one
  R->announce(4, {want(M.Objects[2])});
  while (R->stepAhead()) {
  }
  ASSERT_EQ(R->acquire(T, {want(M.Objects[0])}, Where, Bytes, 3),
            Outcome::Done);
  R->release(T, M.Objects[0].From);
  ASSERT_EQ(R->acquire(T, {want(M.Objects[2])}, Where, Bytes, 4),
            Outcome::Done);
  const Counts C = R->counts();
  EXPECT_EQ(C.Found, 2u);
  EXPECT_EQ(C.Out, 1u);
  EXPECT_LE(C.PeakBytes, C.CapacityBytes);
  R->leave(T);
}

// Nothing that is held leaves for what comes ahead. Tasks then copy themselves,
// and it is counted.
TEST_P(Tiers, WithoutRoomTasksCopyThemselves) {
  Memory M({4096, 4096});
  auto R = make(GetParam(), 24 * 1024, 2);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(T, {want(M.Objects[0])}, Where, Bytes), Outcome::Done);
  R->announce(2, {want(M.Objects[1])});
  EXPECT_FALSE(R->stepAhead());
  R->release(T, M.Objects[0].From);
  const uint64_t Counted = ek_get(why[EK_WHY_no_room_ahead]);
  ASSERT_EQ(R->acquire(T, {want(M.Objects[1])}, Where, Bytes, 2),
            Outcome::Done);
  EXPECT_EQ(ek_get(why[EK_WHY_no_room_ahead]), Counted + 1);
  EXPECT_EQ(R->counts().Ahead, 0u);
  R->leave(T);
}

// A runtime that takes the newest of its ready tasks is found out.
TEST_P(Tiers, TheOrderOfReadyTasksIsLearnt) {
  Memory M(std::vector<size_t>(20, 1024));
  auto R = make(GetParam(), 16 * 1024, 1);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  for (unsigned O = 0; O < 20; ++O)
    R->announce(O, {want(M.Objects[O])});
  for (unsigned O = 20; O--;) {
    R->stepAhead();
    R->stepAhead();
    ASSERT_EQ(R->acquire(T, {want(M.Objects[O])}, Where, Bytes, O),
              Outcome::Done);
    R->release(T, M.Objects[O].From);
  }
  EXPECT_GE(R->counts().AheadFound, 17u);
  R->leave(T);
}

// Tasks that were announced, and are ready, but never start.
TEST_P(Tiers, CancelledTasksDoNotStayInTheWay) {
  Memory M(std::vector<size_t>(400, 1024));
  auto R = make(GetParam(), 64 * 4096, 2);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  for (unsigned O = 0; O < 2; ++O)
    R->announce(7, {want(M.Objects[O])});
  for (unsigned O = 2; O < 400; ++O) {
    R->announce(8, {want(M.Objects[O])});
    while (R->stepAhead()) {
    }
    ASSERT_EQ(R->acquire(T, {want(M.Objects[O])}, Where, Bytes, 8),
              Outcome::Done);
    R->release(T, M.Objects[O].From);
  }
  EXPECT_GE(R->counts().AheadFound, 300u);
  R->leave(T);
}

// The copier has always something to do: a fork does not wait for its end.
TEST_P(Tiers, AForkWaitsForOneCopyOnly) {
  Memory M(std::vector<size_t>(64, 4096));
  auto R = make(GetParam(), 16 * 20 * 1024, 2);
  std::atomic<bool> Over{false};
  R->announce(1, {want(M.Objects[0])});
  std::thread Copier([&] { R->copyAhead(); });
  std::thread Worker([&] {
    Residence::Thread *T = R->join();
    std::vector<void *> Where;
    uint64_t Bytes;
    for (unsigned O = 0; !Over; O = (O + 1) % 64) {
      R->announce(1, {want(M.Objects[(O + 3) % 64])});
      if (R->acquire(T, {want(M.Objects[O])}, Where, Bytes, 1) == Outcome::Done)
        R->release(T, M.Objects[O].From);
    }
    R->leave(T);
  });
  for (int I = 0; I < 20; ++I) {
    R->forkPrepare(); // would not return before the worker's end
    R->forkParent();
  }
  Over = true;
  Worker.join();
  R->stopAhead();
  Copier.join();
}

// Two neighbours leave at the same time: their common page leaves, too.
TEST(Pages, CommonPagesLeaveWithTheLast) {
  make(Kind::Pages, 4096); // forgets where pages are
  const auto Tier = makePages(1 << 20, 0);
  const uintptr_t At = 0x100000;
  const Range A = {At, At + 6000}, B = {At + 6000, At + 12288};
  for (const Range &R : {A, B}) {
    ASSERT_TRUE(Tier->take(R, {}));
    Tier->bringIn(R, 0, true);
  }
  EXPECT_EQ(Fast, 3u);
  const Range PartA = Tier->leaves(A), PartB = Tier->leaves(B);
  Tier->takeBack(PartA, A, 0, true);
  Tier->takeBack(PartB, B, 0, true);
  Tier->give(A, 0);
  EXPECT_GE(Tier->usedBytes(), Fast * 4096);
  Tier->give(B, 0);
  EXPECT_EQ(Tier->usedBytes(), 0u);
  EXPECT_EQ(Fast, 0u);
}

TEST(Pages, WhatIsFreedWhileItIsHeldLeavesLater) {
  Memory M({8192});
  auto R = make(Kind::Pages, 80 * 1024);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(T, {want(M.Objects[0])}, Where, Bytes), Outcome::Done);
  R->forget(M.Objects[0]);
  R->release(T, M.Objects[0].From);
  EXPECT_EQ(R->counts().UsedBytes, Fast * 4096);
  R->bringHome();
  EXPECT_EQ(R->counts().UsedBytes, 0u);
  EXPECT_EQ(Fast, 0u);
  R->leave(T);
}

TEST(Pages, FreedMemoryLeavesTheAccount) {
  Memory M({8192, 8192});
  auto R = make(Kind::Pages, 80 * 1024);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(T, {want(M.Objects[0])}, Where, Bytes), Outcome::Done);
  R->release(T, M.Objects[0].From);
  EXPECT_GT(Fast, 0u);
  R->forget(M.Objects[0]);
  EXPECT_EQ(R->counts().UsedBytes, 0u);
  EXPECT_EQ(Fast, 0u); // and the pages have left
  R->leave(T);
}

// Data that a task writes at its own address does not come ahead: a copy would
// be older.
TEST(Copies, WhatATaskUsesInPlaceDoesNotComeAhead) {
  Memory M({8192, 8192, 8192});
  auto R = make(Kind::Copies, 68 * 1024, 2);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  const Range All = {M.Objects[0].From, M.Objects[2].To};
  R->announce(2, {want(M.Objects[1])});
  EXPECT_TRUE(R->stepAhead());
  ASSERT_EQ(R->acquire(T, {want(All)}, Where, Bytes, 1), Outcome::TooLarge);
  M.Words[8192] = 5;
  EXPECT_FALSE(R->stepAhead());
  ASSERT_EQ(R->acquire(T, {want(M.Objects[1])}, Where, Bytes, 2),
            Outcome::Done);
  EXPECT_EQ(static_cast<uint32_t *>(Where[0])[0], 5u);
  R->leave(T);
}

// Freed memory is not read, however long it was announced.
TEST(Copies, FreedMemoryIsNotRead) {
  Memory M({8192});
  auto R = make(Kind::Copies, 68 * 1024, 2);
  R->announce(2, {want(M.Objects[0])});
  R->forget(M.Objects[0]);
  EXPECT_FALSE(R->stepAhead());
  EXPECT_EQ(R->counts().InBytes, 0u);
}

// The copier is not in the child; a new one starts with the next task.
TEST(Copies, TheChildOfAForkStartsItsOwnCopier) {
  Memory M({8192, 8192});
  auto R = make(Kind::Copies, 68 * 1024, 2);
  EXPECT_EQ(R->announce(2, {want(M.Objects[0])}), Residence::Announced::First);
  R->forkPrepare();
  const pid_t Child = fork();
  if (Child == 0) {
    R->forkChild(nullptr);
    bool Good = !R->stepAhead();
    Good &= R->announce(2, {want(M.Objects[1])}) == Residence::Announced::First;
    Good &= R->stepAhead();
    _exit(Good ? 0 : 1);
  }
  R->forkParent();
  int Status = 0;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
  EXPECT_TRUE(R->stepAhead());
}

} // namespace
