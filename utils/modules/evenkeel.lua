-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
-- Module file of Evenkeel for Lmod. It finds the tree that it is in, wherever
-- that has been unpacked: PREFIX/share/modulefiles/evenkeel/VERSION.lua.
local prefix = myFileName():match("^(.*)/share/modulefiles/[^/]*/[^/]*$")
help("Evenkeel places data in fast and slow memory so that all tasks finish soonest.")
whatis("Data placement on tiered memory: evenkeel, evenkeel-cc, evenkeel-c++")
prepend_path("PATH", pathJoin(prefix, "@EK_TO_BIN@"))
prepend_path("MANPATH", pathJoin(prefix, "@EK_TO_MAN@"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "@EK_TO_LIB@"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "@EK_TO_LIB@/pkgconfig"))
