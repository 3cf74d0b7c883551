//===- Advisor.cpp - objects, their values, and greedy packing ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the advisor's reading of histograms, values of objects, and its three
// ways of filling a tier.
// Not here: the two refinements, in files of their own; output (Result.cpp).
//===----------------------------------------------------------------------===//
#include "Advisor.h"
#include "SortStably.h"
#include "format/ecohmem/Numbers.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

using namespace evenkeel;
using namespace evenkeel::advisor;
using ecohmem::Histogram;

using Ids = std::vector<uint32_t>;

/// Of the table of --algo precise, objects times pages.
static constexpr double MostCells = 2e9;

static Expected<int64_t> pagesOf(double Bytes, int64_t PageBytes) {
  double Pages = std::ceil(Bytes / double(PageBytes));
  if (!(std::fabs(Pages) < 0x1p62))
    return Error{"a size of more than 2^62 pages"};
  return int64_t(Pages);
}

Expected<std::vector<Tier>>
advisor::tiersOf(const std::vector<ecohmem::MemoryTier> &Config,
                 const Options &O) {
  std::vector<Tier> Tiers;
  for (const ecohmem::MemoryTier &C : Config) {
    Tier T;
    T.Name = C.Name;
    T.Allocator = C.Allocator;
    T.LoadWeight = C.LoadWeight;
    T.StoreWeight = C.StoreWeight;
    T.Bytes = double(C.Bytes);
    if (O.Ranks) {
      T.Bytes /= double(*O.Ranks);
      T.WholeBytes = false;
    }
    Expected<int64_t> Pages = pagesOf(T.Bytes, O.PageBytes);
    if (!Pages)
      return Error{"tier " + C.Name + ": " + Pages.message()};
    T.Pages = *Pages;
    Tiers.push_back(T);
  }
  return Tiers;
}

/// Removes the columns \p Gone (rising) of \p H.
static MaybeError dropColumns(Histogram &H, const std::vector<size_t> &Gone,
                              const char *Name) {
  if (!Gone.empty() && Gone.back() >= H.Stacks.size())
    return Error{std::string(Name) + " has fewer objects than sizes"};
  Histogram Kept;
  size_t Next = 0;
  for (size_t I = 0; I < H.Stacks.size(); ++I) {
    if (Next < Gone.size() && Gone[Next] == I) {
      ++Next;
      continue;
    }
    Kept.Stacks.push_back(std::move(H.Stacks[I]));
    Kept.Cells.push_back(std::move(H.Cells[I]));
  }
  H = std::move(Kept);
  return std::nullopt;
}

/// Of each stack its first column.
static std::unordered_map<std::string, size_t> columnsOf(const Histogram &H) {
  std::unordered_map<std::string, size_t> Out;
  for (size_t I = 0; I < H.Stacks.size(); ++I)
    Out.emplace(H.Stacks[I], I);
  return Out;
}

