/* plugin.c - a library that a test loads and unloads
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
int ek_plugin_data[4096] = {1};
