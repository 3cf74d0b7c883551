//===- OracleBound.cpp - lower bounds for all placements ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OracleBound.h.
//===----------------------------------------------------------------------===//
#include "OracleBound.h"
#include "simulator/PhaseRun.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#ifdef EK_HAVE_GLPK
#include <glpk.h>
#endif

namespace evenkeel {
namespace {

/// The largest number of non-zeros for the simplex, and its iteration limit.
constexpr size_t MostNonZeros = 60'000;
constexpr int MostIterations = 40'000;
constexpr double DualWork = 3e8; // multiplications

class Builder {
  const PreparedRecord &R;
  const Machine &M;
  const double FastBytes;
  double FastNs, SlowNs, SlowReadBw = 0, SlowWriteBw = 0;

  struct Unit {
    double Bytes = 0;          // of pages with equal uses
    uint32_t From = 0, To = 0; // phases: first touch, end of life
  };
  struct Use {
    uint32_t Unit;
    double Weight, Read, Write; // bytes
  };
  std::vector<Unit> Units;
  std::vector<std::vector<Use>> Uses; // by task

public:
  Builder(const PreparedRecord &R, const Machine &M, uint64_t FastBytes)
      : R(R), M(M), FastBytes(double(FastBytes)) {
    double Idle = M.LoadedLatency.empty() ? 1 : M.LoadedLatency[0].second;
    FastNs = M.Tiers[0].ReadLatencyNs * Idle;
    SlowNs = std::numeric_limits<double>::infinity();
    // Other tiers: use the best of each figure, a relaxation for three tiers or
    // more.
    for (size_t K = 1; K < M.Tiers.size(); ++K) {
      SlowNs = std::min(SlowNs, M.Tiers[K].ReadLatencyNs * Idle);
      SlowReadBw += M.Tiers[K].ReadBandwidthGBps;
      SlowWriteBw += M.Tiers[K].WriteBandwidthGBps;
    }
    collect();
  }

  OracleBounds run() {
    OracleBounds Out;
    BoundProblem All;
    All.Variables = Units.size();
    for (uint32_t P = 0; P < R.Record->Phases.size(); ++P)
      All.Groups.push_back(rows(P));
    capacities(All);
    Out.StaticSeconds = lowerBound(All, Out.StaticExact) * 1e-9;
    for (uint32_t P = 0; P < R.Record->Phases.size(); ++P)
      Out.MovingSeconds += moving(P, std::move(All.Groups[P])) * 1e-9;
    // A static placement is one that could move, so its bound applies, too.
    Out.MovingSeconds = std::min(Out.MovingSeconds, Out.StaticSeconds);
    return Out;
  }

private:
  /// Calls \p F(task, page, sums) for each page that a task uses.
  template <typename Function> void forEachUse(Function F) const {
    const double Line = R.lineBytes();
    std::vector<Use> Sum(R.totalPages(), Use{0, 0, 0, 0});
    std::vector<uint32_t> Stamp(R.totalPages(), 0), Mine;
    for (uint32_t T = 0; T < R.Record->Tasks.size(); ++T) {
      Mine.clear();
      for (uint32_t I = R.FirstInterval[T]; I < R.FirstInterval[T + 1]; ++I)
        for (uint32_t N = R.Intervals[I].FirstRow; N < R.Intervals[I].EndRow;
             ++N) {
          const PreparedRecord::Row &X = R.Rows[N];
          if (Stamp[X.Page] != T + 1) {
            Stamp[X.Page] = T + 1;
            Sum[X.Page] = {0, 0, 0, 0};
            Mine.push_back(X.Page);
          }
          Sum[X.Page].Weight += double(X.Weight);
          Sum[X.Page].Read += X.Reads * Line;
          Sum[X.Page].Write += X.Writes * Line;
        }
      for (uint32_t Page : Mine)
        F(T, Page, Sum[Page]);
    }
  }

