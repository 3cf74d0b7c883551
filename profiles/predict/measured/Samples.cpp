//===- Samples.cpp - correct gathers by sampled stalls --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Samples.h. An object X of a phase is modelled on the sampled object Y of
// a finished phase whose histogram over (task, part of the object) on the base
// input is most similar by cosine: arrays indexed by the same indices are
// gathered alike on every input.
//
// How long: the exposed latencies of the team are
//   X = predicted X * measured / predicted,
// the ratio being that of everything gathered in the last sampled phase (of its
// kind, if there is one), if that was not very little. Task t gets a part of it
// proportional to Y(t)^CarriedDeviation, because part of a task's deviation
// from its team is specific to Y (to Y's size relative to the caches, and to
// other accesses in its phase). If Y is X itself in a phase of the same kind,
// the part is proportional to Y(t).
//
// Where: of task t's latencies, part g of X gets
//   (n(t, g) + K p(t, g)) / (n(t) + K).
// n is Y's samples, each weighted by b(X, t, g) / b(Y, t, g), the fractions of
// X's and Y's lines on the base input (one may be read again while the other is
// still in the caches). p is the prediction for X without samples, worth K
// samples (a Dirichlet prior). Objects are divided into so few parts that each
// has SamplesPerPart samples.
//
// If a phase fetches only some of the lines, and data decides which
// (PredictedPhase::Scattered), phases of other kinds fetch different ones, so Y
// is then of the same kind. The number of lines is taken from counts, which are
// more accurate than few samples.
//===----------------------------------------------------------------------===//
#include "Samples.h"
#include "models/Phase.h"
#include "problem/AlikePhases.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

using namespace evenkeel;

namespace {

unsigned mostParts() { return unsigned(figures().SampleParts); }

/// By (position of the task in its phase, part), task-major.
using Histogram = std::vector<double>;

double cosine(const Histogram &A, const Histogram &B) {
  if (A.size() != B.size())
    return 0;
  double AB = std::inner_product(A.begin(), A.end(), B.begin(), 0.0);
  double AA = std::inner_product(A.begin(), A.end(), A.begin(), 0.0);
  double BB = std::inner_product(B.begin(), B.end(), B.begin(), 0.0);
  return AA > 0 && BB > 0 ? AB / std::sqrt(AA * BB) : 0;
}

bool isIn(const std::vector<uint32_t> &Sorted, uint32_t Instance) {
  return std::binary_search(Sorted.begin(), Sorted.end(), Instance);
}

/// A sampled object of a finished phase.
struct Source {
  Histogram Base;    // lines on the base input, in the same parts
  Histogram Samples; // EK_CHUNKS parts
  double Total = 0;
  std::vector<double> Part; // each task's part, for objects modelled on this
                            // one
};

class Refiner {
  Problem &P;
  const PlanRequest &R;
  using Where = std::pair<uint32_t, uint32_t>; // phase, instance
  std::map<Where, Histogram> Base;             // team phases, as many parts
  /// Phases of one kind together, stored under the first of them.
  std::map<Where, Source> Sources;
  std::unordered_map<uint32_t, uint32_t> FirstOfKind;
  struct Level {
    double Measured, Predicted; // exposed latencies of all gathered data
  };
  /// By kind of phase (AnyKind: all phases), and by phase.
  std::map<uint32_t, std::map<uint32_t, Level>> Levels;
  std::vector<std::unordered_map<uint32_t, size_t>> Positions; // by phase

  uint32_t sourceOf(uint32_t Phase) const {
    auto First = FirstOfKind.find(P.Phases[Phase].Kind);
    return First == FirstOfKind.end() ? Phase : First->second;
  }

  size_t teamSize(uint32_t Phase) const { return P.Phases[Phase].Tasks.size(); }

  /// The position of the thread of an index among a phase's tasks; the number
  /// of tasks if it has none there.
  size_t position(uint32_t Phase, uint32_t Index) const {
    auto It = Positions[Phase].find(Index);
    return It == Positions[Phase].end() ? teamSize(Phase) : It->second;
  }

