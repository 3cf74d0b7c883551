//===- ZlibStream.cpp - a zlib stream in memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ZlibStream.h.
//===----------------------------------------------------------------------===//
#include "ZlibStream.h"
#include <limits>
#define ZLIB_CONST // zlib takes its input as const
#include <zlib.h>

namespace evenkeel::damo {
namespace {

/// Frees what zlib allocated.
struct Inflater {
  z_stream Stream{};
  bool Ready = inflateInit(&Stream) == Z_OK;

  Inflater() = default;
  Inflater(const Inflater &) = delete;
  Inflater &operator=(const Inflater &) = delete;
  ~Inflater() {
    if (Ready)
      inflateEnd(&Stream);
  }
};

} // namespace

bool isZlib(const std::string &Bytes) {
  if (Bytes.size() < 2)
    return false;
  const unsigned First = static_cast<unsigned char>(Bytes[0]),
                 Second = static_cast<unsigned char>(Bytes[1]);
  return (First & 15) == 8 && First >> 4 <= 7 &&
         (First << 8 | Second) % 31 == 0 && !(Second & 0x20);
}

Expected<std::string> inflated(const std::string &Bytes, size_t Most) {
  if (!isZlib(Bytes))
    return Error{"no zlib stream"};
  if (Bytes.size() > std::numeric_limits<uInt>::max())
    return Error{"the zlib stream is larger than 4 GiB"};
  Inflater I;
  if (!I.Ready)
    return Error{"zlib has no memory"};
  I.Stream.next_in = reinterpret_cast<const Bytef *>(Bytes.data());
  I.Stream.avail_in = static_cast<uInt>(Bytes.size());
  std::string Out;
  for (int Status = Z_OK; Status != Z_STREAM_END;) {
    char Piece[1 << 16];
    I.Stream.next_out = reinterpret_cast<Bytef *>(Piece);
    I.Stream.avail_out = sizeof Piece;
    // Z_BUF_ERROR: all input is used, and the stream has no end.
    Status = inflate(&I.Stream, Z_NO_FLUSH);
    if (Status == Z_MEM_ERROR)
      return Error{"zlib has no memory"};
    if (Status != Z_OK && Status != Z_STREAM_END)
      return Error{"damaged or cut zlib stream"};
    const size_t N = sizeof Piece - I.Stream.avail_out;
    if (N > Most - Out.size())
      return Error{"the zlib stream holds too much"};
    Out.append(Piece, N);
  }
  return Out;
}

} // namespace evenkeel::damo
