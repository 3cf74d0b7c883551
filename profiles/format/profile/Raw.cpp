//===- Raw.cpp - reading the stream of a recorded process -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the layout of ek_raw.h. The bytes come from outside: sizes, row
// references and the end mark are checked before use.
// Not here: merging the streams of several processes, and interpretation.
//===----------------------------------------------------------------------===//
#include "Profile.h"
#include "ProfileTables.h"
#include "format/ek_until.h"
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>
#include <tuple>
#include <type_traits>

using namespace evenkeel;

namespace {

struct Closer {
  void operator()(std::FILE *F) const { std::fclose(F); }
};

class Reader {
  const std::string &Path;
  std::unique_ptr<std::FILE, Closer> F;
  uint64_t Left = 0; // unread bytes

public:
  std::string Problem;

  explicit Reader(const std::string &Path) : Path(Path) {}

  bool fail(const std::string &What) {
    if (Problem.empty())
      Problem = Path + ": " + What;
    return false;
  }
  bool open() {
    struct stat S;
    if (::stat(Path.c_str(), &S) == 0 && !S_ISREG(S.st_mode))
      return fail("not a regular file; give the stream itself");
    F.reset(std::fopen(Path.c_str(), "rb"));
    if (!F)
      return fail(std::string("cannot read: ") + std::strerror(errno));
    if (std::fseek(F.get(), 0, SEEK_END) != 0)
      return fail("not a regular file; give the stream itself");
    long Size = std::ftell(F.get());
    if (Size < 0 || std::fseek(F.get(), 0, SEEK_SET) != 0)
      return fail("not a regular file; give the stream itself");
    Left = static_cast<uint64_t>(Size);
    return true;
  }
  bool get(void *To, uint64_t Bytes) {
    if (Bytes > Left || (Bytes && std::fread(To, Bytes, 1, F.get()) != 1))
      return fail("truncated recording; record the program again");
    Left -= Bytes;
    return true;
  }
  bool skip(uint64_t Bytes) {
    if (Bytes > Left ||
        std::fseek(F.get(), static_cast<long>(Bytes), SEEK_CUR) != 0)
      return fail("truncated recording; record the program again");
    Left -= Bytes;
    return true;
  }
  uint64_t left() const { return Left; }

