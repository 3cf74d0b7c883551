//===- rows_test.cpp - tables whose hot rows lie in fast memory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs with a fast tier of 4 MiB (EVENKEEL_TIERS).
//===----------------------------------------------------------------------===//
#include "evenkeel/ek_rows.h"
extern "C" {
#include "core/stats.h"
#include "rows/slab.h"
#include "rows/weights.h"
}

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr size_t Rows = 20000, Bytes = 256;

/// Draws ranks by Zipf's law.
class Zipf {
  std::vector<double> Sum;
  std::mt19937_64 Random{7};

public:
  explicit Zipf(size_t N, double Exponent = 1) {
    double S = 0;
    for (size_t I = 0; I < N; ++I)
      Sum.push_back(S += 1 / std::pow(double(I + 1), Exponent));
  }
  size_t operator()() {
    const double At =
        std::uniform_real_distribution<double>(0, Sum.back())(Random);
    return std::min(
        size_t(std::lower_bound(Sum.begin(), Sum.end(), At) - Sum.begin()),
        Sum.size() - 1);
  }
};

std::vector<uint32_t> shuffled(size_t N, unsigned Seed) {
  std::vector<uint32_t> All(N);
  for (size_t I = 0; I < N; ++I)
    All[I] = uint32_t(I);
  std::shuffle(All.begin(), All.end(), std::mt19937(Seed));
  return All;
}

ek_rows_options options(size_t FastBytes) {
  ek_rows_options O = {};
  O.size = sizeof O;
  O.fast_bytes = FastBytes;
  return O;
}

ek_rows_counts countsOf(const ek_rows *T) {
  ek_rows_counts C;
  EXPECT_EQ(ek_rows_count(T, &C, sizeof C), 0);
  return C;
}

/// Look-ups of one step; returns the share that the slab served.
template <class Draw> double stepOf(ek_rows *T, size_t LookUps, Draw &&Next) {
  size_t Fast = 0;
  for (size_t I = 0; I < LookUps; ++I) {
    const size_t Row = Next();
    const char *P = static_cast<char *>(ek_row(T, Row));
    Fast += P != T->home + Row * T->row_bytes;
  }
  EXPECT_EQ(ek_rows_step(T), 0);
  return double(Fast) / double(LookUps);
}

TEST(Rows, FollowALookUpOfManyThreadsBitByBit) {
  ek_rows *T = nullptr;
  const ek_rows_options O = options(Rows / 8 * Bytes);
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  std::vector<char> Plain(Rows * Bytes);
  std::mt19937 Random(3);
  for (size_t R = 0; R < Rows; ++R) {
    for (size_t B = 0; B < Bytes; ++B)
      Plain[R * Bytes + B] = char(Random());
    std::memcpy(ek_row(T, R), &Plain[R * Bytes], Bytes);
  }
  const std::vector<uint32_t> Of = shuffled(Rows, 1);
  std::atomic<size_t> Wrong = 0;
  for (int Step = 0; Step < 12; ++Step) {
    std::vector<std::thread> Threads;
    for (unsigned Thread = 0; Thread < 4; ++Thread)
      Threads.emplace_back([&, Thread] {
        Zipf Next(Rows);
        for (int I = 0; I < 20000; ++I) {
          const size_t Row = Of[Next()];
          char *P = static_cast<char *>(ek_row(T, Row));
          // A byte of its own per thread is written, the others are read.
          P[Thread] = char(P[Thread] + 1);
          if (I % 64 == 0)
            Wrong +=
                std::memcmp(P + 4, &Plain[Row * Bytes + 4], Bytes - 4) != 0;
        }
      });
    for (std::thread &Thread : Threads)
      Thread.join();
    // The same writes to the plain table.
    for (unsigned Thread = 0; Thread < 4; ++Thread) {
      Zipf Next(Rows);
      for (int I = 0; I < 20000; ++I) {
        char &C = Plain[Of[Next()] * Bytes + Thread];
        C = char(C + 1);
      }
    }
    ASSERT_EQ(ek_rows_step(T), 0);
  }
  EXPECT_EQ(Wrong, 0u);
  const ek_rows_counts C = countsOf(T);
  EXPECT_GT(C.used, 500u);
  EXPECT_GT(C.sampled_fast, 0u);
  for (size_t R = 0; R < Rows; ++R)
    ASSERT_EQ(std::memcmp(ek_row(T, R), &Plain[R * Bytes], Bytes), 0) << R;
  ek_rows_close(T);
}

