/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files nl_*.c: read attributes with every size checked, and
 * decode replies.
 *
 * All functions return 0, or -EBADMSG with the error set; those that decode
 * batches may also return -ENOMEM or -EOVERFLOW without setting it.
 */
#ifndef FLAMECTL_NL_PRIVATE_H
#define FLAMECTL_NL_PRIVATE_H

#include <libmnl/libmnl.h>

#include "base/error.h"
#include "profile/events.h"
#include "profile/profile.h"

struct nl_source;

/* The messages of a datagram that were not read yet. */
struct nl_messages {
	const char *at;
	size_t left;
};

/**
 * nl_messages_next() - return the next complete message, or NULL.
 *
 * Does not use mnl_nlmsg_ok(), which takes a length above 2^31 for a negative
 * one and accepts it.
 */
const struct nlmsghdr *nl_messages_next(struct nl_messages *messages);

/* A sequence of attributes that were not read yet. */
struct nl_attrs {
	const char *at;
	size_t left;
};

/**
 * nl_attrs_next() - get the next attribute.
 * @attr: set to the attribute, or to NULL at the end.
 */
int nl_attrs_next(struct nl_attrs *attrs, const struct nlattr **attr,
		  struct error *error);

/** nl_attrs_of() - return the attributes within @nest. */
struct nl_attrs nl_attrs_of(const struct nlattr *nest);

/**
 * nl_attrs_table() - sort the attributes of @nest by type. If a type occurs
 * several times, the last one counts; types above @max are ignored.
 * @table: room for @max + 1 pointers.
 */
int nl_attrs_table(const struct nlattr *nest, const struct nlattr **table,
		   unsigned int max, struct error *error);

/* Read a number; if @attr is NULL, @value is unchanged. @what is for errors. */
int nl_attr_u8(const struct nlattr *attr, const char *what, uint8_t *value,
	       struct error *error);
int nl_attr_u32(const struct nlattr *attr, const char *what, uint32_t *value,
		struct error *error);
int nl_attr_uint(const struct nlattr *attr, const char *what, uint64_t *value,
		 struct error *error);
int nl_attr_sint(const struct nlattr *attr, const char *what, int64_t *value,
		 struct error *error);

/** nl_attr_bad_size() - refuse an attribute of a wrong size. Return: -EBADMSG. */
int nl_attr_bad_size(const struct nlattr *attr, const char *what,
		     struct error *error);

/**
 * nl_attr_string() - copy a string of fewer than @size bytes to @text.
 */
int nl_attr_string(const struct nlattr *attr, const char *what, char *text,
		   size_t size, struct error *error);

/**
 * nl_read_error() - read an acknowledgement, or a refusal and its reason.
 * @request: the request that it answers.
 * @header: a message of type NLMSG_ERROR.
 *
 * Return: 0 for an acknowledgement, -EBADMSG for an invalid message, else the
 * kernel's -errno; -ENODEV if the module is gone.
 */
int nl_read_error(const struct nlmsghdr *request,
		  const struct nlmsghdr *header, struct error *error);

/** nl_read_done() - do the same for the end of a dump, of type NLMSG_DONE. */
int nl_read_done(const struct nlmsghdr *request, const struct nlmsghdr *header,
		 struct error *error);

/* The counts that a dump announces. */
struct nl_counts {
	uint32_t frames, nodes, tasks, records;
};

/* Maps the sender's numbers to ours, by position. */
struct nl_numbers {
	uint32_t *own;
	size_t nr, max;
};

/* All intervals of tasks are in the books of one CPU: see profile/intervals.h. */
#define NL_EVENT_CPU	0

/* A record of an event; its numbers are those of the decoder's profile. */
struct nl_interval {
	struct profile_record record;
	uint32_t event;			/* below ATTACHED_MAX */
	uint32_t state;			/* enum flamemod_task_state; of latency a power of two */
};

struct nl_decoder {
	struct profile *profile;
	bool full, has_state;
	bool of_events;			/* records are intervals */
	struct nl_interval *intervals;
	size_t nr_intervals, intervals_room;
	struct nl_counts counts;	/* as announced */
	struct profile_books books;	/* the totals as announced */
	uint32_t *frame_ids;		/* as sent, rising */
	size_t max_frame_ids;
	struct nl_numbers frames, nodes, tasks;
	uint32_t nr_records;
};

int nl_decode_settings(const struct nlattr *nest,
		       struct profile_settings *settings, struct error *error);
int nl_decode_state(const struct nlattr *nest, struct profile_meta *meta,
		    struct profile_books *books, struct nl_counts *counts,
		    struct error *error);
int nl_decode_cpu(const struct nlattr *nest, struct profile_cpu *cpu,
		  struct profile_stalls *stalls, struct error *error);

/** nl_put_source() - put what nl_attach() asks for into a request. */
void nl_put_source(struct nlmsghdr *header, const struct nl_source *source);

/** nl_decode_events() - decode which events are attached, and by whom. @state: its nest. */
int nl_decode_events(const struct nlattr *state, struct profile_meta *meta,
		     struct error *error);

/** nl_add_interval() - add a record of an event of tasks. */
int nl_add_interval(struct nl_decoder *decoder, uint32_t event, uint32_t state,
		    const struct profile_record *record, struct error *error);

/** nl_make_events() - check the intervals against their books, and make profiles. */
int nl_make_events(const struct nl_decoder *decoder, struct events *events,
		   struct error *error);

/* Decode one batch each; numbering continues from the previous batch. */
int nl_decode_frames(struct nl_decoder *decoder, const struct nlattr *nest,
		     struct error *error);
int nl_decode_nodes(struct nl_decoder *decoder, const struct nlattr *nest,
		    struct error *error);
int nl_decode_tasks(struct nl_decoder *decoder, const struct nlattr *nest,
		    struct error *error);
int nl_decode_records(struct nl_decoder *decoder, const struct nlattr *nest,
		      struct error *error);

#endif /* FLAMECTL_NL_PRIVATE_H */