  template <typename T>
  bool rows(const ek_raw_section &S, std::vector<T> &Out) {
    static_assert(std::is_trivially_copyable_v<T>, "rows are plain");
    if (S.bytes != uint64_t(S.count) * sizeof(T) || !Out.empty())
      return fail("damaged recording (section sizes); record again");
    if (S.bytes > Left)
      return fail("truncated recording; record the program again");
    Out.resize(S.count);
    return get(Out.data(), S.bytes);
  }
};

/// Whether all rows refer to existing tasks and instances.
bool referencesHold(const MissRecord &R) {
  const size_t Tasks = R.Tasks.size(), Instances = R.Instances.size();
  auto Good = [&](const auto &Rows) {
    for (const auto &Row : Rows)
      if (Row.task >= Tasks || Row.inst >= Instances)
        return false;
    return true;
  };
  for (const ek_raw_inst &I : R.Instances)
    if (I.alloc_phase >= R.Phases.size() ||
        (I.free_phase >= R.Phases.size() && I.free_phase != EK_NO_TASK))
      return false;
  for (const ek_raw_task &T : R.Tasks)
    if (T.phase >= R.Phases.size())
      return false;
  for (const ek_raw_dep &D : R.Deps)
    if (D.task >= Tasks || D.pred >= Tasks || D.task == D.pred)
      return false;
  for (const ek_raw_part &P : R.Parts)
    if (P.task >= Tasks || P.first >= P.task)
      return false;
  for (const ek_raw_symbol &S : R.Symbols)
    if (S.task >= Tasks && S.task != EK_NO_TASK)
      return false;
  for (const ek_raw_miss &M : R.Misses)
    if (M.chunk >= EK_CHUNKS)
      return false;
  for (const ek_raw_race &X : R.RaceRows) {
    if (X.inst >= Instances && X.inst != EK_NO_TASK)
      return false;
    for (uint32_t I : X.image)
      if (I >= R.Images.size() && I != EK_NO_TASK)
        return false;
  }
  for (const ek_raw_image &I : R.Images)
    if (!std::memchr(I.path, 0, sizeof I.path))
      return false;
  return Good(R.Accesses) && Good(R.Misses) && Good(R.Curves) && Good(R.Far) &&
         Good(R.Pages);
}

/// Whether figures are finite and pages are in the order of ek_raw.h, as a
/// profile requires.
bool figuresHold(const MissRecord &R) {
  bool Good = std::isfinite(R.Config.ghz) && !tableWithBadFigure(R);
  for (const ek_raw_miss &M : R.Misses)
    Good &= std::isfinite(M.weight);
  for (const ek_raw_symbol &S : R.Symbols)
    Good &= std::isfinite(S.sum);
  const ek_raw_page *Last = nullptr;
  for (const ek_raw_page &P : R.Pages) {
    Good &=
        std::isfinite(P.weight) && P.weight >= 0 &&
        (!Last || std::tie(Last->task, Last->quantum, Last->inst, Last->page) <=
                      std::tie(P.task, P.quantum, P.inst, P.page));
    Last = &P;
  }
  return Good;
}

/// Sections of which a stream has at most one row.
struct SingleRows {
  std::vector<ek_raw_conf> Config;
  std::vector<ek_raw_sampling> Sampling;
  std::vector<ek_raw_ended> Ended;
};

bool readHeader(Reader &In, MissRecord &R) {
  ek_raw_header H;
  if (In.left() < sizeof H)
    return In.fail("not a recording (too short)");
  if (!In.get(&H, sizeof H))
    return false;
  if (std::memcmp(H.magic, EK_RAW_MAGIC, sizeof H.magic) != 0)
    return In.fail(std::memcmp(H.magic, EK_RAW_MAGIC, 5) == 0
                       ? "recording of another version; record again with "
                         "this one"
                       : "not a recording of a program built with "
                         "evenkeel-cc --record");
  R.Rank = H.process;
  switch (H.mode) {
  case 1:
    R.Mode = "counts";
    return true;
  case 2:
    R.Mode = "misses";
    return true;
  case 3:
    R.Mode = "times";
    return true;
  case 4:
    R.Mode = "sampled";
    return true;
  }
  return In.fail("damaged recording (mode); record again");
}

/// Reads the section \p S, except its last one. Unknown sections are skipped.
bool readSection(Reader &In, const ek_raw_section &S, MissRecord &R,
                 SingleRows &Single) {
  switch (S.tag) {
  case EK_RAW_CONF:
    return In.rows(S, Single.Config);
  case EK_RAW_SMPL:
    return In.rows(S, Single.Sampling);
  case EK_RAW_ENDD:
    return In.rows(S, Single.Ended);
  case EK_RAW_INST:
    return In.rows(S, R.Instances);
  case EK_RAW_PHAS:
    return In.rows(S, R.Phases);
  case EK_RAW_TASK:
    return In.rows(S, R.Tasks);
  case EK_RAW_DEPS:
    return In.rows(S, R.Deps);
  case EK_RAW_PART:
    return In.rows(S, R.Parts);
  case EK_RAW_ACCS:
    return In.rows(S, R.Accesses);
  case EK_RAW_MISS:
    return In.rows(S, R.Misses);
  case EK_RAW_MRCV:
    return In.rows(S, R.Curves);
  case EK_RAW_FARW:
    return In.rows(S, R.Far);
  case EK_RAW_PAGE:
    return In.rows(S, R.Pages);
  case EK_RAW_SYMB:
    return In.rows(S, R.Symbols);
  case EK_RAW_RACE:
    return In.rows(S, R.RaceRows);
  case EK_RAW_IMAG:
    return In.rows(S, R.Images);
  default:
    return In.skip(S.bytes);
  }
}

bool isKnownEnd(const ek_raw_ended &E) {
  return E.why < EK_ENDED_NUMBER && E.missing < EK_UNSEEN_NUMBER &&
         E.seen_share >= 0 && E.seen_share <= 1;
}

/// Checks the stream at its end, and takes over the \p Single rows.
bool finishRecord(Reader &In, MissRecord &R, const SingleRows &Single) {
  if (Single.Config.size() != 1)
    return In.fail("damaged recording (configuration); record again");
  R.Config = Single.Config[0];
  const std::vector<ek_raw_sampling> &Sampling = Single.Sampling;
  if (Sampling.size() != (R.Mode == "sampled" ? 1 : 0) ||
      (!Sampling.empty() && Sampling[0].one_in < 2))
    return In.fail("damaged recording (sampling rate); record again");
  if (!Sampling.empty())
    R.OneIn = Sampling[0].one_in;
  const std::vector<ek_raw_ended> &Ended = Single.Ended;
  if (Ended.size() > 1 || (!Ended.empty() && !isKnownEnd(Ended[0])))
    return In.fail(
        "damaged recording (unknown reason of its end); record again");
  if (!Ended.empty()) {
    R.End = Ended[0];
    R.Ended = endName(R.End.why);
  }
  for (const ek_raw_race &X : R.RaceRows)
    R.Races += !(X.flags & 4);
  if (!figuresHold(R))
    return In.fail("damaged recording (figures that are not finite, or pages "
                   "out of order); record again");
  return referencesHold(R) ||
         In.fail("damaged recording (rows refer to tasks or objects that do "
                 "not exist); record again");
}

bool readSections(Reader &In, MissRecord &R) {
  if (!readHeader(In, R))
    return false;
  SingleRows Single;
  for (;;) {
    ek_raw_section S;
    if (!In.get(&S, sizeof S))
      return false;
    if (S.tag == EK_RAW_END) {
      if (S.bytes || S.count || In.left())
        return In.fail("damaged recording (data after its end); record again");
      return finishRecord(In, R, Single);
    }
    if (!readSection(In, S, R, Single))
      return false;
  }
}

} // namespace

const char *evenkeel::endName(uint32_t Why) {
  static const char *const Names[EK_ENDED_NUMBER] = {
      "", "phases", "count", "seconds", "limit", "cut"};
  return Why < EK_ENDED_NUMBER ? Names[Why] : "";
}

bool evenkeel::isRole(const std::string &Text) {
  return Text == "base" || Text == "prefix" || Text == "target";
}

bool evenkeel::isEndName(const std::string &Text) {
  for (uint32_t Why = 0; Why < EK_ENDED_NUMBER; ++Why)
    if (Text == endName(Why))
      return true;
  return false;
}

Expected<MissRecord> evenkeel::readRaw(const std::string &Path) {
  MissRecord R;
  Reader In(Path);
  if (!In.open() || !readSections(In, R))
    return Error{In.Problem};
  return R;
}