  /// Pages with equal uses in all tasks and equal lifetimes are one variable:
  /// by symmetry, some optimum gives them equal shares. Two 64-bit hashes
  /// distinguish them.
  void collect() {
    const uint32_t Last = uint32_t(R.Record->Phases.size() - 1);
    using Key = std::array<uint64_t, 4>; // hashes, phases, bytes
    std::vector<Key> Keys(R.totalPages(), Key{0, 0, 0, 0});
    for (uint32_t P = 0; P + 1 < R.FirstTouch.size(); ++P)
      for (uint32_t T = R.FirstTouch[P]; T < R.FirstTouch[P + 1]; ++T) {
        auto [Instance, Page] = R.Touches[T];
        uint32_t To = std::min(R.Record->Instances[Instance].free_phase, Last);
        Key &K = Keys[R.FirstPage[Instance] + Page];
        K[2] = uint64_t(P) << 32 | To;
        K[3] = R.pageBytes(Instance, Page);
      }
    auto Mix = [](uint64_t &H, uint64_t V, uint64_t Odd) {
      H = (H ^ V) * Odd;
      H ^= H >> 29;
    };
    forEachUse([&](uint32_t T, uint32_t Page, const Use &X) {
      for (double D : {double(T), X.Weight, X.Read, X.Write}) {
        uint64_t Bits;
        std::memcpy(&Bits, &D, sizeof Bits);
        Mix(Keys[Page][0], Bits, 0x9e3779b97f4a7c15);
        Mix(Keys[Page][1], Bits + 0x632be59bd9b4e019, 0xd6e8feb86659fd93);
      }
    });
    std::map<Key, uint32_t> Groups;
    std::vector<uint32_t> UnitOf(R.totalPages(), 0);
    for (uint64_t Page = 0; Page < R.totalPages(); ++Page) {
      const Key &K = Keys[Page];
      if (!K[3])
        continue; // never touched
      auto [It, New] = Groups.emplace(K, uint32_t(Units.size()));
      if (New)
        Units.push_back({0, uint32_t(K[2] >> 32), uint32_t(K[2])});
      Units[It->second].Bytes += double(K[3]);
      UnitOf[Page] = It->second;
    }
    Uses.resize(R.Record->Tasks.size());
    std::vector<uint32_t> Where(Units.size(), 0), Stamp(Units.size(), 0);
    forEachUse([&](uint32_t T, uint32_t Page, const Use &X) {
      uint32_t U = UnitOf[Page];
      if (Stamp[U] != T + 1) {
        Stamp[U] = T + 1;
        Where[U] = uint32_t(Uses[T].size());
        Uses[T].push_back({U, 0, 0, 0});
      }
      Use &Sum = Uses[T][Where[U]];
      Sum.Weight += X.Weight;
      Sum.Read += X.Read;
      Sum.Write += X.Write;
    });
  }

  double coreNs(uint32_t T) const {
    return double(R.Record->Tasks[T].core_cycles) / M.GHz;
  }

  /// Adds \p Part of a task's time to a row.
  void add(BoundProblem::Row &Row, std::map<uint32_t, double> &B, uint32_t T,
           double Part) const {
    Row.A += Part * coreNs(T);
    for (const Use &X : Uses[T]) {
      Row.A += Part * X.Weight * SlowNs;
      B[X.Unit] += Part * X.Weight * (SlowNs - FastNs);
    }
  }

  static void finish(std::vector<BoundProblem::Row> &Rows,
                     BoundProblem::Row &&Row,
                     const std::map<uint32_t, double> &B) {
    for (auto [U, V] : B)
      if (V != 0)
        Row.B.push_back({U, V});
    Rows.push_back(std::move(Row));
  }

