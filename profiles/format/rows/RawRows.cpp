//===- RawRows.cpp - look-ups of rows in a raw stream ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the sections of ek_rows.h. The bytes come from outside: numbers of
// rows and references are checked before use.
//===----------------------------------------------------------------------===//
#include "RowCounts.h"
#include "format/profile/Profile.h"
#include <cstring>
#include <fstream>

using namespace evenkeel;

namespace {

class Sections {
  std::ifstream In;
  uint64_t Left = 0;

public:
  std::vector<ek_raw_row_table> Tables;
  std::vector<ek_raw_row_count> Counts;
  std::vector<ek_raw_row_sample> Sampled;

  explicit Sections(const std::string &Path)
      : In(Path, std::ios::binary | std::ios::ate) {
    const auto End = In.tellg();
    Left = End < 0 ? 0 : uint64_t(End);
    In.seekg(0);
  }
  bool read() {
    ek_raw_header H;
    if (!get(&H, sizeof H) ||
        std::memcmp(H.magic, EK_RAW_MAGIC, sizeof H.magic) != 0)
      return false;
    for (;;) {
      ek_raw_section S;
      if (!get(&S, sizeof S))
        return false;
      if (S.tag == EK_RAW_END)
        return true;
      if (!(S.tag == EK_RAW_ROWT   ? rows(S, Tables)
            : S.tag == EK_RAW_ROWC ? rows(S, Counts)
            : S.tag == EK_RAW_ROWS ? rows(S, Sampled)
                                   : skip(S.bytes)))
        return false;
    }
  }

private:
  bool get(void *To, uint64_t Bytes) {
    if (Bytes > Left)
      return false;
    Left -= Bytes;
    return !Bytes || bool(In.read(static_cast<char *>(To),
                                  static_cast<std::streamsize>(Bytes)));
  }
  bool skip(uint64_t Bytes) {
    if (Bytes > Left)
      return false;
    Left -= Bytes;
    return bool(In.seekg(static_cast<std::streamoff>(Bytes), std::ios::cur));
  }
  template <typename T>
  bool rows(const ek_raw_section &S, std::vector<T> &Out) {
    if (S.bytes != uint64_t(S.count) * sizeof(T) || S.bytes > Left ||
        !Out.empty())
      return false;
    Out.resize(S.count);
    return get(Out.data(), S.bytes);
  }
};

bool holds(const ek_raw_row_table &T, const ek_raw_row_count *Rows,
           const ek_raw_row_sample *Sampled) {
  if (!T.row_bytes || T.row_bytes > INT64_MAX || T.first >= T.row_bytes ||
      T.lookups > INT64_MAX || T.error > T.lookups || T.shift > 63)
    return false;
  for (uint32_t I = 0; I < T.sampled; ++I)
    if (!ek_row_sampled(Sampled[I].row, T.shift) || !Sampled[I].lookups ||
        Sampled[I].lookups > T.lookups || Sampled[I].row > INT64_MAX ||
        (I && Sampled[I].row <= Sampled[I - 1].row))
      return false;
  for (uint32_t I = 0; I < T.rows; ++I)
    if (Rows[I].over > Rows[I].lookups || Rows[I].lookups > T.lookups ||
        Rows[I].row > INT64_MAX || (I && Rows[I].row <= Rows[I - 1].row))
      return false;
  return true;
}

} // namespace

Expected<RowCounts> evenkeel::readRawRows(const std::string &Path,
                                          const MissRecord &R) {
  const Error Damaged{Path + ": damaged recording (look-ups of rows); record "
                             "again"};
  Sections In(Path);
  if (!In.read())
    return Damaged;
  RowCounts Out;
  size_t Next = 0, NextSampled = 0;
  for (const ek_raw_row_table &T : In.Tables) {
    if (T.inst == EK_NO_TASK && !T.rows) {
      Out.Unkept += T.lookups;
      continue;
    }
    if (T.inst >= R.Instances.size() || T.rows > EK_ROWS_KEPT ||
        T.rows > In.Counts.size() - Next || T.sampled > EK_ROWS_SAMPLED ||
        T.sampled > In.Sampled.size() - NextSampled ||
        !holds(T, In.Counts.data() + Next, In.Sampled.data() + NextSampled))
      return Damaged;
    const ek_raw_inst &I = R.Instances[T.inst];
    const auto Begin = In.Counts.begin() + static_cast<std::ptrdiff_t>(Next);
    Next += T.rows;
    const auto First =
        In.Sampled.begin() + static_cast<std::ptrdiff_t>(NextSampled);
    NextSampled += T.sampled;
    Out.Tables.push_back(
        {T.region,
         I.site,
         I.context,
         I.ordinal,
         I.creator,
         T.row_bytes,
         T.first,
         T.lookups,
         T.error,
         {Begin, Begin + static_cast<std::ptrdiff_t>(T.rows)},
         {First, First + static_cast<std::ptrdiff_t>(T.sampled)},
         T.shift});
  }
  if (Next != In.Counts.size() || NextSampled != In.Sampled.size())
    return Damaged;
  return Out;
}
