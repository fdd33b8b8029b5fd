/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a saved profile, and which sample types belong to each.
 */
#ifndef FLAMECTL_PPROF_EVENTS_H
#define FLAMECTL_PPROF_EVENTS_H

struct pprof_reader;

/**
 * pprof_find_events() - find the file's events; r->ours must be set.
 *
 * Return: 0, or -EBADMSG with the error filled in.
 */
int pprof_find_events(struct pprof_reader *r);

/**
 * pprof_choose_events() - choose the events to read, and note those left out.
 * @first: set to the index of the first one.
 * @nr: set to how many to read from there on.
 *
 * Return: 0, or -EBADMSG with the error filled in if there is no event of the
 * wanted name.
 */
int pprof_choose_events(struct pprof_reader *r, unsigned int *first,
			unsigned int *nr);

/**
 * pprof_event_name() - the name by which --event finds event @number, "" if it
 * has none.
 */
const char *pprof_event_name(const struct pprof_reader *r, unsigned int number);

/** pprof_begin_event() - set up r->profile, which is new, for event @number. */
void pprof_begin_event(struct pprof_reader *r, unsigned int number);

#endif /* FLAMECTL_PPROF_EVENTS_H */