  std::vector<BoundProblem::Row> rows(uint32_t P) const {
    std::vector<BoundProblem::Row> Rows;
    const uint32_t From = R.FirstTask[P], To = R.FirstTask[P + 1];
    // Each worker's own thread tasks run one after the other.
    std::map<uint32_t, std::vector<uint32_t>> Threads;
    for (uint32_t T = From; T < To; ++T)
      if (!R.isExplicit(T))
        Threads[R.Record->Tasks[T].worker].push_back(T);
    for (auto &[Worker, Tasks] : Threads) {
      BoundProblem::Row Row;
      std::map<uint32_t, double> B;
      for (uint32_t T : Tasks)
        add(Row, B, T, 1);
      finish(Rows, std::move(Row), B);
    }
    if (From != To && R.isExplicit(To - 1)) {
      BoundProblem::Row Work;
      std::map<uint32_t, double> B;
      for (uint32_t T = From; T < To; ++T)
        add(Work, B, T, 1.0 / R.Workers[P]);
      finish(Rows, std::move(Work), B);
      for (bool Fast : {false, true}) {
        BoundProblem::Row Row;
        std::map<uint32_t, double> OfPath;
        for (uint32_t T : longestChain(From, To, Fast ? FastNs : SlowNs))
          add(Row, OfPath, T, 1);
        finish(Rows, std::move(Row), OfPath);
      }
    }
    bandwidth(Rows, From, To);
    return Rows;
  }

  std::vector<uint32_t> longestChain(uint32_t From, uint32_t To,
                                     double Latency) const {
    std::vector<double> Ns(To - From, 0);
    std::vector<uint32_t> Before(To - From, EK_NO_TASK), Order, Open;
    for (uint32_t T = From; T < To; ++T) {
      Open.push_back(R.PredecessorCount[T]);
      if (!Open.back())
        Order.push_back(T);
    }
    uint32_t Last = EK_NO_TASK;
    for (size_t I = 0; I < Order.size(); ++I) {
      uint32_t T = Order[I];
      double &Own = Ns[T - From];
      Own += coreNs(T);
      for (const Use &X : Uses[T])
        Own += X.Weight * Latency;
      if (R.isExplicit(T) && (Last == EK_NO_TASK || Own > Ns[Last - From]))
        Last = T;
      for (uint32_t S = R.FirstSuccessor[T]; S < R.FirstSuccessor[T + 1]; ++S) {
        uint32_t Next = R.Successors[S];
        if (Own > Ns[Next - From]) {
          Ns[Next - From] = Own;
          Before[Next - From] = T;
        }
        if (--Open[Next - From] == 0)
          Order.push_back(Next);
      }
    }
    std::vector<uint32_t> Chain;
    for (; Last != EK_NO_TASK; Last = Before[Last - From])
      Chain.push_back(Last);
    return Chain;
  }

  void bandwidth(std::vector<BoundProblem::Row> &Rows, uint32_t From,
                 uint32_t To) const {
    std::map<uint32_t, double> Read, Write;
    double AllRead = 0, AllWrite = 0;
    for (uint32_t T = From; T < To; ++T)
      for (const Use &X : Uses[T]) {
        Read[X.Unit] += X.Read;
        Write[X.Unit] += X.Write;
        AllRead += X.Read;
        AllWrite += X.Write;
      }
    // The minimum length of the phase over all placements.
    double Least = 0;
    for (const BoundProblem::Row &Row : Rows) {
      double Ns = Row.A;
      for (auto [U, V] : Row.B)
        Ns -= std::max(0.0, V);
      Least = std::max(Least, Ns);
    }
    auto Add = [&](double A, const std::map<uint32_t, double> &Bytes,
                   double Scale) {
      double Most = A;
      for (auto [U, V] : Bytes)
        Most -= std::min(0.0, V * Scale);
      if (!std::isfinite(Scale) || Most <= Least)
        return; // can never be the longest
      BoundProblem::Row Row;
      Row.A = A;
      std::map<uint32_t, double> B;
      for (auto [U, V] : Bytes)
        B[U] = V * Scale;
      finish(Rows, std::move(Row), B);
    };
    Add(AllRead / SlowReadBw, Read, 1 / SlowReadBw);
    Add(AllWrite / SlowWriteBw, Write, 1 / SlowWriteBw);
    Add(0, Read, -1 / M.Tiers[0].ReadBandwidthGBps);
    Add(0, Write, -1 / M.Tiers[0].WriteBandwidthGBps);
    if (Rows.empty())
      Rows.push_back({});
  }

