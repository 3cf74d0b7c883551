# fuzz_rewriter - what utils/fuzz-rewriter is made of
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
