// SPDX-License-Identifier: GPL-2.0
/*
 * Talk to the module by generic netlink: the socket, requests and their
 * answers, and dumps. What else is asked of it is in nl_order.c.
 */
#include "wire/nl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <linux/genetlink.h>

#include "profile/origin.h"
#include "wire/nl_private.h"
#include "wire/nl_socket.h"

/* More than the 32 KiB that the kernel puts at most into one part of a dump. */
#define RECEIVE_BYTES	(128 * 1024)

/* How long to wait for an answer; collecting from many CPUs takes a while. */
#define SILENCE_SECONDS	60

/*
 * Waits while other readers use up the memory for dumps: 50 ms, doubled 6
 * times.
 */
#define BUSY_FIRST_NS	50000000
#define BUSY_TRIES	7

static int socket_open(struct nl *nl, struct error *error)
{
	const struct timeval silence = { .tv_sec = SILENCE_SECONDS };
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int on = 1, fd;

	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket || mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID))
		return error_set(error, -errno, "no generic netlink socket: %s",
				 strerror(errno));
	/*
	 * ask for error texts and strict checks of requests; both exist in 5.10
	 */
	mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &on, sizeof(on));
	mnl_socket_setsockopt(nl->socket, NETLINK_GET_STRICT_CHK, &on,
			      sizeof(on));
	fd = mnl_socket_get_fd(nl->socket);
	/*
	 * else a process with CAP_NET_ADMIN could answer instead of the module
	 */
	if (connect(fd, (const struct sockaddr *)&kernel, sizeof(kernel)))
		return error_set(error, -errno, "no generic netlink socket: %s",
				 strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof(silence));
	return 0;
}

/* Report whether something ends when @socket is closed. */
static bool holds(const struct nl *nl, const struct mnl_socket *socket)
{
	return socket == nl->owner || socket == nl->follower || socket == nl->attacher;
}

/*
 * Open a new socket, so that the rest of an answer that was given up is not
 * taken for the next answer. The old socket stays open if closing it would end
 * following or events.
 */
static int socket_reopen(struct nl *nl, struct error *error)
{
	if (nl->socket && !holds(nl, nl->socket))
		mnl_socket_close(nl->socket);
	nl->socket = NULL;
	return socket_open(nl, error);
}

void nl_hold(struct nl *nl, struct mnl_socket **holder, struct mnl_socket *socket)
{
	struct mnl_socket *before = *holder;

	*holder = socket;
	if (before && before != nl->socket && !holds(nl, before))
		mnl_socket_close(before);
}

struct nlmsghdr *nl_request_begin(struct nl *nl, uint16_t type, uint8_t command,
				  uint8_t version, uint16_t flags)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(nl->request);
	struct genlmsghdr *generic;

	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	header->nlmsg_seq = ++nl->sequence;
	generic = mnl_nlmsg_put_extra_header(header, sizeof(*generic));
	generic->cmd = command;
	generic->version = version;
	return header;
}

/* Return: 1 if the answer has ended, 0 if more follows, or -errno. */
static int read_message(struct nl *nl, const struct nlmsghdr *header,
			nl_message_fn message, void *data, struct error *error)
{
	const struct nlmsghdr *request = (const void *)nl->request;
	const char *payload = mnl_nlmsg_get_payload(header);
	size_t size = mnl_nlmsg_get_payload_len(header);
	int err;

	if (header->nlmsg_seq != nl->sequence)
		return 0;
	if (header->nlmsg_flags & NLM_F_DUMP_INTR)
		return error_set(error, -EAGAIN,
				 "the module changed while it was read: try again");
	nl->answered = header->nlmsg_type == NLMSG_ERROR || header->nlmsg_type == NLMSG_DONE;
	if (header->nlmsg_type == NLMSG_ERROR)
		return nl_read_error(request, header, error) ?: 1;
	if (header->nlmsg_type == NLMSG_DONE)
		return nl_read_done(request, header, error) ?: 1;
	if (header->nlmsg_type < NLMSG_MIN_TYPE || !message)
		return 0;
	if (size < sizeof(struct genlmsghdr))
		return error_set(error, -EBADMSG, "a message is incomplete");
	err = message(data, payload + sizeof(struct genlmsghdr),
		      size - sizeof(struct genlmsghdr), error);
	/* more follows: an acknowledgement, or the rest of a dump */
	return err ?: !(header->nlmsg_flags & NLM_F_MULTI) &&
		      !(request->nlmsg_flags & NLM_F_ACK);
}

