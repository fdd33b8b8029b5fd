// SPDX-License-Identifier: GPL-2.0
/*
 * Sends the module many valid and invalid requests, and checks every answer.
 *
 *   netlink_fuzz [-s SEED] [-n COUNT] [-t THREADS] [-o THREAD:DATAGRAM]
 *   netlink_fuzz -e [-f FAMILY]
 *
 *   -s SEED     what is sent follows from it (default: the time); it is printed
 *   -n COUNT    messages in all (20000)
 *   -t THREADS  each with sockets of its own (4)
 *   -o T:D      only thread T's datagram D, as a failure names it
 *   -e          no storm: every operation once, as netlink_every.h says
 *   -f FAMILY   the number of the module's family, where it cannot be asked for;
 *               it is printed first by -e
 *
 * Each datagram holds one to eight messages. After it a request with a known answer is
 * sent, which marks the end of the other answers. Some dumps are not read to the end,
 * and their socket stays open for a while, as by a reader that hangs or dies.
 *
 * Exit status: 0, or 1 if an answer was not as the protocol says. The order in which
 * the kernel gets the threads' datagrams differs from run to run.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "flamemod.h"
#include "netlink_addresses.h"
#include "netlink_every.h"
#include "netlink_judge.h"
#include "netlink_message.h"
#include "netlink_reply.h"
#include "netlink_totals.h"
#include "netlink_verdict.h"

#define THREADS_MAX	64
#define ABANDONED_MAX	8
#define FAILURES_MAX	10
#define ANSWER_SECONDS	120
#define RECEIVE_BYTES	(1 << 17)
#define SEQS		16	/* sequence numbers of a datagram */

struct storm {
	uint64_t seed, count;
	uint32_t threads;
	uint16_t family;
	struct kernel_rules rules;
	int64_t only_thread, only_datagram;
	bool every;
	pthread_mutex_t lock;
	uint32_t failures;
	struct totals totals;
};

struct thread {
	struct storm *storm;
	pthread_t id;
	uint32_t number;
	int socket;
	int abandoned[ABANDONED_MAX];
	uint32_t nr_abandoned;
	uint64_t index;			/* of the datagram */
	struct datagram datagram;
	struct judgement judgements[JUDGEMENTS_MAX];
	struct answer answers[JUDGEMENTS_MAX];
	size_t nr;
	bool fenced;			/* the last, known answer has come */
	_Alignas(8) char reply[RECEIVE_BYTES];
	struct totals totals;
};

static void die(const char *what)
{
	fprintf(stderr, "netlink_fuzz: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_socket(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	struct timeval patience = { .tv_sec = ANSWER_SECONDS };
	int one = 1, bytes = 1 << 22;

	if (fd < 0 || bind(fd, (void *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		die("open a netlink socket");
	/* fails without privileges, and small replies do not need it */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes));
	return fd;
}

static void print_bytes(const void *bytes, size_t len)
{
	const uint8_t *at = bytes;
	size_t i;

	for (i = 0; i < len && i < 512; i++)
		printf("%s%02x%s", i % 32 ? "" : "  ", at[i], i % 32 == 31 ? "\n" : " ");
	printf("\n");
}

static void fail(struct thread *t, const char *wrong, const struct judgement *j,
		 const struct answer *answer)
{
	struct storm *storm = t->storm;

	pthread_mutex_lock(&storm->lock);
	printf("FAILED: %s\n  repeat with -s %" PRIu64 " -t %u -n %" PRIu64 " -o %u:%" PRIu64 "\n",
	       wrong, storm->seed, storm->threads, storm->count, t->number, t->index);
	if (j) {
		printf("  %s%s judged %d, answered %d (%s) at %u: %s\n",
		       j->op ? j->op->name : "no operation", j->dump ? " dump" : "", j->verdict,
		       answer->error, strerrorname_np(answer->error) ?: "-", answer->attr,
		       answer->text);
		print_bytes(j->message, j->message->nlmsg_len);
	}
	fflush(stdout);
	if (++storm->failures == FAILURES_MAX) {
		printf("too many failures\n");
		exit(1);
	}
	pthread_mutex_unlock(&storm->lock);
}

static void send_fence(struct thread *t)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
	} fence = {
		.header = {
			.nlmsg_len = sizeof(fence),
			.nlmsg_type = t->storm->family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
		.genl = { .cmd = 255, .version = FLAMEMOD_GENL_VERSION },
	};

	if (write(t->socket, &fence, sizeof(fence)) != sizeof(fence))
		die("send");
}

/* Look for addresses in a message, and print it if there are any. */
static void search(struct thread *t, const struct nlmsghdr *reply)
{
	if (addresses_count(reply)) {
		fail(t, "a kernel address was sent", NULL, NULL);
		print_bytes(reply, reply->nlmsg_len);
	}
}

/* Take one received message; answers to other datagrams have other numbers. */
static void take(struct thread *t, const struct nlmsghdr *reply)
{
	const char *wrong;
	size_t i;

	if (!reply->nlmsg_seq) {
		t->fenced = true;
		return;
	}
	for (i = 0; i < t->nr; i++) {
		const struct judgement *j = &t->judgements[i];

		if (j->message->nlmsg_seq != reply->nlmsg_seq)
			continue;
		wrong = answer_take(&t->answers[i], reply, j->message, j->op, j->dump);
		if (wrong)
			fail(t, wrong, j, &t->answers[i]);
		return;
	}
	fail(t, "an answer comes to what was not asked", NULL, NULL);
}

/* Return whether a dump is in progress, judged by the messages so far. */
static bool is_dumping(const struct thread *t)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->judgements[i].verdict == VERDICT_VALID && t->judgements[i].dump &&
		    !t->answers[i].ended)
			return true;
	return false;
}

