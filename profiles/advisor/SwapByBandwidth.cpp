//===- SwapByBandwidth.cpp - objects change places by bandwidth -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the advisor's third step, for the first two tiers, "DRAM" and "PMEM"
// here. Of process 1 it adds up, over time, the sampled accesses per time of
// live objects. Objects of PMEM that were allocated while PMEM was busy change
// places with objects of DRAM that were allocated while it was not.
// The thresholds are the original's.
//===----------------------------------------------------------------------===//
#include "Advisor.h"
#include "SortStably.h"
#include <algorithm>
#include <deque>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

using namespace evenkeel;
using namespace evenkeel::advisor;
using ecohmem::Allocation;

// Sampled accesses, times 1e12, per nanosecond of life.
static constexpr double Busy = 100000, RatherBusy = 30000, BusyIfStored = 20000;
static constexpr double HighInDram = 20 * Busy, HighInPmem = 10 * Busy;
static constexpr int64_t ManyInstances = 2;
static constexpr double DramLimit = 2.0 * 1024 * 1024 * 1024; // bytes
static constexpr int Unknown = -1; // level of objects without accesses
/// Most changes of one candidate's size by another object.
static constexpr uint64_t MostSteps = 2000000000;

namespace {

struct Instances {
  int64_t Total = 0, Together = 0, End = 0;
};

/// An allocation with what its object did.
struct Event {
  const Allocation *Of = nullptr;
  int Level = Unknown;
  int64_t Loads = 0, Stores = 0;
  double LoadRate = 0, StoreRate = 0;
  // What was seen when it was allocated.
  bool Fits = false, Thrashes = false, Streams = false, High = false;
  double PmemRate = 0, Over = 0;
};

/// An object that may change its tier, by its first such allocation.
struct Candidate {
  int64_t Id = 0, Alloc = 0, Free = 0, Stores = 0;
  double Bytes = 0, Over = 0;
  bool Done = false, SecondChance = false;
};

/// A list of candidates in the order in which they were found.
struct Candidates {
  std::vector<Candidate> List;
  std::unordered_map<int64_t, size_t> At;

  bool has(int64_t Id) const { return At.count(Id) != 0; }
  void set(const Event &E) {
    size_t I = At.emplace(E.Of->Object, List.size()).first->second;
    if (I == List.size())
      List.emplace_back();
    List[I] = {E.Of->Object, E.Of->AllocTime,     E.Of->FreeTime,
               E.Stores,     double(E.Of->Bytes), E.Over};
  }
  /// Indices by number of stores, the most first.
  std::vector<size_t> byStores() const {
    std::vector<size_t> Order(List.size());
    std::iota(Order.begin(), Order.end(), size_t(0));
    sortStably(Order, [&](size_t A, size_t B) {
      return List[A].Stores > List[B].Stores;
    });
    return Order;
  }
};

/// Finds the first candidate that lives long enough and is large enough.
class Finder {
  size_t Width = 1;
  std::vector<double> Free, Size;

public:
  static constexpr size_t None = SIZE_MAX;
  explicit Finder(size_t N) {
    while (Width < N)
      Width *= 2;
    Free.assign(2 * Width, -1e300);
    Size.assign(2 * Width, -1e300);
  }
  void set(size_t I, double FreeTime, double Bytes) {
    I += Width;
    Free[I] = FreeTime;
    Size[I] = Bytes;
    while (I /= 2) {
      Free[I] = std::max(Free[2 * I], Free[2 * I + 1]);
      Size[I] = std::max(Size[2 * I], Size[2 * I + 1]);
    }
  }
  void drop(size_t I) { set(I, -1e300, -1e300); }
  /// The first of [From, To) that is freed at \p Time or later and has at least
  /// \p Bytes.
  size_t next(size_t From, size_t To, double Time, double Bytes) const {
    return next(1, 0, Width, From, To, Time, Bytes);
  }

private:
  size_t next(size_t Node, size_t L, size_t R, size_t From, size_t To,
              double Time, double Bytes) const {
    if (To <= L || R <= From || Free[Node] < Time || Size[Node] < Bytes)
      return None;
    if (R - L == 1)
      return L;
    size_t Mid = (L + R) / 2;
    size_t Found = next(2 * Node, L, Mid, From, To, Time, Bytes);
    return Found != None ? Found
                         : next(2 * Node + 1, Mid, R, From, To, Time, Bytes);
  }
};

class Swap {
  const ecohmem::AllocsInfo &Allocs;
  Distribution &D;
  std::vector<Event> Events;
  std::unordered_map<int64_t, Instances> InstancesOf;
  std::vector<const Event *> InDram, InPmem; // of process 1, by time
  Candidates Dram, Pmem;
  std::unordered_set<int64_t> Streaming;           // leave DRAM
  std::unordered_set<int64_t> Replaced, Replacing; // leave DRAM, leave PMEM

