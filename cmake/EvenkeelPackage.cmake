# EvenkeelPackage - what find_package(Evenkeel), pkg-config and environment
# modules find in an installed tree, wherever that has been moved to; and the
# archive of such a tree (cpack).
if(NOT EVENKEEL_BUILD_RUNTIME)
  return()
endif()
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Evenkeel)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/EvenkeelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/EvenkeelConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/EvenkeelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
# The library folder may be deeper than lib (lib/x86_64-linux-gnu).
file(RELATIVE_PATH EK_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" EK_PC_TO_PREFIX "${EK_PC_TO_PREFIX}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/evenkeel.pc.in
  ${PROJECT_BINARY_DIR}/package/evenkeel.pc @ONLY)
install(EXPORT EvenkeelTargets NAMESPACE Evenkeel:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/package/EvenkeelConfig.cmake
  ${PROJECT_BINARY_DIR}/package/EvenkeelConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeel.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Module files, for Lmod and Environment Modules.
set(EK_TO_BIN ${CMAKE_INSTALL_BINDIR})
set(EK_TO_LIB ${CMAKE_INSTALL_LIBDIR})
set(EK_TO_MAN ${CMAKE_INSTALL_MANDIR})
foreach(suffix lua tcl)
  configure_file(${PROJECT_SOURCE_DIR}/utils/modules/evenkeel.${suffix}
    ${PROJECT_BINARY_DIR}/package/evenkeel.${suffix} @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeel.lua
  DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/evenkeel
  RENAME ${PROJECT_VERSION}.lua)
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeel.tcl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/evenkeel
  RENAME ${PROJECT_VERSION})

# `cpack` in a build tree makes an archive that works where it is unpacked.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "the Evenkeel authors")
set(CPACK_PACKAGE_FILE_NAME
  evenkeel-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
include(CPack)