TEST(Rows, TheProgramsArrayIsWholeAgainAtTheEnd) {
  std::vector<uint64_t> Home(Rows * 4), Expected;
  for (size_t I = 0; I < Home.size(); ++I)
    Home[I] = I;
  Expected = Home;
  ek_rows *T = nullptr;
  ek_rows_options O = options(0); // an eighth
  O.home = Home.data();
  ASSERT_EQ(ek_rows_open(&T, Rows, 32, &O), 0);
  EXPECT_EQ(countsOf(T).slots, 2175u); // of 2186 beside the bits
  const std::vector<uint32_t> Of = shuffled(Rows, 2);
  Zipf Next(Rows);
  for (int Step = 0; Step < 10; ++Step) {
    for (int I = 0; I < 50000; ++I) {
      const size_t Row = Of[Next()];
      ++*static_cast<uint64_t *>(ek_row(T, Row));
      ++Expected[Row * 4];
    }
    ASSERT_EQ(ek_rows_step(T), 0);
  }
  EXPECT_GT(countsOf(T).used, 0u);
  EXPECT_NE(Home, Expected); // rows in the slab are not in the array
  ek_rows_close(T);
  EXPECT_EQ(Home, Expected);
}

// What ek_rows.h's reader is told (docs/how-to/hot-rows.md): with the default
// decay and budget, 16 steps after all of the popularity has moved to other
// rows, at least 90 % of the share is back.
TEST(Rows, AShiftIsFollowedWithinSixteenSteps) {
  ek_rows *T = nullptr;
  const ek_rows_options O = options(Rows / 8 * Bytes);
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  Zipf Rank(Rows);
  std::vector<uint32_t> Of = shuffled(Rows, 1);
  const auto Next = [&] { return Of[Rank()]; };
  double Settled = 0, Back = 0;
  for (int Step = 0; Step < 40; ++Step)
    Settled = stepOf(T, 100000, Next);
  double Best = 0; // of Zipf's law: the share of the hottest eighth
  for (int I = 0; I < 100000; ++I)
    Best += Rank() < Rows / 8;
  Best /= 100000;
  EXPECT_GT(Settled, 0.9 * Best);
  Of = shuffled(Rows, 99);
  EXPECT_LT(stepOf(T, 100000, Next), 0.4); // nothing is known yet
  for (int Step = 0; Step < 16; ++Step)
    Back = stepOf(T, 100000, Next);
  EXPECT_GT(Back, 0.9 * Settled);
  ek_rows_close(T);
}

TEST(Rows, UniformLookUpsCauseFewCopies) {
  ek_rows *T = nullptr;
  const ek_rows_options O = options(Rows / 8 * Bytes);
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  std::mt19937 Random(5);
  for (int Step = 0; Step < 40; ++Step)
    stepOf(T, 100000, [&] { return Random() % Rows; });
  const ek_rows_counts C = countsOf(T);
  // Of four million look-ups.
  EXPECT_LT(double(C.left), 0.01 * 4e6);
  ek_rows_close(T);
}

TEST(Rows, WarmUpAndBudgetAreKept) {
  ek_rows *T = nullptr;
  ek_rows_options O = options(Rows / 8 * Bytes);
  O.warm_up = 5;
  O.budget = 17;
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  Zipf Next(Rows);
  for (unsigned Step = 1; Step <= 20; ++Step) {
    const ek_id Before = countsOf(T).entered;
    stepOf(T, 20000, Next);
    EXPECT_EQ(countsOf(T).entered - Before, Step < 5 ? 0u : 17u) << Step;
  }
  ek_rows_close(T);
}

