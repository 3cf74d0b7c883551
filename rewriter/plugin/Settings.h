//===- Settings.h - options of the rewriter plugin --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the plugin's options, -fplugin-arg-EvenkeelRewrite-NAME[=VALUE], the
// corresponding environment variables, and the defaults of the project's root
// and of the folder with the runtime's header.
// Not here: Clang.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_SETTINGS_H
#define EVENKEEL_REWRITER_PLUGIN_SETTINGS_H

#include <set>
#include <string>
#include <vector>

namespace evenkeel {

/// Options have precedence over the environment.
struct Settings {
  std::string Root; // root=DIR, EVENKEEL_ROOT
  std::string Plan; // plan=FILE, EVENKEEL_REWRITE_PLAN
  /// wrapper=NAME,... in addition to EVENKEEL_REWRITE_WRAPPERS.
  std::set<std::string> Wrappers;
  bool Off = false;   // off, EVENKEEL_REWRITE=off
  bool Quiet = false; // quiet: no warnings
  bool Time = false;  // time: CPU time of the second parse on stderr
  bool Whole = false; // whole: the second parse reads system headers, too

  /// False, with a one-line \p Problem, if an option is unknown.
  bool read(const std::vector<std::string> &Arguments, std::string &Problem);

  /// The absolute, canonical root of the project of the unit \p Main, which is
  /// compiled in \p Directory: from the settings, otherwise from ProjectRoot,
  /// or else the unit's own folder.
  std::string rootFor(const std::string &Main,
                      const std::string &Directory) const;

  /// Folder with evenkeel/ek.h relative to the plugin, or empty.
  static std::string headerFolder();
};

} // namespace evenkeel

#endif
