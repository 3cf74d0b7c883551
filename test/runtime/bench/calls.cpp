//===- calls.cpp - what allocation and hooks cost, against others ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test: nanoseconds for an allocation and its release, by the
// annotated calls, glibc's own, mimalloc's and memkind's, in one run; in turns,
// the minimum of seven rounds. Allocators that are not installed are named.
// "touched": one byte of each page is written, which is most of the cost of
// large blocks. Then hooks, regions, and the look-up that free() needs. Finally
// the same with two (emulated) tiers, where every large block has a plan, with
// freed extents kept and returned at once; and the cost of reporting values
// that a plan names.
//
//   ek-bench-calls
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

extern "C" void *__libc_malloc(size_t);
extern "C" void __libc_free(void *);

namespace {

struct Allocator {
  std::string Name;
  std::function<void *(size_t)> Get;
  std::function<void(void *)> Put;
};

std::vector<Allocator> allocators(bool Planned) {
  std::vector<Allocator> All;
  if (Planned)
    All = {{"all fast",
            [](size_t N) { return ek_malloc_at(1, EK_FAST(100), N); }, ek_free},
           {"37 % fast",
            [](size_t N) { return ek_malloc_at(2, EK_FAST(37), N); }, ek_free}};
  else
    All = {{"evenkeel", [](size_t N) { return ek_malloc(1, N); }, ek_free}};
  All.push_back({"glibc", __libc_malloc, __libc_free});
  if (void *L = dlopen("libmimalloc.so.2", RTLD_NOW | RTLD_LOCAL))
    All.push_back({"mimalloc",
                   reinterpret_cast<void *(*)(size_t)>(dlsym(L, "mi_malloc")),
                   reinterpret_cast<void (*)(void *)>(dlsym(L, "mi_free"))});
  else
    std::puts("mimalloc: not installed");
  if (void *L = dlopen("libmemkind.so.0", RTLD_NOW | RTLD_LOCAL)) {
    auto Get =
        reinterpret_cast<void *(*)(void *, size_t)>(dlsym(L, "memkind_malloc"));
    auto Put =
        reinterpret_cast<void (*)(void *, void *)>(dlsym(L, "memkind_free"));
    void *Kind = *static_cast<void **>(dlsym(L, "MEMKIND_DEFAULT"));
    All.push_back({"memkind", [=](size_t N) { return Get(Kind, N); },
                   [=](void *P) { Put(Kind, P); }});
  } else {
    std::puts("memkind: not installed");
  }
  return All;
}

template <class F> double nanoseconds(size_t Times, F Do) {
  auto Start = std::chrono::steady_clock::now();
  for (size_t I = 0; I < Times; ++I)
    Do();
  std::chrono::duration<double, std::nano> Span =
      std::chrono::steady_clock::now() - Start;
  return Span.count() / double(Times);
}

void row(const std::string &What, const std::vector<Allocator> &All,
         size_t Bytes, bool Touch) {
  std::vector<double> Best(All.size(), 1e18);
  const size_t Times = Bytes < 65536 ? 200000 : Touch ? 100 : 1000;
  for (int Round = 0; Round < 7; ++Round)
    for (size_t A = 0; A < All.size(); ++A)
      Best[A] = std::min(Best[A], nanoseconds(Times, [&] {
                           auto *P =
                               static_cast<volatile char *>(All[A].Get(Bytes));
                           for (size_t I = 0; Touch && I < Bytes; I += 4096)
                             P[I] = 1;
                           P[0] = 1;
                           All[A].Put(const_cast<char *>(P));
                         }));
  std::printf("%-20s", What.c_str());
  for (double B : Best)
    std::printf(" %10.0f", B);
  std::puts("");
}

template <class F> void one(const char *What, F Do) {
  double Best = 1e18;
  for (int Round = 0; Round < 7; ++Round)
    Best = std::min(Best, nanoseconds(200000, Do));
  std::printf("%-20s %10.0f\n", What, Best);
}

void large(const std::vector<Allocator> &All) {
  for (size_t KiB : {256, 4096}) {
    row(std::to_string(KiB) + " KiB", All, KiB << 10, false);
    row(std::to_string(KiB) + " KiB touched", All, KiB << 10, true);
  }
}

void head(const std::string &What, const std::vector<Allocator> &All) {
  std::printf("%-20s", What.c_str());
  for (const Allocator &A : All)
    std::printf(" %10s", A.Name.c_str());
  std::puts("");
}

// The runtime reads its options once, so this needs a separate process.
[[noreturn]] void again(const char *Self, const char *Retain) {
  setenv("EVENKEEL_TIERS", "fast=1GiB,slow=8GiB", 1);
  setenv("EVENKEEL_RETAIN", Retain, 1);
  std::fflush(stdout);
  execl("/proc/self/exe", Self, Retain, nullptr);
  std::perror("ek-bench-calls");
  std::exit(2);
}

void values(const char *What) {
  static long long I; // values that change in every phase are rare
  one(What, [] {
    ++I;
    EK_VALUES(4, EK_VALUE(10, I >> 12), EK_VALUE(11, 2), EK_VALUE(12, 3));
  });
}

/// The same process with a plan that names these values.
[[noreturn]] void againWithPlan(const char *Self) {
  char Path[] = "/tmp/ek-bench-calls.XXXXXX";
  FILE *Out = fdopen(mkstemp(Path), "w");
  std::fputs(
      "{\"schema\": \"evenkeel.plan/1\", \"program\": \"\", \"planner\": "
      "\"balanced\", \"model\": \"overlap\", \"machine\": \"any\", "
      "\"fast_bytes\": 1073741824, \"objects\": [], \"values\": [",
      Out);
  for (int V = 10; V < 13; ++V)
    std::fprintf(Out,
                 "%s{\"region\": \"%016x\", \"handed_as\": \"%016x\", "
                 "\"symbol\": \"%016x\", \"expected\": null}",
                 V > 10 ? ", " : "", 4, V, V + 10);
  std::fputs("],\n \"replan\": {\"base\": {}}\n}\n", Out);
  std::fclose(Out);
  setenv("EVENKEEL_PLAN", Path, 1);
  again(Self, "0");
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc > 1) {
    const bool Keeps = std::string(Argv[1]) != "0";
    const std::vector<Allocator> All = allocators(true);
    head(Keeps ? "two tiers" : "nothing kept", All);
    large(All);
    if (Keeps)
      again(Argv[0], "0");
    if (!std::getenv("EVENKEEL_PLAN"))
      againWithPlan(Argv[0]);
    unlink(std::getenv("EVENKEEL_PLAN"));
    values("three planned values");
    return 0;
  }
  const std::vector<Allocator> All = allocators(false);
  head("ns for a pair of", All);
  for (size_t Bytes : {24, 1024, 16384})
    row(std::to_string(Bytes) + " bytes", All, Bytes, false);
  large(All);
  one("hook (serial)", [] { ek_sync(2, EK_SERIAL); });
  one("hook (team)", [] { ek_sync(3, EK_TEAM); });
  one("region", [] {
    ek_region_begin(4);
    ek_region_end(4);
  });
  values("three values");
  void *P = ek_malloc(5, 1 << 20);
  one("usable size", [&] { return ek_usable_size(P); });
  ek_free(P);
  again(Argv[0], "64MiB");
}
