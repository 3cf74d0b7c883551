//===- RowTables.h - objects that are tables of rows ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the regions' accesses select rows (unit/RowSteps.h).
// Makes: for each site from which data select, its row size, on which all of
// these accesses agree, or the reason why there is none.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_REGIONS_ROWTABLES_H
#define EVENKEEL_PASSES_ACCESS_REGIONS_ROWTABLES_H

#include "access/Rows.h"

namespace evenkeel {

/// Fills in SiteRow::Table from the rows and symbols of \p R, and counts the
/// sites without a row size in its give-ups.
void addTables(EkAccessResult &R);

} // namespace evenkeel

#endif
