// SPDX-License-Identifier: GPL-2.0
/*
 * Repeats an operation while its 1st, 2nd, 3rd... allocation fails, until it has no
 * further allocation that could fail.
 *
 *   failnth [-c] [-p PID] [-f FIRST] [-e EVERY] OPERATION [MODULE [PARAMETERS]]
 *
 *   -c         only count the allocations of the operation, which may fail
 *   -p PID     allocations of that task, not of this process
 *   -f FIRST   begin with that allocation (1)
 *   -e EVERY   and try each EVERYth from there (1)
 *
 *   load MODULE [PARAMETERS]   insert the module; where that went well, remove it
 *   drain MODULE [PARAMETERS]  load it, let it sample for less than it takes the
 *                              worker to drain, ask for its status, which drains
 *                              the tables; remove it
 *   first-start MODULE [PARAMETERS] load it, and start it for the first time, which
 *                              allocates tables; remove it
 *   first-attach MODULE [PARAMETERS] the same with all kinds of events
 *   attach KIND                attach events of a kind of attach.h to flamemod, which is
 *                              loaded; where that went well, detach them
 *   dump-events KIND           attach them once, and dump what they have counted
 *   unload MODULE [PARAMETERS] load it, and fail while it is being removed
 *   start, stop, set, reset, status, status-dump, dump, dump-reset
 *                              of flamemod, which is loaded
 *   open FILE                  open the file and read it to its end
 *
 * Prints "tried N through yes", and behind it how often each result was seen,
 * such as "done 12 ENOMEM 40"; after dump-events also what nlprofile.h says. What must hold after each try: the operation was
 * done or failed, a module that failed to load is not there, a request that
 * failed changed nothing, events can be attached, the books balance and the session
 * is not broken. If not, it says so and its exit status is 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attach.h"
#include "fail.h"
#include "flamemod.h"
#include "nlask.h"
#include "nlprofile.h"

#define TRIES_MAX	20000
#define ERRNO_MAX	134
#define SAMPLED_US	80000
#define COUNTED		1000000
/* Memory of an ended reader is freed after an RCU grace period. */
#define GRACE_US	100000
#define GRACES		50
#define OTHER_DRAINS	4
/* After this many tries without a failure there is no further allocation. */
#define PASSES		2

struct plan {
	const char *operation, *file, *parameters;
	char module[64];
	int fail_fd;
	unsigned int first, every;
};

/* What a failed request must not change. */
struct state {
	uint32_t epoch, state, hz, max_depth;
	bool balanced;
};

struct message {
	const char *name;
	uint8_t command;
	uint16_t flags;
	bool settings, reset;
};

static const struct message messages[] = {
	{ "start", FLAMEMOD_CMD_START, 0, true, false },
	{ "stop", FLAMEMOD_CMD_STOP, 0, false, false },
	{ "set", FLAMEMOD_CMD_SET, 0, true, false },
	{ "reset", FLAMEMOD_CMD_RESET, 0, false, false },
	{ "status", FLAMEMOD_CMD_STATUS, 0, false, false },
	{ "status-dump", FLAMEMOD_CMD_STATUS, NLM_F_DUMP, false, false },
	{ "dump", FLAMEMOD_CMD_PROFILE, NLM_F_DUMP, false, false },
	{ "dump-reset", FLAMEMOD_CMD_PROFILE, NLM_F_DUMP, false, true },
};

static const struct message *message_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(*messages); i++)
		if (!strcmp(messages[i].name, name))
			return &messages[i];
	return NULL;
}

static int module_load(const struct plan *plan, int fd)
{
	return syscall(SYS_finit_module, fd, plan->parameters, 0);
}

static int open_module(const struct plan *plan)
{
	int fd = open(plan->file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die("open the module");
	return fd;
}

static void module_load_whole(const struct plan *plan)
{
	int fd = open_module(plan);

	if (module_load(plan, fd))
		die("load the module");
	close(fd);
}

static void module_unload(const struct plan *plan)
{
	int try;

	for (try = 0; syscall(SYS_delete_module, plan->module, O_NONBLOCK); try++) {
		if (try == 100)
			die("remove the module");
		usleep(50000);
	}
}

static bool module_is_there(const struct plan *plan)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", plan->module);
	return !access(path, F_OK);
}

