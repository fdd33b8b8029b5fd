/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The samples of a saved profile, as records.
 */
#ifndef FLAMECTL_PPROF_SAMPLES_H
#define FLAMECTL_PPROF_SAMPLES_H

struct pprof_reader;

/** pprof_read_samples() - convert samples to records or to lost periods. */
int pprof_read_samples(struct pprof_reader *r);

/** pprof_samples_deinit() - free what pprof_read_samples() allocated. */
void pprof_samples_deinit(struct pprof_reader *r);

#endif /* FLAMECTL_PPROF_SAMPLES_H */
