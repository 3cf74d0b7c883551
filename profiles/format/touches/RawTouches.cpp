//===- RawTouches.cpp - the stream of a watched process -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RawTouches.h"
#include "format/File.h"
#include <cstring>

using namespace evenkeel;

namespace {
class Items {
  const std::string &Bytes;
  size_t At;

public:
  ek_touch_item Head{};
  size_t Begin = 0; // of the item's bytes

  explicit Items(const std::string &Bytes)
      : Bytes(Bytes), At(sizeof(ek_touch_header)) {}

  /// Goes to the next item that is complete.
  bool next() {
    if (Bytes.size() - At < sizeof Head)
      return false;
    std::memcpy(&Head, Bytes.data() + At, sizeof Head);
    Begin = At + sizeof Head;
    if (Head.bytes % 8 || Head.bytes > Bytes.size() - Begin)
      return false;
    At = Begin + Head.bytes;
    return true;
  }
  /// Copies the item's beginning to \p To.
  template <typename T> bool get(T &To) const {
    if (Head.bytes < sizeof To)
      return false;
    std::memcpy(&To, Bytes.data() + Begin, sizeof To);
    return true;
  }
  const char *after(size_t Offset) const {
    return Bytes.data() + Begin + Offset;
  }
};
} // namespace

static bool addModule(const Items &I, RawTouches &Out) {
  ek_touch_module M;
  if (!I.get(M) || M.path_bytes > I.Head.bytes - sizeof M)
    return false;
  Out.Modules[M.index] = {std::string(I.after(sizeof M), M.path_bytes), M.bias};
  return true;
}

static bool addObject(const Items &I, RawTouches &Out) {
  ek_touch_object O;
  if (!I.get(O) || O.kind > EK_TOUCH_UNNAMED ||
      O.frame_count > EK_TOUCH_FRAMES || O.base + O.bytes < O.base)
    return false;
  ek_touch_object &Old = Out.Objects.try_emplace(O.id, O).first->second;
  if (Old.bytes < O.bytes) // a heap that has grown
    Old.bytes = O.bytes;
  return true;
}

static bool fits(const ek_touch_row &X, const RawTouches &In) {
  auto Its = In.Objects.find(X.object);
  if (Its == In.Objects.end())
    return false;
  auto Most = [&](uint32_t N) { return N == EK_TOUCH_UNKNOWN || N <= X.pages; };
  return X.pages && X.resident <= X.pages && Most(X.touched) &&
         Most(X.written) &&
         uint64_t(X.first) + X.pages <=
             Its->second.bytes / In.Header.page_bytes + 2;
}

static bool addPass(const Items &I, RawTouches &Out) {
  RawTouchPass P;
  if (!I.get(P.Pass) ||
      (I.Head.bytes - sizeof P.Pass) / sizeof(ek_touch_row) < P.Pass.row_count)
    return false;
  if (!Out.Passes.empty() && P.Pass.time_ns < Out.Passes.back().Pass.time_ns)
    return false;
  P.Rows.resize(P.Pass.row_count);
  if (!P.Rows.empty())
    std::memcpy(P.Rows.data(), I.after(sizeof P.Pass),
                P.Rows.size() * sizeof(ek_touch_row));
  for (const ek_touch_row &X : P.Rows)
    if (!fits(X, Out))
      return false;
  Out.Passes.push_back(std::move(P));
  return true;
}

/// Sums never fall.
static bool addMoves(const Items &I, RawTouches &Out) {
  ek_touch_moves M;
  if (!I.get(M) || M.fast_touched > M.touched)
    return false;
  if (!Out.Moves.empty()) {
    const ek_touch_moves &Last = Out.Moves.back();
    if (M.time_ns < Last.time_ns || M.samples < Last.samples ||
        M.touched < Last.touched || M.fast_touched < Last.fast_touched ||
        M.up_bytes < Last.up_bytes || M.down_bytes < Last.down_bytes ||
        M.refused < Last.refused)
      return false;
  }
  Out.Moves.push_back(M);
  return true;
}

static bool addPlaced(const Items &I, RawTouches &Out) {
  ek_touch_placed P;
  if (!I.get(P) || P.fast_bytes > P.bytes || P.fast_touched > P.touched)
    return false;
  if (!Out.Objects.count(P.object)) // of a parent, before fork
    return true;
  ek_touch_placed &Sum = Out.Placed[P.object];
  Sum.bytes += P.bytes;
  Sum.fast_bytes += P.fast_bytes;
  Sum.touched += P.touched;
  Sum.fast_touched += P.fast_touched;
  Sum.up_bytes += P.up_bytes;
  Sum.down_bytes += P.down_bytes;
  return true;
}

static bool addItem(const Items &I, RawTouches &Out) {
  ek_touch_end End;
  switch (I.Head.kind) {
  case EK_TOUCH_MODULE:
    return addModule(I, Out);
  case EK_TOUCH_OBJECT:
    return addObject(I, Out);
  case EK_TOUCH_PASS:
    return addPass(I, Out);
  case EK_TOUCH_MOVES:
    return addMoves(I, Out);
  case EK_TOUCH_PLACED:
    return addPlaced(I, Out);
  case EK_TOUCH_NOTES:
    return I.get(Out.Notes);
  case EK_TOUCH_END:
    if (!I.get(End))
      return false;
    Out.End = End;
    return true;
  default: // of a later version
    return true;
  }
}

Expected<RawTouches> evenkeel::readRawTouches(const std::string &Path) {
  Expected<std::string> Bytes = readWholeFile(Path);
  if (!Bytes)
    return Bytes.takeError();
  RawTouches Out;
  if (Bytes->size() < sizeof Out.Header)
    return Error{Path + ": truncated recording; record the program again"};
  std::memcpy(&Out.Header, Bytes->data(), sizeof Out.Header);
  if (std::memcmp(Out.Header.magic, EK_TOUCH_MAGIC, sizeof Out.Header.magic) !=
      0)
    return Error{Path + ": not a recording of pages of this version"};
  if (Out.Header.page_bytes < 1024 || Out.Header.page_bytes > 1 << 20 ||
      !*ek_touch_name(Out.Header.mechanism))
    return Error{Path + ": damaged recording (header); record again"};
  for (Items I(*Bytes); I.next();)
    if (!addItem(I, Out))
      return Error{Path + ": damaged recording (item of kind " +
                   std::to_string(I.Head.kind) + "); record again"};
  return Out;
}
