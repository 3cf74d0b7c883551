//===- Settings.h - what a compilation is told about rewriting --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the plugin's options, -fplugin-arg-EvenkeelRewrite-NAME[=VALUE], the
// environment variables behind them, and where the project's root and the
// runtime's header are when nobody says so.
// Not here: Clang.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_SETTINGS_H
#define EVENKEEL_REWRITER_PLUGIN_SETTINGS_H

#include <set>
#include <string>
#include <vector>

namespace evenkeel {

/// Arguments win over the environment.
struct Settings {
  std::string Root; // root=DIR, EVENKEEL_ROOT
  std::string Plan; // plan=FILE, EVENKEEL_REWRITE_PLAN
  /// wrapper=NAME,..., and those in EVENKEEL_REWRITE_WRAPPERS.
  std::set<std::string> Wrappers;
  bool Off = false;   // off, EVENKEEL_REWRITE=off
  bool Quiet = false; // quiet: no warnings
  bool Time = false;  // time: CPU time of the second parse on stderr
  bool Whole = false; // whole: the second parse reads system headers, too

  /// False, with a one-line \p Problem, for unknown options.
  bool read(const std::vector<std::string> &Arguments, std::string &Problem);

  /// Absolute, canonical root of the project that the unit at \p Main, compiled
  /// in \p Directory, belongs to: as said, else as ProjectRoot finds it; the
  /// unit's own folder where that finds none.
  std::string rootFor(const std::string &Main,
                      const std::string &Directory) const;

  /// Folder with evenkeel/ek.h beside the plugin, or empty.
  static std::string headerFolder();
};

} // namespace evenkeel

#endif