  void capacities(BoundProblem &P) const {
    // The capacity can only become tight where new objects become live.
    std::vector<uint32_t> Starts;
    for (const Unit &U : Units)
      Starts.push_back(U.From);
    std::sort(Starts.begin(), Starts.end());
    Starts.erase(std::unique(Starts.begin(), Starts.end()), Starts.end());
    for (uint32_t Phase : Starts) {
      BoundProblem::Capacity C;
      C.Limit = FastBytes;
      for (uint32_t U = 0; U < Units.size(); ++U)
        if (Units[U].From <= Phase && Phase <= Units[U].To)
          C.W.push_back({U, Units[U].Bytes});
      P.Capacities.push_back(std::move(C));
    }
  }

  double moving(uint32_t P, std::vector<BoundProblem::Row> Rows) const {
    BoundProblem One;
    std::map<uint32_t, uint32_t> Local;
    for (BoundProblem::Row &Row : Rows)
      for (auto &[U, V] : Row.B)
        U = Local.emplace(U, uint32_t(Local.size())).first->second;
    One.Variables = Local.size();
    One.Groups.push_back(std::move(Rows));
    BoundProblem::Capacity C;
    C.Limit = FastBytes;
    for (auto [U, Index] : Local)
      if (Units[U].From <= P && P <= Units[U].To)
        C.W.push_back({Index, Units[U].Bytes});
    std::sort(C.W.begin(), C.W.end());
    // A page takes PageUs and the time of its copy. The helper and every worker
    // may copy, and a batch may have begun before.
    double PageNs = M.MigrationPageUs * 1e3;
    if (M.MigrationBandwidthGBps > 0)
      PageNs += EK_PAGE / M.MigrationBandwidthGBps;
    double Copiers = 1 + R.Workers[P];
    C.Grow = PageNs > 0 ? Copiers * EK_PAGE / PageNs : 1e9;
    C.Limit += double(PhaseRunner::BatchPages) * EK_PAGE;
    One.Capacities.push_back(std::move(C));
    bool Ignored;
    return lowerBound(One, Ignored);
  }
};

size_t nonZeros(const BoundProblem &P) {
  size_t N = 0;
  for (const auto &G : P.Groups)
    for (const auto &Row : G)
      N += Row.B.size() + 1;
  for (const auto &C : P.Capacities)
    N += C.W.size() + 1;
  return N;
}

#ifdef EK_HAVE_GLPK
/// The optimum, or a negative value if the simplex fails.
double simplex(const BoundProblem &P) {
  glp_term_out(GLP_OFF);
  glp_prob *Lp = glp_create_prob();
  glp_set_obj_dir(Lp, GLP_MIN);
  const int X = int(P.Variables), G = int(P.Groups.size());
  glp_add_cols(Lp, X + G);
  for (int J = 1; J <= X; ++J)
    glp_set_col_bnds(Lp, J, GLP_DB, 0, 1);
  for (int J = 1; J <= G; ++J) {
    glp_set_col_bnds(Lp, X + J, GLP_LO, 0, 0);
    glp_set_obj_coef(Lp, X + J, 1);
  }
  std::vector<int> Index;
  std::vector<double> Value;
  auto Row = [&](int Kind, double Bound) {
    int I = glp_add_rows(Lp, 1);
    glp_set_row_bnds(Lp, I, Kind, Bound, Bound);
    glp_set_mat_row(Lp, I, int(Index.size()) - 1, Index.data(), Value.data());
  };
  auto Start = [&] {
    Index.assign(1, 0);
    Value.assign(1, 0);
  };
  for (int J = 0; J < G; ++J)
    for (const BoundProblem::Row &R : P.Groups[size_t(J)]) {
      Start(); // T + B x >= A
      Index.push_back(X + J + 1);
      Value.push_back(1);
      for (auto [U, V] : R.B) {
        Index.push_back(int(U) + 1);
        Value.push_back(V);
      }
      Row(GLP_LO, R.A);
    }
  for (const BoundProblem::Capacity &C : P.Capacities) {
    Start(); // W x - Grow T <= Limit, in shares of the limit
    double Scale = C.Limit > 0 ? 1 / C.Limit : 1;
    for (auto [U, V] : C.W) {
      Index.push_back(int(U) + 1);
      Value.push_back(V * Scale);
    }
    if (C.Grow > 0) {
      Index.push_back(X + 1);
      Value.push_back(-C.Grow * Scale);
    }
    Row(GLP_UP, C.Limit * Scale);
  }
  glp_scale_prob(Lp, GLP_SF_AUTO);
  glp_smcp Parameters;
  glp_init_smcp(&Parameters);
  Parameters.msg_lev = GLP_MSG_OFF;
  Parameters.presolve = GLP_ON;
  Parameters.it_lim = MostIterations;
  double Out = -1;
  if (glp_simplex(Lp, &Parameters) == 0 && glp_get_status(Lp) == GLP_OPT)
    Out = glp_get_obj_val(Lp) * (1 - 1e-7); // minus its tolerance
  glp_delete_prob(Lp);
  return Out;
}
#endif

/// With weights y over the rows of each group and prices m of the capacities,
///   sum y A - sum over u of max(0, sum y B_u - sum m W_u) - sum m Limit
/// is a lower bound on the optimum (a growing capacity leaves 1 - m Grow of its
/// group to the rows). Weights follow the longest rows at the x that is best
/// for the current weights and prices; prices follow the exceeded capacities.
class DualAscent {
  const BoundProblem &P;
  std::vector<std::vector<double>> Log; // of the weights, by group and row
  std::vector<double> Price;            // ns per byte, by capacity
  /// Prices start where all units compete for the whole capacity.
  double PriceUnit = 0;
  // By variable: what its rows pay for it, the x that is best for weights and
  // prices, and a mean over the steps so far.
  std::vector<double> Value, X, Mean;
  double MeanWeight = 0;

public:
  explicit DualAscent(const BoundProblem &P)
      : P(P), Price(P.Capacities.size(), 0), Value(P.Variables), X(P.Variables),
        Mean(P.Variables, 0) {
    double Scale = 0;
    for (const auto &G : P.Groups) {
      Log.emplace_back(G.size(), 0);
      double Longest = 0;
      for (const auto &Row : G)
        Longest = std::max(Longest, Row.A);
      Scale += Longest;
    }
    for (const auto &C : P.Capacities)
      PriceUnit =
          std::max(PriceUnit, Scale / std::max(C.Limit, double(EK_PAGE)));
  }

