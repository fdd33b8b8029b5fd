// SPDX-License-Identifier: GPL-2.0
/*
 * The decoder of the module's replies: messages as the module sends them, and wrong
 * statements about the session.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libmnl/libmnl.h>

#include "nl_decoded.h"

static struct profile *decoded_reply(const struct reply *reply)
{
	struct message m;

	put_reply(&m, reply);
	return decoded(&m, true);
}

static void check_good(const struct profile *profile, bool wide)
{
	const struct profile_record *record = &profile->records[1];
	struct error error;

	assert_int_equal(profile_check(profile, &error), 0);
	assert_int_equal(profile->meta.epoch, 3);
	assert_int_equal(profile->meta.state, FLAMEMOD_STATE_RUNNING);
	assert_int_equal(profile->meta.period_ns, 1003009);
	assert_int_equal(profile->meta.instant_ns, 1ULL << 41);
	assert_string_equal(profile->meta.module_version, "1.0");
	assert_int_equal(profile->meta.settings.hz, 997);
	assert_int_equal(profile->meta.settings.nr_pids, 2);
	assert_int_equal(profile->meta.settings.pids[1], 8);
	assert_true(profile->meta.settings.kernel_only);
	assert_string_equal(profile->meta.settings.cpus, "0-1");
	assert_int_equal(profile->nr_cpus, 2);
	assert_int_equal(profile->cpus[1].sampled_ns, 5ULL << 32);
	assert_int_equal(profile->books.lost[FLAMEMOD_LOST_OVERLOAD], 2);
	assert_int_equal(profile->books.overdue, -7);
	assert_int_equal(profile->nr_records, 3);
	assert_int_equal(record->periods, 6);
	assert_int_equal(record->cpu, 1);
	assert_int_equal(record->context, FLAMEMOD_CONTEXT_SOFTIRQ);
	assert_string_equal(profile->frames[profile->nodes[record->node].frame]
			    .name, "leaf");
	assert_string_equal(profile->tasks[record->task].comm, "\xff;");
	assert_int_equal(profile->tasks[record->task].tid, 41);
	assert_int_equal(profile->records[0].late_us, wide ? 1ULL << 33 : 8);
}

static void a_reply_becomes_a_profile(void **state)
{
	struct reply reply = good_reply;
	struct profile *profile;

	(void)state;
	profile = decoded_reply(&reply);
	check_good(profile, false);
	profile_destroy(profile);

	reply.wide = true;
	profile = decoded_reply(&reply);
	check_good(profile, true);
	profile_destroy(profile);
}

static void a_reply_may_come_in_parts(void **state)
{
	static const uint32_t parent = 0, frame = 2, parents[] = { 1, 1 };
	static const uint32_t frames[] = { 5, 9 };
	struct nl_decoder *decoder = nl_decoder_create(true);
	struct profile *profile;
	struct error error;
	struct message m;

	(void)state;
	message_begin(&m);
	put_head(&m, &good_reply);
	assert_int_equal(decode_message(decoder, &m, &error), 0);
	message_begin(&m);
	put_frames(&m);
	assert_int_equal(decode_message(decoder, &m, &error), 0);
	message_begin(&m);
	open_nest(&m, FLAMEMOD_A_NODES);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_NODES_FIRST, 1);
	put_differences(&m, FLAMEMOD_A_NODES_PARENT, 1, &parent);
	put_differences(&m, FLAMEMOD_A_NODES_FRAME, 1, &frame);
	close_nest(&m);
	open_nest(&m, FLAMEMOD_A_NODES);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_NODES_FIRST, 2);
	put_differences(&m, FLAMEMOD_A_NODES_PARENT, 2, parents);
	put_differences(&m, FLAMEMOD_A_NODES_FRAME, 2, frames);
	close_nest(&m);
	assert_int_equal(decode_message(decoder, &m, &error), 0);
	message_begin(&m);
	put_tasks(&m);
	put_records(&m, false, NULL);
	assert_int_equal(decode_message(decoder, &m, &error), 0);
	assert_int_equal(nl_decode_end(decoder, &profile, &error), 0);
	check_good(profile, false);
	profile_destroy(profile);
	nl_decoder_destroy(decoder);
}

/* The names of a record's frames, from the root. */
static void assert_stack(const struct profile *profile, uint32_t record,
			 const char *const *names)
{
	uint32_t node = profile->records[record].node, at, depth = 0;

	for (at = node; at; at = profile->nodes[at].parent)
		depth++;
	assert_null(names[depth]);
	for (at = node; at; at = profile->nodes[at].parent)
		assert_string_equal(profile->frames[profile->nodes[at].frame].name,
				    names[--depth]);
}

