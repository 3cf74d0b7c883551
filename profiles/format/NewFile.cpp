//===- NewFile.cpp - a file that will replace another ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See NewFile.h. Temporary names end in ".ek-PROCESS-RANDOM": the process id
// shows which files are left over, and the 64 random bits are unpredictable.
//===----------------------------------------------------------------------===//
#include "NewFile.h"
#include "Identity.h"
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace evenkeel;

static const char Mark[] = ".ek-";

Error NewFile::failed() const {
  return Error{"cannot write " + Shown + ": " + std::strerror(errno)};
}

/// Gives \p Descriptor the owner and mode of \p Old, as far as permitted.
static bool takeMode(int Descriptor, const struct stat &Old) {
  mode_t Mode = Old.st_mode & 07777;
  struct stat New;
  if (::fstat(Descriptor, &New) == 0 &&
      (New.st_uid != Old.st_uid || New.st_gid != Old.st_gid) &&
      ::fchown(Descriptor, Old.st_uid, Old.st_gid) != 0)
    Mode &= 01777; // never set-uid for another owner
  return ::fchmod(Descriptor, Mode) == 0;
}

Expected<NewFile> NewFile::beside(const std::string &Path,
                                  const std::string &ModeOf) {
  NewFile F(Path, Path);
  if (char *Real = ::realpath(Path.c_str(), nullptr)) {
    F.Final = Real;
    ::free(Real);
  }
  struct stat Old;
  if (::stat(F.Final.c_str(), &Old) == 0 && !S_ISREG(Old.st_mode))
    return Error{"cannot write " + Path + ": it is " +
                 (S_ISDIR(Old.st_mode) ? "a directory" : "not a regular file")};
  const std::string &Model = ModeOf.empty() ? F.Final : ModeOf;
  const bool HasModel = ::stat(Model.c_str(), &Old) == 0;
  constexpr unsigned Attempts = 16; // each fails only if the random name exists
  for (unsigned I = 0; I < Attempts && F.Descriptor < 0; ++I) {
    uint64_t Random = 0;
    if (::getrandom(&Random, sizeof Random, 0) != sizeof Random)
      return F.failed();
    F.Temporary =
        F.Final + Mark + std::to_string(::getpid()) + "-" + idToString(Random);
    F.Descriptor = ::open(F.Temporary.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                          HasModel ? 0600 : 0666);
    if (F.Descriptor < 0 && errno != EEXIST)
      return F.failed();
  }
  if (F.Descriptor < 0 || (HasModel && !takeMode(F.Descriptor, Old)))
    return F.failed();
  return Expected<NewFile>(std::move(F));
}

MaybeError NewFile::canBeWritten(const std::string &Path) {
  Expected<NewFile> F = beside(Path);
  return F ? MaybeError() : MaybeError(F.takeError());
}

NewFile::NewFile(NewFile &&Other) noexcept
    : Shown(std::move(Other.Shown)), Final(std::move(Other.Final)),
      Temporary(std::move(Other.Temporary)),
      Descriptor(std::exchange(Other.Descriptor, -1)) {
  Other.Temporary.clear();
}

NewFile::~NewFile() {
  if (Descriptor < 0)
    return;
  ::close(Descriptor);
  ::unlink(Temporary.c_str());
}

MaybeError NewFile::write(const std::string &Text) {
  for (size_t At = 0; At < Text.size();) {
    const ssize_t N = ::write(Descriptor, Text.data() + At, Text.size() - At);
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return failed();
    At += static_cast<size_t>(N);
  }
  return std::nullopt;
}

MaybeError NewFile::publish() {
  // Some file systems report a full disk only here.
  bool Good = ::close(std::exchange(Descriptor, -1)) == 0;
  Good = Good && ::rename(Temporary.c_str(), Final.c_str()) == 0;
  if (Good)
    return std::nullopt;
  Error E = failed();
  ::unlink(Temporary.c_str());
  return E;
}

/// The process that writes the temporary file \p Name, whose final name is
/// stored in \p Final; 0 if \p Name is not a temporary file of ours.
static pid_t writerOf(const std::string &Name, std::string &Final) {
  const size_t At = Name.rfind(Mark);
  if (At == std::string::npos)
    return 0;
  pid_t Process = 0;
  const char *From = Name.data() + At + std::strlen(Mark),
             *Last = Name.data() + Name.size();
  auto [Behind, Problem] = std::from_chars(From, Last, Process);
  if (Problem != std::errc() || Behind == Last || *Behind != '-' ||
      idFromString(std::string(Behind + 1, Last)) == 0 || Process < 0)
    return 0;
  Final = Name.substr(0, At);
  return Process;
}

bool evenkeel::isUnfinished(const std::string &Name) {
  std::string Final;
  return writerOf(Name, Final) != 0;
}

bool evenkeel::isLeftOver(const std::string &Name, std::string &Final) {
  const pid_t Writer = writerOf(Name, Final);
  return Writer != 0 && ::kill(Writer, 0) != 0 && errno == ESRCH;
}