/* Receive one piece of the kernel's answers. Return: false if there were too many. */
static bool receive(struct thread *t)
{
	ssize_t got = recv(t->socket, t->reply, sizeof(t->reply), 0);
	const struct nlmsghdr *reply = (const void *)t->reply;
	int left = (int)got;

	if (got < 0 && errno == ENOBUFS) {
		t->totals.overruns++;
		return false;
	}
	if (got < 0) {
		fail(t, "no answer comes", NULL, NULL);
		die("receive");
	}
	t->totals.bytes += got;
	for (; NLMSG_OK(reply, (unsigned int)left); reply = NLMSG_NEXT(reply, left)) {
		search(t, reply);
		take(t, reply);
	}
	if (left)
		fail(t, "a message does not fit", NULL, NULL);
	return true;
}

static void renew_socket(struct thread *t)
{
	close(t->socket);
	t->socket = open_socket();
}

/* Keep the socket with its unfinished dump open, and close an older one. */
static void abandon(struct thread *t)
{
	uint32_t i = t->nr_abandoned++ % ABANDONED_MAX;
	char little[64];

	if (random_below(&(struct random){ t->index }, 2))
		recv(t->socket, little, sizeof(little), 0);
	if (t->nr_abandoned > ABANDONED_MAX)
		close(t->abandoned[i]);
	t->abandoned[i] = t->socket;
	t->socket = open_socket();
	t->totals.abandoned++;
}

/* If damage gave two messages the same number, their answers cannot be assigned. */
static bool is_ambiguous(const struct thread *t)
{
	size_t i, k;

	for (i = 0; i < t->nr; i++) {
		if (!t->judgements[i].message->nlmsg_seq)
			return true;
		for (k = 0; k < i; k++)
			if (t->judgements[i].message->nlmsg_seq ==
			    t->judgements[k].message->nlmsg_seq)
				return true;
	}
	return t->nr == JUDGEMENTS_MAX;
}

static void check(struct thread *t)
{
	const char *wrong;
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const struct judgement *j = &t->judgements[i];
		const struct answer *answer = &t->answers[i];

		wrong = verdict_check(j, answer);
		if (wrong)
			fail(t, wrong, j, answer);
		totals_count(&t->totals, j, answer);
		t->totals.whole += j->dump && answer->ended && !answer->error;
	}
}

static void exchange(struct thread *t)
{
	struct random random = random_seed(t->storm->seed, t->number, t->index);
	uint32_t seq = 1 + (uint32_t)t->index * SEQS;
	bool all_came = true;
	size_t i;

	datagram_make(&t->datagram, &random, t->storm->family, seq);
	t->nr = judge(t->datagram.bytes, t->datagram.len, t->storm->family, &t->storm->rules,
		      t->judgements);
	memset(t->answers, 0, sizeof(t->answers));
	t->fenced = false;
	t->totals.datagrams++;
	t->totals.messages += t->datagram.nr_messages;
	/*
	 * Not sendto(): if the sender names the destination, the kernel does
	 * not check who opened the socket.
	 */
	if (write(t->socket, t->datagram.bytes, t->datagram.len) < 0)
		die("send");
	if (is_ambiguous(t)) {
		renew_socket(t);
		return;
	}
	if (is_dumping(t) && !random_below(&random, 8)) {
		abandon(t);
		return;
	}
	send_fence(t);
	while (all_came && (!t->fenced || is_dumping(t)))
		all_came = receive(t);
	if (all_came)
		check(t);
	else
		renew_socket(t);
	for (i = 0; i < t->nr; i++)
		answer_deinit(&t->answers[i]);
}

static void *run(void *data)
{
	struct thread *t = data;
	struct storm *storm = t->storm;
	uint64_t share = storm->count / storm->threads;
	uint32_t i;

	t->socket = open_socket();
	if (storm->only_datagram >= 0) {
		t->index = storm->only_datagram;
		if (t->number == storm->only_thread)
			exchange(t);
	} else {
		for (; t->totals.messages < share; t->index++)
			exchange(t);
	}
	close(t->socket);
	for (i = 0; i < t->nr_abandoned && i < ABANDONED_MAX; i++)
		close(t->abandoned[i]);
	pthread_mutex_lock(&storm->lock);
	totals_add(&storm->totals, &t->totals);
	pthread_mutex_unlock(&storm->lock);
	return NULL;
}