/* The nodes sent are entry, entry;f and entry;leaf: any may be of user mode. */
static void a_user_stack_is_below_its_kernel_stack(void **state)
{
	static const uint32_t user_nodes[] = { 1, 3, 2 };
	static const char *const both[] = { "entry", "entry", "f [tun]", NULL };
	static const char *const deep[] = { "entry", "leaf", "entry", "leaf", NULL };
	static const char *const user[] = { "entry", "f [tun]", NULL };
	struct reply reply = good_reply;
	struct profile *profile;
	struct error error;

	(void)state;
	reply.user_nodes = user_nodes;
	profile = decoded_reply(&reply);
	assert_int_equal(profile_check(profile, &error), 0);
	assert_stack(profile, 0, both);
	assert_stack(profile, 1, deep);
	assert_stack(profile, 2, user);
	profile_destroy(profile);
}

/* Of each name, the object's path and build-id, and the offset in it; NULL: none. */
static void a_function_of_a_program_is_a_place(void **state)
{
	static const struct {
		const char *sent, *path, *build_id, *name;
		uint64_t offset;
	} cases[] = {
		{ "/bin/a b+0x1f40 00ff", "/bin/a b", "00ff", "a b+0x1f40", 0x1f40 },
		{ "/bin/a+0x1f40", "/bin/a", "", "a+0x1f40", 0x1f40 },
		{ "/c+0x1 d+0x2+0x30 ab", "/c+0x1 d+0x2", "ab", "c+0x1 d+0x2+0x30", 0x30 },
		{ "/a (deleted)+0x30 ab", "/a", "ab", "a+0x30", 0x30 },
		{ "/a (deleted)+0x30", "/a (deleted)", "", "a (deleted)+0x30", 0x30 },
		{ " (deleted)+0x30 ab", NULL, NULL, " (deleted)+0x30 ab", 0 },
		{ "[vdso]+0x800 ee", "[vdso]", "ee", "[vdso]+0x800", 0x800 },
		{ "[jit 4194304]+0x7f0012345678", "[jit 4194304]", "",
		  "[jit 4194304]+0x7f0012345678", 0x7f0012345678 },
		{ "[jit 0]+0x10", NULL, NULL, "[jit 0]+0x10", 0 },
		{ "[jit 1234567890123456789012345678901]+0x10", NULL, NULL,
		  "[jit 1234567890123456789012345678901]+0x10", 0 },
		{ "[long path]+0x10 aa", NULL, NULL, "[long path]+0x10 aa", 0 },
		{ "[user: not learned]", NULL, NULL, "[user: not learned]", 0 },
		{ "/bin/a+0x ff", NULL, NULL, "/bin/a+0x ff", 0 },
		{ "/bin/a+0x0 ff", NULL, NULL, "/bin/a+0x0 ff", 0 },
		{ "/bin/a+0x12345678912345678 ff", NULL, NULL,
		  "/bin/a+0x12345678912345678 ff", 0 },
		{ "/bin/a+0x1000000000000 ff", NULL, NULL, "/bin/a+0x1000000000000 ff", 0 },
		{ "/bin/a+0x10 g", NULL, NULL, "/bin/a+0x10 g", 0 },
		{ "/bin/a+0x10 ", NULL, NULL, "/bin/a+0x10 ", 0 },
		{ "", NULL, NULL, "", 0 },
	};
	static const uint32_t id = 1;
	static const uint64_t kind = FLAMEMOD_FRAME_USER;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct profile_object *object;
		const struct profile_frame *frame;
		struct profile *profile;
		struct message m;

		message_begin(&m);
		put_head(&m, &good_reply);
		open_nest(&m, FLAMEMOD_A_FRAMES);
		put_differences(&m, FLAMEMOD_A_FRAMES_ID, 1, &id);
		put_column(&m, FLAMEMOD_A_FRAMES_KIND, 1, &kind);
		mnl_attr_put_strz(m.header, FLAMEMOD_A_FRAMES_NAME, cases[i].sent);
		close_nest(&m);
		profile = decoded(&m, false);
		frame = &profile->frames[0];
		assert_string_equal(frame->name, cases[i].name);
		assert_int_equal(frame->kind, FLAMEMOD_FRAME_USER);
		assert_int_equal(frame->offset, cases[i].offset);
		assert_int_equal(frame->object, cases[i].path ? 1 : 0);
		assert_int_equal(profile_frame_unnamed(profile, 0), cases[i].path != NULL);
		object = profile->objects;
		if (cases[i].path) {
			assert_string_equal(object->path, cases[i].path);
			assert_string_equal(object->build_id, cases[i].build_id);
		}
		profile_destroy(profile);
	}
}

