//===- calls_test.cpp - every call with pointers of both sides --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the public interface only, through the shared library. Run in several
// modes (environment: default, disabled, threshold 1, emulated and numa
// provider), in all of which a program must see the same behaviour.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"

#include <argz.h>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// foreign.c
extern "C" void foreign_free(void *P);
extern "C" void *foreign_realloc(void *P, size_t N);

namespace {

constexpr size_t Small = 1000, Large = 300000;

void fill(void *P, size_t N, unsigned Seed) {
  for (size_t I = 0; I < N; ++I)
    static_cast<unsigned char *>(P)[I] =
        static_cast<unsigned char>(I * 31 + Seed);
}

testing::AssertionResult holds(const void *P, size_t N, unsigned Seed) {
  for (size_t I = 0; I < N; ++I)
    if (static_cast<const unsigned char *>(P)[I] !=
        static_cast<unsigned char>(I * 31 + Seed))
      return testing::AssertionFailure() << "differs at byte " << I;
  return testing::AssertionSuccess();
}

// Every way to make a block of N bytes, and every way to end one.
std::vector<void *(*)(size_t)> makers() {
  return {
      [](size_t N) { return malloc(N); },
      [](size_t N) { return calloc(1, N); },
      [](size_t N) { return ek_malloc(1, N); },
      [](size_t N) { return ek_malloc_at(2, EK_FAST(50), N); },
      [](size_t N) { return ek_calloc(3, N, 1); },
      [](size_t N) { return ek_calloc_at(4, EK_FAST(100), 1, N); },
      [](size_t N) { return ek_realloc(5, nullptr, N); },
      [](size_t N) { return ek_realloc_at(6, EK_FAST(0), nullptr, N); },
      [](size_t N) { return ek_aligned_alloc(7, 64, (N + 63) / 64 * 64); },
      [](size_t N) {
        void *P = nullptr;
        return ek_posix_memalign(8, &P, 4096, N) == 0 ? P : nullptr;
      },
      [](size_t N) {
        void *P = nullptr;
        return ek_posix_memalign_at(9, EK_FAST(10), &P, 64, N) == 0 ? P
                                                                    : nullptr;
      },
      [](size_t N) { return ek_reallocarray(10, nullptr, N, 1); },
      [](size_t N) { return ek_memalign(11, 256, N); },
#if __has_feature(address_sanitizer) // its memalign requires powers of two
      [](size_t N) { return ek_memalign_at(12, EK_FAST(5), 64, N); },
#else
      [](size_t N) { return ek_memalign_at(12, EK_FAST(5), 48, N); }, // rounded
#endif
      [](size_t N) { return ek_valloc(13, N); },
      [](size_t N) { return ek_pvalloc(14, N); },
      [](size_t N) { return ek_mm_malloc(15, N, 64); },
      [](size_t N) { return ek_mm_malloc_at(16, EK_FAST(50), N, 1); },
  };
}

std::vector<void (*)(void *)> enders() {
  return {
      [](void *P) { free(P); },
      [](void *P) { ek_free(P); },
      [](void *P) { ek_mm_free(P); },
      [](void *P) { EXPECT_EQ(realloc(P, 0), nullptr); },
      [](void *P) { foreign_free(P); },
      [](void *P) { std::shared_ptr<void>(P, free); },
  };
}

TEST(Calls, AnyEnderTakesAnyMaker) {
  for (auto *Make : makers())
    for (auto *End : enders())
      for (size_t N : {Small, Large}) {
        void *P = Make(N);
        ASSERT_NE(P, nullptr);
        EXPECT_GE(malloc_usable_size(P), N);
        EXPECT_GE(ek_usable_size(P), N);
        fill(P, N, 7);
        EXPECT_TRUE(holds(P, N, 7));
        End(P);
      }
}

TEST(Calls, ReallocKeepsContentsOnEveryPath) {
  const size_t Sizes[] = {16, Small, 65535, 65536, Large, 1u << 20};
  using Realloc = void *(*)(void *, size_t);
  const Realloc Ways[] = {
      [](void *P, size_t N) { return realloc(P, N); },
      [](void *P, size_t N) { return ek_realloc(11, P, N); },
      [](void *P, size_t N) { return ek_realloc_at(12, EK_FAST(30), P, N); },
      [](void *P, size_t N) { return reallocarray(P, N, 1); },
      [](void *P, size_t N) { return foreign_realloc(P, N); },
  };
  for (auto *Make : makers())
    for (Realloc Way : Ways)
      for (size_t From : Sizes)
        for (size_t To : Sizes) {
          void *P = Make(From);
          ASSERT_NE(P, nullptr);
          fill(P, From, 3);
          void *Q = Way(P, To);
          ASSERT_NE(Q, nullptr);
          EXPECT_TRUE(holds(Q, std::min(From, To), 3)) << From << "->" << To;
          fill(Q, To, 4);
          EXPECT_TRUE(holds(Q, To, 4));
          ek_free(Q);
        }
}

TEST(Calls, CallocZeroesReusedMemory) {
  for (int Round = 0; Round < 20; ++Round)
    for (size_t N : {Small, Large, size_t(3) << 20}) {
      auto *P = static_cast<unsigned char *>(
          Round % 2 ? ek_calloc(20, N, 1) : ek_calloc_at(21, 40, 1, N));
      ASSERT_NE(P, nullptr);
      for (size_t I = 0; I < N; ++I)
        ASSERT_EQ(P[I], 0) << I;
      memset(P, 0xff, N);
      free(P);
    }
}

// The C library calls realloc and free by their symbol versions.
TEST(Calls, TheCLibraryGrowsAndFreesOurBlocks) {
  for (size_t N : {Small, Large}) {
    std::string Text(2 * N, 'x');
    FILE *In = fmemopen(Text.data(), Text.size(), "r");
    ASSERT_NE(In, nullptr);
    size_t Room = N;
    auto *Line = static_cast<char *>(ek_malloc(25, Room));
    EXPECT_EQ(getline(&Line, &Room, In), static_cast<ssize_t>(2 * N));
    EXPECT_GT(Room, 2 * N);
    EXPECT_EQ(Line, Text);
    fclose(In);
    ek_free(Line);

    size_t Bytes = N;
    auto *Words = static_cast<char *>(ek_malloc(26, Bytes));
    memset(Words, 'w', Bytes - 1);
    Words[Bytes - 1] = 0;
    ASSERT_EQ(argz_add(&Words, &Bytes, "last"), 0);
    EXPECT_EQ(Bytes, N + 5);
    EXPECT_STREQ(Words + N, "last");
    while (Words)
      argz_delete(&Words, &Bytes, Words);
  }
}

TEST(Calls, ImpossibleSizesFailLikeLibc) {
  // Hidden from the compiler, which knows that these fail.
  volatile size_t Huge = SIZE_MAX / 2 + 2, Half = SIZE_MAX / 2;
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer's allocator ends the program instead";
#endif
#endif
  errno = 0;
  EXPECT_EQ(ek_calloc(30, Half, 3), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(ek_malloc(30, Huge), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  void *P = ek_malloc(30, Large);
  fill(P, Large, 1);
  errno = 0;
  EXPECT_EQ(ek_realloc(30, P, Huge), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(reallocarray(P, Half, 3), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_TRUE(holds(P, Large, 1)); // a failed realloc leaves the block alone
  free(P);
  void *Q = reinterpret_cast<void *>(16);
  errno = 0;
  EXPECT_EQ(ek_posix_memalign(30, &Q, 24, Large), EINVAL);
  EXPECT_EQ(ek_posix_memalign(30, &Q, 64, Huge), ENOMEM);
  EXPECT_EQ(Q, reinterpret_cast<void *>(16)); // unchanged on failure
}

TEST(Calls, ErrnoSurvivesSuccess) {
  errno = EDOM;
  void *P = ek_malloc(31, Large);
  EXPECT_EQ(errno, EDOM);
  free(P);
  EXPECT_EQ(errno, EDOM);
  ek_free(nullptr);
  free(nullptr);
  EXPECT_EQ(ek_usable_size(nullptr), 0u);
  EXPECT_EQ(malloc_usable_size(nullptr), 0u);
}

TEST(Calls, SizeZero) {
  void *A = ek_malloc(32, 0), *B = ek_malloc(32, 0);
  EXPECT_NE(A, nullptr);
  EXPECT_NE(A, B);
  free(A);
  ek_free(B);
  void *C = ek_calloc(32, 0, 8);
  EXPECT_NE(C, nullptr);
  free(C);
}

TEST(Calls, Alignment) {
  for (size_t Align = 16; Align <= (4u << 20); Align *= 2) {
    std::vector<void *> All;
    for (int I = 0; I < 3; ++I) {
      void *P =
          ek_aligned_alloc(33, Align, (Large + Align - 1) / Align * Align);
      ASSERT_NE(P, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % Align, 0u) << Align;
      fill(P, Large, 2);
      All.push_back(P);
      ASSERT_EQ(ek_posix_memalign(34, &P, Align, Large), 0);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % Align, 0u) << Align;
      All.push_back(P);
    }
    for (void *P : All)
      free(P);
  }
  for (void *P : {ek_valloc(36, Large), ek_pvalloc(37, Large), ek_valloc(38, 9),
                  ek_memalign(39, 4096, Large), ek_mm_malloc(39, 9, 4096)}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % 4096, 0u);
    free(P);
  }
#if !__has_feature(address_sanitizer) // it ends the program instead
  EXPECT_EQ(ek_mm_malloc(39, Large, 48), nullptr); // no power of two
#endif
  void *P = ek_malloc(35, Large);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % alignof(max_align_t), 0u);
  free(P);
}

struct Counted {
  static int Live, ThrowAt;
  char Bytes[512];
  Counted() {
    if (Live == ThrowAt)
      throw std::runtime_error("constructor");
    ++Live;
  }
  ~Counted() { --Live; }
};
int Counted::Live = 0, Counted::ThrowAt = -1;

TEST(New, ArraysGoToPlainDelete) {
  for (size_t N : {size_t(2), size_t(1000)}) {
    auto *A = new (ek::site(40)) Counted[N];
    EXPECT_EQ(Counted::Live, static_cast<int>(N));
    delete[] A;
    EXPECT_EQ(Counted::Live, 0);
    auto *B = new (ek::site(41, EK_FAST(37))) Counted[N];
    delete[] B;
    auto *C = new (ek::site(42)) double[N * 64];
    C[N * 64 - 1] = 1;
    delete[] C;
  }
  std::unique_ptr<double[]> U(new (ek::site(47)) double[1 << 20]);
  std::shared_ptr<double> S(new (ek::site(48)) double[1 << 20],
                            std::default_delete<double[]>());
  U[5] = S.get()[6] = 1;
  struct Big {
    char Bytes[1 << 20];
  };
  auto *D = new (ek::site(43)) Big;
  D->Bytes[0] = 1;
  delete D;
}

TEST(New, ThrowingConstructorGivesMemoryBack) {
  for (size_t N : {size_t(2), size_t(1000)}) {
    Counted::ThrowAt = static_cast<int>(N) - 1;
    EXPECT_THROW((void)new (ek::site(44)) Counted[N], std::runtime_error);
    EXPECT_EQ(Counted::Live, 0);
  }
  Counted::ThrowAt = 0;
  EXPECT_THROW((void)new (ek::site(45)) Counted, std::runtime_error);
  Counted::ThrowAt = -1;
}

TEST(New, NoMemoryThrowsTheProgramsBadAlloc) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer's allocator ends the program instead";
#endif
#endif
  volatile size_t N = SIZE_MAX / 4;
  EXPECT_THROW((void)new (ek::site(46)) char[N], std::bad_alloc);
}

TEST(Threads, Stress) {
  // Blocks are passed on, so that they end in another thread.
  constexpr int Threads = 4, Rounds = 1500;
  std::atomic<void *> Mail[16] = {};
  std::atomic<int> Wrong{0};
  std::vector<std::thread> All;
  for (int T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      unsigned Random = 12345u + static_cast<unsigned>(T);
      for (int R = 0; R < Rounds; ++R) {
        Random = Random * 1664525u + 1013904223u;
        size_t N = Random >> 31 ? 64 + (Random >> 22) % 1000
                                : 65536 + (Random >> 12) % 200000;
        auto *P = static_cast<size_t *>(ek_malloc(50 + (Random & 7), N));
        P[0] = N;
        P[N / sizeof(size_t) - 1] = ~N;
        if (R % 5 == 0) {
          N *= 2;
          size_t Old = P[0];
          P = static_cast<size_t *>(ek_realloc(60, P, N));
          if (P[0] != Old || P[Old / sizeof(size_t) - 1] != ~Old)
            ++Wrong;
          P[0] = N;
          P[N / sizeof(size_t) - 1] = ~N;
        }
        void *Old = Mail[(Random >> 5) & 15].exchange(P);
        if (Old) {
          auto *Q = static_cast<size_t *>(Old);
          if (Q[Q[0] / sizeof(size_t) - 1] != ~Q[0])
            ++Wrong;
          if (R & 1)
            free(Q);
          else
            ek_free(Q);
        }
        ek_sync(70, EK_SERIAL);
      }
    });
  for (std::thread &T : All)
    T.join();
  for (auto &M : Mail)
    free(M.load());
  EXPECT_EQ(Wrong, 0);
}

