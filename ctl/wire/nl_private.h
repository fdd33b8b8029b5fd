/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files nl_*.c share: attributes read with every size checked, and
 * the decoder of replies.
 *
 * All functions return 0, or -EBADMSG with the error filled in; those that
 * decode batches also -ENOMEM or -EOVERFLOW without.
 */
#ifndef FLAMECTL_NL_PRIVATE_H
#define FLAMECTL_NL_PRIVATE_H

#include <libmnl/libmnl.h>

#include "base/error.h"
#include "profile/profile.h"

/* The messages of a datagram, as far as they were read. */
struct nl_messages {
	const char *at;
	size_t left;
};

/**
 * nl_messages_next() - the next message that is there whole, or NULL.
 *
 * mnl_nlmsg_ok() takes a length past 2^31 for a negative one, which fits.
 */
const struct nlmsghdr *nl_messages_next(struct nl_messages *messages);

/* A run of attributes, as far as it was read. */
struct nl_attrs {
	const char *at;
	size_t left;
};

/**
 * nl_attrs_next() - the next attribute.
 * @attr: set to it, or to NULL at the end.
 */
int nl_attrs_next(struct nl_attrs *attrs, const struct nlattr **attr,
		  struct error *error);

/** nl_attrs_of() - what @nest holds. */
struct nl_attrs nl_attrs_of(const struct nlattr *nest);

/**
 * nl_attrs_table() - the attributes of @nest by type; of one that comes
 * several times the last, of types above @max none.
 * @table: @max + 1 places.
 */
int nl_attrs_table(const struct nlattr *nest, const struct nlattr **table,
		   unsigned int max, struct error *error);

/* Numbers; where @attr is NULL, @value stays as it is. @what is for errors. */
int nl_attr_u8(const struct nlattr *attr, const char *what, uint8_t *value,
	       struct error *error);
int nl_attr_u32(const struct nlattr *attr, const char *what, uint32_t *value,
		struct error *error);
int nl_attr_uint(const struct nlattr *attr, const char *what, uint64_t *value,
		 struct error *error);
int nl_attr_sint(const struct nlattr *attr, const char *what, int64_t *value,
		 struct error *error);

/**
 * nl_attr_string() - a string of fewer than @size bytes, into @text.
 */
int nl_attr_string(const struct nlattr *attr, const char *what, char *text,
		   size_t size, struct error *error);

/**
 * nl_read_error() - an acknowledgement, or a refusal with its reason behind.
 * @request: what it answers.
 * @header: a message of type NLMSG_ERROR.
 *
 * Return: 0 for an acknowledgement, -EBADMSG for no valid message, or else
 * what the kernel refused it with; -ENODEV where nobody is there any more.
 */
int nl_read_error(const struct nlmsghdr *request,
		  const struct nlmsghdr *header, struct error *error);

/** nl_read_done() - the same for a dump's end, of type NLMSG_DONE. */
int nl_read_done(const struct nlmsghdr *request, const struct nlmsghdr *header,
		 struct error *error);

/* The counts that a dump announces. */
struct nl_counts {
	uint32_t frames, nodes, tasks, records;
};

/* Our numbers for the sender's, by position. */
struct nl_numbers {
	uint32_t *own;
	size_t nr, max;
};

struct nl_decoder {
	struct profile *profile;
	bool full, has_state;
	struct nl_counts counts;	/* as announced */
	struct profile_books books;	/* the total, as announced */
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
		  struct error *error);

/* A batch each; its numbers go on where the one before ended. */
int nl_decode_frames(struct nl_decoder *decoder, const struct nlattr *nest,
		     struct error *error);
int nl_decode_nodes(struct nl_decoder *decoder, const struct nlattr *nest,
		    struct error *error);
int nl_decode_tasks(struct nl_decoder *decoder, const struct nlattr *nest,
		    struct error *error);
int nl_decode_records(struct nl_decoder *decoder, const struct nlattr *nest,
		      struct error *error);

#endif /* FLAMECTL_NL_PRIVATE_H */
