// SPDX-License-Identifier: GPL-2.0
/*
 * Decode the session: its state, settings, CPUs and books (the counts of what
 * became of each timer period).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cpulist.h"
#include "profile/settings.h"
#include "wire/nl_private.h"

static int decode_lost(const struct nlattr *nest, uint64_t *lost,
		       struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_LOST_MAX + 1];
	struct nl_attrs attrs = nl_attrs_of(nest);
	const struct nlattr *attr;
	unsigned int i;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_LOST_MAX, error);
	for (i = 0; i < __FLAMEMOD_LOST_MAX && !err; i++)
		err = nl_attr_uint(table[i + 1], profile_lost_name(i), &lost[i],
				   error);
	if (err)
		return err;
	/* refuse unknown reasons: without them the books would not balance */
	while (!(err = nl_attrs_next(&attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) > FLAMEMOD_A_LOST_MAX)
			return error_set(error, -EBADMSG,
					 "periods were lost for reason %u, which this flamectl does not know: use the one that came with the module",
					 mnl_attr_get_type(attr) - 1);
	return err;
}

/* A number within a nest; it is unchanged if it was not sent. */
struct field {
	unsigned int type;
	const char *what;
	uint64_t *value;
};

static int decode_fields(const struct nlattr **table,
			 const struct field *fields, size_t nr,
			 struct error *error)
{
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++)
		err = nl_attr_uint(table[fields[i].type], fields[i].what,
				   fields[i].value, error);
	return err;
}

#define DECODE_FIELDS(table, fields, error)				\
	decode_fields(table, fields, sizeof(fields) / sizeof((fields)[0]), error)

static int decode_books(const struct nlattr *nest, struct profile_books *books,
			struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_BOOKS_MAX + 1];
	const struct field fields[] = {
		{ FLAMEMOD_A_BOOKS_EXPECTED, "expected", &books->expected },
		{ FLAMEMOD_A_BOOKS_FIRES, "fires", &books->fires },
		{ FLAMEMOD_A_BOOKS_MISSED, "missed", &books->missed },
		{ FLAMEMOD_A_BOOKS_STORED, "stored", &books->stored },
		{ FLAMEMOD_A_BOOKS_FILTERED, "filtered", &books->filtered },
		{ FLAMEMOD_A_BOOKS_TRUNCATED, "truncated", &books->truncated },
		{ FLAMEMOD_A_BOOKS_ASLEEP, "asleep", &books->asleep },
		{ FLAMEMOD_A_BOOKS_LATE, "late", &books->late },
		{ FLAMEMOD_A_BOOKS_STOLEN, "stolen", &books->stolen },
	};
	int err;

	memset(books, 0, sizeof(*books));
	if (!nest)
		return error_set(error, -EBADMSG, "books are missing");
	err = nl_attrs_table(nest, table, FLAMEMOD_A_BOOKS_MAX, error) ?:
	      DECODE_FIELDS(table, fields, error) ?:
	      nl_attr_sint(table[FLAMEMOD_A_BOOKS_OVERDUE], "overdue",
			   &books->overdue, error);
	if (!err && table[FLAMEMOD_A_BOOKS_LOST])
		err = decode_lost(table[FLAMEMOD_A_BOOKS_LOST], books->lost,
				  error);
	return err;
}

static int decode_pids(const struct nlattr *attr,
		       struct profile_settings *settings, struct error *error)
{
	size_t size;

	if (!attr)
		return 0;
	size = mnl_attr_get_payload_len(attr);
	if (size > sizeof(settings->pids) || size % sizeof(uint32_t))
		return nl_attr_bad_size(attr, "pids", error);
	settings->nr_pids = size / sizeof(uint32_t);
	memcpy(settings->pids, mnl_attr_get_payload(attr), size);
	return 0;
}

/*
 * Refuse invalid settings: a profile saved with them could not be read again.
 */
static int check_settings(const struct profile_settings *settings,
			  struct error *error)
{
	struct profile_settings same = { 0 };
	char value[1100], assignment[1200];
	unsigned int i, mask = 0;
	struct error inner;

	for (i = 1; i <= FLAMEMOD_A_SETTINGS_MAX; i++) {
		settings_value(settings, i, value, sizeof(value));
		if (i <= FLAMEMOD_A_SETTINGS_MAX_DEPTH && !strcmp(value, "0"))
			continue;	/* the setting was not sent */
		snprintf(assignment, sizeof(assignment), "%s=%s",
			 settings_name(i), value);
		if (settings_assign(&same, &mask, assignment, &inner))
			return error_set(error, -EBADMSG, "%.400s", inner.text);
	}
	return 0;
}

