//===- Lines.cpp - evenkeel-lines: source lines of addresses --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// evenkeel-lines IN OUT: started by `evenkeel record --pages`; a separate
// program, because the command does not link LLVM. IN is a JSON array of
// {"path", "addresses" (as linked), "data" (also list large static objects)};
// OUT gets one entry per file: for each address its frames, innermost first,
// each [function, file name, line, whether it is a system's header]; and
// objects [name, address, bytes, file name, line].
// Variables of Fortran are named as their source does, "module::array".
// What has no debug information keeps the names of the symbol table. What has
// no symbol is "". A file that cannot be read has no frames and no objects.
//===----------------------------------------------------------------------===//
#include "Variables.h"
#include "format/File.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <nlohmann/json.hpp>

using namespace llvm;
using Json = nlohmann::json;

/// Smaller static objects are not told apart.
static constexpr uint64_t LeastObject = 65536;

static std::string known(const std::string &Text) {
  return Text == DILineInfo::BadString ? "" : Text;
}

static std::string fileName(const std::string &Path) {
  return sys::path::filename(known(Path)).str();
}

/// Whether a compiler or a library brought the file along.
static bool isSystem(StringRef Path) {
  return Path.starts_with("/usr/include/") || Path.starts_with("/usr/lib/") ||
         Path.contains("/include/c++/");
}

static Json framesOf(symbolize::LLVMSymbolizer &Symbols,
                     const std::string &Path, uint64_t Address) {
  auto Frames = Symbols.symbolizeInlinedCode(
      Path, {Address, object::SectionedAddress::UndefSection});
  Json Out = Json::array();
  if (!Frames) {
    consumeError(Frames.takeError());
    return Out;
  }
  for (uint32_t I = 0; I < Frames->getNumberOfFrames(); ++I) {
    const DILineInfo &F = Frames->getFrame(I);
    Out.push_back({known(F.FunctionName), fileName(F.FileName), F.Line,
                   isSystem(F.FileName)});
  }
  return Out;
}

/// The variables of units in Fortran by address: their symbols are mangled by
/// each compiler in its own way.
static std::map<uint64_t, evenkeel::StaticVariable>
fortranVariables(const std::string &Path) {
  std::map<uint64_t, evenkeel::StaticVariable> Out;
  auto B = evenkeel::readBinary(Path);
  if (!B) {
    consumeError(B.takeError());
    return Out;
  }
  const auto Add = [&](const evenkeel::StaticVariable &V) {
    Out.try_emplace(V.Address, V);
  };
  for (const auto &U : B->Lines->compile_units())
    if (evenkeel::isFortran(*U))
      if (DWARFDie D = U->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false))
        evenkeel::forEachVariable(B->object(), *D.getDwarfUnit(), Add);
  evenkeel::forEachBareCommon(*B, Add);
  return Out;
}

static Json objectsOf(symbolize::LLVMSymbolizer &Symbols,
                      const std::string &Path) {
  Json Out = Json::array();
  auto File = object::createBinary(Path);
  if (!File) {
    consumeError(File.takeError());
    return Out;
  }
  auto *F = dyn_cast<object::ELFObjectFileBase>(File->getBinary());
  if (!F)
    return Out;
  const auto Fortran = fortranVariables(Path);
  for (const object::ELFSymbolRef S : F->symbols()) {
    auto Name = S.getName();
    auto Address = S.getAddress();
    if (!Name || !Address) {
      consumeError(Name.takeError());
      consumeError(Address.takeError());
      continue;
    }
    if (S.getELFType() != ELF::STT_OBJECT || S.getSize() < LeastObject)
      continue;
    if (const auto V = Fortran.find(*Address); V != Fortran.end()) {
      Out.push_back({V->second.shown(), *Address, S.getSize(),
                     fileName(V->second.File), V->second.Line});
      continue;
    }
    std::string Declared;
    uint64_t Line = 0;
    if (auto At = Symbols.symbolizeData(
            Path, {*Address, object::SectionedAddress::UndefSection})) {
      Declared = fileName(At->DeclFile);
      Line = At->DeclLine;
    } else {
      consumeError(At.takeError());
    }
    Out.push_back(
        {symbolize::LLVMSymbolizer::DemangleName(Name->str(), nullptr),
         *Address, S.getSize(), Declared, Line});
  }
  return Out;
}

static int fail(const Twine &Line) {
  errs() << "error: " << Line << '\n';
  return 2;
}

int main(int Count, char **Arguments) {
  if (Count != 3)
    return fail("use: evenkeel-lines IN OUT");
  auto Text = evenkeel::readWholeFile(Arguments[1]);
  if (!Text)
    return fail(Text.message());
  const Json In = Json::parse(*Text, nullptr, false);
  if (!In.is_array())
    return fail(Twine(Arguments[1]) + ": not a list of files");
  symbolize::LLVMSymbolizer Symbols;
  Json Out = Json::array();
  for (const Json &File : In) {
    const std::string Path = File.value("path", "");
    Json Frames = Json::array();
    for (const Json &A : File.value("addresses", Json::array()))
      Frames.push_back(framesOf(Symbols, Path, A.get<uint64_t>()));
    Out.push_back(
        {{"frames", std::move(Frames)},
         {"objects", File.value("data", false) ? objectsOf(Symbols, Path)
                                               : Json::array()}});
  }
  if (auto E = evenkeel::writeWholeFile(
          Arguments[2],
          Out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"))
    return fail(E->Message);
  return 0;
}
