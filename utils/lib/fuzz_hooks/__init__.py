"""Random OpenMP programs and how often their hooks run (utils/fuzz-hooks)."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