static int receive(struct nl *nl, struct error *error)
{
	ssize_t size;

	for (;;) {
		size = mnl_socket_recvfrom(nl->socket, nl->received,
					   RECEIVE_BYTES);
		if (size >= 0)
			return (int)size;
		if (errno == EINTR && !(nl->interrupted && *nl->interrupted))
			continue;
		if (errno == EINTR)
			return error_set(error, -EINTR, "interrupted");
		if (errno == EAGAIN)
			return error_set(error, -ETIMEDOUT,
					 "the module did not answer for %d seconds",
					 SILENCE_SECONDS);
		if (errno == ENOBUFS)
			return error_set(error, -ENOBUFS,
					 "the kernel dropped a part of the answer: try again");
		if (errno == ENOSPC)
			return error_set(error, -EBADMSG,
					 "a message is larger than %d bytes",
					 RECEIVE_BYTES);
		return error_set(error, -errno, "netlink: %s",
				 strerror(errno));
	}
}

int nl_exchange(struct nl *nl, nl_message_fn message, void *data, struct error *error)
{
	struct nlmsghdr *request = (struct nlmsghdr *)nl->request;
	const struct nlmsghdr *header;
	struct nl_messages messages;
	int size, done = 0;

	if (nl->stale) {
		done = socket_reopen(nl, error);
		if (done)
			return done;
	}
	nl->stale = true;
	nl->answered = false;
	if (mnl_socket_sendto(nl->socket, request, request->nlmsg_len) < 0)
		return error_set(error, -errno, "netlink: %s", strerror(errno));
	while (!done) {
		size = receive(nl, error);
		if (size < 0)
			return size;
		messages = (struct nl_messages){
			.at = nl->received, .left = (size_t)size,
		};
		while (!done && (header = nl_messages_next(&messages)))
			done = read_message(nl, header, message, data, error);
	}
	/* a refusal is a whole answer, and what ends with the socket goes on */
	nl->stale = done < 0 && !nl->answered;
	return done < 0 ? done : 0;
}

void nl_disown(struct nl *nl)
{
	if (nl->owner && nl->owner == nl->follower)
		nl->follower = NULL;
	if (nl->owner)
		mnl_socket_close(nl->owner);
	nl->owner = NULL;
}

int nl_exchange_owned(struct nl *nl, struct error *error)
{
	struct mnl_socket *socket = nl->socket;
	bool stale = nl->stale;
	int err;

	nl->socket = nl->owner;
	nl->stale = !nl->owner;		/* the first time, this opens a socket */
	err = nl_exchange(nl, NULL, NULL, error);
	nl->owner = nl->socket;
	if (nl->stale)
		nl_disown(nl);
	nl->socket = socket;
	nl->stale = stale;
	return err;
}

struct family {
	uint16_t id;
	uint32_t version;
};

static int read_family(void *data, const void *attributes, size_t size,
		       struct error *error)
{
	struct nl_attrs attrs = { .at = attributes, .left = size };
	struct family *family = data;
	const struct nlattr *attr;
	int err;

	while (!(err = nl_attrs_next(&attrs, &attr, error)) && attr && !err) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
		    mnl_attr_get_payload_len(attr) == sizeof(uint16_t))
			family->id = mnl_attr_get_u16(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_VERSION)
			err = nl_attr_u32(attr, "version", &family->version,
					  error);
		if (err)
			return err;
	}
	return err;
}

static int absent(struct error *error)
{
	if (!access("/sys/module/flamemod", F_OK))
		return error_set(error, -ENODEV,
				 "the module is loaded, but works only in the initial network namespace: nsenter -t 1 -n flamectl ...");
	return error_set(error, -ENODEV,
			 "module not loaded: insmod flamemod.ko hz=997 (or modprobe flamemod)");
}

