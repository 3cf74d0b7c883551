//===- RowTables.h - look-ups of tables' rows per thread --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each thread's summaries of the rows that its tasks look up, one per
// region and object that is large enough to be placed. Memory is bounded by
// ek_rows.h, whatever the tables' sizes.
// Not here: where rows are looked up (the pass: record/RowCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWTABLES_H
#define EVENKEEL_RUNTIME_RECORD_ROWTABLES_H

#include "RowSample.h"
#include "SpaceSaving.h"
#include "format/rows/ek_rows.h"
#include "record/host/Vec.h"

namespace ekrec {

/// Counts a look-up, by the current task, of the row at \p Address in the table
/// that begins at \p Base.
void countRow(uintptr_t Base, uintptr_t Address, uint64_t RowBytes);

/// All summaries, in the order of ek_rows.h. \p Instances: rows of the stream
/// by internal number.
void collectRows(const Vec<uint32_t> &Instances, Vec<ek_raw_row_table> &Tables,
                 Vec<ek_raw_row_count> &Counts,
                 Vec<ek_raw_row_sample> &Sampled);

} // namespace ekrec

#endif