static struct result try_load(const struct plan *plan, unsigned int nth)
{
	int fd = open_module(plan);
	struct result result;

	fail_set(plan->fail_fd, nth);
	result = fail_result(plan->fail_fd, module_load(plan, fd));
	close(fd);
	if (!result.error)
		module_unload(plan);
	return result;
}

static struct result try_unload(const struct plan *plan, unsigned int nth)
{
	struct result result;

	module_load_whole(plan);
	usleep(SAMPLED_US);
	fail_set(plan->fail_fd, nth);
	result = fail_result(plan->fail_fd, syscall(SYS_delete_module, plan->module, O_NONBLOCK));
	if (result.error)
		module_unload(plan);
	return result;
}

/* Send, and read the whole answer. Return: -1 with errno if it is an error. */
static int run(struct asker *asker, const struct nlmsghdr *header)
{
	const struct nlmsghdr *reply = (const void *)asker->reply;
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(reply);
	int fd = mnl_socket_get_fd(asker->socket), left, status;
	ssize_t got;

	if (write(fd, header, header->nlmsg_len) < 0)
		return -1;
	for (;;) {
		got = recv(fd, asker->reply, asker->reply_size, 0);
		if (got < 0)
			return -1;
		left = (int)got;
		for (reply = (const void *)asker->reply; mnl_nlmsg_ok(reply, left);
		     reply = mnl_nlmsg_next(reply, &left)) {
			error = mnl_nlmsg_get_payload(reply);
			if (reply->nlmsg_type != NLMSG_ERROR && reply->nlmsg_type != NLMSG_DONE)
				continue;
			/* both begin with the errno */
			status = error->error;
			errno = -status;
			return status ? -1 : 0;
		}
	}
}

static struct result try_message(const struct plan *plan, const struct message *message,
				 unsigned int nth)
{
	static unsigned int turn;
	char buffer[REQUEST_SIZE];
	struct request request;
	struct result result;
	struct asker asker;

	asker_init(&asker, socket_open());
	request = request_begin(buffer, message->name, asker.family, message->command,
				message->flags);
	if (message->settings) {
		request.settings = mnl_attr_nest_start(request.header, FLAMEMOD_A_SETTINGS);
		mnl_attr_put_u32(request.header, FLAMEMOD_A_SETTINGS_MAX_DEPTH,
				 1 + turn++ % FLAMEMOD_MAX_DEPTH_MAX);
		mnl_attr_put_strz(request.header, FLAMEMOD_A_SETTINGS_CPUS, "0-1");
		mnl_attr_nest_end(request.header, request.settings);
	}
	if (message->reset)
		mnl_attr_put(request.header, FLAMEMOD_A_RESET, 0, NULL);
	fail_set(plan->fail_fd, nth);
	result = fail_result(plan->fail_fd, run(&asker, request.header));
	asker_deinit(&asker);
	return result;
}

static struct result try_open(const struct plan *plan, unsigned int nth)
{
	char bytes[4096];
	ssize_t got;
	struct result result;
	int fd;

	fail_set(plan->fail_fd, nth);
	fd = open(plan->file, O_RDONLY);
	got = fd;
	while (fd >= 0 && (got = read(fd, bytes, sizeof(bytes))) > 0)
		;
	result = fail_result(plan->fail_fd, got < 0);
	if (fd >= 0)
		close(fd);
	return result;
}

