/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A growing array: a pointer to elements of any type, and a size_t that is the
 * number of elements that are allocated. Both are 0 at first; free() the
 * pointer in the end.
 */
#ifndef FLAMECTL_VEC_H
#define FLAMECTL_VEC_H

#include <errno.h>
#include <stddef.h>

/**
 * vec_grow() - allocate at least @nr elements of @size bytes, see vec_reserve().
 *
 * Return: the elements, which may have moved, or NULL if memory is short; the
 * old ones are then unchanged.
 */
void *vec_grow(void *elements, size_t size, size_t nr, size_t *room);

/**
 * vec_reserve() - make room for @nr elements in all. The array doubles when it
 * grows, so that adding one after the other takes linear time. New elements are
 * not initialised.
 * @elements: the pointer to the elements, an lvalue.
 * @room: the allocated number, an lvalue.
 *
 * Return: 0 or -ENOMEM.
 */
#define vec_reserve(elements, room, nr) \
	((nr) <= (room) ? 0 : ({ \
		void *vec_grown = vec_grow((elements), sizeof(*(elements)), \
					   (nr), &(room)); \
		if (vec_grown) \
			(elements) = vec_grown; \
		vec_grown ? 0 : -ENOMEM; \
	}))

#endif /* FLAMECTL_VEC_H */