/* Ask the kernel for the number of the module's family. */
static uint16_t find_family(void)
{
	struct {
		struct nlmsghdr header;
		struct genlmsghdr genl;
		struct nlattr attr;
		char name[NLA_ALIGN(sizeof(FLAMEMOD_GENL_NAME))];
	} request = {
		.header = {
			.nlmsg_len = sizeof(request),
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.genl = { .cmd = CTRL_CMD_GETFAMILY },
		.attr = {
			.nla_len = NLA_HDRLEN + sizeof(FLAMEMOD_GENL_NAME),
			.nla_type = CTRL_ATTR_FAMILY_NAME,
		},
		.name = FLAMEMOD_GENL_NAME,
	};
	_Alignas(8) char reply[4096];
	const struct nlmsghdr *header = (const void *)reply;
	const struct nlattr *attr = (const void *)((char *)NLMSG_DATA(header) + GENL_HDRLEN);
	int fd = open_socket();
	ssize_t got;

	if (write(fd, &request, sizeof(request)) < 0)
		die("send");
	got = recv(fd, reply, sizeof(reply), 0);
	close(fd);
	if (got < 0 || !NLMSG_OK(header, (unsigned int)got) || header->nlmsg_type != GENL_ID_CTRL) {
		fprintf(stderr, "netlink_fuzz: there is no flamemod: is the module loaded?\n");
		exit(1);
	}
	while ((attr->nla_type & NLA_TYPE_MASK) != CTRL_ATTR_FAMILY_ID)
		attr = (const void *)((const char *)attr + NLA_ALIGN(attr->nla_len));
	return *(const uint16_t *)(attr + 1);
}

static bool is_kernel_strict(void)
{
	struct utsname name;
	unsigned int major, minor;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		die("ask for the kernel's version");
	return major > 6 || (major == 6 && minor >= 1);
}

/* Kernels with CONFIG_BASE_SMALL have a lower limit of process ids. */
static uint32_t find_pid_limit(void)
{
	const uint32_t small = 32768, most = 4 * 1024 * 1024;
	FILE *file = fopen("/proc/sys/kernel/pid_max", "r+");
	uint32_t now;
	bool taken;

	if (!file || fscanf(file, "%" SCNu32, &now) != 1)
		die("ask for the highest process id");
	rewind(file);
	taken = fprintf(file, "%" PRIu32 "\n", most) > 0 && !fflush(file);
	if (taken) {
		rewind(file);
		fprintf(file, "%" PRIu32 "\n", now);
	}
	if (fclose(file) && taken)
		die("restore the highest process id");
	return taken ? most : small;
}

static void usage(void)
{
	fprintf(stderr, "usage: netlink_fuzz [-s SEED] [-n COUNT] [-t THREADS] [-o THREAD:DATAGRAM]\n"
		"       netlink_fuzz -e [-f FAMILY]\n");
	exit(2);
}

static void parse(struct storm *storm, int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "s:n:t:o:ef:")) != -1) {
		switch (opt) {
		case 's':
			storm->seed = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			storm->count = strtoull(optarg, NULL, 0);
			break;
		case 't':
			storm->threads = strtoul(optarg, NULL, 0);
			break;
		case 'e':
			storm->every = true;
			break;
		case 'f':
			storm->family = strtoul(optarg, NULL, 0);
			break;
		case 'o':
			if (sscanf(optarg, "%" SCNd64 ":%" SCNd64, &storm->only_thread,
				   &storm->only_datagram) != 2)
				usage();
			break;
		default:
			usage();
		}
	}
	if (optind != argc || !storm->threads || storm->threads > THREADS_MAX)
		usage();
}

int main(int argc, char **argv)
{
	struct storm storm = {
		.seed = time(NULL), .count = 20000, .threads = 4,
		.only_thread = -1, .only_datagram = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	struct thread *threads;
	uint32_t i;

	parse(&storm, argc, argv);
	if (!storm.family)
		storm.family = find_family();
	if (storm.every) {
		printf("family\t%u\n", storm.family);
		netlink_every(open_socket(), storm.family);
		return 0;
	}
	storm.rules = (struct kernel_rules){ is_kernel_strict(), find_pid_limit() };
	printf("seed %" PRIu64 "\n", storm.seed);
	fflush(stdout);
	threads = calloc(storm.threads, sizeof(*threads));
	if (!threads)
		die("allocate");
	for (i = 0; i < storm.threads; i++) {
		threads[i].storm = &storm;
		threads[i].number = i;
		if (pthread_create(&threads[i].id, NULL, run, &threads[i]))
			die("start a thread");
	}
	for (i = 0; i < storm.threads; i++)
		pthread_join(threads[i].id, NULL);
	free(threads);
	totals_print(&storm.totals);
	/* without reasons, what is valid cannot be told from what is not */
	if (storm.totals.dropped > storm.totals.messages / 100) {
		printf("too many reasons were dropped\n");
		storm.failures++;
	}
	printf("failures %u\n", storm.failures);
	return storm.failures > 0;
}
