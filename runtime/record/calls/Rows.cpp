//===- Rows.cpp - look-ups of a table's rows ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call that instrumented code makes before it accesses a row.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "record/abi/record_abi.h"
#include "record/tasks/Recorder.h"
#include "record/tasks/RowTables.h"

extern "C" void __ek_rec_row(uintptr_t Base, uintptr_t Address,
                             uint64_t RowBytes) {
  if (ekrec::TheRecorder.Opts.LookUps)
    ekrec::countRow(Base, Address, RowBytes);
}