int nl_decode_settings(const struct nlattr *nest,
		       struct profile_settings *settings, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_SETTINGS_MAX + 1];
	uint8_t exclude_idle = 0, kernel_only = 0, followed_only = 0, user_stacks = 0;
	uint8_t user_places = 0;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_SETTINGS_MAX, error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_SETTINGS_HZ], "hz", &settings->hz,
			  error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_SETTINGS_MAX_DEPTH], "max-depth",
			  &settings->max_depth, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE],
			 "exclude-idle", &exclude_idle, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_SETTINGS_KERNEL_ONLY],
			 "kernel-only", &kernel_only, error) ?:
	      decode_pids(table[FLAMEMOD_A_SETTINGS_PIDS], settings, error) ?:
	      nl_attr_string(table[FLAMEMOD_A_SETTINGS_CPUS], "cpus",
			     settings->cpus, sizeof(settings->cpus), error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY],
			 "followed-only", &followed_only, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_SETTINGS_USER_STACKS],
			 "user-stacks", &user_stacks, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_SETTINGS_USER_PLACES],
			 "user-places", &user_places, error);
	settings->exclude_idle = exclude_idle;
	settings->kernel_only = kernel_only;
	settings->followed_only = followed_only;
	settings->user_stacks = user_stacks;
	settings->user_places = user_places;
	return err ?: check_settings(settings, error);
}

/* Older modules do not send them, and sample all CPUs. */
static int decode_isolated(const struct nlattr **table,
			   struct profile_meta *meta, struct error *error)
{
	int err;

	err = nl_attr_u32(table[FLAMEMOD_A_STATE_NR_ISOLATED], "nr-isolated",
			  &meta->nr_isolated, error) ?:
	      nl_attr_string(table[FLAMEMOD_A_STATE_ISOLATED], "isolated",
			     meta->isolated, sizeof(meta->isolated), error);
	if (!err && *meta->isolated && cpulist_add(NULL, meta->isolated))
		return error_set(error, -EBADMSG, "isolated: not a list of CPUs: %.64s",
				 meta->isolated);
	return err;
}

static int decode_meta(const struct nlattr **table, struct profile_meta *meta,
		       struct error *error)
{
	const struct field fields[] = {
		{ FLAMEMOD_A_STATE_PERIOD_NS, "period-ns", &meta->period_ns },
		{ FLAMEMOD_A_STATE_RESOLUTION_NS, "resolution-ns",
		  &meta->resolution_ns },
		{ FLAMEMOD_A_STATE_SINCE_NS, "since-ns", &meta->since_ns },
		{ FLAMEMOD_A_STATE_INSTANT_NS, "instant-ns",
		  &meta->instant_ns },
		{ FLAMEMOD_A_STATE_MEMORY_BYTES, "memory-bytes",
		  &meta->memory_bytes },
		{ FLAMEMOD_A_STATE_MEMORY_LIMIT_BYTES, "memory-limit-bytes",
		  &meta->memory_limit_bytes },
	};
	const struct nlattr *clock = table[FLAMEMOD_A_STATE_STEAL_CLOCK];
	uint32_t state = __FLAMEMOD_STATE_MAX;
	uint8_t irqs_off = 0, has_clock = 0, closed = 0;
	int err;

	err = DECODE_FIELDS(table, fields, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_STATE_IRQS_OFF], "irqs-off", &irqs_off,
			 error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_STATE_EPOCH], "epoch", &meta->epoch,
			  error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_STATE_STATE], "state", &state,
			  error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_STATE_FOLLOWED], "followed",
			  &meta->followed, error) ?:
	      nl_attr_u8(clock, "steal-clock", &has_clock, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_STATE_CLOSED], "closed", &closed, error) ?:
	      decode_isolated(table, meta, error) ?:
	      nl_attr_string(table[FLAMEMOD_A_STATE_VERSION], "version",
			     meta->module_version,
			     sizeof(meta->module_version), error);
	if (err)
		return err;
	if (state >= __FLAMEMOD_STATE_MAX)
		return error_set(error, -EBADMSG, "state %" PRIu32 " is unknown",
				 state);
	if (!meta->period_ns)
		return error_set(error, -EBADMSG, "period-ns is missing");
	meta->state = state;
	meta->is_closed = closed;
	/* Older modules do not tell. */
	if (table[FLAMEMOD_A_STATE_IRQS_OFF])
		meta->irqs_off = irqs_off ? PROFILE_IRQS_OFF_MARKED :
					    PROFILE_IRQS_OFF_UNMARKED;
	if (clock)
		meta->steal = has_clock ? PROFILE_STEAL_CLOCK : PROFILE_STEAL_NONE;
	return 0;
}

