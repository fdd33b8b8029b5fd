/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recognise kernel threads of one kind, whose names differ only in a number.
 */
#ifndef FLAMECTL_KTHREAD_H
#define FLAMECTL_KTHREAD_H

#include <stdbool.h>

/* Room for the longest kind and a NUL; no kernel thread has a longer comm. */
#define KTHREAD_KIND	64

/**
 * kthread_kind() - get a kernel thread's name without its CPU, pool, IRQ or
 * node: "kworker" for "kworker/u4:1-flush", "ksoftirqd" for "ksoftirqd/0",
 * "irq/eth0" for "irq/24-eth0", "kswapd" for "kswapd0".
 *
 * A profile does not record which tasks are kernel threads, so the form of the
 * name decides: lower-case letters, digits and '_', then '/' and a number.
 *
 * Return: false, with @kind unset, for a comm of another form.
 */
bool kthread_kind(const char *comm, char kind[KTHREAD_KIND]);

#endif /* FLAMECTL_KTHREAD_H */