/* Check that the books of a nest balance. */
static bool books_balance(const struct nlattr *nest)
{
	uint64_t sums[2] = { 0, 0 }, value;
	const struct nlattr *attr, *lost;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == FLAMEMOD_A_BOOKS_LOST) {
			mnl_attr_for_each_nested(lost, attr) {
				value = 0;
				memcpy(&value, mnl_attr_get_payload(lost),
				       mnl_attr_get_payload_len(lost));
				sums[1] += value;
			}
			continue;
		}
		value = 0;
		memcpy(&value, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
		switch (mnl_attr_get_type(attr)) {
		case FLAMEMOD_A_BOOKS_FIRES:
		case FLAMEMOD_A_BOOKS_MISSED:
			sums[0] += value;
			break;
		case FLAMEMOD_A_BOOKS_STORED:
		case FLAMEMOD_A_BOOKS_FILTERED:
			sums[1] += value;
			break;
		}
	}
	return sums[0] == sums[1];
}

static void take_member(struct state *state, uint16_t nest, const struct nlattr *attr)
{
	uint16_t type = mnl_attr_get_type(attr);

	if (nest == FLAMEMOD_A_SETTINGS && type == FLAMEMOD_A_SETTINGS_HZ)
		state->hz = mnl_attr_get_u32(attr);
	if (nest == FLAMEMOD_A_SETTINGS && type == FLAMEMOD_A_SETTINGS_MAX_DEPTH)
		state->max_depth = mnl_attr_get_u32(attr);
	if (nest == FLAMEMOD_A_STATE && type == FLAMEMOD_A_STATE_EPOCH)
		state->epoch = mnl_attr_get_u32(attr);
	if (nest == FLAMEMOD_A_STATE && type == FLAMEMOD_A_STATE_STATE)
		state->state = mnl_attr_get_u32(attr);
	if ((nest == FLAMEMOD_A_STATE && type == FLAMEMOD_A_STATE_BOOKS) ||
	    (nest == FLAMEMOD_A_CPU && type == FLAMEMOD_A_CPU_BOOKS))
		state->balanced = state->balanced && books_balance(attr);
}

static int take_state(const struct nlmsghdr *reply, void *data)
{
	const struct nlattr *attr, *member;

	mnl_attr_for_each(attr, reply, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) > FLAMEMOD_A_SESSION)
			mnl_attr_for_each_nested(member, attr)
				take_member(data, mnl_attr_get_type(attr), member);
	return MNL_CB_OK;
}

static struct state state_now(void)
{
	struct state state = { .balanced = true };
	char buffer[REQUEST_SIZE];
	struct request request;
	struct asker asker;

	asker_init(&asker, socket_open());
	request = request_begin(buffer, "status", asker.family, FLAMEMOD_CMD_STATUS, NLM_F_DUMP);
	asker_run(&asker, request.header, take_state, &state);
	asker_deinit(&asker);
	return state;
}

/* Bring the session to a state in which the operation is allowed. */
static void prepare(const struct message *message)
{
	struct state state = state_now();
	bool running = state.state == FLAMEMOD_STATE_RUNNING;
	bool wanted = message->command != FLAMEMOD_CMD_START &&
		      message->command != FLAMEMOD_CMD_SET;
	char buffer[REQUEST_SIZE];
	struct request request;
	struct asker asker;

	if (running == wanted)
		return;
	asker_init(&asker, socket_open());
	request = request_begin(buffer, "prepare", asker.family,
				wanted ? FLAMEMOD_CMD_START : FLAMEMOD_CMD_STOP, 0);
	if (run(&asker, request.header))
		die("start or stop without a failure");
	asker_deinit(&asker);
}

static struct result try_one_drain(const struct plan *plan, unsigned int nth)
{
	const struct message *message = message_find("status");

	module_load_whole(plan);
	prepare(message);
	usleep(SAMPLED_US);
	return try_message(plan, message, nth);
}

/*
 * How much a drain allocates depends on what was sampled. A busy host gives the guest little
 * time, and then little is sampled. So if a drain has too few allocations, others are tried.
 */
static struct result try_drain(const struct plan *plan, unsigned int nth)
{
	struct result result = try_one_drain(plan, nth);

	for (int i = 0; i < OTHER_DRAINS && !result.met && !result.error; i++) {
		module_unload(plan);
		result = try_one_drain(plan, nth);
	}
	return result;
}