  int64_t idOf(uint32_t I) const {
    auto It = Allocs.Objects.find(D.Objects[I].Stack);
    return It == Allocs.Objects.end() ? -1 : It->second;
  }
  MaybeError makeEvents();
  void countInstances();
  void followTime();
  void allocate(Event &E, double &DramBytes, double Dram[2], double Pmem[2],
                std::unordered_set<int64_t> &Overflown);
  MaybeError findCandidates();
  void exchange();
  MaybeError secondChance();
  MaybeError carryOut();

public:
  Swap(const ecohmem::AllocsInfo &Allocs, Distribution &D)
      : Allocs(Allocs), D(D) {}
  MaybeError run();
};

/// A list from which entries leave by their call stack: the first that is left
/// with the same one.
class StackList {
  const Distribution &D;
  std::vector<uint32_t> List;
  std::vector<bool> Gone;
  std::unordered_map<uint32_t, std::deque<size_t>> At; // by SameStack

public:
  StackList(const Distribution &D, const std::vector<uint32_t> &From) : D(D) {
    for (uint32_t I : From)
      append(I);
  }
  void append(uint32_t I) {
    At[D.Objects[I].SameStack].push_back(List.size());
    List.push_back(I);
    Gone.push_back(false);
  }
  bool remove(uint32_t I) {
    std::deque<size_t> &Same = At[D.Objects[I].SameStack];
    if (Same.empty())
      return false;
    Gone[Same.front()] = true;
    Same.pop_front();
    return true;
  }
  std::vector<uint32_t> left() const {
    std::vector<uint32_t> Out;
    for (size_t I = 0; I < List.size(); ++I)
      if (!Gone[I])
        Out.push_back(List[I]);
    return Out;
  }
};

} // namespace

MaybeError Swap::makeEvents() {
  // Of objects with one id the last of the first tier counts.
  std::unordered_map<int64_t, std::pair<int, uint32_t>> ObjectOf;
  for (size_t T = 0; T < D.InTier.size(); ++T)
    for (uint32_t I : D.InTier[T]) {
      auto [It, New] = ObjectOf.emplace(idOf(I), std::pair(int(T), I));
      if (!New && It->second.first == int(T))
        It->second.second = I;
    }
  Events.resize(Allocs.Allocations.size());
  for (size_t I = 0; I < Events.size(); ++I) {
    Event &E = Events[I];
    E.Of = &Allocs.Allocations[I];
    auto It = ObjectOf.find(E.Of->Object);
    if (It == ObjectOf.end())
      continue;
    E.Level = It->second.first;
    E.Loads = D.Objects[It->second.second].Loads;
    E.Stores = D.Objects[It->second.second].Stores;
    double Life = double(E.Of->FreeTime - E.Of->AllocTime);
    if ((E.Loads || E.Stores) && Life == 0)
      return Error{"allocation " + std::to_string(I) +
                   " of --allocs-info is freed when it is made, so it has no "
                   "bandwidth; --disable-bw-aware leaves this step out"};
    E.LoadRate = E.Loads ? double(E.Loads) * 1e12 / Life : 0;
    E.StoreRate = E.Stores ? double(E.Stores) * 1e12 / Life : 0;
  }
  return std::nullopt;
}

