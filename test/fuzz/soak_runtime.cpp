//===- soak_runtime.cpp - random calls of the runtime by many threads -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// soak_runtime [--seconds S | --operations N] [--threads T] [--seed N]
//              [--moves N]    the plan changes in each of so many phases
// Knows: the public interface only. Threads share slots that hold blocks; who
// holds a slot checks the block's content and resizes, frees or leaves it, by
// ours or libc's functions alike. Between them come hooks, regions and globals.
// Threads end and are replaced, so that creators change.
// Leaves out: empty blocks under ThreadSanitizer, and forks.
// Makes: counts by kind of call, and the seed that repeats one thread's choices
// (not the interleaving). The first block that does not hold ends the run.
//===----------------------------------------------------------------------===//
#if defined(__SANITIZE_THREAD__)
#define EK_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EK_TSAN
#endif
#endif
#include "evenkeel/ek.h"
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Slot {
  std::mutex M;
  unsigned char *P = nullptr;
  size_t N = 0;
  unsigned char Seed = 0;
  bool IsNew = false; // ends with delete[]
};

constexpr unsigned SlotCount = 192, Sites = 12, PerLife = 4000;
Slot Slots[SlotCount];
unsigned char Globals[4][300000];
std::atomic<uint64_t> Left{0};
uint64_t TheSeed = 0;

enum Call { Allocate, Resize, Free, Check, Hook, Region, Global, CallCount };
const char *const CallNames[] = {"allocate", "resize", "free",  "check",
                                 "hook",     "region", "global"};
std::atomic<uint64_t> Done[CallCount];

[[noreturn]] void broken(const char *What, size_t At, size_t N) {
  std::fprintf(stderr,
               "soak_runtime: %s at byte %zu of %zu; seed %" PRIu64 "\n", What,
               At, N, TheSeed);
  std::abort();
}

/// Every byte of a small block; of a large one its start, a few per page, the
/// same ones whatever the size, and with \p End its last bytes.
template <typename F> void eachByte(size_t N, bool End, F Do) {
  for (size_t I = 0; I < N; I += I < 502 ? 1 : 251)
    Do(I);
  for (size_t I = N > 64 ? N - 64 : 0; End && I < N; ++I)
    Do(I);
}
unsigned char expected(size_t I, unsigned char Seed) {
  return static_cast<unsigned char>(I * 31 + (I >> 12) + Seed);
}

class Worker {
  std::mt19937_64 R;
  unsigned Index;
  unsigned Depth = 0;

public:
  Worker(uint64_t Seed, unsigned Index) : R(Seed), Index(Index) {}

  void live() {
    for (unsigned I = 0; I < PerLife; ++I) {
      // Operations are dealt out, so that a count is exact.
      uint64_t Have = Left.load();
      do {
        if (!Have)
          break;
      } while (!Left.compare_exchange_weak(Have, Have - 1));
      if (!Have)
        break;
      step();
    }
    while (Depth)
      ek_region_end(Depth--);
  }

private:
  uint64_t pick(uint64_t Below) { return R() % Below; }
  void count(Call C) { Done[C].fetch_add(1, std::memory_order_relaxed); }

  size_t size() {
    switch (pick(16)) {
    case 0:
#ifdef EK_TSAN
      return 1; // its usable size of an empty block is a byte it then reports
#else
      return pick(2);
#endif
    case 1:
      return size_t(1) << pick(21); // whole pages and granules
    case 2:
      return (size_t(1) << (12 + pick(9))) - 1 + pick(3);
    default:
      return size_t(1) + (R() >> (43 + pick(20))); // up to 1 MiB
    }
  }

  void fill(Slot &S, size_t From) {
    S.Seed = From ? S.Seed : static_cast<unsigned char>(R());
    eachByte(S.N, true, [&](size_t I) { S.P[I] = expected(I, S.Seed); });
  }
  void check(const Slot &S, size_t N) {
    eachByte(N, N == S.N, [&](size_t I) {
      if (S.P[I] != expected(I, S.Seed))
        broken("content changed", I, N);
    });
  }

  void allocate(Slot &S) {
    size_t N = size(), Align = alignof(max_align_t);
    uint64_t Site = 1 + pick(Sites);
    unsigned Fast = unsigned(pick(101));
    void *P = nullptr;
    bool Zero = false;
    S.IsNew = false;
    switch (pick(10)) {
    case 0:
      P = ek_malloc(Site, N);
      break;
    case 1:
      P = ek_malloc_at(Site, Fast, N);
      break;
    case 2:
      P = ek_calloc(Site, 1 + pick(4), N / 4 + 1); // at least N of it
      N = N / 4 + 1;
      Zero = true;
      break;
    case 3:
      P = ek_calloc_at(Site, Fast, N, 1);
      Zero = true;
      break;
    case 4:
      P = ek_realloc(Site, nullptr, N);
      break;
    case 5:
      Align = size_t(16) << pick(10);
      N = (N + Align - 1) / Align * Align;
      P = ek_aligned_alloc(Site, Align, N);
      break;
    case 6:
      Align = size_t(8) << pick(14);
      if (ek_posix_memalign_at(Site, Fast, &P, Align, N))
        P = nullptr;
      break;
    case 7:
      P = malloc(N);
      break;
    case 8:
      P = new (ek::site(Site, Fast)) unsigned char[N];
      S.IsNew = true;
      break;
    default:
      P = ek_posix_memalign(Site, &P, 4096, N) ? nullptr : P;
      Align = 4096;
    }
    if (!P && N)
      broken("no block", 0, N);
    if (reinterpret_cast<uintptr_t>(P) % Align)
      broken("block is not aligned", Align, N);
    S.P = static_cast<unsigned char *>(P);
    S.N = N;
    if (Zero)
      eachByte(N, true, [&](size_t I) {
        if (S.P[I])
          broken("calloc's block is not zero", I, N);
      });
    fill(S, 0);
    count(Allocate);
  }

