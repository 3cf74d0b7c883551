//===- Pointers.h - the points-to graph -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: rows for the graph of objects (facts/Emit.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_REGIONS_POINTERS_H
#define EVENKEEL_PASSES_ACCESS_REGIONS_POINTERS_H

#include "access/Rows.h"
#include "objects/Inventory.h"
#include "objects/Objects.h"

namespace evenkeel {

std::vector<PointerRow> pointersBetween(const Inventory &Inv,
                                        const SourceMap &Source,
                                        const Objects &Obj);

} // namespace evenkeel

#endif