static void a_status_needs_no_records(void **state)
{
	struct profile *profile;
	struct message m;

	(void)state;
	message_begin(&m);
	put_head(&m, &good_reply);
	profile = decoded(&m, false);
	assert_int_equal(profile->nr_cpus, 2);
	profile_destroy(profile);
	expect_bad(&m, "incomplete: 1 nodes of 4");
}

static void what_is_unknown_is_skipped(void **state)
{
	struct profile *profile;
	struct message m;

	(void)state;
	put_reply(&m, &good_reply);
	mnl_attr_put_u32(m.header, 77, 1);
	mnl_attr_put_strz(m.header, FLAMEMOD_A_MAX + 1, "of a later version");
	profile = decoded(&m, true);
	check_good(profile, false);
	profile_destroy(profile);
}

static void a_reason_of_loss_is_not_skipped(void **state)
{
	struct nlattr *cpu, *books, *lost;
	struct message m;

	(void)state;
	put_reply(&m, &good_reply);
	cpu = mnl_attr_nest_start(m.header, FLAMEMOD_A_CPU);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_CPU_CPU, 2);
	books = mnl_attr_nest_start(m.header, FLAMEMOD_A_CPU_BOOKS);
	lost = mnl_attr_nest_start(m.header, FLAMEMOD_A_BOOKS_LOST);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_LOST_MAX + 1, 1);
	mnl_attr_nest_end(m.header, lost);
	mnl_attr_nest_end(m.header, books);
	mnl_attr_nest_end(m.header, cpu);
	expect_bad(&m, "does not know");
}

static void counts_must_match(void **state)
{
	struct reply reply = good_reply;
	struct message m;

	(void)state;
	reply.nodes = 5;
	put_reply(&m, &reply);
	expect_bad(&m, "4 nodes of 5");
	reply = good_reply;
	reply.nodes = 3;
	put_reply(&m, &reply);
	expect_bad(&m, "4 nodes are sent, 3 were announced");
	reply = good_reply;
	reply.tasks = 3;
	put_reply(&m, &reply);
	expect_bad(&m, "2 tasks of 3");
	reply = good_reply;
	reply.records = 4;
	put_reply(&m, &reply);
	expect_bad(&m, "3 records of 4");
	reply = good_reply;
	reply.records = 2;
	put_reply(&m, &reply);
	expect_bad(&m, "3 records are sent, 2 were announced");
	reply = good_reply;
	reply.frames = 9;
	put_reply(&m, &reply);
	expect_bad(&m, "frame 9 is out of order, or above nr-frames");
}

static void the_session_must_make_sense(void **state)
{
	struct reply reply = good_reply;
	struct message m;

	(void)state;
	reply.state = __FLAMEMOD_STATE_MAX;
	put_reply(&m, &reply);
	expect_bad(&m, "state 3 is unknown");
	reply = good_reply;
	reply.cpu_fires = 22;
	put_reply(&m, &reply);
	expect_bad(&m, "do not sum to the session's");
	reply = good_reply;
	reply.pids = FLAMEMOD_PIDS_MAX + 1;
	put_reply(&m, &reply);
	expect_bad(&m, "pids has a size of 68");

	put_reply(&m, &good_reply);
	mnl_attr_put_u32(m.header, FLAMEMOD_A_SESSION, 1);
	expect_bad(&m, "session 1");
	put_reply(&m, &good_reply);
	put_state(&m, &good_reply);
	expect_bad(&m, "state is sent twice");
	put_reply(&m, &good_reply);
	put_cpu(&m, 1, 3, 0);
	expect_bad(&m, "CPU 1 is sent twice");
	message_begin(&m);
	put_frames(&m);
	expect_bad(&m, "does not begin with the state");
	message_begin(&m);
	expect_bad(&m, "empty");
}

static void closed_epochs_are_decoded(void **state)
{
	struct reply reply = good_reply;
	struct profile *profile = decoded_reply(&reply);

	(void)state;
	/* the current epoch, of an older module */
	assert_false(profile->meta.is_closed);
	assert_false(profile->meta.kept.known);
	profile_destroy(profile);
	reply.closed = true;
	profile = decoded_reply(&reply);
	assert_true(profile->meta.is_closed);
	assert_true(profile->meta.kept.known);
	assert_int_equal(profile->meta.kept.readers, 51);
	assert_int_equal(profile->meta.kept.epochs, 52);
	assert_int_equal(profile->meta.kept.bytes, 53ULL << 32);
	assert_int_equal(profile->meta.kept.expired, 54);
	assert_int_equal(profile->meta.kept.reclaimed, 55ULL << 32);
	profile_destroy(profile);
}

