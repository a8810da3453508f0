// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events through /dev/etw/provider: bytes, errors, rights, numbers, memory. */
#define _GNU_SOURCE
#include <grp.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "charged.h"
#include "records.h"
#include "rights.h"

static void node(void)
{
	struct stat st;

	result(!stat(PROVIDER, &st) && (st.st_mode & 0777) == 0666, PROVIDER ": mode 0666");
}

/* What is wrong before there is a session */
static void requests(void)
{
	struct event_trace_header event = event_of(sizeof(event), 0);
	struct etw_trace_event request = {
		.size = sizeof(request), .session_handle = 1, .event = (unsigned long)&event,
	};
	struct etw_provider_rules rules = { sizeof(rules), 0x0502 };

	result(ioctl(provider, ETW_PROVIDER_TRACE_EVENT, 8) && errno == EFAULT, "EFAULT");
	request.size--;
	result(ioctl(provider, ETW_PROVIDER_TRACE_EVENT, &request) && errno == EINVAL,
	       "EINVAL for another size");
	request.size++;
	request.flags = 2;
	result(ioctl(provider, ETW_PROVIDER_TRACE_EVENT, &request) && errno == EINVAL,
	       "EINVAL for unknown flags");
	result(trace_to(provider, 1, NULL, 0) == EINVAL, "EINVAL without an event");
	result(trace_to(provider, 1, (void *)8, 0) == EFAULT, "EFAULT for a bad event");
	result(trace_to(provider, 1, &event, 0) == EBADF, "EBADF without a session");
	result(trace_to(provider, 0xFFFE, &event, 0) == EBADF, "EBADF for any other number");
	result(trace_to(provider, 0, &event, 0) == EBADF, "EBADF for 0");
	result(trace_by_write(provider, 1, &event, sizeof(event) - 1) == EINVAL,
	       "write(): EINVAL for less than a header");
	event.size++;
	result(trace_by_write(provider, 1, &event, sizeof(event)) == EINVAL,
	       "write(): EINVAL for another Size");
	result(ioctl(provider, ETW_PROVIDER_SET_RULES, &rules) && errno == EINVAL,
	       "SET_RULES: EINVAL for a version that there isn't");
}

int main(void)
{
	cpu_set_t one;

	control = open(CONTROL, O_RDWR | O_CLOEXEC);
	provider = open(PROVIDER, O_RDWR | O_CLOEXEC);
	if (control < 0 || provider < 0)
		die(PROVIDER);
	node();
	requests();
	/* records of one CPU come in their order */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	test_records();
	CPU_SET(1, &one);
	sched_setaffinity(0, sizeof(one), &one);
	test_rights();
	test_charged();
	return failures != 0;
}
