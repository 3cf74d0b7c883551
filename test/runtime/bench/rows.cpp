//===- rows.cpp - look-ups of rows that fast memory serves ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test (utils/bench-rows runs it): look-ups of a workload
// (row_streams.h) pass through a cache, and each line that misses costs what its
// tier does. The policies:
//   hot-rows     ek_rows as programs use it, with the four bits per row that a
//                look-up reads
//   hot-pages    the same rules for pages of 4 KiB, which page tables hold
//   ranges       the hottest of 256 ranges, by the counts of the whole run
//   best-rows    the hottest rows, by the counts of the whole run
//   random-rows  rows drawn at random
//   first-touch  the first rows: the table was filled in order
// Only the first two copy; what they copy costs a read and a write of each line.
// No parallelism: a line costs its tier's latency divided by LATENCIES, and
// CORE_NS of computing; a step costs SAMPLE_NS for each sample that it keeps, as
// measured on two shared cores of a virtual machine. The cache has 16 ways and replaces the least recently
// used line.
//
//   ek-bench-rows WORKLOAD POLICY FAST CACHE WARM_UP DECAY BUDGET
// FAST, CACHE and BUDGET: shares, of the table and of the slab's rows; 0: the
// default of WARM_UP, DECAY or BUDGET. Prints the look-ups, those that missed
// the cache, those of these that fast memory served, bytes copied per look-up,
// and ns per look-up in the whole run and in its last quarter.
//   ek-bench-rows train         trains the embeddings with a plain table and
//                               with ek_rows; prints both losses
//===----------------------------------------------------------------------===//
#include "row_streams.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <evenkeel/ek_rows.h>
#include <memory>
#include <numeric>

namespace {

constexpr double FAST_NS = 114, SLOW_NS = 271; // profiles/machines/ddr5-cxl
constexpr double LATENCIES = 4, CORE_NS = 2, SAMPLE_NS = 120;
constexpr double FastLine = FAST_NS / LATENCIES, SlowLine = SLOW_NS / LATENCIES;
constexpr size_t Line = 64, Page = 4096;

class Cache {
  static constexpr size_t Ways = 16;
  std::vector<uint64_t> Lines; // of each set, the most recently used first
  size_t Sets;

public:
  explicit Cache(double Bytes)
      : Sets(std::max<size_t>(1, size_t(Bytes / (Line * Ways)))) {
    Lines.resize(Sets * Ways);
  }
  bool has(uint64_t Address) {
    const uint64_t Of = Address / Line + 1;
    uint64_t *Set = &Lines[(Of * 0x9e3779b97f4a7c15ULL >> 32) % Sets * Ways];
    uint64_t *const At = std::find(Set, Set + Ways, Of);
    const bool Found = At != Set + Ways;
    std::rotate(Set, Found ? At : Set + Ways - 1, Found ? At + 1 : Set + Ways);
    Set[0] = Of;
    return Found;
  }
};

struct Sums {
  uint64_t LookUps = 0, Missed = 0, Fast = 0, Copied = 0;
  double Ns = 0;
};

struct Settings {
  double Fast, Decay, Budget;
  unsigned WarmUp;
};

/// A policy: where a row is now, and what a step does.
class Places {
public:
  struct Place {
    uint64_t Address;
    bool Fast;
  };
  virtual ~Places() = default;
  virtual Place of(uint32_t Row) = 0;
  /// Other data that a look-up reads first; 0: none.
  virtual Place before(uint32_t) { return {}; }
  struct Cost {
    uint64_t Copied = 0, Samples = 0;
  };
  virtual Cost step() { return {}; }
};

class Fixed : public Places {
  const size_t RowBytes;
  std::vector<bool> Fast; // by row

public:
  Fixed(const Stream &S, const std::string &Policy, double Share)
      : RowBytes(S.RowBytes), Fast(S.Rows) {
    const size_t Units = Policy == "ranges" ? 256 : S.Rows;
    const auto UnitOf = [&](size_t Row) { return Row * Units / S.Rows; };
    std::vector<uint64_t> Counts(Units);
    for (const auto &Step : S.Steps)
      for (uint32_t Row : Step)
        ++Counts[UnitOf(Row)];
    std::vector<uint32_t> Order(Units);
    std::iota(Order.begin(), Order.end(), 0);
    if (Policy == "random-rows")
      Order = scattered(Units, 77);
    else if (Policy != "first-touch")
      std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
        return Counts[A] != Counts[B] ? Counts[A] > Counts[B] : A < B;
      });
    std::vector<bool> Chosen(Units);
    for (size_t I = 0; I < size_t(double(Units) * Share); ++I)
      Chosen[Order[I]] = true;
    for (size_t Row = 0; Row < S.Rows; ++Row)
      Fast[Row] = Chosen[UnitOf(Row)];
  }
  Place of(uint32_t Row) override {
    return {(uint64_t(1) << 40) + Row * RowBytes, Fast[Row]};
  }
};