/// Another thread takes the memory of a shrinking block at once: its entries in
/// the object map must not be lost.
TEST(Threads, ShrinkWhileOthersAllocate) {
  std::vector<std::thread> All;
  for (int T = 0; T < 4; ++T)
    All.emplace_back([] {
      for (int I = 0; I < 20000; ++I) {
        void *P = ek_malloc(1, 1000000);
        P = ek_realloc(1, P, 100000);
        void *Q = ek_malloc(2, 400000);
        ek_free(Q);
        ek_free(P);
      }
    });
  for (std::thread &T : All)
    T.join();
}

TEST(Fork, ChildUsesAndFreesBothSides) {
  void *P = ek_malloc(80, Large), *Q = malloc(Large);
  fill(P, Large, 5);
  // If the runtime is disabled, the blocks are the sanitizer's own, and LLVM 19
  // does not hold the lock of its quarantine across a fork: no other thread may
  // be inside it then.
#if __has_feature(address_sanitizer)
  const bool Alone = getenv("EVENKEEL_DISABLE") != nullptr;
#else
  const bool Alone = false;
#endif
  std::mutex Inside;
  std::atomic<bool> Stop{false};
  std::thread Busy([&] { // holds the runtime's locks now and then
    while (!Stop) {
      std::unique_lock<std::mutex> Lock(Inside, std::defer_lock);
      if (Alone)
        Lock.lock();
      void *X = ek_malloc(81, Large);
      ek_free(X);
    }
  });
  for (int I = 0; I < 20; ++I) {
    if (Alone)
      Inside.lock();
    pid_t Child = fork();
    if (Alone && Child != 0)
      Inside.unlock();
    if (Child == 0) {
      if (!holds(P, Large, 5))
        _exit(1);
      free(P);
      free(Q);
      void *R = ek_calloc(82, Large, 1);
      R = realloc(R, 2 * Large);
      ek_free(R);
      ek_sync(83, EK_SERIAL);
      _exit(0);
    }
    int Status = -1;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  }
  Stop = true;
  Busy.join();
  EXPECT_TRUE(holds(P, Large, 5));
  free(P);
  ek_free(Q);
}

