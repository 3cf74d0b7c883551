//===- residence_test.cpp - what is in the required tier ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what holds for any sequence of requests, in both kinds of tiers: what
// a task holds is there, with its newest content, and the capacity is kept at
// every moment, whatever the copier does meanwhile. Threads that compete for
// room. Each failure.
// Not here: the C interface and its lines (acquire.test); what comes ahead
// (ahead_test.cpp).
//===----------------------------------------------------------------------===//
#include "required_tiers.h"

namespace {

// Many tasks one after the other, up to three open at a time on threads of
// their own names. The model is the content that each object must have.
TEST_P(Tiers, EveryTaskFindsTheNewestData) {
  for (unsigned Seed = 0; Seed < 30; ++Seed) {
    std::mt19937 Random(Seed);
    std::vector<size_t> Sizes(4 + Random() % 20);
    for (size_t &S : Sizes)
      S = Random() % 3 ? 1 + Random() % 9000 : 1 + Random() % 20;
    Memory M(Sizes);
    std::vector<uint32_t> Model = M.Words;
    const uint64_t Capacity = (16 + Random() % 24) * 4096;
    auto R = make(GetParam(), Capacity, Seed % 3);
    struct Open {
      Residence::Thread *T;
      std::vector<size_t> Objects;
    };
    std::vector<Open> Tasks;
    for (unsigned I = 0; I < 3; ++I)
      Tasks.push_back({R->join(), {}});
    std::vector<bool> Held(Sizes.size());
    for (unsigned Step = 0; Step < 400; ++Step) {
      // What comes ahead of tasks that never start is of no consequence.
      if (Random() % 3 == 0) {
        const size_t O = Random() % Sizes.size();
        R->announce(Step, {want(M.Objects[O], Random() % 2, true)});
      }
      if (Random() % 2)
        R->stepAhead();
      Open &Task = Tasks[Random() % Tasks.size()];
      if (!Task.Objects.empty()) {
        for (size_t O : Task.Objects) {
          ASSERT_EQ(R->release(Task.T, M.Objects[O].From), Outcome::Done);
          Held[O] = false;
        }
        Task.Objects.clear();
        if (Random() % 8 == 0)
          R->bringHome();
        continue;
      }
      // Another open task would never release here, so only what is free.
      std::vector<Wanted> Asked;
      std::vector<size_t> Objects;
      for (unsigned I = 1 + Random() % 3; I--;) {
        const size_t O = Random() % Sizes.size();
        if (Held[O] || std::count(Objects.begin(), Objects.end(), O))
          continue;
        Asked.push_back(want(M.Objects[O]));
        Objects.push_back(O);
      }
      bool Others = false;
      for (const Open &O : Tasks)
        Others |= &O != &Task && !O.Objects.empty();
      if (Asked.empty() || Others)
        continue;
      std::vector<void *> Where;
      uint64_t Bytes = 0;
      if (Random() % 2)
        R->announce(1, Asked);
      for (unsigned I = Random() % 4; I--;)
        R->stepAhead();
      const Outcome Out = R->acquire(Task.T, Asked, Where, Bytes, 1);
      if (Out == Outcome::TooLarge) {
        EXPECT_GT(Bytes + 4096, Capacity);
        continue;
      }
      ASSERT_EQ(Out, Outcome::Done);
      for (size_t I = 0; I < Asked.size(); ++I) {
        auto *Words = static_cast<uint32_t *>(Where[I]);
        const size_t First = (Asked[I].R.From - uintptr_t(M.Words.data())) / 4;
        EXPECT_EQ(uintptr_t(Words) % 64, Asked[I].R.From % 64);
        if (GetParam() == Kind::Pages) {
          EXPECT_EQ(uintptr_t(Words), Asked[I].R.From);
          EXPECT_TRUE(isFast(Asked[I].R.From, Asked[I].R.To));
        }
        for (size_t W = 0; W < Asked[I].R.bytes() / 4; ++W) {
          ASSERT_EQ(Words[W], Model[First + W]) << "seed " << Seed;
          Words[W] = Model[First + W] = uint32_t(Random());
        }
      }
      for (size_t O : Objects)
        Held[O] = true;
      Task.Objects = Objects;
      const Counts C = R->counts();
      ASSERT_LE(C.UsedBytes, C.CapacityBytes);
      ASSERT_LE(C.PeakBytes, Capacity);
      ASSERT_LE(MostFast * EK_PAGE_BYTES, Capacity);
    }
    for (Open &T : Tasks)
      R->leave(T.T);
    R->bringHome();
    EXPECT_EQ(R->counts().UsedBytes, 0u);
    EXPECT_EQ(Fast, 0u);
    EXPECT_EQ(M.Words, Model);
  }
}

// Threads add to objects that they share. Each object has a lock, as `depend`
// has an order, and a task takes its locks in one order.
TEST_P(Tiers, ThreadsShareTheRoom) {
  constexpr unsigned Threads = 4, Objects = 12, Tasks = 150;
  Memory M(std::vector<size_t>(Objects, 3000));
  auto R = make(GetParam(), 3 * 4 * 4096 + 4 * 4096, 1);
  std::thread Copier([&] { R->copyAhead(); });
  std::mutex Locks[Objects];
  std::atomic<unsigned> Added[Objects] = {};
  std::vector<std::thread> Running;
  for (unsigned N = 0; N < Threads; ++N)
    Running.emplace_back([&, N] {
      Residence::Thread *T = R->join();
      std::mt19937 Random(N);
      for (unsigned I = 0; I < Tasks; ++I) {
        std::vector<unsigned> Of;
        for (unsigned O = 0; O < Objects; ++O)
          if (Random() % 5 == 0 && Of.size() < 3)
            Of.push_back(O);
        std::vector<Wanted> Asked;
        for (unsigned O : Of) {
          Locks[O].lock();
          Asked.push_back(want(M.Objects[O]));
        }
        std::vector<void *> Where;
        uint64_t Bytes;
        if (!Asked.empty()) {
          R->announce(N, Asked);
          R->announce(N, {want(M.Objects[Random() % Objects])});
          if (I % 8 == 0)
            std::this_thread::yield();
          ASSERT_EQ(R->acquire(T, Asked, Where, Bytes, N), Outcome::Done);
        }
        for (size_t I = 0; I < Of.size(); ++I) {
          auto *Words = static_cast<uint32_t *>(Where[I]);
          for (unsigned W = 0; W < 3000; ++W)
            ++Words[W];
          ++Added[Of[I]];
          ASSERT_EQ(R->release(T, Asked[I].R.From), Outcome::Done);
        }
        for (unsigned O : Of)
          Locks[O].unlock();
      }
      EXPECT_EQ(R->leave(T), 0u);
    });
  for (std::thread &T : Running)
    T.join();
  R->stopAhead();
  Copier.join();
  R->bringHome();
  const Counts C = R->counts();
  EXPECT_GT(C.Ahead, 0u);
  EXPECT_LE(C.PeakBytes, C.CapacityBytes);
  EXPECT_LE(MostFast * EK_PAGE_BYTES, C.CapacityBytes);
  EXPECT_GT(C.In, uint64_t(Objects));
  for (unsigned O = 0; O < Objects; ++O)
    for (unsigned W = 0; W < 3000; ++W)
      ASSERT_EQ(M.Words[O * 3000 + W], Added[O]);
}

// Both threads hold one of two objects and want the other's room: one fails,
// and the other then gets it.
TEST_P(Tiers, WhoeverCannotBeHelpedFails) {
  Memory M({8192, 8192, 8192, 8192}); // 32 KiB each
  auto R = make(GetParam(), 68 * 1024 + 8 * 1024);
  std::atomic<unsigned> Have{0}, Failed{0};
  auto Task = [&](unsigned First, unsigned Second) {
    Residence::Thread *T = R->join();
    std::vector<void *> Where;
    uint64_t Bytes;
    EXPECT_EQ(R->acquire(T, {want(M.Objects[First])}, Where, Bytes),
              Outcome::Done);
    ++Have;
    while (Have < 2)
      std::this_thread::yield();
    const Outcome Out = R->acquire(T, {want(M.Objects[Second])}, Where, Bytes);
    if (Out != Outcome::Done) {
      EXPECT_EQ(Out, Outcome::NoRoom);
      ++Failed;
    }
    R->leave(T);
  };
  std::thread A(Task, 0, 2), B(Task, 1, 3);
  A.join();
  B.join();
  EXPECT_EQ(Failed, 1u);
  EXPECT_GE(R->counts().Waits, 1u);
}

// A small request is not kept waiting by a large one that cannot be met before.
TEST_P(Tiers, TheSmallerRequestGoesFirstIfItMust) {
  Memory M({8192, 8192, 8192, 1024});
  auto R = make(GetParam(), 80 * 1024);
  Residence::Thread *Small = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(Small, {want(M.Objects[0])}, Where, Bytes),
            Outcome::Done);
  std::thread Large([&] {
    Residence::Thread *T = R->join();
    std::vector<void *> Where;
    uint64_t Bytes;
    EXPECT_EQ(
        R->acquire(T, {want(M.Objects[1]), want(M.Objects[2])}, Where, Bytes),
        Outcome::Done);
    R->leave(T);
  });
  usleep(20000); // the large request waits, most likely, and keeps what it has
  EXPECT_EQ(R->acquire(Small, {want(M.Objects[3])}, Where, Bytes),
            Outcome::Done);
  R->leave(Small);
  Large.join();
}