TEST(Rows, HooksAreStepsOfThoseThatAsk) {
  ek_rows *T = nullptr, *Other = nullptr;
  ek_rows_options O = options(Rows / 8 * Bytes);
  O.flags = EK_ROWS_AT_HOOKS;
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  ASSERT_EQ(ek_rows_open(&Other, 10, 1, nullptr), 0);
  ek_sync(0x99, EK_SERIAL);
  ek_sync(0x99, EK_SERIAL | EK_PARTIAL); // ends no phase
  ek_sync(0x99, EK_SERIAL);
  std::thread([] { ek_sync(0x99, EK_SERIAL); }).join(); // not its thread
  EXPECT_EQ(countsOf(T).steps, 2u);
  EXPECT_EQ(countsOf(Other).steps, 0u);
  ek_rows_close(Other);
  ek_rows_close(T);
}

TEST(Rows, RowsThatAreOnlyReadAreNotCopiedBack) {
  ek_rows *T = nullptr;
  ek_rows_options O = options(64 << 10);
  O.flags = EK_ROWS_READ_ONLY;
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  Zipf Rank(Rows);
  std::vector<uint32_t> Of = shuffled(Rows, 1);
  for (int Step = 0; Step < 20; ++Step) {
    if (Step == 10)
      Of = shuffled(Rows, 2);
    stepOf(T, 50000, [&] { return Of[Rank()]; });
  }
  const ek_rows_counts C = countsOf(T);
  EXPECT_GT(C.left, 0u);
  EXPECT_EQ(C.copied_bytes, C.entered * Bytes);
  ek_rows_close(T);
}

TEST(Rows, WithoutRoomTheSlabIsSmallerOrNone) {
  // 4 MiB for tables that want 6, 1 and 1 MiB.
  ek_rows *A = nullptr, *B = nullptr;
  const size_t N = 100000;
  const ek_rows_options Large = options(6 << 20), Small = options(1 << 20);
  ASSERT_EQ(ek_rows_open(&A, N, Bytes, &Large), 0);
  EXPECT_EQ(countsOf(A).slots, 16185u);
  const uint64_t Before = ek_get(why[EK_WHY_rows_no_slab]);
  ASSERT_EQ(ek_rows_open(&B, N, Bytes, &Small), 0);
  EXPECT_EQ(countsOf(B).slots, 0u);
  EXPECT_EQ(ek_get(why[EK_WHY_rows_no_slab]), Before + 1);
  std::memset(ek_row(B, N - 1), 1, Bytes);
  Zipf Next(N);
  for (int Step = 0; Step < 6; ++Step) {
    stepOf(A, 10000, Next);
    EXPECT_EQ(stepOf(B, 10000, Next), 0);
  }
  EXPECT_GT(countsOf(A).used, 0u);
  ek_rows_close(A);
  ek_rows_close(B);
  // What was closed is free again.
  ASSERT_EQ(ek_rows_open(&B, N, Bytes, &Small), 0);
  EXPECT_EQ(countsOf(B).slots, 3900u);
  ek_rows_close(B);
}

