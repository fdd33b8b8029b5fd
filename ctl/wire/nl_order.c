// SPDX-License-Identifier: GPL-2.0
/*
 * Tell the module what to do: sample, with what settings, follow a process, attach events.
 */
#include "wire/nl.h"

#include <errno.h>
#include <string.h>

#include "wire/nl_private.h"
#include "wire/nl_socket.h"

static void put_setting(struct nlmsghdr *header, unsigned int attribute,
			const struct profile_settings *settings)
{
	switch (attribute) {
	case FLAMEMOD_A_SETTINGS_HZ:
		mnl_attr_put_u32(header, attribute, settings->hz);
		break;
	case FLAMEMOD_A_SETTINGS_MAX_DEPTH:
		mnl_attr_put_u32(header, attribute, settings->max_depth);
		break;
	case FLAMEMOD_A_SETTINGS_EXCLUDE_IDLE:
		mnl_attr_put_u8(header, attribute, settings->exclude_idle);
		break;
	case FLAMEMOD_A_SETTINGS_KERNEL_ONLY:
		mnl_attr_put_u8(header, attribute, settings->kernel_only);
		break;
	case FLAMEMOD_A_SETTINGS_PIDS:
		mnl_attr_put(header, attribute,
			     settings->nr_pids * sizeof(settings->pids[0]),
			     settings->pids);
		break;
	case FLAMEMOD_A_SETTINGS_FOLLOWED_ONLY:
		mnl_attr_put_u8(header, attribute, settings->followed_only);
		break;
	case FLAMEMOD_A_SETTINGS_USER_STACKS:
		mnl_attr_put_u8(header, attribute, settings->user_stacks);
		break;
	case FLAMEMOD_A_SETTINGS_USER_PLACES:
		mnl_attr_put_u8(header, attribute, settings->user_places);
		break;
	default:
		mnl_attr_put_strz(header, attribute, settings->cpus);
		break;
	}
}

static int send_order(struct nl *nl, uint8_t command,
		      const struct profile_settings *settings,
		      unsigned int mask, bool owned, struct error *error)
{
	struct nlmsghdr *header;
	struct nlattr *nest;
	unsigned int attribute;

	header = nl_request_begin(nl, nl->family, command, FLAMEMOD_GENL_VERSION,
			       NLM_F_ACK);
	if (mask) {
		nest = mnl_attr_nest_start(header, FLAMEMOD_A_SETTINGS);
		for (attribute = 1; attribute <= FLAMEMOD_A_SETTINGS_MAX;
		     attribute++)
			if (mask & 1U << (attribute - 1))
				put_setting(header, attribute, settings);
		mnl_attr_nest_end(header, nest);
	}
	if (!owned)
		return nl_exchange(nl, NULL, NULL, error);
	mnl_attr_put(header, FLAMEMOD_A_OWNER, 0, NULL);
	return nl_exchange_owned(nl, error);
}

static int order(struct nl *nl, uint8_t command,
		 const struct profile_settings *settings, unsigned int mask,
		 struct error *error)
{
	bool owned = nl->owns && (command == FLAMEMOD_CMD_START ||
				  command == FLAMEMOD_CMD_SET ||
				  command == FLAMEMOD_CMD_STOP);
	int err = send_order(nl, command, settings, mask, owned, error);

	/* an older module refuses the unknown attribute and changes nothing */
	if (err == -EPROTONOSUPPORT && owned)
		err = send_order(nl, command, settings, mask, false, error);
	return err;
}

int nl_start(struct nl *nl, const struct profile_settings *settings,
	     unsigned int mask, struct error *error)
{
	return order(nl, FLAMEMOD_CMD_START, settings, mask, error);
}

int nl_set(struct nl *nl, const struct profile_settings *settings,
	   unsigned int mask, struct error *error)
{
	return order(nl, FLAMEMOD_CMD_SET, settings, mask, error);
}

