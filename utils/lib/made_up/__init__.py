# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Made-up programs that run on several inputs.
