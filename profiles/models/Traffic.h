//===- Traffic.h - times of a task's fetches and write-backs ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a task fetches a unit when the tasks of the base input did; if that is
// not known, a task that walks through an object fetches its units in address
// order. Everything is linear in the fast shares of units.
// Makes: lines and exposed latencies per slice of the task's time and per tier.
// Not here: other tasks (Spans.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_TRAFFIC_H
#define EVENKEEL_PROFILES_MODELS_TRAFFIC_H

#include "Model.h"
#include "format/Course.h"
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace evenkeel {

/// With 4, 8 or 16 slices, the predicted times of the main job's SpGEMM differ
/// by less than 0.1 %; more slices resolve shorter runs of units in one tier.
constexpr unsigned Slices = Course::Parts;

/// The part of [From, To) that lies in [A, B), as a fraction of [A, B).
inline double overlap(double From, double To, double A, double B) {
  return B > A ? std::max(0.0, std::min(To, B) - std::max(From, A)) / (B - A)
               : 0;
}

/// Lines and exposed latencies of a task in each slice, by tier.
class Traffic {
  const double Opening;
  /// The share of all fetches made before each slice.
  std::array<double, Slices + 1> Made = {};

  double Share[2] = {}; // of the current unit in each tier

  /// Sums over units that are fetched, or written back, at the same times: each
  /// is spread once.
  struct Alike {
    double Its[2] = {}; // by tier
    void add(double What, const double *Share) {
      Its[0] += What * Share[0];
      Its[1] += What * Share[1];
    }
  } Always, AlwaysExposed, Early, Late;

public:
  using BySlice = std::array<std::array<double, Slices>, 2>;
  BySlice Read = {}, Written = {}, Exposed = {};

private:
  void put(BySlice &Sums, double What, unsigned K) const {
    Sums[0][K] += What * Share[0];
    Sums[1][K] += What * Share[1];
  }

  /// Adds \p What evenly between \p From and \p To of the task's time.
  void spread(BySlice &Sums, double What, double From, double To) const {
    const unsigned First = std::min(Slices - 1, unsigned(From * Slices)),
                   Last = std::min(Slices - 1, unsigned(To * Slices));
    if (First == Last || To <= From)
      return put(Sums, What, First);
    for (unsigned K = First; K <= Last; ++K)
      put(Sums,
          What * overlap(double(K) / Slices, double(K + 1) / Slices, From, To),
          K);
  }

  /// Adds \p What evenly between \p From and \p To of its fetches.
  void spreadByFetches(BySlice &Sums, double What, double From,
                       double To) const {
    unsigned K = 0;
    while (K + 1 < Slices && Made[K + 1] <= From)
      ++K;
    if (To <= From)
      return put(Sums, What, K);
    for (; K < Slices && Made[K] < To; ++K)
      put(Sums, What * overlap(Made[K], Made[K + 1], From, To), K);
  }

  double madeBy(double Time) const {
    const unsigned K = std::min(Slices - 1, unsigned(Time * Slices));
    return Made[K] + (Made[K + 1] - Made[K]) * (Time * Slices - K);
  }

  /// Lines that are read between \p From and \p To of the task's fetches are
  /// written back after as many further lines have come as fit in the caches.
  void write(double Late, double From, double To) {
    const double Until = std::min(1.0, To + Opening);
    spreadByFetches(
        Written, Late,
        std::min(From + Opening, Until - (Until - Opening) * (To - From)),
        Until);
  }

  /// The same for a unit with a known course: each part writes back as many
  /// lines as are followed by that many others before the task ends.
  void writeParts(const UnitDemand &U, double Late) {
    std::array<double, Slices> Its = {};
    double All = 0;
    for (unsigned K = 0; K < Slices; ++K) {
      const double Length = Made[K + 1] - Made[K],
                   Followed = std::min(Made[K + 1], 1 - Opening) - Made[K];
      if (Length > 0 && Followed > 0)
        All += Its[K] = Course::part(U.Course, K) * Followed / Length;
    }
    for (unsigned K = 0; K < Slices; ++K)
      if (Its[K] > 0)
        spreadByFetches(Written, Late * Its[K] / All, Made[K] + Opening,
                        std::min(1.0, Made[K + 1] + Opening));
    if (All <= 0) // written back all the same: at the end of the task
      write(Late, 1, 1);
  }

  /// Calls \p What with the time of each unit of [I, Last) whose course does
  /// not give it.
  template <typename Do>
  static void each(const TaskDemand &D, size_t I, size_t Last, Do What) {
    const auto &Units = D.Units;
    while (I < Last) {
      // Units of one walk: neighbours, with gaps if nothing is fetched there.
      size_t End = I + 1;
      double Lines = Units[I].ReadLines;
      while (Units[I].Walked && End < Last && Units[End].Walked &&
             Units[End].Object == Units[I].Object) {
        Lines += Units[End].ReadLines;
        ++End;
      }
      double Done = 0;
      for (; I < End; ++I) {
        const UnitDemand &U = Units[I];
        if (!U.Walked || Lines <= 0)
          What(U, 0.0, 1.0);
        else
          What(U, Done / Lines, (Done + U.ReadLines) / Lines);
        Done += U.ReadLines;
      }
    }
  }

  template <typename Do> static void each(const TaskDemand &D, Do What) {
    each(D, 0, D.Units.size(), What);
  }

  void fetch(const UnitDemand &U, double From, double To) {
    if (!U.Course && From <= 0 && To >= 1) {
      Always.add(U.ReadLines, Share);
      AlwaysExposed.add(U.Exposed, Share);
      return;
    }
    if (!U.Course) {
      spread(Read, U.ReadLines, From, To);
      spread(Exposed, U.Exposed, From, To);
      return;
    }
    const double All = Course::sum(U.Course);
    for (unsigned K = 0; K < Slices; ++K)
      if (const unsigned Its = Course::part(U.Course, K)) {
        put(Read, U.ReadLines * Its / All, K);
        put(Exposed, U.Exposed * Its / All, K);
      }
  }

  void writeBack(const UnitDemand &U, double From, double To) {
    Early.add(U.OpeningWrites, Share);
    const double Rest = U.WriteLines - U.OpeningWrites;
    if (Rest > 0 && U.Course)
      writeParts(U, Rest);
    else if (Rest > 0 && From <= 0 && To >= 1)
      Late.add(Rest, Share);
    else if (Rest > 0)
      write(Rest, madeBy(From), madeBy(To));
  }

  /// Calls \p Spread for a sum whose shares are set, and clears it.
  template <typename Do> void take(Alike &Sum, Do Spread) {
    Share[0] = std::exchange(Sum.Its[0], 0);
    Share[1] = std::exchange(Sum.Its[1], 0);
    if (Share[0] != 0 || Share[1] != 0)
      Spread();
  }
  void spreadFetches() {
    take(Always, [&] { spread(Read, 1, 0, 1); });
    take(AlwaysExposed, [&] { spread(Exposed, 1, 0, 1); });
  }
  void spreadWrites() {
    take(Early,
         [&] { spreadByFetches(Written, 1, 0, Opening > 0 ? Opening : 1); });
    take(Late, [&] { write(1, madeBy(0), madeBy(1)); });
  }

  void lies(double InFast) {
    Share[0] = InFast;
    Share[1] = 1 - InFast;
  }

  Traffic(double Opening, const std::array<double, Slices + 1> &Made)
      : Opening(Opening), Made(Made) {}

public:
  Traffic(const TaskDemand &D, const std::vector<double> &Fast, bool HasOpening)
      : Opening(HasOpening ? D.Opening : 0) {
    each(D, [&](const UnitDemand &U, double From, double To) {
      lies(Fast[U.Unit]);
      fetch(U, From, To);
    });
    spreadFetches();
    for (unsigned K = 0; K < Slices; ++K)
      Made[K + 1] = Made[K] + Read[0][K] + Read[1][K];
    for (unsigned K = 0; K <= Slices; ++K)
      Made[K] = Made[Slices] > 0 && K < Slices ? Made[K] / Made[Slices]
                                               : double(K) / Slices;
    each(D, [&](const UnitDemand &U, double From, double To) {
      lies(Fast[U.Unit]);
      writeBack(U, From, To);
    });
    spreadWrites();
  }

  /// The part of the task's time, from and to, in which each unit of \p D is
  /// fetched.
  using Times = std::vector<std::pair<double, double>>;
  static Times timesOf(const TaskDemand &D) {
    Times Out;
    Out.reserve(D.Units.size());
    each(D, [&](const UnitDemand &, double From, double To) {
      Out.emplace_back(From, To);
    });
    return Out;
  }

  /// The part that units [\p First, \p Last) of \p D have in it: whole walks.
  Traffic only(const TaskDemand &D, const std::vector<double> &Fast,
               size_t First, size_t Last) const {
    Traffic Out(Opening, Made);
    each(D, First, Last, [&](const UnitDemand &U, double From, double To) {
      Out.lies(Fast[U.Unit]);
      Out.fetch(U, From, To);
      Out.writeBack(U, From, To);
    });
    Out.spreadFetches();
    Out.spreadWrites();
    return Out;
  }

  /// Moves \p More (negative: back) of \p U, which is fetched \p When, to the
  /// fast tier.
  void shift(const UnitDemand &U, const std::pair<double, double> &When,
             double More) {
    Share[0] = More;
    Share[1] = -More;
    fetch(U, When.first, When.second);
    writeBack(U, When.first, When.second);
    spreadFetches();
    spreadWrites();
  }
};

} // namespace evenkeel

#endif