  void readBase() {
    for (const ek_raw_miss &M : R.Base->Misses) {
      const ek_raw_task &T = R.Base->Tasks[M.task];
      if (T.phase >= P.Phases.size() || !isTeam(P.Phases[T.phase]))
        continue;
      const size_t At = position(T.phase, T.index);
      if (At == teamSize(T.phase))
        continue;
      Histogram &H = Base[{T.phase, M.inst}];
      H.resize(teamSize(T.phase) * mostParts());
      H[At * mostParts() + M.chunk * mostParts() / EK_CHUNKS] +=
          static_cast<double>(M.reads);
    }
  }

  void readSamples() {
    const InstanceNumbers Index = instanceNumbers(P);
    for (const MeasuredPhase &Seen : R.Measured) {
      if (Seen.Phase >= P.Phases.size() || !isTeam(P.Phases[Seen.Phase]))
        continue;
      const size_t Team = teamSize(Seen.Phase);
      double Gathered = 0;
      for (const SampledStalls &L : Seen.Stalls) {
        auto I = Index.find(keyOf(L.Of));
        const size_t At = position(Seen.Phase, L.Task);
        if (I == Index.end() || At == Team || L.Chunk >= EK_CHUNKS)
          continue;
        auto B = Base.find({Seen.Phase, I->second});
        // Streamed objects say nothing about gathers that stay in the same
        // parts.
        const PredictedPhase &H = P.Phases[Seen.Phase];
        const bool IsGathered = isIn(H.Gathered, I->second);
        if (B == Base.end() || (!IsGathered && !isIn(H.Scattered, I->second)))
          continue;
        Gathered += IsGathered ? L.Samples : 0;
        Source &S = Sources[{sourceOf(Seen.Phase), I->second}];
        S.Base = B->second;
        S.Samples.resize(Team * EK_CHUNKS);
        S.Samples[At * EK_CHUNKS + L.Chunk] += L.Samples;
        S.Total += L.Samples;
      }
      measure(Seen, Gathered * Seen.LatenciesPerSample);
    }
    for (auto &[W, S] : Sources)
      findParts(W.first, S);
  }

  static double samples(const Source &S, size_t T) {
    const double *Row = &S.Samples[T * EK_CHUNKS];
    return std::accumulate(Row, Row + EK_CHUNKS, 0.0);
  }

  /// No sample at all counts as less than one.
  static double counted(const Source &S, size_t T) {
    return std::max(0.5, samples(S, T));
  }

  void findParts(uint32_t Phase, Source &S) const {
    double Sum = 0;
    for (size_t T = 0; T < teamSize(Phase); ++T) {
      S.Part.push_back(std::pow(counted(S, T), figures().CarriedDeviation));
      Sum += S.Part.back();
    }
    for (double &F : S.Part)
      F /= Sum;
  }

  /// \p Measured: exposed latencies of all data that the phase gathered.
  void measure(const MeasuredPhase &Seen, double Measured) {
    double Predicted = 0;
    for (uint32_t I : P.Phases[Seen.Phase].Gathered)
      Predicted += latencies({Seen.Phase, I});
    if (Measured > 0 && Predicted > 0)
      for (uint32_t Kind : {AnyKind, P.Phases[Seen.Phase].Kind})
        Levels[Kind][Seen.Phase] = {Measured, Predicted};
  }

  /// The level of the last sampled phase before \p H of its kind, or of any
  /// kind; or null.
  const Level *lastBefore(const PredictedPhase &H) const {
    for (uint32_t Kind : {H.Kind, AnyKind})
      if (auto Its = Levels.find(Kind); Its != Levels.end()) {
        auto Last = Its->second.upper_bound(H.Phase);
        if (Last != Its->second.begin())
          return &std::prev(Last)->second;
      }
    return nullptr;
  }

  /// The factor for the latencies of \p H on all gathered data, after a phase
  /// of \p Seen.
  double levelOf(const PredictedPhase &H, const Level &Seen) const {
    double All = 0;
    for (uint32_t I : H.Gathered)
      All += latencies({H.Phase, I});
    return All > figures().SampleReach * Seen.Predicted
               ? 1
               : Seen.Measured / Seen.Predicted;
  }

  static double latencies(const PredictedTask &T, uint32_t Instance,
                          const Problem &P) {
    double Sum = 0;
    for (const UnitDemand &U : T.Demand.Units)
      if (P.Units[U.Unit].Instance == Instance)
        Sum += U.Exposed;
    return Sum;
  }

  /// Predicted, for the whole team.
  double latencies(Where W) const {
    double Sum = 0;
    for (const PredictedTask &T : P.Phases[W.first].Tasks)
      Sum += latencies(T, W.second, P);
    return Sum;
  }

