# extra.s - a function in assembler, which nobody records
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
	.globl extra
extra:
	mov $7, %eax
	ret
	.section .note.GNU-stack,"",@progbits
