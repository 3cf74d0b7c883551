#!/usr/bin/env bash
# check_format.sh - clang-format-19 would change nothing
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Test inputs keep the layout they test; unit tests are code like any other.
# --fix formats instead of complaining.
cd "$(dirname "$0")/../.." || exit 2
mode=(--dry-run -Werror)
[ "${1-}" != --fix ] || mode=(-i)
git ls-files -z -- 'passes/*.cpp' 'passes/*.h' 'rewriter/*.cpp' 'rewriter/*.h' 'profiles/*.cpp' 'profiles/*.h' \
  'utils/*.cpp' 'utils/*.h' 'runtime/*.c' 'runtime/*.cpp' 'runtime/*.h' 'test/*_test.cpp' |
  xargs -0 clang-format-19 "${mode[@]}"
