// SPDX-License-Identifier: GPL-2.0
/*
 * The guard of each CPU: see guard.h.
 */
#include "guard.h"

DEFINE_PER_CPU(bool, fm_guard);