static int resolve(struct nl *nl, struct error *error)
{
	struct family family = { 0 };
	struct nlmsghdr *header;
	int err;

	header = nl_request_begin(nl, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1,
			       NLM_F_ACK);
	mnl_attr_put_strz(header, CTRL_ATTR_FAMILY_NAME, FLAMEMOD_GENL_NAME);
	err = nl_exchange(nl, read_family, &family, error);
	if (err == -ENODEV)
		return absent(error);
	if (err)
		return err;
	if (!family.id)
		return error_set(error, -EBADMSG,
				 "the kernel did not say the family's id");
	if (family.version != FLAMEMOD_GENL_VERSION)
		return error_set(error, -EPROTONOSUPPORT, "the loaded module speaks version %"
				 PRIu32 " of the protocol, this flamectl version %d: use the two from one build",
				 family.version, FLAMEMOD_GENL_VERSION);
	nl->family = family.id;
	return 0;
}

int nl_open(struct nl **nl, struct error *error)
{
	struct nl *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	new->sequence = (uint32_t)time(NULL);
	new->received = malloc(RECEIVE_BYTES);
	err = new->received ? 0 : error_set(error, -ENOMEM, "%s",
					    strerror(ENOMEM));
	err = err ?: socket_open(new, error) ?: resolve(new, error);
	if (err) {
		nl_close(new);
		return err;
	}
	*nl = new;
	return 0;
}

void nl_close(struct nl *nl)
{
	if (!nl)
		return;
	nl_disown(nl);
	nl_hold(nl, &nl->follower, NULL);
	nl_hold(nl, &nl->attacher, NULL);
	if (nl->socket)
		mnl_socket_close(nl->socket);
	free(nl->received);
	free(nl);
}

void nl_own(struct nl *nl)
{
	nl->owns = true;
}

void nl_interrupt(struct nl *nl, const volatile sig_atomic_t *flag)
{
	nl->interrupted = flag;
}

/* Add what the module does not send: the wall-clock time and the machine. */
static void complete(struct profile_meta *meta)
{
	struct timespec wall, monotonic;
	struct utsname system;

	clock_gettime(CLOCK_REALTIME, &wall);
	clock_gettime(CLOCK_MONOTONIC, &monotonic);
	meta->time_ns = (wall.tv_sec - monotonic.tv_sec) * 1000000000LL +
			(wall.tv_nsec - monotonic.tv_nsec) +
			(int64_t)meta->since_ns;
	meta->begin_ns = meta->since_ns;
	origin_collect(&meta->origin, "");
	if (uname(&system))
		return;
	snprintf(meta->release, sizeof(meta->release), "%s", system.release);
	snprintf(meta->host, sizeof(meta->host), "%s", system.nodename);
}

static int decode_message(void *data, const void *attributes, size_t size,
			  struct error *error)
{
	struct error inner;
	int err = nl_decode(data, attributes, size, &inner);

	return err ? error_set(error, err, "bad answer of the module: %.480s",
			       inner.text) : 0;
}

/* What to fetch, and where to put it: one of the last two. */
struct wanted {
	uint8_t command;
	bool reset, of_events;
	bool keep, ended;
	bool frames_alone;
	uint32_t first_frame;		/* with @frames_alone */
	uint32_t epoch;			/* with @keep; or of events; 0: the current one */
	struct profile **profile;
	struct events *events;
};

static int end_decoding(struct nl_decoder *decoder, const struct wanted *wanted,
			struct error *error)
{
	struct error inner;
	int err;

	err = wanted->of_events ?
	      nl_decode_end_events(decoder, wanted->events, &inner) :
	      nl_decode_end(decoder, wanted->profile, &inner);
	if (err)
		return error_set(error, err, "bad answer of the module: %.480s", inner.text);
	if (!wanted->of_events) {
		complete(&(*wanted->profile)->meta);
		return 0;
	}
	for (unsigned int i = 0; i < wanted->events->nr; i++)
		complete(&wanted->events->list[i].profile->meta);
	return 0;
}

