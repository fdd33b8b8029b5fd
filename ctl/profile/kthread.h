/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel threads of one kind, which differ in a number after their name.
 */
#ifndef FLAMECTL_KTHREAD_H
#define FLAMECTL_KTHREAD_H

#include <stdbool.h>

/* The longest kind and a NUL; longer comms are no kernel threads. */
#define KTHREAD_KIND	64

/**
 * kthread_kind() - what a kernel thread is called without its CPU, pool, IRQ
 * or node: "kworker" of "kworker/u4:1-flush", "ksoftirqd" of "ksoftirqd/0",
 * "irq/eth0" of "irq/24-eth0", "kswapd" of "kswapd0".
 *
 * A profile does not say which tasks are kernel threads: the form decides,
 * a name of lower-case letters, digits and '_', then '/' and a number.
 *
 * Return: false, with @kind unset, for a comm of another form.
 */
bool kthread_kind(const char *comm, char kind[KTHREAD_KIND]);

#endif /* FLAMECTL_KTHREAD_H */