/// ek_rows; its rows are those of the workload, or pages.
class Slab : public Places {
  ek_rows *T = nullptr;
  const size_t RowBytes, UnitBytes;
  ek_rows_counts Before = {};
  bool WaysAreFast = false; // they lie right before the slab

public:
  Slab(const Stream &S, size_t UnitBytes, const Settings &Set)
      : RowBytes(S.RowBytes), UnitBytes(UnitBytes) {
    const size_t Units = (S.Rows * RowBytes + UnitBytes - 1) / UnitBytes;
    ek_rows_options O = {};
    O.size = sizeof O;
    O.fast_bytes = size_t(double(Units * UnitBytes) * Set.Fast);
    O.warm_up = Set.WarmUp;
    O.decay = Set.Decay;
    O.budget =
        unsigned(Set.Budget * double(O.fast_bytes) / double(UnitBytes));
    ek_rows_counts C;
    if (ek_rows_open(&T, Units, UnitBytes, &O) != 0 ||
        ek_rows_count(T, &C, sizeof C) != 0 || !C.slots) {
      std::fprintf(stderr, "ek-bench-rows: no slab; set EVENKEEL_TIERS\n");
      std::exit(1);
    }
    WaysAreFast = reinterpret_cast<char *>(T->ways) < T->slab &&
                  T->slab - reinterpret_cast<char *>(T->ways) <=
                      ptrdiff_t(Units / 2 + 64);
  }
  ~Slab() override { ek_rows_close(T); }
  Place of(uint32_t Row) override {
    const size_t At = Row * RowBytes;
    const char *P = static_cast<char *>(ek_row(T, At / UnitBytes));
    return {uint64_t(P) + At % UnitBytes,
            P != T->home + At / UnitBytes * UnitBytes};
  }
  Place before(uint32_t Row) override {
    if (UnitBytes != RowBytes)
      return {};
    const unsigned char *At = &T->ways[Row / 2];
    return {uint64_t(At), WaysAreFast};
  }
  Cost step() override {
    ek_rows_step(T);
    ek_rows_counts C;
    ek_rows_count(T, &C, sizeof C);
    // What rows.c keeps of a step's samples.
    const uint64_t Most = std::max<uint64_t>(1024, C.slots / 4);
    const Cost Now = {C.copied_bytes - Before.copied_bytes,
                      std::min(C.sampled - Before.sampled, ek_id(Most))};
    Before = C;
    return Now;
  }
};

std::unique_ptr<Places> makePlaces(const Stream &S, const std::string &Policy,
                                   const Settings &Set) {
  if (Policy == "hot-rows")
    return std::make_unique<Slab>(S, S.RowBytes, Set);
  if (Policy == "hot-pages")
    return std::make_unique<Slab>(S, Page, Set);
  return std::make_unique<Fixed>(S, Policy, Set.Fast);
}

