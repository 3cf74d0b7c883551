//===- PageSpan.cpp - rows that describe several pages --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PageSpan.h.
//===----------------------------------------------------------------------===//
#include "PageSpan.h"
#include <algorithm>

using namespace evenkeel;

namespace {

/// The \p I-th of \p N equal parts of \p Whole.
uint32_t part(uint32_t Whole, uint64_t I, uint64_t N) {
  return static_cast<uint32_t>((I + 1) * Whole / N - I * Whole / N);
}

void spread(const ek_raw_page &Row, uint64_t PagesOfObject, uint32_t OneIn,
            std::vector<ek_raw_page> &Out) {
  const uint32_t First = EK_PAGE_FIRST(Row.page);
  const uint64_t Pages = First < PagesOfObject
                             ? std::min(uint64_t(1) << EK_PAGE_SPAN(Row.page),
                                        PagesOfObject - First)
                             : 1;
  const uint64_t Lines = std::max(Row.reads, Row.writes) / OneIn;
  const uint64_t N = std::clamp<uint64_t>(Lines, 1, Pages);
  const uint64_t Begin =
      ((uint64_t(Row.task) << 32 | Row.quantum) * 0x9E3779B97F4A7C15ull >> 32) %
      Pages;
  for (uint64_t I = 0; I < N; ++I) {
    ek_raw_page P = Row;
    P.page = First + static_cast<uint32_t>((I * Pages + Begin) / N);
    P.reads = part(Row.reads, I, N);
    P.writes = part(Row.writes, I, N);
    P.dependent = part(Row.dependent, I, N);
    P.weight = Row.reads ? Row.weight * (float(P.reads) / float(Row.reads))
                         : Row.weight / float(N);
    Out.push_back(P);
  }
}

} // namespace

std::vector<ek_raw_page>
evenkeel::singlePages(std::vector<ek_raw_page> Rows,
                      const std::vector<ek_raw_inst> &Instances,
                      uint32_t OneIn) {
  if (std::none_of(Rows.begin(), Rows.end(), [](const ek_raw_page &P) {
        return EK_PAGE_SPAN(P.page) != 0;
      }))
    return Rows;
  std::vector<ek_raw_page> Out;
  Out.reserve(Rows.size());
  for (const ek_raw_page &Row : Rows)
    if (EK_PAGE_SPAN(Row.page))
      spread(Row, (Instances[Row.inst].bytes + EK_PAGE - 1) / EK_PAGE,
             std::max(1u, OneIn), Out);
    else
      Out.push_back(Row);
  return Out;
}