TEST_P(Tiers, Failures) {
  Memory M({8192, 8192, 8192, 8192});
  auto R = make(GetParam(), 68 * 1024);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes = 0;
  const Range &A = M.Objects[0], &B = M.Objects[1];
  EXPECT_EQ(R->acquire(T, {want({A.From, M.Objects[2].To})}, Where, Bytes),
            Outcome::TooLarge);
  EXPECT_GE(Bytes, 96u * 1024);
  EXPECT_EQ(R->acquire(T, {want(A), want(A)}, Where, Bytes), Outcome::Twice);
  EXPECT_EQ(R->acquire(T, {want(A)}, Where, Bytes), Outcome::Done);
  EXPECT_EQ(R->acquire(T, {want({A.From + 8, A.To})}, Where, Bytes),
            Outcome::Twice);
  EXPECT_EQ(R->release(T, B.From), Outcome::NotHeld);
  // With what it holds it is too much, whoever releases.
  EXPECT_EQ(R->acquire(T, {want(B), want(M.Objects[2])}, Where, Bytes),
            Outcome::TooLarge);
  EXPECT_EQ(R->release(T, A.From), Outcome::Done);
  EXPECT_EQ(R->release(T, A.From), Outcome::NotHeld);
  EXPECT_EQ(R->leave(T), 0u);
}