static void what_sampling_did_is_reported(void **state)
{
	struct reply reply = good_reply;
	struct profile *profile;
	struct message m;

	(void)state;
	profile = decoded_reply(&reply);
	assert_false(profile->meta.stacks.known);
	assert_int_equal(profile->meta.pauses.nr_callbacks, 0);
	assert_int_equal(profile->meta.steal, PROFILE_STEAL_UNKNOWN);
	assert_int_equal(profile->books.late, 6);
	assert_int_equal(profile->books.stolen, 2);
	/* an older module does not say it */
	assert_int_equal(profile->meta.irqs_off, PROFILE_IRQS_OFF_UNKNOWN);
	profile_destroy(profile);

	reply.irqs_off = PROFILE_IRQS_OFF_MARKED;
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.irqs_off, PROFILE_IRQS_OFF_MARKED);
	profile_destroy(profile);
	reply.irqs_off = PROFILE_IRQS_OFF_UNMARKED;
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.irqs_off, PROFILE_IRQS_OFF_UNMARKED);
	profile_destroy(profile);

	reply.pauses_bytes = 13 * sizeof(uint64_t);
	profile = decoded_reply(&reply);
	assert_true(profile->meta.stacks.known);
	assert_int_equal(profile->meta.stacks.learned, 31);
	assert_int_equal(profile->meta.stacks.unwound, 32ULL << 32);
	assert_int_equal(profile->meta.stacks.steps, 33);
	assert_int_equal(profile->meta.stacks.verified, 34);
	assert_int_equal(profile->meta.stacks.differences, 35);
	assert_int_equal(profile->meta.pauses.nr_callbacks, 13);
	assert_int_equal(profile->meta.pauses.callbacks[9], 50);
	assert_int_equal(profile->meta.pauses.callbacks[12], 2);
	assert_int_equal(profile->meta.pauses.callback_ns_max, 41);
	assert_int_equal(profile->meta.pauses.swap_ns_max, 42ULL << 32);
	assert_int_equal(profile->meta.pauses.forget_ns_max, 43);
	assert_int_equal(profile->meta.steal, PROFILE_STEAL_NONE);
	profile_destroy(profile);

	reply.pauses_bytes = PROFILE_PAUSES_MAX * sizeof(uint64_t);
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.steal, PROFILE_STEAL_CLOCK);
	profile_destroy(profile);
	reply.pauses_bytes += sizeof(uint64_t);
	put_reply(&m, &reply);
	expect_bad(&m, "callbacks has a size of 520");
	reply.pauses_bytes = 20;
	put_reply(&m, &reply);
	expect_bad(&m, "callbacks has a size of 20");
}

/* Those of each CPU, as many as fit. */
static void stalls_are_listed(void **state)
{
	struct reply reply = good_reply;
	struct profile *profile = decoded_reply(&reply);
	const struct profile_stalls *stalls = &profile->meta.stalls;
	struct message m;

	(void)state;
	assert_int_equal(stalls->nr, 6);
	assert_int_equal(stalls->nr_listed, 4);
	assert_int_equal(stalls->list[3].cpu, 1);
	assert_int_equal(stalls->list[3].from_ns, 51);
	assert_int_equal(stalls->list[3].ns, (5ULL << 32) + 1);
	profile_destroy(profile);

	message_begin(&m);
	put_head(&m, &reply);
	for (uint32_t cpu = 100; cpu < 100 + PROFILE_STALLS_MAX; cpu++)
		put_cpu(&m, cpu, 0, 0);
	profile = decoded(&m, false);
	stalls = &profile->meta.stalls;
	assert_int_equal(stalls->nr, 6 + 3 * PROFILE_STALLS_MAX);
	assert_int_equal(stalls->nr_listed, PROFILE_STALLS_MAX);
	profile_destroy(profile);
}

static void no_cut_or_changed_message_does_harm(void **state)
{
	struct profile *profile;
	struct error error;
	struct message m;
	size_t size, i;
	char *payload;
	int bit;

	(void)state;
	put_reply(&m, &good_reply);
	payload = mnl_nlmsg_get_payload(m.header);
	size = mnl_nlmsg_get_payload_len(m.header);
	for (i = 0; i < size; i++) {
		struct nl_decoder *decoder = nl_decoder_create(true);

		profile = NULL;
		if (!decode_bytes(decoder, payload, i, &error))
			assert_int_equal(nl_decode_end(decoder, &profile,
						       &error), -EBADMSG);
		assert_null(profile);
		nl_decoder_destroy(decoder);
	}
	for (i = 0; i < size * 8; i++) {
		bit = 1 << i % 8;
		payload[i / 8] ^= (char)bit;
		if (!decode(&m, true, &profile, &error))
			profile_destroy(profile);
		payload[i / 8] ^= (char)bit;
	}
}

