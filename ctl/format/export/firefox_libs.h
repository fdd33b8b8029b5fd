/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs and libraries of a profile, as the Firefox Profiler's format has them: a
 * list of libraries, and a table of resources, which functions refer to. Both are in the
 * order of the profile's objects.
 */
#ifndef FLAMECTL_FIREFOX_LIBS_H
#define FLAMECTL_FIREFOX_LIBS_H

#include <stdint.h>

#include "base/json.h"
#include "profile/profile.h"

/** firefox_write_libs() - write the member "libs". */
void firefox_write_libs(struct json *json, const struct profile *profile);

/** firefox_write_lib_names() - write the resources' names into the array of strings. */
void firefox_write_lib_names(struct json *json, const struct profile *profile);

/**
 * firefox_write_resources() - write the member "resourceTable".
 * @first_name: the place of the first of the names among the strings.
 */
void firefox_write_resources(struct json *json, const struct profile *profile,
			     uint32_t first_name);

#endif /* FLAMECTL_FIREFOX_LIBS_H */
