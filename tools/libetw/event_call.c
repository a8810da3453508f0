// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The system call of an event; declared in event_provider.h. */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "event_provider.h"

/*
 * ioctl() of the C library takes 20 instructions more, and its errno must be saved and restored
 * around an event, which takes as many again.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
static inline long call(long fd, struct etw_write_event *event)
{
	long ret;

	__asm__ volatile("syscall"
			 : "=a" (ret)
			 : "0" (SYS_ioctl), "D" (fd), "S" (ETW_PROVIDER_WRITE_EVENT), "d" (event)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__) && !defined(__ILP32__)
static inline long call(long fd, struct etw_write_event *event)
{
	register long number __asm__("x8") = SYS_ioctl;
	register long first __asm__("x0") = fd;
	register unsigned long request __asm__("x1") = ETW_PROVIDER_WRITE_EVENT;
	register struct etw_write_event *argument __asm__("x2") = event;

	__asm__ volatile("svc 0"
			 : "+r" (first)
			 : "r" (number), "r" (request), "r" (argument)
			 : "memory", "cc");
	return first;
}
#else
static inline long call(int fd, struct etw_write_event *event)
{
	int saved = errno;
	long ret = ioctl(fd, ETW_PROVIDER_WRITE_EVENT, event) ? -errno : 0;

	errno = saved;
	return ret;
}
#endif

/* see event_provider.h */
int event_call(int fd, struct etw_write_event *event)
{
	return (int)-call(fd, event);
}