void run(const Stream &S, Places &P, double CacheBytes, Sums &All, Sums &End) {
  Cache C(CacheBytes);
  for (size_t Step = 0; Step < S.Steps.size(); ++Step) {
    Sums Now;
    for (uint32_t Row : S.Steps[Step]) {
      const Places::Place Before = P.before(Row);
      if (Before.Address && !C.has(Before.Address))
        Now.Ns += Before.Fast ? FastLine : SlowLine;
      const Places::Place At = P.of(Row);
      bool Missed = false;
      for (uint64_t L = At.Address / Line; L <= (At.Address + S.RowBytes - 1) / Line;
           ++L) {
        Now.Ns += CORE_NS;
        if (C.has(L * Line))
          continue;
        Missed = true;
        Now.Ns += At.Fast ? FastLine : SlowLine;
      }
      ++Now.LookUps;
      Now.Missed += Missed;
      Now.Fast += Missed && At.Fast;
    }
    const Places::Cost Cost = P.step();
    Now.Copied = Cost.Copied;
    Now.Ns += double(Cost.Samples) * SAMPLE_NS;
    Now.Ns += double(Now.Copied) / Line * (FastLine + SlowLine);
    for (Sums *To : {&All, &End}) {
      if (To == &End && Step < S.Steps.size() * 3 / 4)
        continue;
      To->LookUps += Now.LookUps;
      To->Missed += Now.Missed;
      To->Fast += Now.Fast;
      To->Copied += Now.Copied;
      To->Ns += Now.Ns;
    }
  }
}

/// Stochastic gradient descent on the factors; returns the last epoch's loss.
template <class RowOf, class StepEnds>
double train(RowOf &&Of, StepEnds &&Ends) {
  std::mt19937 Random(9);
  for (uint32_t R = 0; R < Users + Items; ++R)
    for (uint32_t K = 0; K < Factors; ++K)
      Of(R)[K] = float(Random() % 1000) * 2e-4f;
  const std::vector<Rating> All = ratings();
  double Loss = 0;
  for (int Epoch = 0; Epoch < 6; ++Epoch) {
    Loss = 0;
    for (size_t I = 0; I < All.size(); ++I) {
      float *U = Of(All[I].User), *V = Of(Users + All[I].Item);
      float Sum = 0;
      for (uint32_t K = 0; K < Factors; ++K)
        Sum += U[K] * V[K];
      const float Error = All[I].Stars - Sum;
      for (uint32_t K = 0; K < Factors; ++K) {
        const float Old = U[K];
        U[K] += 0.005f * (Error * V[K] - 0.02f * U[K]);
        V[K] += 0.005f * (Error * Old - 0.02f * V[K]);
      }
      Loss += double(Error) * double(Error);
      if ((I + 1) % 10000 == 0)
        Ends();
    }
  }
  return Loss / double(All.size());
}

int trainBoth() {
  std::vector<float> Plain(size_t(Users + Items) * Factors);
  const double First = train([&](uint32_t R) { return &Plain[R * Factors]; }, [] {});
  ek_rows *T = nullptr;
  if (ek_rows_open(&T, Users + Items, Factors * sizeof(float), nullptr) != 0)
    return 1;
  const double Second =
      train([&](uint32_t R) { return static_cast<float *>(ek_row(T, R)); },
            [&] { ek_rows_step(T); });
  ek_rows_counts C;
  ek_rows_count(T, &C, sizeof C);
  std::printf("loss %.17g plain, %.17g with %llu rows in the slab\n", First, Second,
              static_cast<unsigned long long>(C.used));
  ek_rows_close(T);
  return First == Second && C.used ? 0 : 1;
}

} // namespace

int main(int Count, char **Words) {
  if (Count == 2 && !std::strcmp(Words[1], "train"))
    return trainBoth();
  const Stream S = Count == 8 ? streamOf(Words[1]) : Stream();
  if (!S.Rows) {
    std::fprintf(stderr, "usage: ek-bench-rows train | WORKLOAD POLICY FAST CACHE "
                         "WARM_UP DECAY BUDGET\n");
    return 2;
  }
  const Settings Set = {std::atof(Words[3]), std::atof(Words[6]),
                        std::atof(Words[7]), unsigned(std::atoi(Words[5]))};
  const std::unique_ptr<Places> P = makePlaces(S, Words[2], Set);
  Sums All, End;
  run(S, *P, double(S.Rows * S.RowBytes) * std::atof(Words[4]), All, End);
  std::printf("%llu %llu %llu %.6g %.6g %.6g\n",
              static_cast<unsigned long long>(All.LookUps),
              static_cast<unsigned long long>(All.Missed),
              static_cast<unsigned long long>(All.Fast),
              double(All.Copied) / double(All.LookUps),
              All.Ns / double(All.LookUps), End.Ns / double(End.LookUps));
}
