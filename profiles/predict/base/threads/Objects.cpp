//===- Objects.cpp - the objects of another number of threads -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Objects.h.
//===----------------------------------------------------------------------===//
#include "Objects.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::threads;

namespace {

class ObjectSharing {
  const Profile &B;
  const Facts &F;
  const unsigned Old, New;
  const Formulas &Of;
  Profile &Out;

  /// An object of the new profile.
  struct Clone {
    uint32_t Of = 0, Number = 0, Creator = 0;
  };

public:
  Objects Its;

  ObjectSharing(const Profile &B, const Facts &F, const Shares &By,
                const Formulas &Of, Profile &Out)
      : B(B), F(F), Old(By.Old), New(By.New), Of(Of), Out(Out) {}

  void run() {
    std::map<std::tuple<uint64_t, uint64_t, uint32_t>,
             std::vector<std::pair<uint32_t, uint32_t>>>
        Groups; // by site, context and ordinal: creators and rows
    for (uint32_t I = 0; I < B.Instances.size(); ++I) {
      const ek_raw_inst &X = B.Instances[I];
      Groups[{X.site, X.context, X.ordinal}].emplace_back(X.creator, I);
    }
    Its.PartOf.resize(B.Instances.size());
    std::vector<Clone> All;
    for (auto &[Key, Made] : Groups) {
      std::sort(Made.begin(), Made.end());
      bool Each = Old > 1 && Made.size() == Old;
      for (uint32_t T = 0; Each && T < Old; ++T)
        Each = Made[T].first == T;
      const uint32_t Group = Made.front().second;
      for (auto [Creator, I] : Made) {
        Its.PartOf[I] = {Each ? Group : I, Each};
        if (!Each)
          All.push_back({I, 0, Creator % New});
      }
      for (uint32_t U = 0; Each && U < New; ++U)
        All.push_back({Made[U * Old / New].second, U, U});
    }
    // Objects of removed threads follow those of their new owners.
    std::sort(All.begin(), All.end(), [&](const Clone &X, const Clone &Y) {
      auto Key = [&](const Clone &Z) {
        const ek_raw_inst &I = B.Instances[Z.Of];
        return std::tuple(
            I.site, Z.Creator,
            EK_RAW_IS_SMALL(I.ordinal) + (I.ordinal == EK_RAW_SMALL),
            Its.PartOf[Z.Of].second ? 0 : I.creator, I.ordinal, Z.Of);
      };
      return Key(X) < Key(Y);
    });
    std::map<std::tuple<uint64_t, uint64_t, uint32_t>, uint32_t> InContext;
    for (const Clone &X : All) {
      ek_raw_inst Row = B.Instances[X.Of];
      Row.creator = X.Creator;
      Row.bytes = bytesOf(X, Row);
      ek_raw_inst *Last =
          Out.Instances.empty() ? nullptr : &Out.Instances.back();
      const bool Goes =
          Last && Last->site == Row.site && Last->creator == Row.creator;
      if (Goes && Row.ordinal == EK_RAW_SMALL && Last->ordinal == Row.ordinal) {
        Last->bytes += Row.bytes; // a creator's small blocks share a row
        Its.InstanceNow[{Its.PartOf[X.Of].first, X.Number}] =
            uint32_t(Out.Instances.size()) - 1;
        continue;
      }
      if (Goes && Row.ordinal != EK_RAW_SMALL)
        Row.ordinal = std::max(Row.ordinal, Last->ordinal + 1);
      if (Goes)
        Row.number = std::max(Row.number, Last->number + 1);
      if (!EK_RAW_IS_SMALL(Row.ordinal)) {
        uint32_t &Next = InContext[{Row.site, Row.context, Row.creator}];
        Row.in_context = std::max(Row.in_context, Next);
        Next = Row.in_context + 1;
      }
      Its.InstanceNow[{Its.PartOf[X.Of].first, X.Number}] =
          uint32_t(Out.Instances.size());
      Out.Instances.push_back(Row);
    }
  }

private:
  /// The size of a clone, recomputed if it depends on the number of threads.
  uint64_t bytesOf(const Clone &X, const ek_raw_inst &Row) const {
    const SiteFact *Site = F.site(Row.site);
    if (!Site || !Site->Size)
      return Row.bytes;
    const auto Then =
        Of.valueFor(*Site->Size, B.Instances[X.Of].creator, false);
    const auto Now = Of.valueFor(*Site->Size, X.Creator, true);
    return Then && Now && *Then > 0 && *Now > 0
               ? uint64_t(std::llround(double(Row.bytes) * *Now / *Then))
               : Row.bytes;
  }
};

} // namespace

Objects evenkeel::threads::shareObjects(const Profile &B, const Facts &F,
                                        const Shares &By, const Formulas &Of,
                                        Profile &Out) {
  ObjectSharing Sharing(B, F, By, Of, Out);
  Sharing.run();
  return std::move(Sharing.Its);
}
