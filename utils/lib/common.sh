# common.sh - steps with elapsed time, and building a preset
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by bash scripts that have set `root` to the repository.

started=$SECONDS

say() { printf '[%4d s] %s\n' $((SECONDS - started)) "$*"; }

die() {
  printf '%s: error: %s\n' "${0##*/}" "$*" >&2
  exit 2
}

# build_preset PRESET [CMAKE OPTION]...: configures and builds build/PRESET.
# The options come first in the log; a build error ends the script.
build_preset() {
  local preset=$1 launcher=()
  shift
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$root/build/$preset"
  # A configured tree re-configures itself when it must; giving CMake the
  # compilers' names again would make it forget its cache.
  if [ ! -f "$root/build/$preset/build.ninja" ]; then
    say "configuring preset $preset"
    (cd "$root" && cmake --preset "$preset" --fresh "${launcher[@]}" "$@") \
      >"$root/build/$preset/configure.log" 2>&1 ||
      { tail -n 30 "$root/build/$preset/configure.log" >&2; die "cannot configure preset $preset"; }
  fi
  say "building preset $preset"
  # ninja rewrites one line on a terminal; elsewhere its log is kept aside.
  if [ -t 1 ]; then
    ninja -C "$root/build/$preset" || die "preset $preset does not build"
  else
    ninja -C "$root/build/$preset" >"$root/build/$preset/build.log" 2>&1 ||
      { grep -E 'error|FAILED' -A 8 "$root/build/$preset/build.log" | head -n 60 >&2; die "preset $preset does not build"; }
  fi
}
