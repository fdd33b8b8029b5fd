// SPDX-License-Identifier: GPL-2.0
/*
 * Decode events other than samples: which are attached, with their books, and a dump of
 * their intervals and hits, of which profiles are made.
 *
 * A dump has records of several events, which share frames, stacks and tasks. Time that
 * a task was blocked and time that it then waited for a CPU become one event, off-cpu,
 * whose stacks end in a mark for the state: [sleeping], [waiting]. Each source, such as
 * func:vfs_read, is an event by itself.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/profile_map.h"
#include "profile/task_state.h"
#include "wire/nl_private.h"

/* ---- what is attached ---- */

static int decode_lost(const struct nlattr *nest, uint64_t *lost, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_LOST_MAX + 1];
	struct nl_attrs attrs = nl_attrs_of(nest);
	const struct nlattr *attr;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_EVENT_LOST_MAX, error);
	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX && !err; i++)
		err = nl_attr_uint(table[i + 1], profile_event_lost_name(i), &lost[i],
				   error);
	/* refuse unknown reasons: without them the books would not balance */
	while (!err && !(err = nl_attrs_next(&attrs, &attr, error)) && attr)
		if (mnl_attr_get_type(attr) > FLAMEMOD_A_EVENT_LOST_MAX)
			return error_set(error, -EBADMSG,
					 "intervals were lost for reason %u, which this flamectl does not know: use the one that came with the module",
					 mnl_attr_get_type(attr) - 1);
	return err;
}

static int decode_tally(const struct nlattr *nest, const char *what,
			struct profile_tally *tally, struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_BOOKS_MAX + 1];
	int err;

	if (!nest)
		return error_set(error, -EBADMSG, "an event has no %s", what);
	err = nl_attrs_table(nest, table, FLAMEMOD_A_EVENT_BOOKS_MAX, error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_BOOKS_SEEN], "seen", &tally->seen, error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_BOOKS_STORED], "stored", &tally->stored,
			   error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_BOOKS_FILTERED], "filtered",
			   &tally->filtered, error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_BOOKS_BELOW], "below", &tally->below,
			   error);
	if (!err && table[FLAMEMOD_A_EVENT_BOOKS_LOST])
		err = decode_lost(table[FLAMEMOD_A_EVENT_BOOKS_LOST], tally->lost, error);
	if (!err && !intervals_check_tally(tally))
		return error_set(error, -EBADMSG, "an event's %s do not balance: seen %" PRIu64
				 ", stored %" PRIu64 ", filtered %" PRIu64 ", below %" PRIu64,
				 what, tally->seen, tally->stored, tally->filtered, tally->below);
	return err;
}

static int decode_pids(const struct nlattr *attr, struct profile_attached *attached,
		       struct error *error)
{
	size_t size = attr ? mnl_attr_get_payload_len(attr) : 0;

	if (size > sizeof(attached->pids) || size % sizeof(uint32_t))
		return nl_attr_bad_size(attr, "pids", error);
	attached->nr_pids = (uint32_t)(size / sizeof(uint32_t));
	if (size)
		memcpy(attached->pids, mnl_attr_get_payload(attr), size);
	return 0;
}

/* Report whether a number is that of a request's source. */
static bool is_source(uint32_t event)
{
	return event >= FLAMEMOD_SOURCE_FIRST && event < ATTACHED_MAX;
}

/* Decode what an event is called, and by what its weights are counted. */
static int decode_name(const struct nlattr **table, uint32_t event,
		       struct profile_attached *attached, struct error *error)
{
	uint32_t kind = FLAMEMOD_SOURCE_KIND_SWITCHES;
	int err;

	err = nl_attr_string(table[FLAMEMOD_A_EVENT_NAME], "name", attached->name,
			     sizeof(attached->name), error) ?:
	      nl_attr_string(table[FLAMEMOD_A_EVENT_UNIT], "unit", attached->unit,
			     sizeof(attached->unit), error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_EVENT_KIND], "kind", &kind, error);
	if (err)
		return err;
	attached->kind = kind;
	if (!is_source(event)) {
		strcpy(attached->name, profile_event_name(event));
		if (!strcmp(attached->unit, "ns"))
			return 0;
		return error_set(error, -EBADMSG, "the event %s has the unit %.15s, which this flamectl does not know",
				 attached->name, *attached->unit ? attached->unit : "of none");
	}
	if (kind == FLAMEMOD_SOURCE_KIND_SWITCHES || kind >= __FLAMEMOD_SOURCE_KIND_MAX)
		return error_set(error, -EBADMSG, "the event %" PRIu32 " is of unknown kind %" PRIu32,
				 event, kind);
	if (!*attached->name || !*attached->unit)
		return error_set(error, -EBADMSG, "the event %" PRIu32 " has no %s", event,
				 *attached->name ? "unit" : "name");
	return 0;
}

