/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words that writer and reader of our saved profiles share: see pprof.h.
 */
#ifndef FLAMECTL_PPROF_LAYOUT_H
#define FLAMECTL_PPROF_LAYOUT_H

/*
 * The layout's version, which is the value of the first comment. Version 2 is
 * for weights that are not cpu/nanoseconds, as readers that know version 1 only
 * would mistake them for it. Version 3 is for files with several events.
 */
#define PPROF_LAYOUT_TIME	1
#define PPROF_LAYOUT_WEIGHT	2
#define PPROF_LAYOUT_EVENTS	3
#define PPROF_LAYOUT_KEY	"flamemod"

/* The sample type of weights of unknown meaning. */
#define PPROF_WEIGHT_TYPE	"weight"
#define PPROF_WEIGHT_UNIT	"count"

/* Indices of the sample types in a file with one event. */
enum { PPROF_SAMPLES, PPROF_WEIGHT, PPROF_LATE, PPROF_TYPES };

#define PPROF_KERNEL_MAPPING	"[kernel.kallsyms]"
#define PPROF_USER_MAPPING	"user"

/*
 * Key of labels and comments: a slice, by its start in ns since the profile's.
 */
#define PPROF_SLICE_KEY		"slice"

/* Keys of comments: a slice's intervals, and a slice of several events. */
#define PPROF_SLICE_INTERVALS_KEY	"slice-intervals"
#define PPROF_EVENT_SLICE_KEY	"event-slice"

/* Key of comments: one of several events, by its number. */
#define PPROF_EVENT_KEY		"event"

/* Key of comments: how many intervals an event of tasks has. */
#define PPROF_INTERVALS_KEY	"intervals"

/* Keys of comments: the only event's name, and whether an event is perf's. */
#define PPROF_NAME_KEY		"event-name"
#define PPROF_CLOCK_KEY		"steal-clock"
#define PPROF_PERF_KEY		"perf-event"

/* Samples without frames get a function in this file. */
#define PPROF_NO_FILE		"(flamemod)"

#endif /* FLAMECTL_PPROF_LAYOUT_H */
