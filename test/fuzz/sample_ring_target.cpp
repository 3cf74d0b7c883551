//===- sample_ring_target.cpp - rings of sampled loads --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an input is a tail, a head and the bytes of a ring. Reading ends in
// the ring, leaves less than a header, and sees the same where the records do
// not wrap around.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "runtime/loads/ring.h"
#include <cstring>
#include <vector>

using namespace ekfuzz;

namespace {
struct Seen {
  std::vector<ek_load> Loads;
  ek_load_gaps Gaps = {};
  uint64_t Tail = 0;

  Seen(const std::string &Ring, uint64_t From, uint64_t To) {
    Tail = ek_load_ring(
        reinterpret_cast<const unsigned char *>(Ring.data()), Ring.size(), From,
        To,
        [](const ek_load *L, void *Data) {
          static_cast<Seen *>(Data)->Loads.push_back(*L);
        },
        this, &Gaps);
  }
  bool operator==(const Seen &Other) const {
    return Loads.size() == Other.Loads.size() &&
           (Loads.empty() ||
            std::memcmp(Loads.data(), Other.Loads.data(),
                        Loads.size() * sizeof(ek_load)) == 0) &&
           std::memcmp(&Gaps, &Other.Gaps, sizeof Gaps) == 0;
  }
};
} // namespace

bool ekfuzz::runSampleRing(const std::string &Input) {
  uint64_t Ends[2];
  if (Input.size() < sizeof Ends + 8)
    return false;
  std::memcpy(Ends, Input.data(), sizeof Ends);
  size_t Bytes = 8;
  while (Bytes * 2 <= Input.size() - sizeof Ends)
    Bytes *= 2;
  const std::string Ring = Input.substr(sizeof Ends, Bytes);
  const auto [Tail, Head] = Ends;
  const Seen S(Ring, Tail, Head);
  EK_HOLDS(Head - S.Tail < sizeof(perf_event_header),
           "more than a header left");
  const uint64_t Filled = Head - Tail;
  if (Filled > Bytes) {
    EK_HOLDS(S.Gaps.damaged == 1 && S.Loads.empty(), "read beyond the ring");
    return false;
  }
  EK_HOLDS(S.Loads.size() * (sizeof(perf_event_header) + sizeof(ek_load)) <=
               Filled,
           "more samples than bytes");
  std::string Line(Bytes, '\0');
  for (uint64_t I = 0; I < Filled; ++I)
    Line[I] = Ring[(Tail + I) & (Bytes - 1)];
  const Seen Straight(Line, 0, Filled);
  EK_HOLDS(S == Straight, "differs where the ring wraps around");
  EK_HOLDS(Straight.Tail == S.Tail - Tail, "ends elsewhere");
  return S.Gaps.damaged == 0;
}