/* Decode what became of user stacks, by enum flamemod_user_side. */
static int decode_sides(const struct nlattr *attr, struct profile_attached *attached,
			struct error *error)
{
	size_t size;

	if (!attr)
		return 0;
	size = mnl_attr_get_payload_len(attr);
	if (size % sizeof(uint64_t))
		return nl_attr_bad_size(attr, "user-sides", error);
	/* a newer module may know more of them */
	if (size > sizeof(attached->sides))
		size = sizeof(attached->sides);
	memcpy(attached->sides, mnl_attr_get_payload(attr), size);
	attached->user_stacks = true;
	return 0;
}

static int decode_attached(const struct nlattr *nest, struct profile_attached *all,
			   struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_EVENT_MAX + 1];
	struct profile_attached attached = { .known = true, .states = UINT32_MAX };
	uint32_t event = FLAMEMOD_EVENT_ON_CPU;
	uint8_t broken = 0, followed = 0;
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_EVENT_MAX, error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_EVENT_EVENT], "event", &event, error);
	/* one of a newer module, which this program did not attach */
	if (!err && event >= __FLAMEMOD_EVENT_MAX && !is_source(event))
		return 0;
	err = err ?:
	      decode_name(table, event, &attached, error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_SUSPENDED_NS], "suspended-ns",
			   &attached.suspended_ns, error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_SINCE_NS], "since-ns", &attached.since_ns,
			   error) ?:
	      nl_attr_uint(table[FLAMEMOD_A_EVENT_MIN_NS], "min-ns", &attached.min_ns,
			   error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_EVENT_STATES], "states", &attached.states, error) ?:
	      decode_pids(table[FLAMEMOD_A_EVENT_PIDS], &attached, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_EVENT_FOLLOWED], "followed", &followed, error) ?:
	      nl_attr_u8(table[FLAMEMOD_A_EVENT_BROKEN], "broken", &broken, error) ?:
	      decode_sides(table[FLAMEMOD_A_EVENT_USER_SIDES], &attached, error) ?:
	      decode_tally(table[FLAMEMOD_A_EVENT_HITS], "hits", &attached.hits, error) ?:
	      decode_tally(table[FLAMEMOD_A_EVENT_WEIGHT], "weight", &attached.weight, error);
	if (err)
		return err;
	if (event == FLAMEMOD_EVENT_ON_CPU || all[event].known)
		return error_set(error, -EBADMSG, "the event %.150s is attached twice",
				 attached.name);
	attached.followed = followed;
	attached.broken = broken;
	all[event] = attached;
	return 0;
}

/* Decode who has events attached. More than there is room for are left out. */
static int decode_client(const struct nlattr *nest, struct profile_meta *meta,
			 struct error *error)
{
	const struct nlattr *table[FLAMEMOD_A_CLIENT_MAX + 1];
	struct profile_client client = { 0 };
	int err;

	err = nl_attrs_table(nest, table, FLAMEMOD_A_CLIENT_MAX, error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_CLIENT_EPOCH], "epoch", &client.epoch, error) ?:
	      nl_attr_u32(table[FLAMEMOD_A_CLIENT_PID], "pid", &client.pid, error);
	if (!err && meta->nr_clients < PROFILE_CLIENTS_MAX)
		meta->clients[meta->nr_clients++] = client;
	return err;
}

int nl_decode_events(const struct nlattr *state, struct profile_meta *meta,
		     struct error *error)
{
	struct nl_attrs attrs = nl_attrs_of(state);
	const struct nlattr *attr;
	int err;

	meta->nr_clients = 0;
	while (!(err = nl_attrs_next(&attrs, &attr, error)) && attr) {
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_STATE_EVENT)
			err = decode_attached(attr, meta->attached, error);
		else if (mnl_attr_get_type(attr) == FLAMEMOD_A_STATE_CLIENT)
			err = decode_client(attr, meta, error);
		else if (mnl_attr_get_type(attr) == FLAMEMOD_A_STATE_EVENTS_EPOCH)
			err = nl_attr_u32(attr, "events-epoch", &meta->events_epoch, error);
		if (err)
			return err;
	}
	return err;
}

/* ---- intervals ---- */

int nl_add_interval(struct nl_decoder *decoder, uint32_t event, uint32_t state,
		    const struct profile_record *record, struct error *error)
{
	const struct profile_attached *attached = decoder->profile->meta.attached;
	int err;

	if (event == FLAMEMOD_EVENT_ON_CPU || event >= ATTACHED_MAX || !attached[event].known)
		return error_set(error, -EBADMSG, "a record is of event %" PRIu32
				 ", which is not attached", event);
	/* of latency, the power of two of its nanoseconds */
	if (state >= (attached[event].kind == FLAMEMOD_SOURCE_KIND_LATENCY ?
		      INTERVALS_POWERS : __FLAMEMOD_TASK_STATE_MAX))
		return error_set(error, -EBADMSG, "a record is of unknown state %" PRIu32,
				 state);
	err = vec_reserve(decoder->intervals, decoder->intervals_room,
			  decoder->nr_intervals + 1);
	if (!err)
		decoder->intervals[decoder->nr_intervals++] = (struct nl_interval){
			.record = *record, .event = event, .state = state,
		};
	return err;
}

