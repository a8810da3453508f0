// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs may not write what readers take for the system's own records. */
#include "libetl/guids.c"
#include "record/event_input.h"
#include "tests/lib/guest/check.h"

int main(void)
{
	unsigned int missing = 0;
	size_t i;

	for (i = 0; i < CLASSES; i++)
		if (!etw_guid_is_reserved(&classes[i].guid))
			missing = classes[i].guid.data1;
	check_that(!missing, "all classes of kernel events are reserved # %08x", missing);
	check_that(etw_guid_is_reserved(&system_trace_guid), "the class of headers is reserved");
	return 0;
}
