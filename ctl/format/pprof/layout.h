/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words in our saved profiles that writer and reader share: see pprof.h.
 */
#ifndef FLAMECTL_PPROF_LAYOUT_H
#define FLAMECTL_PPROF_LAYOUT_H

/*
 * The layout's version, the value of the first comment: the second where weights
 * are not of cpu/nanoseconds, which those who know the first one only would take
 * them for; the third where there are several events.
 */
#define PPROF_LAYOUT_TIME	1
#define PPROF_LAYOUT_WEIGHT	2
#define PPROF_LAYOUT_EVENTS	3
#define PPROF_LAYOUT_KEY	"flamemod"

/* A sample type of weights of which nothing is known. */
#define PPROF_WEIGHT_TYPE	"weight"
#define PPROF_WEIGHT_UNIT	"count"

/* The places of sample types, where there is one event. */
enum { PPROF_SAMPLES, PPROF_WEIGHT, PPROF_LATE, PPROF_TYPES };

#define PPROF_KERNEL_MAPPING	"[kernel.kallsyms]"
#define PPROF_USER_MAPPING	"user"

/* Of labels and comments: the slice that begins so many ns after the begin. */
#define PPROF_SLICE_KEY		"slice"

/* Of comments: one of several events, by its number. */
#define PPROF_EVENT_KEY		"event"

/* The file of functions that stand for what has no frames. */
#define PPROF_NO_FILE		"(flamemod)"

#endif /* FLAMECTL_PPROF_LAYOUT_H */
