/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host that is sampled in 1 of K hours: its windows have the inclusion 1/K.
 *
 * A window has what was sampled, as it is. Where windows are summed, each counts K times,
 * so the expected sum is what all hosts did in all hours. Such a sum is an estimate and
 * says so: meta.weighted is the largest K in it.
 *
 * Source: Horvitz and Thompson, A Generalization of Sampling Without Replacement From a
 * Finite Universe, 1952.
 */
#ifndef FLAMECTL_INCLUSION_H
#define FLAMECTL_INCLUSION_H

#include <stdint.h>

#include "base/error.h"
#include "profile/profile.h"

/* With 1/10000 a host is sampled in an hour of 14 months. */
#define INCLUSION_MAX		10000

/**
 * inclusion_parse() - read "1/8".
 *
 * Return: 0 with @inclusion set to 8, or -EINVAL with @error.
 */
int inclusion_parse(const char *text, uint64_t *inclusion, struct error *error);

/** inclusion_weight() - return how often a profile counts in a sum: at least once. */
uint64_t inclusion_weight(const struct profile_meta *meta);

/* a sentence and a NUL */
#define INCLUSION_FACT		128

/**
 * inclusion_fact() - write that a window is of a host that is not always sampled, or that
 * a sum has such windows.
 *
 * Return: @text, "" if neither is so.
 */
const char *inclusion_fact(char text[INCLUSION_FACT], const struct profile_meta *meta);

#endif /* FLAMECTL_INCLUSION_H */
