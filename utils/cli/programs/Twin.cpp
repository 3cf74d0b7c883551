//===- Twin.cpp - a program built again for recording ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Twin.h.
//===----------------------------------------------------------------------===//
#include "Twin.h"
#include "Archive.h"
#include "ElfFile.h"
#include "LoadedLibraries.h"
#include "Process.h"
#include "builds/DriverLine.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/File.h"
#include "format/Identity.h"
#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace evenkeel::cli {

namespace {
/// Held while one process writes the folder of a twin.
class FolderLock {
  int File;

public:
  explicit FolderLock(const std::string &Folder)
      : File(open((Folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC,
                  0666)) {
    if (File >= 0)
      flock(File, LOCK_EX);
  }
  ~FolderLock() {
    if (File >= 0)
      close(File);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
};

/// Writes one twin.
class TwinBuild {
  const BuiltProgram &P;
  const std::string &Mode;
  const std::string Folder;
  /// The root that the user named for the program, or "": each unit has the one
  /// that its plain build found, and so have its ids.
  const std::string Root;
  /// The objects that are made, by the file that they are for.
  std::map<const BuiltFile *, std::vector<std::string>> Objects;
  std::map<std::string, std::string> Libraries; // twins by path
  Twin Result;

public:
  TwinBuild(const BuiltProgram &P, const std::string &Mode, std::string Folder,
            std::string Root)
      : P(P), Mode(Mode), Folder(std::move(Folder)), Root(std::move(Root)) {}

  Twin make();

private:
  void setRoot(Job &J) const {
    if (!Root.empty())
      J.Argv.push_back("--root=" + Root);
    else
      J.Env.push_back({"EVENKEEL_ROOT", ""});
  }
  void compile();
  std::string link(const BuiltFile &F);
  /// The words in place of the input \p Path; nothing if units replace it.
  std::vector<std::string> inputWords(const BuiltFile &F,
                                      const std::string &Path);
  std::string archiveWithoutUnits(const std::string &Path);
  std::string libraryTwin(const std::string &Path);
};
} // namespace

/// Options of a unit that would write files of the build, stop at warnings, or
/// keep its code from the recording pass.
static std::vector<std::string> recordedOptions(const BuiltUnit &U) {
  static const std::set<std::string> WithValue = {"-MF", "-MT", "-MQ", "-MJ"};
  static const std::vector<std::string> Prefixes = {
      "-M",           "-save-temps",   "--save-temps",
      "-Werror",      "-flto",         "-ffat-lto-objects",
      "-fplugin=",    "-fpass-plugin", "-fno-fat-lto-objects",
      "-ftime-trace", "-emit-llvm",    "-fdiagnostics-color"};
  std::vector<std::string> Out;
  for (size_t I = 1; I < U.Line.Words.size(); ++I) {
    const std::string &W = U.Line.Words[I];
    if (WithValue.count(W)) {
      ++I;
      continue;
    }
    if (W != "-S" && std::none_of(Prefixes.begin(), Prefixes.end(),
                                  [&](const std::string &Prefix) {
                                    return W.rfind(Prefix, 0) == 0;
                                  }))
      Out.push_back(W);
  }
  return Out;
}

static std::string compilerFor(bool CPlusPlus) {
  return siblingProgram(CPlusPlus ? "evenkeel-c++" : "evenkeel-cc");
}

static std::string absolute(const std::string &Directory,
                            const std::string &Path) {
  return (fs::path(Directory) / Path).lexically_normal().string();
}

static DriverLine lineOf(const BuiltLink &L) {
  std::string Problem; // its own options have no place in a record
  return readDriverLine({L.Words.begin() + 1, L.Words.end()}, Problem);
}

void TwinBuild::compile() {
  std::vector<Job> Jobs;
  std::vector<const BuiltUnit *> Units;
  std::map<std::pair<std::string, std::vector<std::string>>, std::string> Made;
  for (const BuiltFile &F : P.Files)
    for (const BuiltUnit &U : F.Units) {
      std::vector<std::string> Options = recordedOptions(U);
      std::vector<std::string> Key = Options;
      Key.push_back(U.Line.Directory);
      std::string &Object = Made[{U.File, Key}];
      if (Object.empty()) {
        Object = Folder + "/" + std::to_string(Units.size()) + ".o";
        Job J;
        J.Directory = U.Line.Directory;
        J.Argv = {compilerFor(U.IsCxx), "--record=" + Mode};
        setRoot(J);
        J.Argv.insert(J.Argv.end(), Options.begin(), Options.end());
        for (const std::string &W :
             {std::string("-Qunused-arguments"), std::string("-w"),
              std::string("-c"), U.File, std::string("-o"), Object})
          J.Argv.push_back(W);
        Jobs.push_back(std::move(J));
        Units.push_back(&U);
      }
      Objects[&F].push_back(Object);
    }
  Result.Units = Units.size();
  const std::vector<JobResult> Results =
      runJobs(Jobs, std::max(1u, std::thread::hardware_concurrency()),
              "building the recording twin");
  for (size_t I = 0; I < Results.size(); ++I)
    if (Results[I].Status != 0)
      fail("'" + Units[I]->File +
           "' does not compile for recording: " + firstError(Results[I].Err));
}

/// Whether \p Object has units that we compile ourselves.
static bool hasUnits(const ElfFile &Object) {
  return !Object.section(UnitsSection).empty();
}

std::string TwinBuild::archiveWithoutUnits(const std::string &Path) {
  Expected<std::string> Bytes = readWholeFile(Path);
  if (!Bytes)
    return Path;
  bool Any = false;
  size_t Kept = 0;
  std::optional<std::string> Rest =
      archiveOf(*Bytes, [&](std::string_view Member) {
        const bool Its = hasUnits(ElfFile::ofBytes(std::string(Member)));
        Any |= Its;
        Kept += !Its;
        return !Its;
      });
  if (!Rest || !Any)
    return Path;
  Result.Plain += Kept;
  const std::string Out = Folder + "/" + std::to_string(Libraries.size()) +
                          "." + fs::path(Path).filename().string();
  writeFile(Out, *Rest);
  const JobResult R = runJob({{llvmTool("llvm-ranlib"), Out}, "", {}});
  if (R.Status != 0)
    fail("the twin of '" + Path + "' cannot be made: " + firstError(R.Err));
  return Libraries[Path] = Out;
}

/// The twin of the library that the loader takes for \p Path, by its name: what
/// was linked with may be another copy.
std::string TwinBuild::libraryTwin(const std::string &Path) {
  std::string Name = ElfFile(Path).soname();
  if (Name.empty())
    Name = fs::path(Path).filename().string();
  for (const BuiltFile &F : P.Files)
    if (&F != &P.Files.front() && fs::path(F.Path).filename() == Name)
      return link(F);
  return Path;
}

static bool isAssembler(const std::string &Path) {
  const std::string Ending = fs::path(Path).extension().string();
  return Ending == ".s" || Ending == ".S";
}

static bool isLibrary(const std::string &Path) {
  const std::string Name = fs::path(Path).filename().string();
  return Name.find(".so") != std::string::npos;
}

std::vector<std::string> TwinBuild::inputWords(const BuiltFile &F,
                                               const std::string &Path) {
  if (auto Known = Libraries.find(Path); Known != Libraries.end())
    return {Known->second};
  if (std::any_of(F.Units.begin(), F.Units.end(),
                  [&](const BuiltUnit &U) { return U.File == Path; }))
    return {};
  if (fs::path(Path).extension() == ".a")
    return {archiveWithoutUnits(Path)};
  if (isLibrary(Path))
    return {libraryTwin(Path)};
  if (const ElfFile Object(Path); Object.isElf()) {
    if (hasUnits(Object))
      return {};
    ++Result.Plain;
  } else if (isAssembler(Path)) {
    ++Result.Plain;
  }
  return {Path};
}

/// The file that -lNAME means: in \p Folders, or "" for the system's.
static std::string libraryOf(const std::string &Name,
                             const std::vector<std::string> &Folders,
                             const std::string &Directory, bool Static) {
  std::error_code E;
  for (const std::string &Folder : Folders)
    for (const char *Ending : {".so", ".a"}) {
      const std::string Path =
          absolute(Directory, Folder + "/lib" + Name + Ending);
      if (!(Static && std::string(Ending) == ".so") && fs::exists(Path, E))
        return Path;
    }
  return "";
}

/// The folders in which the twin of \p F searches for libraries, behind its
/// own: $ORIGIN would mean the twin's folder.
static std::vector<std::string> searchedBy(const BuiltFile &F) {
  const std::string Origin = fs::path(F.Path).parent_path().string();
  const ElfFile File(F.Path);
  std::vector<std::string> Out = File.rpath(Origin);
  const std::vector<std::string> Run = File.runpath(Origin);
  if (!Run.empty())
    Out = environmentFolders(Origin);
  Out.insert(Out.end(), Run.begin(), Run.end());
  Out.erase(std::remove_if(Out.begin(), Out.end(), isSystemFolder), Out.end());
  return Out;
}

std::string TwinBuild::link(const BuiltFile &F) {
  std::string &Known = Libraries[F.Path];
  if (!Known.empty())
    return Known;
  Known = Folder + "/" + fs::path(F.Path).filename().string();
  const std::string Out = Known;
  std::string Problem;
  const DriverLine L =
      readDriverLine({F.Link->Words.begin() + 1, F.Link->Words.end()}, Problem);
  Job J;
  J.Directory = F.Link->Directory;
  J.Argv = {compilerFor(F.Link->Words[0].find("++") != std::string::npos),
            "--record=" + Mode, "-Wl,-rpath," + Folder};
  setRoot(J);
  std::vector<std::string> &Argv = J.Argv;
  for (const std::string &Its : searchedBy(F))
    Argv.push_back("-Wl,-rpath," + Its);
  Argv.insert(Argv.end(), Objects[&F].begin(), Objects[&F].end());
  for (size_t I = 0; I < L.Expanded.size(); ++I) {
    const DriverLine::Word &W = L.Expanded[I];
    if (W.Text == "-o" || W.Text == "--output") {
      ++I;
      continue;
    }
    if (W.IsInput) {
      for (std::string &Word : inputWords(F, absolute(J.Directory, W.Text)))
        Argv.push_back(std::move(Word));
      continue;
    }
    if (W.Text.rfind("-o", 0) == 0 || W.Text.rfind("-flto", 0) == 0 ||
        W.Text.rfind("-x", 0) == 0) {
      if (W.Text == "-x")
        ++I; // there are no sources left
      continue;
    }
    const bool Apart = W.Text == "-l" && I + 1 < L.Expanded.size();
    if (Apart || W.Text.rfind("-l", 0) == 0) {
      const std::string Name = Apart ? L.Expanded[++I].Text : W.Text.substr(2);
      const std::string Path =
          libraryOf(Name, L.Folders, J.Directory, L.Static);
      if (Path.empty())
        Argv.push_back("-l" + Name);
      else
        for (std::string &Word : inputWords(F, Path))
          Argv.push_back(std::move(Word));
      continue;
    }
    Argv.push_back(W.Text);
  }
  // Searched before LD_LIBRARY_PATH, which has the libraries of the plain
  // build.
  if (!environmentFolders("").empty())
    Argv.push_back("-Wl,--disable-new-dtags");
  Argv.insert(Argv.end(), {"-o", Out});
  const JobResult R = runJobs({J}, 1, "linking the recording twin").at(0);
  if (R.Status != 0)
    fail("the twin of '" + F.Path + "' does not link: " + firstError(R.Err));
  return Out;
}

Twin TwinBuild::make() {
  compile();
  Result.Program = link(P.Files[0]);
  return Result;
}

/// Whether the archive or object \p Path has code without units.
static bool hasPlainCode(const std::string &Path) {
  Expected<std::string> Bytes = readWholeFile(Path);
  if (!Bytes)
    return false;
  bool Any = false;
  const auto Look = [&](std::string_view Member) {
    const ElfFile Object = ElfFile::ofBytes(std::string(Member));
    Any |= Object.isElf() && !hasUnits(Object);
    return false;
  };
  if (!archiveOf(*Bytes, Look))
    Look(*Bytes);
  return Any;
}

std::vector<std::string> inputsWithoutUnits(const BuiltProgram &P) {
  std::set<std::string> Out;
  for (const BuiltFile &F : P.Files) {
    if (!F.Link)
      continue;
    const DriverLine L = lineOf(*F.Link);
    const std::string &Directory = F.Link->Directory;
    for (const DriverLine::Word &W : L.Expanded)
      if (const std::string Path = absolute(Directory, W.Text);
          W.IsInput && !isLibrary(Path) && hasPlainCode(Path))
        Out.insert(Path);
    for (const std::string &Name : L.Libraries)
      if (const std::string Path =
              libraryOf(Name, L.Folders, Directory, L.Static);
          !Path.empty() && !isLibrary(Path) && hasPlainCode(Path))
        Out.insert(Path);
  }
  return {Out.begin(), Out.end()};
}

/// Fails if \p F cannot be linked again.
static void checkLink(const BuiltFile &F, const std::string &Mode) {
  if (!F.Link)
    fail("'" + F.Path +
         "' does not say how it was linked; link it with evenkeel-cc, too, or "
         "build it for recording (evenkeel-cc --record=" +
         Mode + ")");
  const std::set<std::string> Sources = [&] {
    std::set<std::string> All;
    for (const BuiltUnit &U : F.Units)
      All.insert(U.File);
    return All;
  }();
  const DriverLine L = lineOf(*F.Link);
  if (L.Static)
    fail("'" + F.Path +
         "' is linked statically, and such programs are not placed; link it "
         "without -static");
  std::error_code E;
  for (const DriverLine::Word &W : L.Expanded) {
    const std::string Path = absolute(F.Link->Directory, W.Text);
    if (W.IsInput && !Sources.count(Path) && !fs::exists(Path, E))
      fail("'" + Path + "', with which '" + F.Path +
           "' was linked, is not there any more; build the program again");
  }
}

/// Whether \p Folder has the twin that \p Stamp describes, as it was made.
static bool isMade(const std::string &Folder, const std::string &Program,
                   const std::string &Stamp) {
  Expected<std::string> Made = readWholeFile(Folder + "/made");
  Expected<std::string> Its = readWholeFile(Program);
  return Made && Its && *Made == Stamp + idToString(contentHash(*Its)) + "\n";
}

static std::string hashOf(const std::string &File) {
  return idToString(contentHash(orFail(readWholeFile(File))));
}

/// What a twin is made of: the program's build, the mode, what compiles it,
/// which may change without the version, and where it finds libraries.
static std::string stampOf(const BuiltProgram &P, const std::string &Mode) {
  std::string Stamp = P.Build + " " EVENKEEL_VERSION " " +
                      hashOf(siblingProgram("evenkeel-cc")) + " " +
                      hashOf(libraryFile("EvenkeelPass.so")) + " " + Mode +
                      "\n";
  for (const std::string &Searched : environmentFolders(""))
    Stamp += Searched + "\n";
  return Stamp;
}

Twin makeTwin(const BuiltProgram &P, const std::string &Mode,
              const std::string &Folder) {
  const std::string Stamp = stampOf(P, Mode);
  const std::string Program =
      Folder + "/" + fs::path(P.Files[0].Path).filename().string();
  if (isMade(Folder, Program, Stamp))
    return {Program};
  noteMove(P);
  databaseOf(P, P.Files[0].Path); // refuses edited sources
  for (const BuiltFile &F : P.Files)
    checkLink(F, Mode);
  std::error_code E;
  fs::create_directories(Folder, E);
  if (E)
    fail("cannot make '" + Folder + "' for the recording twin: " + E.message());
  const FolderLock Lock(Folder);
  if (isMade(Folder, Program, Stamp)) // by a process that we waited for
    return {Program};
  for (const fs::directory_entry &Old : fs::directory_iterator(Folder, E))
    if (Old.path().filename() != "lock")
      fs::remove(Old.path(), E);
  Twin T = TwinBuild(P, Mode, fs::canonical(Folder, E).string(), P.namedRoot())
               .make();
  for (const fs::directory_entry &Made : fs::directory_iterator(Folder, E))
    if (Made.path().extension() == ".o" || Made.path().extension() == ".a")
      fs::remove(Made.path(), E);
  orFail(writeWholeFile(Folder + "/made", Stamp + hashOf(T.Program) + "\n"));
  return T;
}

} // namespace evenkeel::cli
