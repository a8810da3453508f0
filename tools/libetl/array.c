// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Arrays that grow. */
#include <stdlib.h>
#include <string.h>
#include "array.h"

#define FIRST_ROOM	64

bool array_enlarge(void **array, size_t *room, size_t needed, size_t bytes)
{
	size_t wanted = *room ? *room : FIRST_ROOM;
	char *more;

	while (wanted < needed)
		wanted *= 2;
	more = reallocarray(*array, wanted, bytes);
	if (!more)
		return false;
	memset(more + *room * bytes, 0, (wanted - *room) * bytes);
	*array = more;
	*room = wanted;
	return true;
}