/* Check that the intervals of an event sum to its books. */
static int check_sums(const struct nl_decoder *decoder, uint32_t event,
		      struct error *error)
{
	const struct profile_attached *attached = &decoder->profile->meta.attached[event];
	uint64_t hits = 0, weight = 0;
	bool over = false;

	for (size_t i = 0; i < decoder->nr_intervals; i++) {
		const struct profile_record *record = &decoder->intervals[i].record;

		if (decoder->intervals[i].event != event)
			continue;
		over |= __builtin_add_overflow(hits, record->count, &hits);
		over |= __builtin_add_overflow(weight, record->periods, &weight);
	}
	if (!over && hits == attached->hits.stored && weight == attached->weight.stored)
		return 0;
	return error_set(error, -EBADMSG, "the records of event %.150s sum to %" PRIu64
			 " %s and %" PRIu64 " %s, its books say %" PRIu64 " and %"
			 PRIu64, attached->name, hits, is_source(event) ? "hits" : "intervals",
			 weight, attached->unit, attached->hits.stored,
			 attached->weight.stored);
}

/* The mark at the end of an interval's stack; NULL for none. */
static const char *leaf_of(const struct nl_interval *interval)
{
	switch (interval->event) {
	case FLAMEMOD_EVENT_OFF_CPU:
		return task_state_leaf(interval->state);
	case FLAMEMOD_EVENT_WAITING:
		return task_state_leaf(TASK_WAITING);
	default:
		return NULL;
	}
}

/*
 * Functions that the kernel calls between one that hits a tracepoint and perf: they are
 * leaves if several tracers use the tracepoint, or calls of tracepoints are not patched.
 */