static struct result try_first_start(const struct plan *plan, unsigned int nth)
{
	module_load_whole(plan);
	return try_message(plan, message_find("start"), nth);
}

/* Attach and detach with no failure: what failed before took nothing that is needed. */
static void attach_whole(const char *kind)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	struct asker asker;

	asker_init(&asker, socket_open());
	request = attach_begin(buffer, &asker, kind);
	asker_must(&asker, &request);
	asker_detach(&asker);
	asker_deinit(&asker);
}

static struct result try_attach(const struct plan *plan, const char *kind, unsigned int nth)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	struct result result;
	struct asker asker;

	asker_init(&asker, socket_open());
	request = attach_begin(buffer, &asker, kind);
	fail_set(plan->fail_fd, nth);
	result = fail_result(plan->fail_fd, run(&asker, request.header));
	if (!result.error)
		asker_detach(&asker);
	asker_deinit(&asker);
	attach_whole(kind);
	return result;
}

static struct result try_first_attach(const struct plan *plan, unsigned int nth)
{
	module_load_whole(plan);
	return try_attach(plan, "all", nth);
}

/* Who has events attached for dump-events. */
static struct asker attached;

static struct result try_dump_events(const struct plan *plan, unsigned int nth)
{
	char buffer[REQUEST_SIZE];
	struct request request;
	struct stat status;
	int i;

	if (!attached.socket) {
		asker_init(&attached, socket_open());
		request = attach_begin(buffer, &attached, plan->file);
		asker_must(&attached, &request);
	}
	for (i = 0; i < 20; i++)
		if (stat("/", &status))
			die("stat");
	usleep(1000);
	request = request_begin(buffer, "dump", attached.family, FLAMEMOD_CMD_PROFILE, NLM_F_DUMP);
	mnl_attr_put(request.header, FLAMEMOD_A_EVENTS, 0, NULL);
	fail_set(plan->fail_fd, nth);
	return fail_result(plan->fail_fd, run(&attached, request.header));
}

/* Return whether the operation leaves the module loaded, to be checked and removed. */
static bool leaves_module(const struct plan *plan)
{
	return !strcmp(plan->operation, "drain") || !strcmp(plan->operation, "first-start") ||
	       !strcmp(plan->operation, "first-attach");
}

static struct result try(const struct plan *plan, unsigned int nth)
{
	const struct message *message = message_find(plan->operation);
	struct result result;
	int graces;

	for (graces = 0; message; graces++) {
		result = try_message(plan, message, nth);
		if (result.met || result.error != ENOMEM || graces == GRACES)
			return result;
		usleep(GRACE_US);
	}
	if (!strcmp(plan->operation, "load"))
		return try_load(plan, nth);
	if (!strcmp(plan->operation, "unload"))
		return try_unload(plan, nth);
	if (!strcmp(plan->operation, "drain"))
		return try_drain(plan, nth);
	if (!strcmp(plan->operation, "first-start"))
		return try_first_start(plan, nth);
	if (!strcmp(plan->operation, "first-attach"))
		return try_first_attach(plan, nth);
	if (!strcmp(plan->operation, "attach"))
		return try_attach(plan, plan->file, nth);
	if (!strcmp(plan->operation, "dump-events"))
		return try_dump_events(plan, nth);
	if (!strcmp(plan->operation, "open"))
		return try_open(plan, nth);
	fprintf(stderr, "failnth: there is no operation %s\n", plan->operation);
	exit(2);
}