MaybeError advisor::readObjects(Histogram Loads, Histogram Sizes,
                                const Histogram *GivenStores, int64_t PageBytes,
                                Distribution &Out) {
  std::vector<size_t> Empty;
  for (size_t I = 0; I < Sizes.Cells.size(); ++I) {
    std::optional<double> Size = ecohmem::readFloat(Sizes.Cells[I]);
    if (!Size)
      return Error{"the size of object " + std::to_string(I + 1) +
                   " is no number"};
    if (*Size == 0)
      Empty.push_back(I);
  }
  Histogram Stores = GivenStores ? *GivenStores : Histogram();
  if (GivenStores)
    if (MaybeError E = dropColumns(Stores, Empty, "the histogram of stores"))
      return E;
  if (MaybeError E = dropColumns(Loads, Empty, "the histogram of loads"))
    return E;
  if (MaybeError E = dropColumns(Sizes, Empty, "the histogram of sizes"))
    return E;
  if (Loads.Stacks.size() != Sizes.Stacks.size() ||
      (GivenStores && Stores.Stacks.size() != Sizes.Stacks.size()))
    return Error{"the histograms of loads, stores and sizes do not list the "
                 "same number of objects"};

  auto SizeAt = columnsOf(Sizes), StoresAt = columnsOf(Stores);
  std::unordered_map<std::string, uint32_t> Stacks;
  // A size or a number of stores that cannot be read counts as 0.
  auto Figure = [](const Histogram &H,
                   const std::unordered_map<std::string, size_t> &At,
                   const std::string &Stack) {
    auto It = At.find(Stack);
    return It == At.end()
               ? 0
               : ecohmem::wholePart(ecohmem::readFloat(H.Cells[It->second]))
                     .value_or(0);
  };
  for (size_t I = 0; I < Loads.Stacks.size(); ++I) {
    Object O;
    O.Stack = Loads.Stacks[I];
    auto N = ecohmem::wholePart(ecohmem::readFloat(Loads.Cells[I]));
    if (!N)
      return Error{"the number of loads of object " + std::to_string(I + 1) +
                   " is no number below 2^62"};
    O.Loads = *N;
    O.Bytes = Figure(Sizes, SizeAt, O.Stack);
    O.Stores = Figure(Stores, StoresAt, O.Stack);
    Expected<int64_t> Pages = pagesOf(double(O.Bytes), PageBytes);
    if (!Pages)
      return Error{"object " + std::to_string(I + 1) + ": " + Pages.message()};
    O.Pages = *Pages;
    if (O.Stack == "Unresolved" ||
        O.Stack.find("Memory object referenced by sampled address") !=
            std::string::npos)
      continue;
    if ((O.Loads > 0 || O.Stores > 0) && O.Bytes > 0) {
      O.SameStack = Stacks.emplace(O.Stack, Stacks.size()).first->second;
      Out.Objects.push_back(std::move(O));
    } else {
      Out.Useless.push_back(std::move(O));
    }
  }
  return std::nullopt;
}

MaybeError advisor::weighObjects(const Options &O, Distribution &D) {
  const size_t Tiers = D.Tiers.size() - 1;
  for (Object &X : D.Objects) {
    X.Value.assign(Tiers, 0);
    for (size_t T = 0; T < Tiers; ++T) {
      const Tier &Next = D.Tiers[T + 1];
      __int128 Cost = O.ByMisses ? __int128(X.Loads) + X.Stores
                                 : __int128(X.Loads) * Next.LoadWeight +
                                       __int128(X.Stores) * Next.StoreWeight;
      if (!X.Pages)
        return Error{"an object of no pages; --page has to be positive"};
      X.Value[T] = double(Cost) / double(X.Pages);
    }
  }
  if (O.Algorithm == Options::Percent && !D.Objects.empty()) {
    if (!Tiers)
      return Error{"--algo " + O.PercentText + " needs two tiers or more"};
    double Total = 0;
    for (const Object &X : D.Objects)
      Total += X.Value[0];
    if (Total == 0)
      return Error{"--algo " + O.PercentText +
                   ": all objects have the value 0"};
    for (Object &X : D.Objects)
      X.Value[0] = X.Value[0] * 100 / Total;
  }
  if (O.Worst) {
    double Most = 0; // rises from tier to tier, as in the original
    for (size_t T = 0; T < Tiers; ++T) {
      for (const Object &X : D.Objects)
        Most = std::max(Most, X.Value[T]);
      Most += 1;
      for (Object &X : D.Objects)
        X.Value[T] = Most - X.Value[T];
    }
  }
  return std::nullopt;
}

static Ids packGreedy(const Distribution &D, Ids &Left, size_t T) {
  sortStably(Left, [&](uint32_t A, uint32_t B) {
    return D.Objects[A].Value[T] > D.Objects[B].Value[T];
  });
  Ids In;
  int64_t Room = D.Tiers[T].Pages;
  for (uint32_t I : Left) {
    if (D.Objects[I].Pages > Room)
      continue;
    In.push_back(I);
    Room -= D.Objects[I].Pages;
    if (Room == 0)
      break;
  }
  return In;
}

static std::string valueText(const std::vector<double> &Value) {
  std::string Out = "[";
  for (size_t I = 0; I < Value.size(); ++I)
    Out += (I ? ", " : "") + ecohmem::floatText(Value[I]);
  return Out + "]";
}

