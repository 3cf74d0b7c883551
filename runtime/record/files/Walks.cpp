//===- Walks.cpp - measuring how accesses walk ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Walks.h. Each thread has tables of its own.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Walks.h"
#include "core/text.h"
#include "record/abi/record_abi.h"
#include "record/host/Report.h"
#include "record/tasks/Frame.h"
#include "record/tasks/Recorder.h"
#include <cstdio>
#include <cstdlib>

using namespace ekrec;

extern "C" {
extern __thread uint64_t __ek_rec_passed[2 * EK_REC_PASSED]
    __attribute__((tls_model("initial-exec")));
__thread uint64_t __ek_rec_passed[2 * EK_REC_PASSED];
}

namespace {

constexpr unsigned Counters = 16;

struct Walk { // one access at one site
  Walk *Next; // the next one of the same access
  uint64_t Access, Site;
  bool Large;
  uint32_t Task; // of the last execution
  uint64_t Last, LastClock, LastDepth;
  uint64_t Times, Pairs, Near, Fresh, Grown;
  int64_t Delta[Counters];
  uint64_t Count[Counters]; // 0: free
};

struct Load {
  uint64_t Value, Stamp;
};

struct Tables { // per thread
  Tables *Next;
  uint64_t Clock;
  Vec<Walk *> ByAccess;
  Vec<Load> Loads;
};

} // namespace

static std::atomic<Tables *> AllTables;
static __thread Tables *Mine;
static uint64_t NumAccesses, NumLoads;
static Vec<const ek_rec_walk *> Claims; // by number - 1

static Tables *mine() {
  if (__builtin_expect(Mine != nullptr, 1))
    return Mine;
  auto *T = static_cast<Tables *>(reservePages(sizeof(Tables)));
  if (!T || !T->ByAccess.resize(NumAccesses + 1) ||
      !T->Loads.resize(NumLoads + 1)) {
    count(Why::NoMemory);
    return nullptr;
  }
  T->Next = AllTables.load();
  while (!AllTables.compare_exchange_weak(T->Next, T)) {
  }
  return Mine = T;
}

static Walk *walkOf(Tables &T, uint64_t Access, uint64_t Site, bool Large) {
  Walk *&First = T.ByAccess[Access];
  for (Walk *W = First; W; W = W->Next)
    if (W->Site == Site && W->Large == Large)
      return W;
  static __thread char *Free, *End;
  if (static_cast<size_t>(End - Free) < sizeof(Walk)) {
    size_t Bytes = sizeof(Walk) * 256;
    Free = static_cast<char *>(reservePages(Bytes));
    if (!Free) {
      End = nullptr;
      count(Why::NoMemory);
      return nullptr;
    }
    End = Free + Bytes;
  }
  auto *W = reinterpret_cast<Walk *>(Free); // zeroed
  Free += sizeof(Walk);
  W->Access = Access;
  W->Site = Site;
  W->Large = Large;
  W->Next = First;
  return First = W;
}

/// Counts \p Times occurrences of \p Delta; without a free counter, all
/// counters are reduced.
static void countDelta(Walk &W, int64_t Delta, uint64_t Times) {
  unsigned Free = Counters;
  for (unsigned I = 0; I < Counters; ++I) {
    if (W.Count[I] && W.Delta[I] == Delta) {
      W.Count[I] += Times;
      return;
    }
    if (!W.Count[I])
      Free = I;
  }
  if (Free < Counters) {
    W.Delta[Free] = Delta;
    W.Count[Free] = Times;
    return;
  }
  uint64_t Least = Times;
  for (uint64_t N : W.Count)
    Least = N < Least ? N : Least;
  for (uint64_t &N : W.Count)
    N -= Least;
  if (Times > Least)
    countDelta(W, Delta, Times - Least);
}

static void note(uint64_t Access, uintptr_t Address, uint64_t Depth,
                 uint64_t Stamp) {
  ThreadState &State_ = State;
  Tables *T = mine();
  uint64_t C = canonical(Address);
  uint32_t N = C && State_.Current && !closed() ? lookup(C).Instance : 0;
  if (!T || !N)
    return;
  ++T->Clock;
  const Instance &Object = TheSpace.Table[N];
  if (Object.Start && C - Object.Start >= Object.Bytes)
    return; // a small static variable on the same page
  bool Large = Object.Start && Object.Bytes >= LargeBytes;
  Walk *W = walkOf(*T, Access, Object.Site, Large);
  if (!W)
    return;
  uint32_t Task = State_.Current->First;
  if (W->Task == Task) {
    ++W->Pairs;
    int64_t Delta = static_cast<int64_t>(C - W->Last);
    W->Near += Delta && Delta >= -int64_t(LineBytes) && Delta <= LineBytes;
    W->Fresh += Stamp > W->LastClock;
    W->Grown += Depth > W->LastDepth;
    countDelta(*W, Delta, 1);
  }
  ++W->Times;
  W->Task = Task;
  W->Last = C;
  W->LastClock = T->Clock;
  W->LastDepth = Depth;
}