static void isolated_cpus_are_reported(void **state)
{
	char longest[1024 + 1] = "0";
	struct reply reply = good_reply;
	struct profile *profile;
	struct message m;

	(void)state;
	/* an older module samples all, and does not say it */
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.nr_isolated, 0);
	assert_string_equal(profile->meta.isolated, "");
	profile_destroy(profile);

	reply.isolated = "1,4-5";
	reply.nr_isolated = 3;
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.nr_isolated, 3);
	assert_string_equal(profile->meta.isolated, "1,4-5");
	profile_destroy(profile);

	/* too many to be named */
	reply.isolated = NULL;
	profile = decoded_reply(&reply);
	assert_int_equal(profile->meta.nr_isolated, 3);
	assert_string_equal(profile->meta.isolated, "");
	profile_destroy(profile);

	reply.isolated = "1,";
	put_reply(&m, &reply);
	expect_bad(&m, "isolated: not a list of CPUs: 1,");
	memset(longest + 1, '0', sizeof(longest) - 2);
	reply.isolated = longest;
	put_reply(&m, &reply);
	expect_bad(&m, "isolated is not a string of less than 1024 bytes");
}

/* Settings that a saved profile could not contain are refused. */
static void settings_are_within_their_limits(void **state)
{
	static const struct {
		uint16_t type;
		uint32_t value;
		const char *why;
	} cases[] = {
		{ FLAMEMOD_A_SETTINGS_HZ, FLAMEMOD_HZ_MAX + 1, "hz=20001" },
		{ FLAMEMOD_A_SETTINGS_MAX_DEPTH, 128, "max-depth=128" },
		{ FLAMEMOD_A_SETTINGS_PIDS, 0, "pids: 0" },
		/* the text "," */
		{ FLAMEMOD_A_SETTINGS_CPUS, ',', "cpus=,: a list" },
	};
	struct message m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t size = cases[i].value == ',' ? 2 : 4;

		put_reply(&m, &good_reply);
		open_nest(&m, FLAMEMOD_A_SETTINGS);
		mnl_attr_put(m.header, cases[i].type, size, &cases[i].value);
		close_nest(&m);
		expect_bad(&m, cases[i].why);
	}
}

static void more_cpus_than_there_are_are_refused(void **state)
{
	struct message *m = malloc(sizeof(*m));
	struct nl_decoder *decoder = nl_decoder_create(true);
	struct error error;
	uint32_t cpu;
	int err = 0;

	(void)state;
	message_begin(m);
	put_state(m, &good_reply);
	assert_int_equal(decode_message(decoder, m, &error), 0);
	for (cpu = 0; cpu <= PROFILE_CPUS_MAX; cpu++) {
		assert_int_equal(err, 0);
		message_begin(m);
		put_cpu(m, cpu, 0, 0);
		err = decode_message(decoder, m, &error);
	}
	assert_int_equal(err, -EBADMSG);
	assert_string_equal(error.text, "more than 8192 CPUs are sent");
	nl_decoder_destroy(decoder);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reply_becomes_a_profile),
		cmocka_unit_test(a_reply_may_come_in_parts),
		cmocka_unit_test(a_function_of_a_program_is_a_place),
		cmocka_unit_test(a_user_stack_is_below_its_kernel_stack),
		cmocka_unit_test(a_status_needs_no_records),
		cmocka_unit_test(what_is_unknown_is_skipped),
		cmocka_unit_test(a_reason_of_loss_is_not_skipped),
		cmocka_unit_test(counts_must_match),
		cmocka_unit_test(the_session_must_make_sense),
		cmocka_unit_test(closed_epochs_are_decoded),
		cmocka_unit_test(what_sampling_did_is_reported),
		cmocka_unit_test(stalls_are_listed),
		cmocka_unit_test(no_cut_or_changed_message_does_harm),
		cmocka_unit_test(isolated_cpus_are_reported),
		cmocka_unit_test(settings_are_within_their_limits),
		cmocka_unit_test(more_cpus_than_there_are_are_refused),
	};

	return cmocka_run_group_tests_name("nl", tests, NULL, NULL);
}