  /// The bound for the present weights and prices. Moves both on.
  double step(double Number) {
    const double Grown = limitPrices();
    const double Sum = payCapacities(weighRows(1 - Grown));
    // Averages change more smoothly than extreme points.
    MeanWeight += Number;
    for (size_t U = 0; U < X.size(); ++U)
      Mean[U] += (X[U] - Mean[U]) * Number / MeanWeight;
    followLongestRows(Number);
    if (P.Capacities.size() == 1 && P.Capacities[0].Grow == 0)
      priceFullKnapsack();
    else
      followExceeded(Number);
    return Sum;
  }

private:
  /// Keeps the share of the groups that growing capacities take at 1 or less;
  /// returns it.
  double limitPrices() {
    double Grown = 0;
    for (size_t C = 0; C < P.Capacities.size(); ++C)
      Grown += Price[C] * P.Capacities[C].Grow;
    if (Grown > 1)
      for (double &V : Price)
        V /= Grown;
    return std::min(Grown, 1.0);
  }

  /// Sets Value, for weights that add up to \p Total in each group; returns
  /// the sum of the rows' constants.
  double weighRows(double Total) {
    double Sum = 0;
    std::fill(Value.begin(), Value.end(), 0);
    for (size_t G = 0; G < P.Groups.size(); ++G) {
      double Top = *std::max_element(Log[G].begin(), Log[G].end()), Z = 0;
      for (double L : Log[G])
        Z += std::exp(L - Top);
      for (size_t K = 0; K < P.Groups[G].size(); ++K) {
        double Y = std::exp(Log[G][K] - Top) / Z * Total;
        const auto &Row = P.Groups[G][K];
        Sum += Y * Row.A;
        for (auto [U, V] : Row.B)
          Value[U] += Y * V;
      }
    }
    return Sum;
  }