void Swap::countInstances() {
  for (const Event &E : Events) {
    if (E.Level != 0 && E.Level != 1)
      continue;
    Instances &N = InstancesOf[E.Of->Object];
    bool Overlaps = N.Total && E.Of->AllocTime < N.End;
    ++N.Total;
    N.Together = Overlaps ? N.Together + 1 : 1;
    N.End = E.Of->FreeTime;
  }
}

void Swap::allocate(Event &E, double &DramBytes, double Dram[2], double Pmem[2],
                    std::unordered_set<int64_t> &Overflown) {
  const int64_t Id = E.Of->Object;
  const double Bytes = double(E.Of->Bytes);
  auto N = InstancesOf.find(Id);
  bool Many = N != InstancesOf.end() && (N->second.Total > ManyInstances ||
                                         N->second.Together > ManyInstances);
  double *Rate = E.Level == 0 ? Dram : Pmem;
  if (E.Level == 0) {
    DramBytes += Bytes;
    InDram.push_back(&E);
  } else {
    if (E.Level != Unknown)
      InPmem.push_back(&E);
    if (DramBytes + Bytes > DramLimit) {
      E.Thrashes = true;
      E.Over = DramBytes < DramLimit ? Bytes - (DramLimit - DramBytes) : 0;
    }
  }
  Rate[0] += E.LoadRate;
  Rate[1] += E.StoreRate;
  E.PmemRate = Pmem[0];
  E.High = E.LoadRate >= (E.Level == 0 ? HighInDram : HighInPmem);
  if (E.Level != 0) {
    E.Streams = Many;
  } else if (DramBytes > DramLimit || Overflown.count(Id)) {
    Overflown.insert(Id);
    E.Thrashes = true;
  } else {
    E.Fits = true;
    E.Streams = Many;
  }
}

void Swap::followTime() {
  // At one time allocations come before ends, each in the order of the file.
  struct Point {
    int64_t Time;
    Event *E;
    bool Ends;
  };
  std::vector<Point> Points;
  Points.reserve(2 * Events.size());
  for (bool Ends : {false, true})
    for (Event &E : Events)
      if (E.Of->App == 1 && E.Of->Process == 1)
        Points.push_back({Ends ? E.Of->FreeTime : E.Of->AllocTime, &E, Ends});
  sortStably(Points,
             [](const Point &A, const Point &B) { return A.Time < B.Time; });
  double DramBytes = 0, DramRate[2] = {0, 0}, PmemRate[2] = {0, 0};
  std::unordered_set<int64_t> Overflown;
  for (const Point &P : Points) {
    Event &E = *P.E;
    if (!P.Ends) {
      allocate(E, DramBytes, DramRate, PmemRate, Overflown);
      continue;
    }
    if (E.Level == 0)
      DramBytes -= double(E.Of->Bytes);
    double *Rate = E.Level == 0 ? DramRate : PmemRate;
    if (Rate[0] != 0)
      Rate[0] -= E.LoadRate;
    if (Rate[1] != 0)
      Rate[1] -= E.StoreRate;
  }
}

MaybeError Swap::findCandidates() {
  for (const Event *E : InDram) {
    if (!E->Fits || !(E->PmemRate < RatherBusy))
      continue;
    if (!Dram.has(E->Of->Object))
      Dram.set(*E);
    if (E->Streams && E->High && E->Stores == 0)
      Streaming.insert(E->Of->Object);
  }
  for (const Event *E : InPmem) {
    bool Wanted = (E->Thrashes && E->PmemRate > RatherBusy) ||
                  (E->Loads > 0 && E->PmemRate > Busy) ||
                  (E->Loads > 0 && E->Stores > 0 && E->PmemRate > BusyIfStored);
    bool Streams = E->Streams && E->High && E->Stores == 0;
    if (!(Wanted && !Pmem.has(E->Of->Object)) && !Streams)
      continue;
    if (!InstancesOf.count(E->Of->Object))
      return Error{"an object of the third tier has a high bandwidth; with "
                   "more than two tiers use --disable-bw-aware"};
    Pmem.set(*E);
  }
  return std::nullopt;
}