double Global[200000];

TEST(Globals, TwiceIsHarmless) {
  Global[7] = 7;
  ek_global(90, Global, sizeof Global);
  ek_global(90, Global, sizeof Global);
  EXPECT_EQ(Global[7], 7);
}

EK_GLOBAL(0x5bULL, Global)

int staticsOfFunction() {
  static double Field[20000];
  EK_STATIC(0x5cULL, Field)
  Field[19999] += 1;
  return static_cast<int>(Field[19999]);
}

TEST(Globals, FromTheSource) {
  EXPECT_EQ(staticsOfFunction(), 1);
  EXPECT_EQ(staticsOfFunction(), 2);
}

TEST(Mappings, BehaveLikeTheSystems) {
  const int Access = PROT_READ | PROT_WRITE;
  const int Kind = MAP_PRIVATE | MAP_ANONYMOUS;
  auto *P = static_cast<char *>(
      ek_mmap_at(95, EK_FAST(50), nullptr, Large, Access, Kind, -1, 0));
  ASSERT_NE(P, MAP_FAILED);
  fill(P, Large, 3);
  // A fixed mapping replaces a part of it.
  auto *Q = static_cast<char *>(
      ek_mmap(96, P, 8192, Access, Kind | MAP_FIXED, -1, 0));
  ASSERT_EQ(Q, P);
  EXPECT_EQ(P[0], 0);
  EXPECT_EQ(P[8192], static_cast<char>(8192 * 31 + 3));
  ASSERT_EQ(munmap(P + 8192, 4096), 0);
  EXPECT_EQ(ek_munmap(P, Large), 0); // holes are no error
  auto *M =
      static_cast<char *>(ek_mmap(97, nullptr, Large, Access, Kind, -1, 0));
  fill(M, Large, 4);
  M = static_cast<char *>(mremap(M, Large, 4 * Large, MREMAP_MAYMOVE));
  ASSERT_NE(M, MAP_FAILED);
  EXPECT_TRUE(holds(M, Large, 4));
  EXPECT_EQ(munmap(M, 4 * Large), 0);
}

TEST(Regions, UnmatchedIsHarmless) {
  ek_region_end(100);
  ek_region_begin(100);
  ek_region_begin(101);
  ek_region_end(101);
  ek_region_end(100);
  ek_region_begin(102);
}

} // namespace