// Two tasks use the same bytes with other bounds: never two copies of a byte.
TEST_P(Tiers, BoundsMayDiffer) {
  Memory M({8192, 8192});
  auto R = make(GetParam(), 80 * 1024);
  Residence::Thread *T = R->join(), *U = R->join();
  std::vector<void *> Where, Other;
  uint64_t Bytes;
  const Range A = M.Objects[0];
  ASSERT_EQ(R->acquire(T, {want(A)}, Where, Bytes), Outcome::Done);
  // A part of what another task holds is the same copy.
  ASSERT_EQ(R->acquire(U, {want({A.From + 400, A.To - 400})}, Other, Bytes),
            Outcome::Done);
  EXPECT_EQ(static_cast<char *>(Where[0]) + 400, Other[0]);
  static_cast<uint32_t *>(Other[0])[0] = 7;
  R->release(T, A.From);
  R->release(U, A.From + 400);
  // What overlaps only is copied back first.
  const Range Both = {A.From + 200, M.Objects[1].From + 200};
  ASSERT_EQ(R->acquire(T, {want(Both)}, Where, Bytes), Outcome::Done);
  EXPECT_EQ(static_cast<uint32_t *>(Where[0])[50], 7u);
  // As long as it is held, nobody gets an overlapping range.
  EXPECT_EQ(R->leave(T), 1u);
  ASSERT_EQ(R->acquire(U, {want(A)}, Where, Bytes), Outcome::Done);
  EXPECT_EQ(static_cast<uint32_t *>(Where[0])[100], 7u);
  R->leave(U);
}