  /// Sets X; returns \p Sum less what the capacities cost and X gains.
  double payCapacities(double Sum) {
    std::vector<double> Net = Value;
    for (size_t C = 0; C < P.Capacities.size(); ++C) {
      Sum -= Price[C] * P.Capacities[C].Limit;
      if (Price[C] > 0)
        for (auto [U, W] : P.Capacities[C].W)
          Net[U] -= Price[C] * W;
    }
    for (size_t U = 0; U < X.size(); ++U) {
      Sum -= std::max(0.0, Net[U]);
      X[U] = Net[U] > 0 ? 1 : 0;
    }
    return Sum;
  }

  void followLongestRows(double Number) {
    for (size_t G = 0; G < P.Groups.size(); ++G) {
      std::vector<double> Ns;
      double Longest = 0;
      for (const auto &Row : P.Groups[G]) {
        double T = Row.A;
        for (auto [U, V] : Row.B)
          T -= V * Mean[U];
        Ns.push_back(T);
        Longest = std::max(Longest, T);
      }
      for (size_t K = 0; Longest > 0 && K < Ns.size(); ++K)
        Log[G][K] = std::max(
            Log[G][K] + 8 / std::sqrt(Number) * (Ns[K] / Longest - 1), -60.0);
      double Top = *std::max_element(Log[G].begin(), Log[G].end());
      for (double &L : Log[G])
        L = std::max(L - Top, -60.0);
    }
  }

  /// With one capacity, the best price is where the knapsack is full.
  void priceFullKnapsack() {
    const auto &C = P.Capacities[0];
    std::vector<std::pair<double, double>> Density;
    for (auto [U, W] : C.W)
      if (Value[U] > 0 && W > 0)
        Density.push_back({-Value[U] / W, W});
    std::sort(Density.begin(), Density.end());
    double Left = C.Limit;
    Price[0] = 0;
    for (auto [D, W] : Density) {
      Left -= W;
      if (Left <= 0) {
        Price[0] = -D;
        break;
      }
    }
  }

  void followExceeded(double Number) {
    for (size_t C = 0; C < P.Capacities.size(); ++C) {
      double Used = 0;
      for (auto [U, W] : P.Capacities[C].W)
        Used += W * X[U];
      double Limit = std::max(P.Capacities[C].Limit, double(EK_PAGE));
      Price[C] = std::max(0.0, Price[C] + PriceUnit / (4 * std::sqrt(Number)) *
                                              (Used / Limit - 1));
    }
  }
};

} // namespace

double dualBound(const BoundProblem &P) {
  const double Steps =
      std::clamp(DualWork / double(3 * nonZeros(P) + 1), 30.0, 1500.0);
  DualAscent Ascent(P);
  double Best = 0;
  for (double Step = 1; Step <= Steps; ++Step)
    Best = std::max(Best, Ascent.step(Step));
  return Best;
}

double lowerBound(const BoundProblem &P, bool &Exact) {
  Exact = false;
#ifdef EK_HAVE_GLPK
  if (nonZeros(P) <= MostNonZeros) {
    double Optimum = simplex(P);
    Exact = Optimum >= 0;
    if (Exact)
      return Optimum;
  }
#endif
  return dualBound(P);
}

OracleBounds oracleBounds(const PreparedRecord &R, const Machine &M,
                          uint64_t FastBytes) {
  return Builder(R, M, FastBytes).run();
}

} // namespace evenkeel
