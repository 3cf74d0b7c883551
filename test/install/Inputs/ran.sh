#!/bin/sh
# ran.sh PROGRAM - runs what was built, then says what became of its sites
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
EVENKEEL_SUMMARY="$1.summary" "$1" && cat "$1.summary"
evenkeel rewrite --report "$1"