  void resize(Slot &S) {
    size_t N = size() + 1, Kept = N < S.N ? N : S.N;
    void *P = pick(2) ? ek_realloc(1 + pick(Sites), S.P, N) : realloc(S.P, N);
    if (!P)
      broken("no larger block", 0, N);
    S.P = static_cast<unsigned char *>(P);
    check(S, Kept);
    S.N = N;
    fill(S, 1);
    count(Resize);
  }

  void release(Slot &S) {
    if (S.IsNew)
      delete[] S.P;
    else if (pick(2))
      ek_free(S.P);
    else
      free(S.P);
    S.P = nullptr;
    count(Free);
  }

  void step() {
    unsigned What = unsigned(pick(64));
    if (What == 0) {
      ek_sync(100, EK_TEAM);
      if (Index == 0)
        ek_sync(101, EK_SERIAL);
      return count(Hook);
    }
    if (What < 4) {
      if (Depth < 3 && pick(2))
        ek_region_begin(++Depth);
      else if (Depth)
        ek_region_end(Depth--);
      return count(Region);
    }
    if (What == 4) {
      unsigned G = unsigned(pick(4));
      ek_global(200 + G, Globals[G], sizeof Globals[G]);
      return count(Global);
    }
    Slot &S = Slots[pick(SlotCount)];
    std::lock_guard<std::mutex> Hold(S.M);
    if (!S.P)
      return allocate(S);
    check(S, S.N);
    size_t Usable = pick(2) ? ek_usable_size(S.P) : malloc_usable_size(S.P);
    if (Usable < S.N)
      broken("usable size is too small", Usable, S.N);
    count(Check);
    unsigned Next = unsigned(pick(8));
    if (Next < 3)
      release(S);
    else if (Next < 5 && !S.IsNew)
      resize(S);
  }
};

uint64_t number(int Argc, char **Argv, const char *Name, uint64_t Default) {
  for (int I = 1; I + 1 < Argc; ++I)
    if (std::strcmp(Argv[I], Name) == 0)
      return std::strtoull(Argv[I + 1], nullptr, 10);
  return Default;
}

/// The plan of the environment with \p Moves changes, in a file of its own
/// under which this program starts again: plans are read before main.
void startAgainMoving(uint64_t Moves, char **Argv) {
  const char *Plan = std::getenv("EVENKEEL_PLAN");
  std::ifstream In(Plan ? Plan : "");
  std::string Text((std::istreambuf_iterator<char>(In)),
                   std::istreambuf_iterator<char>());
  const size_t End = Text.rfind('}');
  if (End == std::string::npos)
    broken("no plan to change", 0, 0);
  std::string Path = "soak-plan." + std::to_string(getpid()) + ".json";
  std::ofstream Out(Path);
  Out << Text.substr(0, End) << ", \"changes\": [";
  for (uint64_t I = 0; I < Moves; ++I)
    Out << (I ? ",\n" : "\n") << "{\"phase\": " << I + 1
        << ", \"objects\": [{\"site\": \"000000000000000" << 1 + I % 3
        << "\", \"creator\": null, \"ordinal\": null, \"share\": "
        << double(I * 7 % 5) / 4 << ", \"ranges\": [], \"gain_s\": 5}]}";
  Out << "]}\n";
  Out.close();
  setenv("EVENKEEL_PLAN", Path.c_str(), 1);
  setenv("EK_SOAK_MOVES", Path.c_str(), 1);
  execv("/proc/self/exe", Argv);
  broken("cannot start again", 0, 0);
}

} // namespace

int main(int Argc, char **Argv) {
  const uint64_t Moves = number(Argc, Argv, "--moves", 0);
  if (const char *Made = std::getenv("EK_SOAK_MOVES"))
    unlink(Made);
  else if (Moves)
    startAgainMoving(Moves, Argv);
  TheSeed = number(Argc, Argv, "--seed", std::random_device()());
  uint64_t Operations = number(Argc, Argv, "--operations", 0);
  const char *Environment = std::getenv("EVENKEEL_FUZZ_SECONDS");
  uint64_t Seconds =
      number(Argc, Argv, "--seconds",
             Environment ? std::strtoull(Environment, nullptr, 10) : 60);
  uint64_t Threads = number(Argc, Argv, "--threads", 8);
  std::printf("seed %" PRIu64 "\n", TheSeed);
  std::fflush(stdout);
  auto End = std::chrono::steady_clock::now() + std::chrono::seconds(Seconds);
  Left = Operations ? Operations : UINT64_MAX;
  uint64_t Seed = TheSeed;
  do {
    std::vector<std::thread> Team;
    for (unsigned T = 0; T < Threads; ++T)
      Team.emplace_back([Seed, T] { Worker(Seed * 1000 + T, T).live(); });
    for (std::thread &T : Team)
      T.join();
    ++Seed;
  } while (Left && (Operations || std::chrono::steady_clock::now() < End));
  for (Slot &S : Slots)
    if (S.P) {
      if (S.IsNew)
        delete[] S.P;
      else
        ek_free(S.P);
    }
  uint64_t All = 0;
  std::string By;
  for (unsigned C = 0; C < CallCount; ++C) {
    All += Done[C];
    By += std::string(C ? ", " : "") + std::to_string(Done[C]) + " " +
          CallNames[C];
  }
  std::printf("soaked: runtime: %" PRIu64 " calls by %" PRIu64
              " threads (%s), seed %" PRIu64 "\n",
              All, Threads, By.c_str(), TheSeed);
  return 0;
}
