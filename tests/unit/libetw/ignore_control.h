/* SPDX-License-Identifier: GPL-2.0 */
/* A provider's callback that takes no notice of who enables it. */
#ifndef IGNORE_CONTROL_H
#define IGNORE_CONTROL_H

static inline ULONG WINAPI ignore_control(WMIDPREQUESTCODE code, PVOID context, ULONG *size,
					  PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

#endif /* IGNORE_CONTROL_H */