  /// The object on which \p To is modelled, or null.
  const Source *like(Where To) const {
    auto B = Base.find(To);
    if (B == Base.end())
      return nullptr;
    const Source *Best = nullptr;
    double Most = 0;
    const bool OfItsKind = isIn(P.Phases[To.first].Scattered, To.second);
    for (const auto &[From, S] : Sources) {
      if (OfItsKind && From.first != sourceOf(To.first))
        continue;
      double Alike = cosine(S.Base, B->second);
      if (Alike < figures().SampleLikeness)
        continue;
      // Among similar objects, few samples count for less.
      double Few = figures().SamplesPerPart * mostParts() / 4 *
                   static_cast<double>(teamSize(From.first));
      double Worth = Alike * S.Total / (S.Total + Few);
      if (From == std::pair(sourceOf(To.first), To.second))
        Worth *= figures().OwnSampleWeight;
      if (Worth > Most) {
        Most = Worth;
        Best = &S;
      }
    }
    return Best;
  }

  /// The samples of task \p T in \p Parts parts, converted to X, with \p Own on
  /// the base input.
  static std::vector<double> weighed(size_t T, const Source &S,
                                     const Histogram &Own, unsigned Parts) {
    std::vector<double> N(Parts), X(Parts), Y(Parts);
    double SumX = 0, SumY = 0;
    for (unsigned C = 0; C < EK_CHUNKS; ++C)
      N[C * Parts / EK_CHUNKS] += S.Samples[T * EK_CHUNKS + C];
    for (unsigned C = 0; C < mostParts(); ++C) {
      X[C * Parts / mostParts()] += Own[T * mostParts() + C];
      Y[C * Parts / mostParts()] += S.Base[T * mostParts() + C];
      SumX += Own[T * mostParts() + C];
      SumY += S.Base[T * mostParts() + C];
    }
    for (unsigned G = 0; G < Parts && SumX > 0 && SumY > 0; ++G)
      if (X[G] > 0 && Y[G] > 0)
        N[G] *=
            std::clamp(X[G] / SumX / (Y[G] / SumY), 1 / figures().MostBaseRatio,
                       figures().MostBaseRatio);
    return N;
  }

  /// The share of each chunk in task \p T's accesses to X; \p Prior if there
  /// are no samples.
  static std::vector<double> chunks(size_t T, const Source &S,
                                    const Histogram &Own,
                                    const std::vector<double> &Prior) {
    const double Seen = samples(S, T);
    if (Seen <= 0)
      return Prior;
    unsigned Parts = mostParts();
    while (Parts > 1 && Seen < figures().SamplesPerPart * Parts)
      Parts /= 2;
    const unsigned Width = EK_CHUNKS / Parts;
    std::vector<double> N = weighed(T, S, Own, Parts), Share(EK_CHUNKS);
    const double All = std::accumulate(N.begin(), N.end(), 0.0);
    for (unsigned From = 0; From < EK_CHUNKS; From += Width) {
      double Before = std::accumulate(Prior.begin() + From,
                                      Prior.begin() + From + Width, 0.0);
      double After =
          (N[From / Width] * Seen / All + figures().PriorSamples * Before) /
          (Seen + figures().PriorSamples);
      for (unsigned C = From; C < From + Width; ++C)
        Share[C] = Before > 0 ? After * Prior[C] / Before : After / Width;
    }
    return Share;
  }