static int decode_stacks(const struct nlattr *nest,
			 struct profile_stacks *stacks, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_STACKS_MAX + 1];
	const struct field fields[] = {
		{ FLAMEMOD_A_STACKS_LEARNED, "learned", &stacks->learned },
		{ FLAMEMOD_A_STACKS_UNWOUND, "unwound", &stacks->unwound },
		{ FLAMEMOD_A_STACKS_STEPS, "steps", &stacks->steps },
		{ FLAMEMOD_A_STACKS_VERIFIED, "verified", &stacks->verified },
		{ FLAMEMOD_A_STACKS_DIFFERENCES, "differences",
		  &stacks->differences },
	};

	memset(stacks, 0, sizeof(*stacks));
	if (!nest)
		return 0;
	stacks->known = true;
	return nl_attrs_table(nest, table, FLAMEMOD_A_STACKS_MAX, error) ?:
	       DECODE_FIELDS(table, fields, error);
}

static int decode_user_stacks(const struct nlattr *nest,
			      struct profile_user_stacks *user, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_USER_STACKS_MAX + 1];
	const struct field fields[] = {
		{ FLAMEMOD_A_USER_STACKS_FILES, "files", &user->files },
		{ FLAMEMOD_A_USER_STACKS_ROWS_BYTES, "rows-bytes", &user->rows_bytes },
		{ FLAMEMOD_A_USER_STACKS_ROWS_LIMIT_BYTES, "rows-limit-bytes",
		  &user->rows_limit_bytes },
	};
	int err;

	memset(user, 0, sizeof(*user));
	if (!nest)
		return 0;
	user->known = true;
	err = nl_attrs_table(nest, table, FLAMEMOD_A_USER_STACKS_MAX, error);
	for (unsigned int i = 0; !err && i < PROFILE_SAMPLE_SIDES; i++)
		err = nl_attr_uint(table[i + 1], profile_user_side_name(i),
				   &user->sides[i], error);
	return err ?: DECODE_FIELDS(table, fields, error);
}

static int decode_callbacks(const struct nlattr *attr,
			    struct profile_pauses *pauses, struct error *error)
{
	size_t size;

	if (!attr)
		return 0;
	size = mnl_attr_get_payload_len(attr);
	if (size > sizeof(pauses->callbacks) || size % sizeof(uint64_t))
		return nl_attr_bad_size(attr, "callbacks", error);
	pauses->nr_callbacks = size / sizeof(uint64_t);
	memcpy(pauses->callbacks, mnl_attr_get_payload(attr), size);
	return 0;
}

static int decode_pauses(const struct nlattr *nest,
			 struct profile_pauses *pauses, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_PAUSES_MAX + 1];
	const struct field fields[] = {
		{ FLAMEMOD_A_PAUSES_CALLBACK_NS_MAX, "callback-ns-max",
		  &pauses->callback_ns_max },
		{ FLAMEMOD_A_PAUSES_SWAP_NS_MAX, "swap-ns-max",
		  &pauses->swap_ns_max },
		{ FLAMEMOD_A_PAUSES_FORGET_NS_MAX, "forget-ns-max",
		  &pauses->forget_ns_max },
	};

	memset(pauses, 0, sizeof(*pauses));
	if (!nest)
		return 0;
	return nl_attrs_table(nest, table, FLAMEMOD_A_PAUSES_MAX, error) ?:
	       decode_callbacks(table[FLAMEMOD_A_PAUSES_CALLBACKS], pauses,
				error) ?:
	       DECODE_FIELDS(table, fields, error);
}

static int decode_kept(const struct nlattr *nest, struct profile_kept *kept,
		       struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_KEPT_MAX + 1];
	const struct field fields[] = {
		{ FLAMEMOD_A_KEPT_READERS, "readers", &kept->readers },
		{ FLAMEMOD_A_KEPT_EPOCHS, "epochs", &kept->epochs },
		{ FLAMEMOD_A_KEPT_BYTES, "bytes", &kept->bytes },
		{ FLAMEMOD_A_KEPT_EXPIRED, "expired", &kept->expired },
		{ FLAMEMOD_A_KEPT_RECLAIMED, "reclaimed", &kept->reclaimed },
	};

	memset(kept, 0, sizeof(*kept));
	if (!nest)
		return 0;
	kept->known = true;
	return nl_attrs_table(nest, table, FLAMEMOD_A_KEPT_MAX, error) ?:
	       DECODE_FIELDS(table, fields, error);
}

