// SPDX-License-Identifier: GPL-2.0
/* EnumerateTraceGuids() of what a device of the test's own returns: see providers() there. */
#include <windows.h>
#include <wmistr.h>
#include <evntrace.h>
#include <string.h>
#include "check.h"

#define ROOM	32

static TRACE_GUID_PROPERTIES properties[ROOM], *array[ROOM];

static ULONG ask(const char *name, ULONG room, ULONG want)
{
	ULONG count = 77, i;

	memset(properties, 0, sizeof(properties));
	for (i = 0; i < ROOM; i++)
		array[i] = &properties[i];
	check_error(name, EnumerateTraceGuids(array, room, &count), want);
	return count;
}

int main(void)
{
	check("no room at all: the count stays as it was",
	      ask("EnumerateTraceGuids() without room: 87", 0, 87) == 77);
	check("each registered GUID is counted once", ask("EnumerateTraceGuids()", ROOM, 0) == 2);
	check("of two sessions the first is returned", properties[0].Guid.Data1 == 2 &&
	      properties[0].IsEnable && properties[0].LoggerId == 5);
	check("a provider without a session is returned", properties[1].Guid.Data1 == 7 &&
	      !properties[1].IsEnable && !properties[1].LoggerId);
	check("nothing follows", !properties[2].Guid.Data1);
	check("the count is the same without room for all",
	      ask("EnumerateTraceGuids() with room for one: 234", 1, 234) == 2);
	check("what there is room for is returned", properties[0].Guid.Data1 == 2 &&
	      !properties[1].Guid.Data1);
	return failures != 0;
}
