/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small library with each kind of call frame information, as a seed for fuzz.c.
 */
	.text
	.globl	plain, frame, realigned, saved, trampoline, outermost, odd
	.type	plain, @function
plain:	.cfi_startproc
	sub	$24, %rsp
	.cfi_adjust_cfa_offset 24
	nop
	add	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc

frame:	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	push	%rbx
	.cfi_offset %rbx, -24
	.cfi_remember_state
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_restore_state
	.cfi_restore %rbx
	nop
	.cfi_endproc

realigned:
	.cfi_startproc
	nop
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06		/* CFA: *(bp - 8) */
	.cfi_escape 0x10, 6, 2, 0x76, 0			/* bp at bp + 0 */
	.cfi_escape 0x10, 3, 2, 0x76, 0x70		/* rbx at bp - 16 */
	nop
	.cfi_escape 0x16, 12, 2, 0x76, 0
	nop
	.cfi_endproc

saved:	.cfi_startproc
	nop
	.cfi_escape 0x0f, 6, 0x77, 0xc0, 0, 0x06, 0x23, 8	/* CFA: *(sp + 64) + 8 */
	nop
	.cfi_def_cfa %rsp, 4096
	nop
	.cfi_escape 0x2e, 16				/* GNU_args_size */
	.cfi_same_value %rbx
	.cfi_register %r12, %r13
	nop
	.cfi_endproc

trampoline:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa %rbx, 24
	.cfi_escape 0x05, 6, 3				/* offset_extended */
	.cfi_escape 0x11, 3, 0x7e			/* offset_extended_sf */
	nop
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22
	.skip	70000, 0x90
	nop
	.cfi_endproc

outermost:
	.cfi_startproc simple
	.cfi_undefined %rip
	nop
	.cfi_endproc

	.globl	restorer
restorer:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 1, 0x06	/* CFA: *(sp + 160) */
	.cfi_escape 0x10, 6, 3, 0x77, 0xf8, 0		/* bp at sp + 120 */
	.cfi_escape 0x10, 3, 3, 0x77, 0x80, 1		/* rbx at sp + 128 */
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 1		/* rip at sp + 168 */
	nop
	.cfi_endproc

	.cfi_sections .eh_frame
odd:	.cfi_startproc
	.cfi_signal_frame
	nop
	.cfi_endproc
