//===- ProfileTables.h - columns of a profile's rows ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: name, type and offset of each member of the rows of ek_raw.h that a
// profile stores, for code that writes and reads rows.
// Not here: the container (ProfileFile.cpp: SQLite; ProfileJson.cpp: JSON).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILETABLES_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILETABLES_H

#include "Profile.h"
#include "SharedRows.h"
#include <cstddef>

namespace evenkeel {

/// The first table with an index outside its range, or null. Other code relies
/// on valid indices.
const char *tableWithBadIndex(const Profile &P);
/// The first table with a size or count that no run can have (such as -1 read
/// as unsigned), or null.
const char *tableWithBadFigure(const Profile &P);

struct Column {
  const char *Name;
  enum { U32, U64, I64, F64 } Type;
  size_t Offset;
  bool Later = false; // missing in older files: 0
};

struct Table {
  const char *Name;
  std::vector<Column> Columns;
};

#define EK_U32(S, M) {#M, Column::U32, offsetof(S, M)}
#define EK_U64(S, M) {#M, Column::U64, offsetof(S, M)}
#define EK_I64(S, M) {#M, Column::I64, offsetof(S, M)}
#define EK_F64(S, M) {#M, Column::F64, offsetof(S, M)}

template <typename T> const Table &tableOf();

template <> inline const Table &tableOf<ek_raw_conf>() {
  static const Table T = [] {
    Table T{"conf",
            {EK_U32(ek_raw_conf, line_bytes), EK_U32(ek_raw_conf, l1_bytes),
             EK_U32(ek_raw_conf, l1_ways), EK_U32(ek_raw_conf, l2_bytes),
             EK_U32(ek_raw_conf, l2_ways), EK_U32(ek_raw_conf, llc_share_bytes),
             EK_U32(ek_raw_conf, llc_ways),
             EK_U32(ek_raw_conf, rob_instructions),
             EK_U32(ek_raw_conf, prefetch_depth), EK_U32(ek_raw_conf, workers),
             EK_U64(ek_raw_conf, quantum_cycles), EK_F64(ek_raw_conf, ghz),
             EK_U64(ek_raw_conf, untracked_accesses),
             EK_U64(ek_raw_conf, tracked_accesses)}};
    static const char *const Sizes[EK_RAW_LLC_SIZES] = {
        "llc_size_0", "llc_size_1", "llc_size_2", "llc_size_3",
        "llc_size_4", "llc_size_5", "llc_size_6", "llc_size_7"};
    for (size_t I = 0; I < EK_RAW_LLC_SIZES; ++I)
      T.Columns.push_back(
          {Sizes[I], Column::U32, offsetof(ek_raw_conf, llc_sizes) + 4 * I});
    return T;
  }();
  return T;
}
template <> inline const Table &tableOf<ek_raw_inst>() {
  static const Table T{
      "inst",
      {EK_U64(ek_raw_inst, site),
       EK_U64(ek_raw_inst, context),
       EK_U32(ek_raw_inst, ordinal),
       EK_U32(ek_raw_inst, creator),
       EK_U64(ek_raw_inst, bytes),
       EK_U32(ek_raw_inst, alloc_phase),
       EK_U32(ek_raw_inst, free_phase),
       {"in_context", Column::U32, offsetof(ek_raw_inst, in_context), true},
       {"number", Column::U32, offsetof(ek_raw_inst, number), true}}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_phase>() {
  static const Table T{"phase",
                       {EK_U64(ek_raw_phase, sync), EK_U32(ek_raw_phase, kind),
                        EK_U32(ek_raw_phase, width)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_task>() {
  static const Table T{
      "task",
      {EK_U64(ek_raw_task, region), EK_U32(ek_raw_task, phase),
       EK_U32(ek_raw_task, index), EK_U32(ek_raw_task, worker),
       EK_U32(ek_raw_task, flags), EK_U64(ek_raw_task, core_cycles),
       EK_U64(ek_raw_task, instructions), EK_U64(ek_raw_task, wall_ns)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_dep>() {
  static const Table T{"dep",
                       {EK_U32(ek_raw_dep, task), EK_U32(ek_raw_dep, pred)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_part>() {
  static const Table T{"part",
                       {EK_U32(ek_raw_part, task), EK_U32(ek_raw_part, first)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_access>() {
  static const Table T{
      "access",
      {EK_U32(ek_raw_access, task), EK_U32(ek_raw_access, inst),
       EK_U64(ek_raw_access, reads), EK_U64(ek_raw_access, writes)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_miss>() {
  static const Table T{
      "miss",
      {EK_U32(ek_raw_miss, task),
       EK_U32(ek_raw_miss, inst),
       EK_U32(ek_raw_miss, chunk),
       EK_U64(ek_raw_miss, reads),
       EK_U64(ek_raw_miss, writes),
       EK_F64(ek_raw_miss, weight),
       {"course", Column::U64, offsetof(ek_raw_miss, course), true}}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_mrc>() {
  static const Table T = [] {
    Table T{"curve", {EK_U32(ek_raw_mrc, task), EK_U32(ek_raw_mrc, inst)}};
    static const char *const Reads[EK_RAW_LLC_SIZES] = {
        "reads_0", "reads_1", "reads_2", "reads_3",
        "reads_4", "reads_5", "reads_6", "reads_7"};
    for (size_t I = 0; I < EK_RAW_LLC_SIZES; ++I)
      T.Columns.push_back(
          {Reads[I], Column::U64, offsetof(ek_raw_mrc, reads) + 8 * I});
    return T;
  }();
  return T;
}
template <> inline const Table &tableOf<ek_raw_far>() {
  static const Table T{"far",
                       {EK_U32(ek_raw_far, task), EK_U32(ek_raw_far, inst),
                        EK_U64(ek_raw_far, reads), EK_F64(ek_raw_far, weight)}};
  return T;
}
template <> inline const Table &tableOf<ek_raw_symbol>() {
  static const Table T{
      "symbol",
      {EK_U64(ek_raw_symbol, symbol), EK_U32(ek_raw_symbol, task),
       EK_U64(ek_raw_symbol, times), EK_I64(ek_raw_symbol, first),
       EK_I64(ek_raw_symbol, last), EK_I64(ek_raw_symbol, min),
       EK_I64(ek_raw_symbol, max), EK_F64(ek_raw_symbol, sum)}};
  return T;
}

template <> inline const Table &tableOf<SharedPhase>() {
  static const Table T{"shared",
                       {EK_U32(SharedPhase, phase), EK_U32(SharedPhase, as)}};
  return T;
}

#undef EK_U32
#undef EK_U64
#undef EK_I64
#undef EK_F64

} // namespace evenkeel

#endif