static bool is_tracer(const char *name)
{
	static const char *const prefixes[] = {
		"__traceiter_", "perf_trace_", "do_perf_trace_",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Return: the node of the function that hit a tracepoint. */
static uint32_t skip_tracers(const struct profile *profile, uint32_t node)
{
	while (node && profile->nodes[node].parent &&
	       is_tracer(profile->frames[profile->nodes[node].frame].name))
		node = profile->nodes[node].parent;
	return node;
}

static int add_record(struct profile_map *map, const struct nl_interval *interval,
		      const struct profile_attached *attached)
{
	struct profile_record record = interval->record;
	const char *leaf = leaf_of(interval);
	uint32_t frame;
	int err;

	/* see intervals.h */
	record.cpu = NL_EVENT_CPU;
	err = profile_map_record(map, &record);
	/* in an interrupt or not, the task is one that was blocked */
	if (attached->kind == FLAMEMOD_SOURCE_KIND_WAKERS)
		record.context = FLAMEMOD_CONTEXT_TASK;
	if (!err && (attached->kind == FLAMEMOD_SOURCE_KIND_PERF ||
		     attached->kind == FLAMEMOD_SOURCE_KIND_WAKERS))
		record.node = skip_tracers(map->to, record.node);
	if (!err && leaf)
		err = profile_add_frame(map->to, leaf, FLAMEMOD_FRAME_MARK, &frame) ?:
		      profile_add_node(map->to, record.node, frame, &record.node);
	return err ?: profile_add_record(map->to, &record);
}

/* Add the books of an event to those of a profile. */
static int add_books(struct profile *profile, const struct profile_attached *attached)
{
	const struct profile_tally *weight = &attached->weight;
	struct profile_intervals more = {
		.seen = attached->hits.seen, .below = attached->hits.below,
		.below_ns = weight->below, .min_ns = attached->min_ns,
	};
	struct profile_cpu cpu = {
		.cpu = NL_EVENT_CPU,
		.books = {
			.expected = weight->seen, .fires = weight->seen,
			.stored = weight->stored,
			.filtered = weight->filtered + weight->below,
		},
	};

	for (unsigned int i = 0; i < __FLAMEMOD_EVENT_LOST_MAX; i++)
		cpu.books.lost[intervals_lost_in(i)] += weight->lost[i];
	memcpy(more.lost, attached->hits.lost, sizeof(more.lost));
	return profile_add_cpu(profile, &cpu) ?:
	       intervals_add(&profile->meta.intervals, &more);
}

/* What is known of the session is that of the sampler: set what is the event's own. */
static void set_meta(struct profile *profile, const struct profile_meta *meta, uint32_t nr_cpus,
		     const struct profile_attached *attached)
{
	const char *unit = intervals_unit(attached);
	struct profile_meta *own = &profile->meta;

	*own = *meta;
	own->period_ns = !strcmp(unit, "nanoseconds");
	own->since_ns = attached->since_ns;
	own->begin_ns = attached->since_ns;
	own->duration_ns = own->instant_ns > own->since_ns ?
			   own->instant_ns - own->since_ns : 0;
	own->nr_summed_cpus = nr_cpus;
	own->settings.hz = 0;
	own->settings.exclude_idle = own->settings.kernel_only = false;
	own->settings.cpus[0] = '\0';
	own->settings.followed_only = attached->followed;
	own->settings.nr_pids = attached->nr_pids;
	memcpy(own->settings.pids, attached->pids, sizeof(own->settings.pids));
	snprintf(own->weight_type, sizeof(own->weight_type), "%.*s",
		 (int)sizeof(own->weight_type) - 1, attached->name);
	if (!own->period_ns)
		snprintf(own->weight_unit, sizeof(own->weight_unit), "%s", unit);
	own->intervals = (struct profile_intervals){
		.known = true, .of_hits = attached->kind != FLAMEMOD_SOURCE_KIND_SWITCHES,
	};
}

/* Count the hits of a latency by powers of two. Sums do not overflow: see check_sums(). */
static void add_power(struct profile *profile, const struct nl_decoder *decoder,
		      const struct nl_interval *interval)
{
	const struct profile_attached *attached =
		&decoder->profile->meta.attached[interval->event];

	if (attached->kind == FLAMEMOD_SOURCE_KIND_LATENCY)
		profile->meta.intervals.powers[interval->state] += interval->record.count;
}

/* Make a profile of the records of the events in @mask. */
static int make_event(const struct nl_decoder *decoder, uint32_t first, uint32_t mask,
		      struct events *events)
{
	const struct profile_meta *meta = &decoder->profile->meta;
	struct profile *profile = profile_create();
	struct profile_map map;
	int err;

	if (!profile)
		return -ENOMEM;
	set_meta(profile, meta, decoder->profile->nr_cpus, &meta->attached[first]);
	err = profile_map_init(&map, profile, decoder->profile);
	for (size_t i = 0; i < decoder->nr_intervals && !err; i++)
		if (mask & 1U << decoder->intervals[i].event) {
			add_power(profile, decoder, &decoder->intervals[i]);
			err = add_record(&map, &decoder->intervals[i],
					 &meta->attached[first]);
		}
	for (unsigned int i = 0; i < ATTACHED_MAX && !err; i++)
		if (mask & 1U << i)
			err = add_books(profile, &meta->attached[i]);
	profile_map_deinit(&map);
	if (err) {
		profile_destroy(profile);
		return err;
	}
	return events_add(events, profile->meta.weight_type, profile);
}

static uint32_t attached_mask(const struct profile_attached *attached)
{
	uint32_t mask = 0;

	for (unsigned int i = 0; i < ATTACHED_MAX; i++)
		mask |= attached[i].known ? 1U << i : 0;
	return mask;
}

/* Blocked and waiting are one event; ran and each source are events of their own. */
static int make_all(const struct nl_decoder *decoder, uint32_t mask, struct events *events)
{
	static const uint32_t off = 1U << FLAMEMOD_EVENT_OFF_CPU |
				    1U << FLAMEMOD_EVENT_WAITING;
	int err = 0;

	if (mask & off)
		err = make_event(decoder, mask & 1U << FLAMEMOD_EVENT_OFF_CPU ?
				 FLAMEMOD_EVENT_OFF_CPU : FLAMEMOD_EVENT_WAITING,
				 mask & off, events);
	if (!err && mask & 1U << FLAMEMOD_EVENT_OFF_CPU &&
	    !(mask & 1U << FLAMEMOD_EVENT_WAITING))
		events->list[0].profile->meta.intervals.no_waiting = true;
	for (unsigned int i = 0; i < ATTACHED_MAX && !err; i++)
		if (mask & 1U << i & ~off)
			err = make_event(decoder, i, 1U << i, events);
	return err;
}

int nl_make_events(const struct nl_decoder *decoder, struct events *events,
		   struct error *error)
{
	uint32_t mask = attached_mask(decoder->profile->meta.attached);
	int err = 0;

	events->nr = 0;
	for (unsigned int i = 0; i < ATTACHED_MAX && !err; i++)
		if (mask & 1U << i)
			err = check_sums(decoder, i, error);
	if (err)
		return err;
	err = make_all(decoder, mask, events);
	if (err == -E2BIG) {
		events_deinit(events);
		return error_set(error, err, "more events are attached than the %d that this flamectl reads",
				 EVENTS_MAX);
	}
	if (err) {
		events_deinit(events);
		error_set(error, err, "%s", strerror(-err));
	}
	return err;
}
