# EvenkeelPackage - what find_package(Evenkeel) and pkg-config find in an
# installed tree, wherever that has been moved to.
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
configure_file(${CMAKE_CURRENT_LIST_DIR}/evenkeel.pc.in
  ${PROJECT_BINARY_DIR}/package/evenkeel.pc @ONLY)
install(EXPORT EvenkeelTargets NAMESPACE Evenkeel:: DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/package/EvenkeelConfig.cmake
  ${PROJECT_BINARY_DIR}/package/EvenkeelConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/package/evenkeel.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
