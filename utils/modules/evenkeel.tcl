#%Module
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Module file of Evenkeel for Environment Modules. It finds the tree that it is
# in, wherever that has been unpacked: PREFIX/share/modulefiles/evenkeel/VERSION.
set prefix [file normalize [file join [file dirname $ModulesCurrentModulefile] .. .. ..]]
proc ModulesHelp {} {
  puts stderr "Evenkeel places data in fast and slow memory so that all tasks finish soonest."
}
module-whatis "Data placement on tiered memory: evenkeel, evenkeel-cc, evenkeel-c++"
conflict evenkeel
prepend-path PATH $prefix/@EK_TO_BIN@
prepend-path MANPATH $prefix/@EK_TO_MAN@
prepend-path LD_LIBRARY_PATH $prefix/@EK_TO_LIB@
prepend-path CMAKE_PREFIX_PATH $prefix
prepend-path PKG_CONFIG_PATH $prefix/@EK_TO_LIB@/pkgconfig
