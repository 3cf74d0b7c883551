//===- Planned.cpp - carrying out a plan ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Evenkeel's own runtime. At allocation, an instance gets the ranges of
// its plan entry: 256 relative chunks, stretched to its actual size, with the
// first part of each chunk in the fast tier. Instances of one phase are placed
// in the order of the plan; what does not fit, nor at first touch, goes to the
// next tier and is counted. Instances without an entry lie in the slow tier.
// Memory that the runtime does not place (small blocks without an arena, blocks
// without a site in the sources, objects that the plan leaves alone) is placed
// by the system at first touch: in the fast tier while there is room beside the
// maximum that planned objects need. A plan that keeps first touch is first
// touch. If the plan changes between phases, pages move at the end of the
// earlier phase. Parameters: the plan. Pages are not split: the fast bytes of
// successive pages are added up, and a page is fast when half a page has
// accumulated, so that chunks smaller than a page keep their share, too.
//===----------------------------------------------------------------------===//
#include "Policies.h"
#include "format/plan/PhaseMatch.h"
#include "format/plan/PlanIndex.h"
#include <algorithm>
#include <unordered_map>
#include <vector>

namespace evenkeel {
namespace {

/// Bounds the rounding errors in sums of shares, up to some TiB; as in the
/// runtime.
constexpr double Rounding = 1e-6;

class Planned : public Policy {
  std::string Name;
  const Plan &P;
  const PlanIndex Entries;

  const PlanObject *entry(const PageMap &Map, uint32_t Instance) const {
    const ek_raw_inst &I = Map.instance(Instance);
    return Entries.find(nameOf(I));
  }

  /// Whether the runtime decides where the instance lies.
  bool isPlaced(const ek_raw_inst &I) const {
    if (!I.site)
      return false;
    const PlanObject *O = Entries.find(nameOf(I));
    return O ? !O->LeftAlone : !EK_RAW_IS_SMALL(I.ordinal);
  }

  /// Pages of the plan's that found no room when they were allocated, by
  /// instance. What the phase frees is released at its end, and may have been
  /// freed before: so they are tried again when they are first touched.
  std::unordered_map<uint32_t, std::vector<bool>> Waits;

  std::vector<uint32_t> Seen; // allocated instances, if the plan has moves
  size_t Next;                // index of the next change
  PhaseMatch Match;           // if it has moves

  /// Calls \p Put with each page of an instance and its planned tier.
  template <typename Function>
  static void layOut(const PageMap &Map, uint32_t Instance, const PlanObject &O,
                     Function Put) {
    std::vector<PlanRange> Ranges = O.Ranges;
    if (Ranges.empty() && O.Share > 0)
      Ranges.push_back({0, EK_CHUNKS, O.Share});
    // Fast byte ranges of the instance, rising.
    std::vector<std::pair<double, double>> Fast;
    const double Chunk = double(Map.instance(Instance).bytes) / EK_CHUNKS;
    for (const PlanRange &R : Ranges)
      for (unsigned C = R.From; C < R.To && R.Share > 0; ++C)
        Fast.push_back({C * Chunk, (C + R.Share) * Chunk});
    double Owed = 0; // fast bytes passed but not yet assigned to a page
    auto Range = Fast.begin();
    for (uint32_t Page = 0; Page < Map.pages(Instance); ++Page) {
      double From = double(Page) * EK_PAGE;
      double Bytes = double(Map.pageBytes(Instance, Page)), To = From + Bytes;
      while (Range != Fast.end() && Range->second <= From)
        ++Range;
      for (auto R = Range; R != Fast.end() && R->first < To; ++R)
        Owed += std::min(To, R->second) - std::max(From, R->first);
      unsigned Tier = 1;
      // Rounding at chunk borders must not cost a page.
      if (Owed > 0 && Owed >= Bytes / 2 * (1 - Rounding)) {
        Tier = 0;
        Owed -= Bytes;
      }
      Put(Page, Tier);
    }
  }