/// In the order of the file, those with at least that percentage.
static Ids packPercent(Distribution &D, const Ids &Left, size_t T,
                       double Least) {
  Ids In;
  int64_t Room = D.Tiers[T].Pages;
  for (uint32_t I : Left) {
    const Object &X = D.Objects[I];
    if (X.Pages > Room || !(X.Value[T] >= Least))
      continue;
    D.Printed += valueText(X.Value) + " " + ecohmem::floatText(Least) + "\n";
    In.push_back(I);
    Room -= X.Pages;
    if (Room == 0)
      break;
  }
  return In;
}

/// The 0/1 knapsack by pages, exactly.
static Expected<Ids> packPrecise(const Distribution &D, const Ids &Left,
                                 size_t T) {
  const int64_t Room = D.Tiers[T].Pages;
  if (Room < 0)
    return Error{"tier " + D.Tiers[T].Name + " has a negative size"};
  const size_t Width = size_t(Room) + 1;
  if (double(Width) * double(Left.size() + 1) > MostCells)
    return Error{"--algo precise needs a table of objects times pages, here " +
                 std::to_string(Left.size()) + " times " +
                 std::to_string(Room) +
                 "; use --algo greedy or a larger "
                 "--page"};
  // Best value for each number of pages, and where an object raised it.
  std::vector<double> Best(Width, 0), Next(Width);
  std::vector<bool> Raised(Width * Left.size());
  for (size_t N = 0; N < Left.size(); ++N) {
    const Object &X = D.Objects[Left[N]];
    for (size_t P = 0; P < Width; ++P) {
      Next[P] = Best[P];
      if (X.Pages <= int64_t(P))
        Next[P] = std::max(Best[P], Best[P - size_t(X.Pages)] + X.Value[T]);
      Raised[N * Width + P] = Next[P] != Best[P];
    }
    std::swap(Best, Next);
  }
  Ids In;
  size_t P = Width - 1;
  for (size_t N = Left.size(); N-- > 0;)
    if (Raised[N * Width + P]) {
      In.push_back(Left[N]);
      P -= size_t(D.Objects[Left[N]].Pages);
    }
  return In;
}

MaybeError advisor::packObjects(const Options &O, Distribution &D) {
  Ids Left(D.Objects.size());
  std::iota(Left.begin(), Left.end(), 0u);
  D.InTier.assign(D.Tiers.size(), {});
  for (size_t T = 0; T + 1 < D.Tiers.size(); ++T) {
    if (O.Algorithm == Options::Greedy) {
      D.InTier[T] = packGreedy(D, Left, T);
    } else if (O.Algorithm == Options::Percent) {
      D.InTier[T] = packPercent(D, Left, T,
                                ecohmem::readFloat(O.PercentText).value_or(0));
    } else {
      Expected<Ids> In = packPrecise(D, Left, T);
      if (!In)
        return In.takeError();
      D.InTier[T] = *In;
    }
    // With an object go all others of its call stack, placed or not.
    std::unordered_set<uint32_t> Gone;
    for (uint32_t I : D.InTier[T])
      Gone.insert(D.Objects[I].SameStack);
    Left.erase(std::remove_if(Left.begin(), Left.end(),
                              [&](uint32_t I) {
                                return Gone.count(D.Objects[I].SameStack);
                              }),
               Left.end());
  }
  __int128 Pages = 0;
  for (uint32_t I : Left)
    Pages += D.Objects[I].Pages;
  if (Pages > D.Tiers.back().Pages)
    return Error{"the objects that are left do not fit into the last tier, " +
                 D.Tiers.back().Name};
  D.InTier.back() = Left;
  for (Ids &In : D.InTier)
    sortStably(In, [&](uint32_t A, uint32_t B) {
      return D.Objects[A].Stack < D.Objects[B].Stack;
    });
  return std::nullopt;
}

MaybeError advisor::advise(const Options &O, const ecohmem::AllocsInfo *Allocs,
                           Distribution &D) {
  if (D.Tiers.empty())
    return Error{"the memory configuration has no tiers"};
  if (MaybeError E = weighObjects(O, D))
    return E;
  if (MaybeError E = packObjects(O, D))
    return E;
  if (!Allocs)
    return std::nullopt;
  if (MaybeError E = fitByLifetime(*Allocs, D))
    return E;
  return O.BandwidthAware ? swapByBandwidth(*Allocs, D) : std::nullopt;
}
