//===- Arms.cpp - two moving averages, and moves that pay -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Yadalam et al., "ARMS", arXiv 2508.04417 (2025). Sampled accesses of
// a page go into a fast and a slow moving average. Pages with the highest sums
// of both, as many as fit, are the hot set: no threshold says what is hot. The
// slow average has more weight while accesses come as usual, the fast one after
// a change: the Page-Hinkley test (Page 1954) on the share of samples in slow
// memory finds changes. A page moves if the accesses that it has more than the
// one that makes room for it, over as many intervals as it has been hot so far,
// save more latency than both copies take. Moves of an interval are limited by
// the bandwidth that the program leaves. Known of the published system is what
// its authors' summary says; weights of the averages and the test's figures are
// ours.
// Parameters: period: misses per sample; interval_us between two rounds (500 ms
// there, scaled).
//===----------------------------------------------------------------------===//
#include "SamplingPolicy.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {
namespace {

/// A change of the mean of a series, upwards (Page 1954; Hinkley 1971).
class PageHinkley {
  static constexpr double Tolerated = 0.02, Threshold = 0.1;
  double Mean = 0, Sum = 0, Least = 0;
  unsigned N = 0;

public:
  bool changes(double X) {
    Mean += (X - Mean) / ++N;
    Sum += X - Mean - Tolerated;
    Least = std::min(Least, Sum);
    if (Sum - Least <= Threshold)
      return false;
    *this = PageHinkley();
    return true;
  }
};

class Arms : public SamplingPolicy {
  static constexpr double Fast = 0.7, Slow = 0.1; // weights of new counts
  static constexpr double Heavy = 0.7;            // of the average that leads
  static constexpr double Forgotten = 1e-3;       // samples per interval
  static constexpr unsigned AfterChange = 8;      // intervals

  const double SavedNs; // by an access to fast memory
  const double CopyNsPerByte, PageNs, SlowBytesPerNs;

  struct Heat {
    uint64_t Page;
    double Bytes, New = 0, Short = 0, Long = 0, Score = 0;
    unsigned Rounds = 0; // in which it was hot, up to now
  };
  std::vector<Heat> Seen;
  std::vector<uint32_t> At; // by page: its place in Seen and 1; 0: none
  PageHinkley Test;
  unsigned Recent = 0; // intervals for which the fast average still leads

  void count(System &S) {
    At.resize(S.totalPages(), 0);
    double InSlow = 0;
    for (const SampledAccess &A : S.samples()) {
      InSlow += S.tierOf(A.Page) != 0;
      if (!At[A.Page]) {
        Seen.push_back({A.Page, double(S.bytes(A.Page))});
        At[A.Page] = uint32_t(Seen.size());
      }
      ++Seen[At[A.Page] - 1].New;
    }
    if (Recent)
      --Recent;
    if (!S.samples().empty() &&
        Test.changes(InSlow / double(S.samples().size())))
      Recent = AfterChange;
    const double OfShort = Recent ? Heavy : 1 - Heavy;
    for (Heat &H : Seen) {
      H.Short += Fast * (H.New - H.Short);
      H.Long += Slow * (H.New - H.Long);
      H.New = 0;
      H.Score = OfShort * H.Short + (1 - OfShort) * H.Long;
    }
  }

  void forget(System &S) {
    size_t Kept = 0;
    for (const Heat &H : Seen) {
      At[H.Page] = 0;
      if (!S.Map.holds(H.Page) || H.Score < Forgotten)
        continue;
      Seen[Kept++] = H;
      At[H.Page] = uint32_t(Kept);
    }
    Seen.resize(Kept);
  }

  double score(uint64_t Page) const {
    return At[Page] ? Seen[At[Page] - 1].Score : 0;
  }

  /// The hot set's pages in slow memory, hottest first.
  std::vector<const Heat *> hotInSlow(System &S) {
    std::vector<Heat *> Order;
    for (Heat &H : Seen)
      Order.push_back(&H);
    std::sort(Order.begin(), Order.end(), [](const Heat *A, const Heat *B) {
      return A->Score != B->Score ? A->Score > B->Score : A->Page < B->Page;
    });
    std::vector<const Heat *> Out;
    double Bytes = 0;
    for (Heat *H : Order) {
      const bool Hot = (Bytes += H->Bytes) <= double(S.Map.capacity(0));
      H->Rounds = Hot ? H->Rounds + 1 : 0;
      if (Hot && S.Map.slowPages().contains(H->Page))
        Out.push_back(H);
    }
    return Out;
  }

  void migrate(System &S) {
    const std::vector<const Heat *> Rising = hotInSlow(S);
    if (S.Map.hasMoves() || Rising.empty())
      return;
    const std::vector<uint64_t> Falling = coldest(
        S, S.Map.capacity(0), 1e18, [&](uint64_t P) { return score(P); });
    double Left = std::max(0.0, SlowBytesPerNs * IntervalNs - S.bytesRead(1));
    int64_t Free = freeFast(S);
    size_t Next = 0;
    for (const Heat *H : Rising) {
      const auto Bytes = int64_t(H->Bytes);
      // What makes room, and what it costs.
      size_t End = Next;
      double Lost = 0, CopyNs = PageNs + H->Bytes * CopyNsPerByte;
      int64_t Then = Free;
      for (; Then < Bytes && End < Falling.size(); ++End) {
        const double Its = double(S.bytes(Falling[End]));
        Lost += score(Falling[End]);
        CopyNs += PageNs + Its * CopyNsPerByte;
        Then += int64_t(Its);
      }
      Left -= H->Bytes + double(Then - Free);
      const double Gain =
          (H->Score - Lost) * Period * SavedNs * double(H->Rounds);
      if (Then < Bytes || Left < 0 || H->Score <= Lost)
        break; // the next ones are colder, and find warmer ones
      if (Gain <= CopyNs)
        continue;
      for (; Next < End; ++Next)
        S.requestMove(Falling[Next], 1);
      S.requestMove(H->Page, 0);
      Free = Then - Bytes;
    }
  }

public:
  Arms(double Period, double IntervalUs, const Machine &M)
      : SamplingPolicy(Period, IntervalUs, /*Loads=*/true),
        SavedNs(M.Tiers[1].ReadLatencyNs - M.Tiers[0].ReadLatencyNs),
        CopyNsPerByte(
            M.MigrationBandwidthGBps > 0 ? 1 / M.MigrationBandwidthGBps : 0),
        PageNs(M.MigrationPageUs * 1e3),
        SlowBytesPerNs(std::min(M.Tiers[1].ReadBandwidthGBps,
                                M.Tiers[1].WriteBandwidthGBps)) {}
  std::string name() const override { return "arms"; }
  void onTick(System &S) override {
    count(S);
    forget(S);
    migrate(S);
  }
};

} // namespace

const std::vector<Tunable> &armsTunables() {
  static const std::vector<Tunable> T = {
      {"period", 199, {67, 199, 997}, "misses per sample"},
      {"interval_us", 1000, {200, 1000, 5000}, "between two rounds"}};
  return T;
}

std::unique_ptr<Policy> makeArms(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, armsTunables(), Name);
  };
  return std::make_unique<Arms>(Get("period"), Get("interval_us"), *R.M);
}

} // namespace evenkeel