TEST(Rows, OddSizesAndWrongArguments) {
  ek_rows *T = nullptr;
  ASSERT_EQ(ek_rows_open(&T, 0, 8, nullptr), 0); // no rows
  EXPECT_EQ(ek_rows_step(T), 0);
  EXPECT_EQ(countsOf(T).slots, 0u);
  ek_rows_close(T);
  // A row that is larger than the slab, and one larger than the tier.
  const ek_rows_options O = options(1 << 20);
  for (size_t D : {size_t(2) << 20, size_t(8) << 20}) {
    ASSERT_EQ(ek_rows_open(&T, 3, D, &O), 0);
    EXPECT_EQ(countsOf(T).slots, 0u);
    std::memset(ek_row(T, 2), 7, D);
    EXPECT_EQ(static_cast<char *>(ek_row(T, 2))[D - 1], 7);
    ek_rows_close(T);
  }
  // One slot of a huge row.
  const ek_rows_options Huge = options((3 << 20) + 64);
  ASSERT_EQ(ek_rows_open(&T, 3, 3 << 20, &Huge), 0);
  EXPECT_EQ(countsOf(T).slots, 1u);
  for (int Step = 0; Step < 5; ++Step)
    stepOf(T, 1000, [] { return 1u; });
  EXPECT_EQ(countsOf(T).used, 1u);
  ek_rows_close(T);

  T = nullptr;
  EXPECT_EQ(ek_rows_open(&T, 5, 0, nullptr), EINVAL);
  EXPECT_EQ(ek_rows_open(nullptr, 5, 8, nullptr), EINVAL);
  EXPECT_EQ(ek_rows_open(&T, size_t(1) << 32, 1, nullptr), EOVERFLOW);
  EXPECT_EQ(ek_rows_open(&T, 1000, SIZE_MAX / 999, nullptr), EOVERFLOW);
  EXPECT_EQ(ek_rows_open(&T, 2, PTRDIFF_MAX / 4, nullptr), ENOMEM);
  ek_rows_options Bad = options(0);
  Bad.decay = 1;
  EXPECT_EQ(ek_rows_open(&T, 5, 8, &Bad), EINVAL);
  Bad.decay = 0.99999999; // 1 as a float
  EXPECT_EQ(ek_rows_open(&T, 5, 8, &Bad), EINVAL);
  Bad.decay = std::nan("");
  EXPECT_EQ(ek_rows_open(&T, 5, 8, &Bad), EINVAL);
  Bad = options(0);
  Bad.flags = 64;
  EXPECT_EQ(ek_rows_open(&T, 5, 8, &Bad), EINVAL);
  Bad = options(0);
  Bad.size = 8;
  EXPECT_EQ(ek_rows_open(&T, 5, 8, &Bad), EINVAL);
  EXPECT_EQ(T, nullptr);
  EXPECT_EQ(ek_rows_step(nullptr), EINVAL);
  ek_rows_counts C;
  EXPECT_EQ(ek_rows_count(nullptr, &C, sizeof C), EINVAL);
  ek_rows_close(nullptr);
}

TEST(Rows, AChildThatIsKilledInAStepLeavesTheParentWhole) {
  ek_rows *T = nullptr;
  const ek_rows_options O = options(Rows / 8 * Bytes);
  ASSERT_EQ(ek_rows_open(&T, Rows, Bytes, &O), 0);
  for (size_t R = 0; R < Rows; ++R)
    std::memset(ek_row(T, R), int(R % 251), Bytes);
  Zipf Next(Rows);
  for (int Step = 0; Step < 5; ++Step)
    stepOf(T, 20000, Next);
  const pid_t Child = fork();
  if (!Child) {
    for (unsigned Step = 0;; ++Step)
      stepOf(T, 5000, [&] { return (Next() + Step) % Rows; });
  }
  for (int Step = 0; Step < 5; ++Step)
    stepOf(T, 20000, Next);
  kill(Child, SIGKILL);
  waitpid(Child, nullptr, 0);
  for (int Step = 0; Step < 5; ++Step)
    stepOf(T, 20000, Next);
  for (size_t R = 0; R < Rows; ++R)
    for (size_t B = 0; B < Bytes; B += 51)
      ASSERT_EQ(static_cast<unsigned char *>(ek_row(T, R))[B], R % 251);
  ek_rows_close(T);
}