extern "C" void __ek_rec_walks(ek_rec_walk *Accesses, uint64_t N,
                               uint64_t *Loads, uint64_t NLoads) {
  // Constructors run one after the other, before any thread has tables.
  for (uint64_t I = 0; I < N; ++I) {
    Accesses[I].number = ++NumAccesses;
    Claims.push(&Accesses[I]);
  }
  for (uint64_t I = 0; I < NLoads; ++I)
    Loads[I] = ++NumLoads;
}

extern "C" void __ek_rec_walk(const ek_rec_walk *Access, uintptr_t Address,
                              uint64_t, uint64_t Depth, uint64_t Stamp) {
  note(Access->number, Address, Depth, Stamp);
}

extern "C" void __ek_rec_walk_range(const ek_rec_walk *Access,
                                    uintptr_t Address, uint64_t Bytes,
                                    uint64_t Depth, uint64_t Stamp) {
  for (uint64_t At = Address; At < Address + Bytes;
       At = (At | (LineBytes - 1)) + 1)
    note(Access->number, At, Depth, Stamp);
}

extern "C" uint64_t __ek_rec_loaded(const uint64_t *Number, uint64_t Value) {
  Tables *T = mine();
  if (!T || *Number >= T->Loads.size())
    return 0;
  Load &L = T->Loads[*Number];
  if (L.Value != Value || !L.Stamp)
    L = {Value, ++T->Clock};
  return L.Stamp;
}

/// Adds the counts of \p From.
static void merge(Walk &Into, const Walk &From) {
  Into.Times += From.Times;
  Into.Pairs += From.Pairs;
  Into.Near += From.Near;
  Into.Fresh += From.Fresh;
  Into.Grown += From.Grown;
  for (unsigned I = 0; I < Counters; ++I)
    if (From.Count[I])
      countDelta(Into, From.Delta[I], From.Count[I]);
}

static void write(FILE *Out, const Walk &W) {
  auto N = [](uint64_t V) { return static_cast<unsigned long long>(V); };
  fprintf(Out,
          "{\"claim\": %s, \"site\": \"%016llx\", \"large\": %s, \"times\": "
          "%llu, \"pairs\": %llu, \"near\": %llu, \"fresh\": %llu, \"grown\": "
          "%llu, \"deltas\": [",
          Claims[W.Access - 1]->claim, N(W.Site), W.Large ? "true" : "false",
          N(W.Times), N(W.Pairs), N(W.Near), N(W.Fresh), N(W.Grown));
  unsigned Order[Counters], Used = 0;
  for (unsigned I = 0; I < Counters; ++I) {
    if (!W.Count[I])
      continue;
    unsigned At = Used++;
    for (; At && (W.Count[Order[At - 1]] < W.Count[I] ||
                  (W.Count[Order[At - 1]] == W.Count[I] &&
                   W.Delta[Order[At - 1]] > W.Delta[I]));
         --At)
      Order[At] = Order[At - 1];
    Order[At] = I;
  }
  for (unsigned K = 0; K < Used; ++K)
    fprintf(Out, "%s[%lld, %llu]", K ? ", " : "",
            static_cast<long long>(W.Delta[Order[K]]), N(W.Count[Order[K]]));
  fprintf(Out, "]}\n");
}

bool ekrec::writeWalks() {
  if (!NumAccesses)
    return false;
  const char *Path = getenv("EVENKEEL_WALKS");
  char FromStart[4096];
  FILE *Out =
      Path && *Path && ek_text_from_start(FromStart, sizeof FromStart, Path)
          ? fopen(FromStart, "w")
          : nullptr;
  if (!Out) {
    report("cannot write the file named by EVENKEEL_WALKS");
    return true;
  }
  Tables All = {};
  All.ByAccess.resize(NumAccesses + 1);
  for (Tables *T = AllTables.load(); T; T = T->Next)
    for (Walk *First : T->ByAccess)
      for (const Walk *W = First; W; W = W->Next)
        if (Walk *Into = walkOf(All, W->Access, W->Site, W->Large))
          merge(*Into, *W);
  for (Walk *First : All.ByAccess) {
    Walk *Sorted = nullptr; // by site, small blocks first
    while (First) {
      Walk *W = First, **At = &Sorted;
      First = W->Next;
      while (*At && ((*At)->Site < W->Site ||
                     ((*At)->Site == W->Site && (*At)->Large < W->Large)))
        At = &(*At)->Next;
      W->Next = *At;
      *At = W;
    }
    for (; Sorted; Sorted = Sorted->Next)
      write(Out, *Sorted);
  }
  if (fclose(Out))
    report("cannot write '%s' completely", Path);
  return true;
}