static int fetch(struct nl *nl, const struct wanted *wanted, struct error *error)
{
	/* by their epoch: this socket may not be the one that attached them */
	uint32_t epoch = wanted->epoch || !wanted->of_events ? wanted->epoch : nl->events_epoch;
	struct nl_decoder *decoder;
	struct nlmsghdr *header;
	int err;

	decoder = wanted->of_events ? nl_decoder_create_events() :
		  nl_decoder_create(wanted->command == FLAMEMOD_CMD_PROFILE);
	if (!decoder)
		return error_set(error, -ENOMEM, "%s", strerror(ENOMEM));
	header = nl_request_begin(nl, nl->family, wanted->command, FLAMEMOD_GENL_VERSION,
			       NLM_F_DUMP);
	if (wanted->reset)
		mnl_attr_put(header, FLAMEMOD_A_RESET, 0, NULL);
	if (wanted->of_events)
		mnl_attr_put(header, FLAMEMOD_A_EVENTS, 0, NULL);
	if (wanted->keep)
		mnl_attr_put(header, FLAMEMOD_A_KEEP, 0, NULL);
	if (wanted->ended)
		mnl_attr_put(header, FLAMEMOD_A_ENDED, 0, NULL);
	if (wanted->frames_alone)
		mnl_attr_put_u32(header, FLAMEMOD_A_FRAMES_FROM, wanted->first_frame);
	if (epoch)
		mnl_attr_put_u32(header, FLAMEMOD_A_EPOCH, epoch);
	err = nl_exchange(nl, decode_message, decoder, error) ?:
	      end_decoding(decoder, wanted, error);
	nl_decoder_destroy(decoder);
	return err;
}

/*
 * Report whether to try again. With EBUSY nothing was reset, so a retry is
 * safe. After any other failure of a dump with reset, the samples it took are
 * gone.
 */
static bool worth_another_try(int err, bool reset)
{
	return err == -EBUSY || (!reset && (err == -EAGAIN || err == -ENOBUFS));
}

static int fetch_patiently(struct nl *nl, const struct wanted *wanted,
			   struct error *error)
{
	struct timespec pause = { .tv_nsec = BUSY_FIRST_NS };
	int err, tries = 0;

	for (;;) {
		err = fetch(nl, wanted, error);
		if (!worth_another_try(err, wanted->reset) || ++tries == BUSY_TRIES)
			return err;
		if (nanosleep(&pause, NULL) && nl->interrupted &&
		    *nl->interrupted)
			return error_set(error, -EINTR, "interrupted");
		pause.tv_nsec *= 2;
		pause.tv_sec = pause.tv_sec * 2 + pause.tv_nsec / 1000000000;
		pause.tv_nsec %= 1000000000;
	}
}

int nl_status(struct nl *nl, struct profile **profile, struct error *error)
{
	const struct wanted wanted = { .command = FLAMEMOD_CMD_STATUS, .profile = profile };

	return fetch_patiently(nl, &wanted, error);
}

int nl_status_of(struct nl *nl, uint32_t epoch, struct profile **profile,
		 struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_STATUS, .epoch = epoch, .profile = profile,
	};

	return fetch_patiently(nl, &wanted, error);
}

int nl_dump(struct nl *nl, bool reset, struct profile **profile,
	    struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_PROFILE, .reset = reset, .profile = profile,
	};

	return fetch_patiently(nl, &wanted, error);
}

int nl_dump_frames(struct nl *nl, uint32_t first, struct profile **profile,
		   struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_PROFILE, .frames_alone = true, .first_frame = first,
		.profile = profile,
	};

	return fetch_patiently(nl, &wanted, error);
}

int nl_dump_epoch(struct nl *nl, uint32_t epoch, bool reset, struct profile **profile,
		  struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_PROFILE, .reset = reset, .keep = true,
		.epoch = epoch, .profile = profile,
	};

	return fetch_patiently(nl, &wanted, error);
}

int nl_dump_events(struct nl *nl, struct events *events, struct error *error)
{
	return nl_dump_events_of(nl, 0, events, error);
}

int nl_dump_ended(struct nl *nl, struct events *events, struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_PROFILE, .of_events = true, .ended = true,
		.events = events,
	};
	int err;

	events->nr = 0;
	err = fetch_patiently(nl, &wanted, error);
	/* an older module does not know the attribute */
	return err == -EINVAL ? nl_dump_events(nl, events, error) : err;
}

int nl_dump_events_of(struct nl *nl, uint32_t epoch, struct events *events,
		      struct error *error)
{
	const struct wanted wanted = {
		.command = FLAMEMOD_CMD_PROFILE, .of_events = true, .epoch = epoch,
		.events = events,
	};

	events->nr = 0;
	return fetch_patiently(nl, &wanted, error);
}