TEST(Weights, AreTheSumOfAgedLookUps) {
  ek_weights W;
  ASSERT_TRUE(ek_weights_make(&W, 1000));
  double First = 0, Second = 0;
  std::mt19937 Random(1);
  for (int Step = 0; Step < 2000; ++Step) {
    ek_weights_age(&W, 0.1f);
    First *= 0.9;
    Second *= 0.9;
    const float N = float(Random() % 100);
    ek_weights_add(&W, 3, N);
    First += N;
    if (Step % 700 == 0) { // its block misses rescalings meanwhile
      ek_weights_add(&W, 900, 1000);
      Second += 1000;
    }
    ASSERT_NEAR(ek_weights_raw(&W, 3) / W.unit, First, 1e-3 * First + 1e-3);
  }
  EXPECT_GE(W.rescalings, 5u);
  EXPECT_NEAR(ek_weights_raw(&W, 900) / W.unit, Second, 1e-3 * Second + 1e-3);
  ek_weights_free(&W);
}

// Against a map of slots.
TEST(Slab, TheLeastWeightOfASetLeavesAndEachRowIsInOnePlace) {
  constexpr size_t N = 4096, Slots = 300;
  std::vector<uint32_t> Home(N), Slab(Slots, 0);
  for (size_t I = 0; I < N; ++I)
    Home[I] = uint32_t(I) * 7 + 1;
  std::vector<unsigned char> Ways(N / 2);
  ek_rows Head = {};
  Head.home = reinterpret_cast<char *>(Home.data());
  Head.slab = reinterpret_cast<char *>(Slab.data());
  Head.row_bytes = sizeof(uint32_t);
  Head.ways = Ways.data();
  ek_weights W;
  ek_slab S = {};
  S.head = &Head;
  S.weights = &W;
  ASSERT_TRUE(ek_weights_make(&W, N) && ek_slab_make(&S, Slots));
  std::mt19937 Random(11);
  std::map<uint32_t, uint32_t> In; // slot to row
  for (int I = 0; I < 20000; ++I) {
    const uint32_t Row = Random() % N;
    ek_weights_add(&W, Row, float(1 + Random() % 5));
    if (I % 100 == 0)
      ek_weights_age(&W, 0.2f);
    if (ek_slab_has(&Head, Row))
      continue;
    const uint32_t First = uint32_t(ek_rows_set(&Head, Row)) * EK_ROWS_WAYS;
    const uint32_t Slot = ek_slab_slot_for(&S, Row);
    ASSERT_GE(Slot, First);
    ASSERT_LT(Slot, First + EK_ROWS_WAYS);
    for (uint32_t Other = First; Other < First + EK_ROWS_WAYS; ++Other) {
      ASSERT_TRUE(In.count(Other) || !In.count(Slot));
      if (In.count(Slot)) {
        ASSERT_LE(ek_weights_raw(&W, In[Slot]), ek_weights_raw(&W, In[Other]));
      }
    }
    ek_slab_enter(&S, Slot, Row);
    In[Slot] = Row;
  }
  EXPECT_EQ(S.used, Slots);
  std::set<uint32_t> Rows;
  for (const auto &[Slot, Row] : In)
    Rows.insert(Row);
  ASSERT_EQ(Rows.size(), Slots);
  ek_rows_gap_ = ~0u; // no sampling: nobody opened this table
  for (uint32_t R = 0; R < N; ++R) {
    const uint32_t *P = static_cast<uint32_t *>(ek_row(&Head, R));
    EXPECT_EQ(*P, R * 7 + 1);
    EXPECT_EQ(P != &Home[R], Rows.count(R) == 1) << R;
  }
  ek_rows_gap_ = 0;
  std::fill(Home.begin(), Home.end(), 0);
  ek_slab_empty(&S);
  for (uint32_t R = 0; R < N; ++R)
    EXPECT_EQ(Home[R], Rows.count(R) ? R * 7 + 1 : 0u);
  ek_slab_free(&S);
  ek_weights_free(&W);
}

} // namespace
