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

} // namespace

static bool readSections(Reader &In, MissRecord &R) {
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
    break;
  case 2:
    R.Mode = "misses";
    break;
  case 3:
    R.Mode = "times";
    break;
  case 4:
    R.Mode = "sampled";
    break;
  default:
    return In.fail("damaged recording (mode); record again");
  }
  std::vector<ek_raw_conf> Config;
  std::vector<ek_raw_sampling> Sampling;
  std::vector<ek_raw_ended> Ended;
  for (;;) {
    ek_raw_section S;
    if (!In.get(&S, sizeof S))
      return false;
    bool Good = true;
    switch (S.tag) {
    case EK_RAW_CONF:
      Good = In.rows(S, Config);
      break;
    case EK_RAW_SMPL:
      Good = In.rows(S, Sampling);
      break;
    case EK_RAW_ENDD:
      Good = In.rows(S, Ended);
      break;
    case EK_RAW_INST:
      Good = In.rows(S, R.Instances);
      break;
    case EK_RAW_PHAS:
      Good = In.rows(S, R.Phases);
      break;
    case EK_RAW_TASK:
      Good = In.rows(S, R.Tasks);
      break;
    case EK_RAW_DEPS:
      Good = In.rows(S, R.Deps);
      break;
    case EK_RAW_PART:
      Good = In.rows(S, R.Parts);
      break;
    case EK_RAW_ACCS:
      Good = In.rows(S, R.Accesses);
      break;
    case EK_RAW_MISS:
      Good = In.rows(S, R.Misses);
      break;
    case EK_RAW_MRCV:
      Good = In.rows(S, R.Curves);
      break;
    case EK_RAW_FARW:
      Good = In.rows(S, R.Far);
      break;
    case EK_RAW_PAGE:
      Good = In.rows(S, R.Pages);
      break;
    case EK_RAW_SYMB:
      Good = In.rows(S, R.Symbols);
      break;
    case EK_RAW_RACE:
      Good = In.rows(S, R.RaceRows);
      break;
    case EK_RAW_IMAG:
      Good = In.rows(S, R.Images);
      break;
    case EK_RAW_END:
      if (S.bytes || S.count || In.left())
        return In.fail("damaged recording (data behind its end); record again");
      if (Config.size() != 1)
        return In.fail("damaged recording (configuration); record again");
      R.Config = Config[0];
      if (Sampling.size() != (R.Mode == "sampled" ? 1 : 0) ||
          (!Sampling.empty() && Sampling[0].one_in < 2))
        return In.fail("damaged recording (sampling rate); record again");
      if (!Sampling.empty())
        R.OneIn = Sampling[0].one_in;
      if (Ended.size() > 1 ||
          (!Ended.empty() &&
           (Ended[0].why >= EK_ENDED_NUMBER ||
            Ended[0].missing >= EK_UNSEEN_NUMBER ||
            !(Ended[0].seen_share >= 0) || Ended[0].seen_share > 1)))
        return In.fail(
            "damaged recording (unknown reason of its end); record again");
      if (!Ended.empty()) {
        R.End = Ended[0];
        R.Ended = endName(R.End.why);
      }
      for (const ek_raw_race &X : R.RaceRows)
        R.Races += !(X.flags & 4);
      if (!figuresHold(R))
        return In.fail("damaged recording (figures that are not finite, or "
                       "pages out of order); record again");
      return referencesHold(R) ||
             In.fail(
                 "damaged recording (rows refer to tasks or objects that do "
                 "not exist); record again");
    default:
      Good = In.skip(S.bytes);
    }
    if (!Good)
      return false;
  }
}

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
