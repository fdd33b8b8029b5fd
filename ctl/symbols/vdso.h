/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The vDSO: the library that the kernel maps into each process. It is in no
 * file, but every process has it in memory, flamectl as well.
 */
#ifndef FLAMECTL_SYMBOLS_VDSO_H
#define FLAMECTL_SYMBOLS_VDSO_H

/* The path that /proc/PID/maps has for it. */
#define VDSO_NAME	"[vdso]"

/**
 * vdso_open() - open a copy of this kernel's vDSO.
 *
 * Return: a file descriptor, -ENOENT if there is none, or -errno.
 */
int vdso_open(void);

#endif /* FLAMECTL_SYMBOLS_VDSO_H */