int nl_end(struct nl *nl, struct error *error)
{
	struct nlmsghdr *header;
	int err;

	if (!nl->owner)
		return 0;
	nl_disown(nl);
	/*
	 * The module undoes that by itself, but later. It does so at once before it looks at
	 * a request for settings, even for none, which it refuses if others sample.
	 */
	header = nl_request_begin(nl, nl->family, FLAMEMOD_CMD_SET, FLAMEMOD_GENL_VERSION,
				  NLM_F_ACK);
	mnl_attr_nest_end(header, mnl_attr_nest_start(header, FLAMEMOD_A_SETTINGS));
	err = nl_exchange(nl, NULL, NULL, error);
	return nl->answered ? 0 : err;
}

int nl_stop(struct nl *nl, struct error *error)
{
	return order(nl, FLAMEMOD_CMD_STOP, NULL, 0, error);
}

int nl_reset(struct nl *nl, struct error *error)
{
	return order(nl, FLAMEMOD_CMD_RESET, NULL, 0, error);
}

int nl_follow(struct nl *nl, pid_t pid, struct error *error)
{
	struct nlmsghdr *header;
	int err;

	header = nl_request_begin(nl, nl->family, FLAMEMOD_CMD_FOLLOW,
			       FLAMEMOD_GENL_VERSION, NLM_F_ACK);
	mnl_attr_put_u32(header, FLAMEMOD_A_FOLLOW, (uint32_t)pid);
	/*
	 * If the filter of sampling that is owned ended before that, as with another socket
	 * that the kernel closes first, all tasks would be sampled meanwhile.
	 */
	err = nl->owns ? nl_exchange_owned(nl, error) : nl_exchange(nl, NULL, NULL, error);
	if (!err)
		nl_hold(nl, &nl->follower, !pid ? NULL : nl->owns ? nl->owner : nl->socket);
	/* an older module does not have this operation and gives no text */
	if (err == -EOPNOTSUPP && strncmp(error->text, "follow: ", 8))
		error_set(error, err, "the loaded module cannot follow a process: load the one that was built with this flamectl");
	return err;
}

/*
 * The kernel's own texts for an operation, or an attribute, that it does not know: the
 * module is older.
 */
static int explain_attach(int err, const struct nl_source *source, struct error *error)
{
	if (err == -EINVAL && source->nr_probes && (strstr(error->text, "known attribute") ||
						    strstr(error->text, "supported attribute")))
		return error_set(error, -EPROTONOSUPPORT, "the loaded module is older than this flamectl and has only events of tasks: reload it (rmmod flamemod, then modprobe or insmod of this build)");
	if (err == -EOPNOTSUPP && !strcmp(error->text, strerror(EOPNOTSUPP)))
		return error_set(error, -EPROTONOSUPPORT, "the loaded module is older than this flamectl and has no events: reload it (rmmod flamemod, then modprobe or insmod of this build)");
	return err;
}

/* Learn the epoch of what was attached, to ask for it from any socket. */
static int learn_epoch(struct nl *nl, struct error *error)
{
	struct profile *status;
	int err = nl_status(nl, &status, error);

	if (err)
		return err;
	nl->events_epoch = status->meta.events_epoch;
	profile_destroy(status);
	return 0;
}

int nl_attach(struct nl *nl, const struct nl_source *source, struct error *error)
{
	struct nlmsghdr *header;
	struct error ignored;
	int err;

	header = nl_request_begin(nl, nl->family, FLAMEMOD_CMD_ATTACH, FLAMEMOD_GENL_VERSION,
			       NLM_F_ACK);
	nl_put_source(header, source);
	err = nl_exchange(nl, NULL, NULL, error);
	if (err)
		return explain_attach(err, source, error);
	nl_hold(nl, &nl->attacher, nl->socket);
	err = learn_epoch(nl, error);
	if (err)
		nl_detach(nl, &ignored);
	return err;
}

bool nl_attached(const struct nl *nl)
{
	return nl->attacher;
}

int nl_detach(struct nl *nl, struct error *error)
{
	/* another socket may not detach; the module does when that one is closed */
	int err = nl->attacher && nl->attacher == nl->socket && !nl->stale ?
		  order(nl, FLAMEMOD_CMD_DETACH, NULL, 0, error) : 0;

	nl_hold(nl, &nl->attacher, NULL);
	nl->events_epoch = 0;
	return err;
}