/* Return what is wrong after a try, or NULL. */
static const char *check(const struct plan *plan, const struct result *result,
			 const struct state *before)
{
	const struct message *message = message_find(plan->operation);
	struct state now;

	if (!strcmp(plan->operation, "load") || !strcmp(plan->operation, "unload"))
		return module_is_there(plan) ? "the module is still there" : NULL;
	now = state_now();
	if (!now.balanced)
		return "the books do not balance";
	if (now.state == FLAMEMOD_STATE_BROKEN)
		return "the session is broken";
	/* no memory to say that it was done, and a copy of that which failed */
	if (result->error == ENOBUFS || result->error == EFAULT)
		return NULL;
	if (!strcmp(plan->operation, "first-start") && result->error &&
	    now.state != FLAMEMOD_STATE_STOPPED)
		return "a start that failed has started";
	if (message && result->error && !message->flags &&
	    (now.epoch != before->epoch || now.state != before->state || now.hz != before->hz ||
	     now.max_depth != before->max_depth))
		return "a request that failed has changed something";
	return NULL;
}

static void tell(const struct plan *plan, unsigned int tried, bool through,
		 const unsigned int *results)
{
	int i;

	printf("%s tried %u through %s", plan->operation, tried, through ? "yes" : "no");
	for (i = 0; i < ERRNO_MAX; i++)
		if (results[i])
			printf(" %s %u", i ? strerrorname_np(i) : "done", results[i]);
	printf("\n");
}

static bool run_plan(const struct plan *plan)
{
	const struct message *message = message_find(plan->operation);
	unsigned int results[ERRNO_MAX] = { 0 }, tried = 0, passes = 0, nth;
	struct state before = { 0 };
	struct result result;
	const char *wrong;

	for (nth = plan->first; nth < TRIES_MAX && passes < PASSES; nth += plan->every) {
		if (message) {
			prepare(message);
			before = state_now();
		}
		result = try(plan, nth);
		wrong = check(plan, &result, &before);
		if (leaves_module(plan))
			module_unload(plan);
		if (!wrong && !result.met && result.error)
			wrong = "it failed with no allocation having failed";
		if (wrong) {
			printf("%s, allocation %u: %s: %s\n", plan->operation, nth,
			       strerror(result.error), wrong);
			return false;
		}
		passes = result.met ? 0 : passes + 1;
		tried += result.met;
		if (result.met && result.error < ERRNO_MAX)
			results[result.error]++;
	}
	tell(plan, tried, passes == PASSES, results);
	if (attached.socket)
		profile_print(&attached, NULL);
	return passes == PASSES;
}

static void count(const struct plan *plan)
{
	printf("%u\n", COUNTED - try(plan, COUNTED).left);
}

static void usage(void)
{
	fprintf(stderr, "usage: failnth [-c] [-p PID] [-f FIRST] [-e EVERY] OPERATION [FILE|KIND [PARAMETERS]]\n");
	exit(2);
}

/* flamemod of /root/flamemod.ko */
static void name_module(struct plan *plan)
{
	const char *slash = strrchr(plan->file, '/');

	snprintf(plan->module, sizeof(plan->module), "%s", slash ? slash + 1 : plan->file);
	plan->module[strcspn(plan->module, ".")] = 0;
}

int main(int argc, char **argv)
{
	struct plan plan = { .first = 1, .every = 1, .file = "", .parameters = "" };
	char path[64] = "/proc/thread-self/fail-nth";
	bool counts = false;
	int opt;

	while ((opt = getopt(argc, argv, "cp:f:e:")) != -1) {
		if (opt == 'c')
			counts = true;
		else if (opt == 'p')
			snprintf(path, sizeof(path), "/proc/%d/fail-nth", atoi(optarg));
		else if (opt == 'f')
			plan.first = atoi(optarg);
		else if (opt == 'e')
			plan.every = atoi(optarg);
		else
			usage();
	}
	if (optind == argc || !plan.first || !plan.every)
		usage();
	plan.operation = argv[optind++];
	if (optind < argc)
		plan.file = argv[optind++];
	if (optind < argc)
		plan.parameters = argv[optind];
	name_module(&plan);
	plan.fail_fd = open(path, O_RDWR | O_CLOEXEC);
	if (plan.fail_fd < 0)
		die("open fail-nth: does this kernel inject faults?");
	if (!counts)
		return !run_plan(&plan);
	count(&plan);
	return 0;
}
