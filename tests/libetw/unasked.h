/* SPDX-License-Identifier: GPL-2.0 */
/* A provider's callback that takes no notice of who enables it. */
#ifndef UNASKED_H
#define UNASKED_H

static inline ULONG WINAPI control(WMIDPREQUESTCODE code, PVOID context, ULONG *size, PVOID buffer)
{
	(void)code;
	(void)context;
	(void)size;
	(void)buffer;
	return 0;
}

#endif /* UNASKED_H */