  void carryOut(PageMap &Map, const PlanChange &Change) {
    const PlanIndex Moved(Change.Objects);
    std::vector<PageMap::Move> Up, Down;
    for (uint32_t Instance : Seen) {
      if (!Map.isLive(Instance))
        continue;
      const PlanObject *O = Moved.first(nameOf(Map.instance(Instance)));
      if (!O)
        continue;
      layOut(Map, Instance, *O, [&](uint32_t Page, unsigned Tier) {
        uint8_t Now = Map.tier(Instance, Page);
        if (Now == PageMap::Unplaced || (Now == 0) == (Tier == 0))
          return;
        (Tier ? Down : Up).push_back({Instance, Page, uint8_t(Tier)});
      });
    }
    // Alternate, so that promoted pages find the space of demoted ones.
    for (size_t N = 0; N < std::max(Up.size(), Down.size()); ++N) {
      if (N < Down.size())
        Map.requestMove(Down[N].Instance, Down[N].Page, Down[N].To);
      if (N < Up.size())
        Map.requestMove(Up[N].Instance, Up[N].Page, 0);
    }
  }

public:
  Planned(const std::string &Name, const ReplayRequest &R, bool Moves)
      : Name(Name), P(*R.P), Entries(P.Objects),
        Next(Moves ? 0 : P.Changes.size()) {
    if (Next < P.Changes.size())
      Match = matchPhases(phaseEnds(P), phaseEnds(*R.Record));
  }

  std::string name() const override { return Name; }

  void orderAllocations(const PageMap &Map,
                        std::vector<uint32_t> &Instances) override {
    std::vector<std::pair<size_t, uint32_t>> Keyed;
    for (uint32_t I : Instances) {
      const PlanObject *O = entry(Map, I);
      Keyed.push_back({O ? size_t(O - P.Objects.data()) : P.Objects.size(), I});
    }
    std::sort(Keyed.begin(),
              Keyed.end()); // stable: ties are in the order of the record
    for (size_t N = 0; N < Keyed.size(); ++N)
      Instances[N] = Keyed[N].second;
  }

  void onAlloc(PageMap &Map, uint32_t Instance) override {
    if (Next < P.Changes.size())
      Seen.push_back(Instance);
    const PlanObject *O = entry(Map, Instance);
    if (P.KeepsFirstTouch || !O || O->LeftAlone)
      return;
    Waits.erase(Instance);
    layOut(Map, Instance, *O, [&](uint32_t Page, unsigned Tier) {
      if (Map.tier(Instance, Page) != PageMap::Unplaced)
        return;
      if (Tier == 0 && !Map.fits(Instance, Page, 0)) {
        std::vector<bool> &Its = Waits[Instance];
        Its.resize(Map.pages(Instance));
        Its[Page] = true;
        return;
      }
      Map.placeFrom(Instance, Page, Tier);
    });
  }

  void onPhaseEnd(PageMap &Map, uint32_t Phase,
                  const std::vector<TaskResult> &) override {
    if (Next == P.Changes.size() || Match.ended(Phase) == PhaseMatch::None)
      return;
    const uint32_t Begins = Match.ended(Phase) + 1;
    for (; Next < P.Changes.size() && P.Changes[Next].Phase <= Begins; ++Next)
      carryOut(Map, P.Changes[Next]);
  }

  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    if (P.KeepsFirstTouch)
      return Map.placeFrom(I, Page, 0);
    if (const auto It = Waits.find(I); It != Waits.end() && It->second[Page])
      return Map.placeFrom(I, Page, 0);
    return isPlaced(Map.instance(I))
               ? Map.placeFrom(I, Page, 1)
               : Map.placeBeside(I, Page, P.ReservedBytes);
  }
};

} // namespace

std::unique_ptr<Policy> makePlanned(const std::string &Name,
                                    const ReplayRequest &R, bool Moves) {
  return std::make_unique<Planned>(Name, R, Moves);
}

} // namespace evenkeel