int nl_decode_state(const struct nlattr *nest, struct profile_meta *meta,
		    struct profile_books *books, struct nl_counts *counts,
		    struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_STATE_MAX + 1];

	return nl_attrs_table(nest, table, FLAMEMOD_A_STATE_MAX, error) ?:
	       decode_meta(table, meta, error) ?:
	       nl_attr_u32(table[FLAMEMOD_A_STATE_NR_FRAMES], "nr-frames",
			   &counts->frames, error) ?:
	       nl_attr_u32(table[FLAMEMOD_A_STATE_NR_NODES], "nr-nodes",
			   &counts->nodes, error) ?:
	       nl_attr_u32(table[FLAMEMOD_A_STATE_NR_TASKS], "nr-tasks",
			   &counts->tasks, error) ?:
	       nl_attr_u32(table[FLAMEMOD_A_STATE_NR_RECORDS], "nr-records",
			   &counts->records, error) ?:
	       decode_stacks(table[FLAMEMOD_A_STATE_STACKS], &meta->stacks,
			     error) ?:
	       decode_user_stacks(table[FLAMEMOD_A_STATE_USER_STACKS],
				  &meta->user_stacks, error) ?:
	       decode_pauses(table[FLAMEMOD_A_STATE_PAUSES], &meta->pauses,
			     error) ?:
	       decode_kept(table[FLAMEMOD_A_STATE_KEPT], &meta->kept, error) ?:
	       nl_decode_events(nest, meta, error) ?:
	       decode_books(table[FLAMEMOD_A_STATE_BOOKS], books, error);
}

/* If there are too many, keep the latest of each CPU that comes first. */
static int decode_stall(const struct nlattr *nest, uint32_t cpu,
			struct profile_stalls *stalls, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_STALL_MAX + 1];
	struct profile_stall stall = { .cpu = cpu };
	const struct field fields[] = {
		{ FLAMEMOD_A_STALL_FROM_NS, "from-ns", &stall.from_ns },
		{ FLAMEMOD_A_STALL_NS, "ns", &stall.ns },
	};
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_STALL_MAX, error) ?:
	      DECODE_FIELDS(table, fields, error);
	if (!err && stalls->nr_listed < PROFILE_STALLS_MAX)
		stalls->list[stalls->nr_listed++] = stall;
	return err;
}

static int decode_stalls(const struct nlattr *nest, const struct nlattr *nr,
			 uint32_t cpu, struct profile_stalls *stalls,
			 struct error *error)
{
	struct nl_attrs attrs = nl_attrs_of(nest);
	const struct nlattr *attr;
	uint64_t all = 0;
	int err = nl_attr_uint(nr, "nr-stalls", &all, error);

	stalls->nr += all;
	while (!err && !(err = nl_attrs_next(&attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_CPU_STALL)
			err = decode_stall(attr, cpu, stalls, error);
	return err;
}

int nl_decode_cpu(const struct nlattr *nest, struct profile_cpu *cpu,
		  struct profile_stalls *stalls, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_CPU_MAX + 1];
	uint8_t sampling = 0;
	int err;

	memset(cpu, 0, sizeof(*cpu));
	err = nl_attrs_table(nest, table, FLAMEMOD_A_CPU_MAX, error);
	if (!err && !table[FLAMEMOD_A_CPU_CPU])
		err = error_set(error, -EBADMSG, "a CPU has no number");
	err = err ?:
	      nl_attr_u32(table[FLAMEMOD_A_CPU_CPU], "cpu", &cpu->cpu, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_CPU_SAMPLING], "sampling", &sampling,
			 error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_CPU_SAMPLED_NS], "sampled-ns",
			   &cpu->sampled_ns, error) ?:
	      decode_stalls(nest, table[FLAMEMOD_A_CPU_NR_STALLS], cpu->cpu,
			    stalls, error) ?:
	      decode_books(table[FLAMEMOD_A_CPU_BOOKS], &cpu->books, error);
	cpu->sampling = sampling;
	return err;
}