  /// Gives task \p T of phase \p H \p New latencies on \p Instance, distributed
  /// as in \p S.
  void spread(PredictedPhase &H, size_t T, uint32_t Instance, double New,
              const Source &S) {
    std::vector<UnitDemand> &Units = H.Tasks.edit()[T].Demand.Units;
    const double Exposed = latencies(H.Tasks[T], Instance, P);
    if (Exposed <= 0)
      return;
    const double Factor = New / Exposed;
    double Lines = 0;
    std::vector<double> Prior(EK_CHUNKS);
    std::map<uint32_t, UnitDemand> Demands;
    for (const UnitDemand &U : Units) {
      const Unit &X = P.Units[U.Unit];
      Demands[U.Unit] = U;
      if (X.Instance != Instance)
        continue;
      Lines += U.ReadLines;
      for (unsigned C = X.From; C < X.To; ++C)
        Prior[C] = U.Exposed / Exposed / (X.To - X.From);
    }
    std::vector<double> Share =
        chunks(T, S, Base.at({H.Phase, Instance}), Prior);
    for (uint32_t U = 0; U < P.Units.size(); ++U) {
      const Unit &X = P.Units[U];
      if (X.Instance != Instance)
        continue;
      double Part =
          std::accumulate(Share.begin() + X.From, Share.begin() + X.To, 0.0);
      if (Part <= 0 && !Demands.count(U))
        continue;
      UnitDemand &D = Demands[U];
      D.Unit = U;
      D.Object = Instance;
      D.ReadLines = Lines * Factor * Part;
      D.Exposed = Exposed * Factor * Part;
    }
    Units.clear();
    for (const auto &Entry : Demands)
      Units.push_back(Entry.second);
    if (isIn(H.Scattered, Instance)) {
      ++P.Methods["parts: as sampled in phases of the kind before"];
      return;
    }
    for (Estimate &E : H.Tasks.edit()[T].Estimates)
      if (E.Instance == Instance) {
        E.Cache = CacheWay::Sampled;
        E.Lines = Lines * Factor;
      }
    ++P.Methods[text(CacheWay::Sampled)];
  }

public:
  Refiner(Problem &P, const PlanRequest &R)
      : P(P), R(R), Positions(P.Phases.size()) {
    for (size_t H = 0; H < P.Phases.size(); ++H)
      for (size_t T = 0; T < P.Phases[H].Tasks.size(); ++T)
        Positions[H].emplace(P.Phases[H].Tasks[T].Index, T);
    for (const PredictedPhase &H : P.Phases)
      if (H.Kind != AnyKind)
        FirstOfKind.emplace(H.Kind, H.Phase);
  }

  void run() {
    readBase();
    readSamples();
    for (PredictedPhase &H : P.Phases) {
      if (!isTeam(H))
        continue;
      const Level *Last = lastBefore(H);
      const double Factor = Last ? levelOf(H, *Last) : 1;
      for (uint32_t Instance : H.Gathered)
        if (const Source *S = Levels.empty() ? nullptr : sourceFor(H, Instance))
          deal(H, Instance, Factor, *S);
      for (uint32_t Instance : H.Scattered)
        if (const Source *S = sourceFor(H, Instance))
          for (size_t T = 0; T < H.Tasks.size(); ++T)
            spread(H, T, Instance, latencies(H.Tasks[T], Instance, P), *S);
    }
  }

private:
  /// The object on which \p Instance is modelled in \p H, task by task; or
  /// null.
  const Source *sourceFor(const PredictedPhase &H, uint32_t Instance) const {
    const Source *S = like({H.Phase, Instance});
    return S && S->Part.size() == H.Tasks.size() ? S : nullptr;
  }

  /// Multiplies the team's latencies on \p Instance by \p Factor, and
  /// distributes them to the tasks.
  void deal(PredictedPhase &H, uint32_t Instance, double Factor,
            const Source &S) {
    const double Team = Factor * latencies({H.Phase, Instance});
    auto Its = Sources.find({sourceOf(H.Phase), Instance});
    const bool IsOwn = Its != Sources.end() && &Its->second == &S;
    auto PartOf = [&](size_t T) { return IsOwn ? counted(S, T) : S.Part[T]; };
    // Tasks that do not access it get nothing.
    double Parts = 0;
    for (size_t T = 0; T < H.Tasks.size(); ++T)
      if (latencies(H.Tasks[T], Instance, P) > 0)
        Parts += PartOf(T);
    for (size_t T = 0; T < H.Tasks.size() && Parts > 0; ++T)
      spread(H, T, Instance, Team * PartOf(T) / Parts, S);
  }
};

} // namespace

bool evenkeel::anySamples(const PlanRequest &R) {
  return std::any_of(R.Measured.begin(), R.Measured.end(),
                     [](const MeasuredPhase &H) { return !H.Stalls.empty(); });
}

InstanceNumbers evenkeel::instanceNumbers(const Problem &P) {
  InstanceNumbers Numbers;
  for (uint32_t I = 0; I < P.Instances.size(); ++I)
    Numbers[keyOf(nameOf(P.Instances[I]))] = I;
  return Numbers;
}

void evenkeel::refineBySamples(Problem &P, const PlanRequest &R) {
  if (anySamples(R))
    Refiner(P, R).run();
}
