// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel's answers as bytes: ctl/wire/nl.c and all that it calls, over a socket
 * that is made of the input: a byte of flags, then datagrams, each a length of
 * two bytes (little endian) and that many bytes. corpus/wire holds what the
 * module sent, kept by tests/ctl/fuzz/record.c.
 */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include <sanitizer/asan_interface.h>

#include "cmd/exit_code.h"
#include "profile/settings.h"
#include "wire/nl.h"

#define SOCKET_CALL(name) __wrap_##name
#include "../unit/no_socket.h"

/* Flags of an input. */
#define DUMP		1	/* else status */
#define RESET		2
#define ORDER		4	/* set and stop, which an acknowledgement answers */
#define OWN_FAMILY	8	/* the input answers the look-up of the family, too */
#define OWN_SEQUENCE	16	/* messages keep their sequence numbers */
#define EVENTS		32	/* a dump of events of tasks, made up */

#define FAMILY_ID	33

static struct {
	const uint8_t *at, *end;
	uint8_t flags;
	bool family_is_known;
	uint32_t sequence;		/* of the last request */
} input;

struct mnl_socket *__wrap_mnl_socket_open2(int bus, int flags);
int __wrap_mnl_socket_close(struct mnl_socket *socket);
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *socket,
				 const void *request, size_t size);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *socket,
				   void *buffer, size_t size);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_access(const char *path, int mode);
int __wrap_uname(struct utsname *system);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

struct mnl_socket *__wrap_mnl_socket_open2(int bus, int flags)
{
	(void)bus;
	(void)flags;
	return (struct mnl_socket *)&input;
}

int __wrap_mnl_socket_close(struct mnl_socket *socket)
{
	(void)socket;
	return 0;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)wanted;
	(void)left;
	return 0;
}

int __wrap_access(const char *path, int mode)
{
	(void)path;
	(void)mode;
	return -1;
}

/* Neither the machine nor the time matter, so inputs give the same results anywhere. */
int __wrap_uname(struct utsname *system)
{
	memset(system, 0, sizeof(*system));
	strcpy(system->release, "6.1.0");
	strcpy(system->nodename, "guest");
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	now->tv_sec = clock == CLOCK_REALTIME ? 1700000000 : 1000;
	now->tv_nsec = 5;
	return 0;
}

ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *socket,
				 const void *request, size_t size)
{
	const struct nlmsghdr *header = request;

	(void)socket;
	must(size >= sizeof(*header) && header->nlmsg_len == size);
	must(size <= 4096);
	input.sequence = header->nlmsg_seq;
	return (ssize_t)size;
}

/* The kernel's whole answer about an existing family. */
static ssize_t known_family(void *buffer)
{
	size_t size = answer_family(buffer, FAMILY_ID, input.sequence);

	return (ssize_t)(size + answer_end((char *)buffer + size, 0, input.sequence));
}

/* Make every message an answer to the last request. */
static void adopt(char *buffer, size_t size)
{
	struct nlmsghdr *header;
	size_t at = 0, step;

	while (size - at >= sizeof(*header)) {
		header = (struct nlmsghdr *)(buffer + at);
		header->nlmsg_seq = input.sequence;
		step = MNL_ALIGN((size_t)header->nlmsg_len);
		if (!step || step > size - at)
			break;
		at += step;
	}
}

ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *socket,
				   void *buffer, size_t size)
{
	size_t length;

	(void)socket;
	ASAN_UNPOISON_MEMORY_REGION(buffer, size);
	if (!input.family_is_known) {
		input.family_is_known = true;
		if (!(input.flags & OWN_FAMILY))
			return known_family(buffer);
	}
	if (input.end - input.at < 2) {
		errno = EAGAIN;
		return -1;
	}
	length = input.at[0] | (size_t)input.at[1] << 8;
	input.at += 2;
	if (length > (size_t)(input.end - input.at))
		length = (size_t)(input.end - input.at);
	if (length > size)
		length = size;
	memcpy(buffer, input.at, length);
	input.at += length;
	if (!(input.flags & OWN_SEQUENCE))
		adopt(buffer, length);
	/* do not read earlier bytes again */
	ASAN_POISON_MEMORY_REGION((char *)buffer + length, size - length);
	return (ssize_t)length;
}

static void check_error(int err, const struct error *error)
{
	must(err < 0 && *error->text);
	must(exit_code_of(err) == 1 || exit_code_of(err) == 3);
}

static void give_order(struct nl *nl)
{
	const struct profile_settings settings = {
		.hz = 997, .pids = { 1, 2 }, .nr_pids = 2, .cpus = "0-3",
	};
	struct error error = { "" };
	int err;

	nl_own(nl);
	err = nl_set(nl, &settings, SETTING(HZ) | SETTING(PIDS) | SETTING(CPUS),
		     &error);
	if (err)
		check_error(err, &error);
	err = nl_stop(nl, &error);
	if (err)
		check_error(err, &error);
	err = nl_end(nl, &error);
	if (err)
		check_error(err, &error);
}

static void ask(struct nl *nl)
{
	struct profile *profile = NULL;
	struct error error = { "" };
	int err;

	err = input.flags & DUMP ?
	      nl_dump(nl, input.flags & RESET, &profile, &error) :
	      nl_status(nl, &profile, &error);
	if (err) {
		must(!profile);
		check_error(err, &error);
		return;
	}
	must(profile);
	fuzz_profile(profile);
	profile_destroy(profile);
}

static void ask_events(struct nl *nl)
{
	struct error error = { "" };
	struct events events;
	int err = nl_dump_events(nl, &events, &error);

	if (err)
		check_error(err, &error);
	must(!err || !events.nr);
	for (unsigned int i = 0; i < events.nr; i++)
		fuzz_profile(events.list[i].profile);
	events_deinit(&events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = { "" };
	struct nl *nl = NULL;
	int err;

	if (!size)
		return 0;
	memset(&input, 0, sizeof(input));
	input.flags = *data;
	input.at = data + 1;
	input.end = data + size;
	err = nl_open(&nl, &error);
	if (err) {
		check_error(err, &error);
		return 0;
	}
	if (input.flags & ORDER)
		give_order(nl);
	else if (input.flags & EVENTS)
		ask_events(nl);
	else
		ask(nl);
	nl_close(nl);
	return 0;
}