TEST_P(Tiers, ForkKeepsWhatTheThreadHolds) {
  Memory M({8192, 8192});
  auto R = make(GetParam(), 80 * 1024);
  Residence::Thread *T = R->join(), *U = R->join();
  std::vector<void *> Where, Other;
  uint64_t Bytes;
  ASSERT_EQ(R->acquire(T, {want(M.Objects[0])}, Where, Bytes), Outcome::Done);
  ASSERT_EQ(R->acquire(U, {want(M.Objects[1])}, Other, Bytes), Outcome::Done);
  static_cast<uint32_t *>(Other[0])[5] = 3;
  R->forkPrepare();
  const pid_t Child = fork();
  if (Child == 0) {
    bool Good = R->forkChild(T) == 1;
    Good &= R->release(T, M.Objects[0].From) == Outcome::Done;
    R->bringHome();
    Good &= R->counts().UsedBytes == 0 && M.Words[8192 + 5] == 3;
    _exit(Good ? 0 : 1);
  }
  R->forkParent();
  int Status = 0;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
  EXPECT_EQ(R->release(U, M.Objects[1].From), Outcome::Done);
  R->leave(T);
}

TEST(Copies, OnlyWhatIsReadComesInAndOnlyWhatIsWrittenGoesOut) {
  Memory M({8192, 8192, 8192});
  auto R = make(Kind::Copies, 40 * 1024);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  for (auto [Reads, Writes] :
       {std::pair(true, false), {false, true}, {true, true}})
    for (const Range &O : {M.Objects[0], M.Objects[1]}) {
      ASSERT_EQ(R->acquire(T, {want(O, Reads, Writes)}, Where, Bytes),
                Outcome::Done);
      R->release(T, O.From);
    }
  R->bringHome();
  const Counts C = R->counts();
  EXPECT_EQ(C.InBytes, 4u * 32 * 1024);
  EXPECT_EQ(C.OutBytes, 4u * 32 * 1024);
  EXPECT_EQ(C.In, 6u);
  EXPECT_EQ(C.Out, 4u);
}

TEST(Copies, FreedMemoryIsNotWrittenTo) {
  Memory M({8192, 8192});
  auto R = make(Kind::Copies, 80 * 1024);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  ASSERT_EQ(
      R->acquire(T, {want(M.Objects[0]), want(M.Objects[1])}, Where, Bytes),
      Outcome::Done);
  static_cast<uint32_t *>(Where[0])[0] = 9;
  static_cast<uint32_t *>(Where[1])[0] = 9;
  R->release(T, M.Objects[0].From);
  R->forget(M.Objects[0]);
  R->forget(M.Objects[1]); // while it is held
  R->release(T, M.Objects[1].From);
  R->bringHome();
  EXPECT_EQ(M.Words[0], 0u);
  EXPECT_EQ(M.Words[8192], 0u);
  EXPECT_EQ(R->counts().UsedBytes, 0u);
}

// Small ranges have room of their own, and stay while large ones come and go.
TEST(Copies, SmallRangesStay) {
  Memory M({300000, 300000, 100});
  auto R = make(Kind::Copies, 1 << 21);
  Residence::Thread *T = R->join();
  std::vector<void *> Where;
  uint64_t Bytes;
  for (unsigned I = 0; I < 6; ++I) {
    ASSERT_EQ(R->acquire(T, {want(M.Objects[I % 2]), want(M.Objects[2])}, Where,
                         Bytes),
              Outcome::Done);
    EXPECT_GE(static_cast<char *>(Where[1]) - static_cast<char *>(Where[0]),
              1 << 20);
    R->release(T, M.Objects[I % 2].From);
    R->release(T, M.Objects[2].From);
  }
  EXPECT_EQ(R->counts().Found, 5u);
  EXPECT_EQ(R->counts().In, 7u);
}

TEST(Copies, TakeAsLongAsTheLink) {
  Memory M({25000});
  Residence R(makeCopies(1 << 20, 10 << 20)); // 10 MiB/s: 9.5 ms
  Residence::Thread *T = R.join();
  std::vector<void *> Where;
  uint64_t Bytes;
  const auto Start = std::chrono::steady_clock::now();
  ASSERT_EQ(R.acquire(T, {want(M.Objects[0])}, Where, Bytes), Outcome::Done);
  EXPECT_GE(std::chrono::steady_clock::now() - Start,
            std::chrono::microseconds(9500));
}

} // namespace