void Swap::exchange() {
  // DRAM's candidates are in the order of their allocation.
  Finder Left(Dram.List.size());
  for (size_t I = 0; I < Dram.List.size(); ++I)
    Left.set(I, double(Dram.List[I].Free), Dram.List[I].Bytes);
  size_t FirstHalfUsed = Finder::None;
  for (size_t P : Pmem.byStores()) {
    Candidate &C = Pmem.List[P];
    size_t Living =
        size_t(std::upper_bound(
                   Dram.List.begin(), Dram.List.end(), C.Alloc,
                   [](int64_t T, const Candidate &X) { return T < X.Alloc; }) -
               Dram.List.begin());
    size_t Match = Left.next(0, Living, double(C.Alloc), C.Bytes);
    // What stands before the match was looked at, and is remembered.
    if (Left.next(0, std::min(Living, Match), double(C.Alloc), -1e300) !=
        Finder::None)
      C.SecondChance = true;
    if (FirstHalfUsed < Match) {
      C.SecondChance = true;
      C.Over = C.Bytes;
    }
    if (Match == Finder::None)
      continue;
    Candidate &X = Dram.List[Match];
    Replaced.insert(X.Id);
    Replacing.insert(C.Id);
    X.Done = true;
    X.Bytes -= C.Bytes;
    Left.drop(Match);
    if (X.Bytes > 0)
      FirstHalfUsed = std::min(FirstHalfUsed, Match);
  }
}

MaybeError Swap::secondChance() {
  Finder Left(Dram.List.size());
  auto Offer = [&](size_t I) {
    const Candidate &X = Dram.List[I];
    if (X.Bytes > 0)
      Left.set(I, double(X.Free), X.Bytes * double(InstancesOf[X.Id].Total));
    else
      Left.drop(I);
  };
  for (size_t I = 0; I < Dram.List.size(); ++I)
    Offer(I);
  uint64_t Steps = 0;
  for (size_t P : Pmem.byStores()) {
    const Candidate &C = Pmem.List[P];
    if (!C.SecondChance || !(C.Over > 0))
      continue;
    for (size_t I = 0;; ++I) {
      I = Left.next(I, Dram.List.size(), double(C.Alloc), C.Over);
      if (I == Finder::None || Dram.List[I].Alloc > C.Alloc)
        break;
      if (++Steps > MostSteps)
        return Error{"the bandwidth step takes more than 2e9 comparisons for "
                     "so many objects; --disable-bw-aware leaves it out"};
      Candidate &X = Dram.List[I];
      if (X.Bytes < C.Over * double(InstancesOf[C.Id].Total))
        X.Bytes = 0;
      else
        X.Bytes -= C.Over / double(InstancesOf[X.Id].Total);
      Offer(I);
      Replacing.insert(C.Id);
    }
  }
  return std::nullopt;
}

MaybeError Swap::carryOut() {
  StackList First(D, D.InTier[0]), Second(D, D.InTier[1]);
  for (uint32_t I : D.InTier[0])
    for (const auto *Leaving : {&Replaced, &Streaming})
      if (Leaving->count(idOf(I))) {
        if (!First.remove(I))
          return Error{"an object would leave DRAM twice, as one that streams "
                       "and as one that another replaces; the original ends "
                       "here too; --disable-bw-aware leaves this step out"};
        Second.append(I);
      }
  for (uint32_t I : Second.left())
    if (Replacing.count(idOf(I))) {
      Second.remove(I);
      First.append(I);
    }
  D.InTier[0] = First.left();
  D.InTier[1] = Second.left();
  return std::nullopt;
}

MaybeError Swap::run() {
  if (D.Tiers.size() < 2)
    return Error{"the bandwidth step needs two tiers; --disable-bw-aware "
                 "leaves it out"};
  if (MaybeError E = makeEvents())
    return E;
  countInstances();
  followTime();
  if (MaybeError E = findCandidates())
    return E;
  exchange();
  if (MaybeError E = secondChance())
    return E;
  return carryOut();
}

MaybeError advisor::swapByBandwidth(const ecohmem::AllocsInfo &Allocs,
                                    Distribution &D) {
  return Swap(Allocs, D).run();
}
