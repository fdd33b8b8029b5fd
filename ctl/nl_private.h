/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files nl_*.c share: attributes read with every size checked, and
 * the attributes of the session.
 *
 * All functions return 0 or -EBADMSG with the error filled in.
 */
#ifndef FLAMECTL_NL_PRIVATE_H
#define FLAMECTL_NL_PRIVATE_H

#include <libmnl/libmnl.h>

#include "error.h"
#include "profile.h"

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

/**
 * nl_attr_string() - a string of fewer than @size bytes, into @text.
 */
int nl_attr_string(const struct nlattr *attr, const char *what, char *text,
		   size_t size, struct error *error);

/* The counts that a dump announces. */
struct nl_counts {
	uint32_t frames, nodes, tasks, records;
};

int nl_decode_settings(const struct nlattr *nest,
		       struct profile_settings *settings, struct error *error);
int nl_decode_state(const struct nlattr *nest, struct profile_meta *meta,
		    struct profile_books *books, struct nl_counts *counts,
		    struct error *error);
int nl_decode_cpu(const struct nlattr *nest, struct profile_cpu *cpu,
		  struct error *error);

#endif /* FLAMECTL_NL_PRIVATE_H */
