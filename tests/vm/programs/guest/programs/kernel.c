// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events beside a kernel module's, which etw_sample.ko makes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>
#include "programs.h"
#include "tests/lib/kmod/etw_sample.h"

#define PARAMETER	"/sys/module/etw_sample/parameters/"
#define MOST		5000

static void set(const char *name, const char *value)
{
	int fd = open(name, O_WRONLY);

	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		die(name);
	close(fd);
}

/* By marker and form */
static int count(const struct record *records, size_t n, int marker, int form)
{
	int found = 0;

	for (; n--; records++)
		found += records->bytes[3] == marker && (form < 0 || records->bytes[4] == form);
	return found;
}

static void test_api(struct session *session)
{
	static const struct etw_guid guid = SAMPLE_GUID;
	struct etw_enable enable = {
		.size = sizeof(enable), .logger_id = session->id, .guid = guid, .enabled = 1,
	};
	static struct record records[MOST];
	size_t n;
	int err;

	err = try(control, ETW_IOC_ENABLE, &enable);
	usleep(50000);
	set(PARAMETER "write", "120");
	n = take(session, records, MOST);
	enable.enabled = 0;
	err = err ?: try(control, ETW_IOC_ENABLE, &enable);
	n = n > MOST ? MOST : n;
	row("H06", !err && count(records, n, 0xC0, SAMPLE_EVENT) >= 20,
	    "etw_trace_event(): %d records", count(records, n, 0xC0, SAMPLE_EVENT));
	row("M03", !err && count(records, n, 0x90, SAMPLE_MESSAGE) >= 20,
	    "etw_trace_message(): %d records", count(records, n, 0x90, SAMPLE_MESSAGE));
	row("M04", !err && count(records, n, 0x90, SAMPLE_COMPONENT_ID) >= 20,
	    "etw_trace_message_va(): %d records", count(records, n, 0x90, SAMPLE_COMPONENT_ID));
}

/* The module gives the same bytes with either flag, among what it tries. */
static void test_flag(struct session *session)
{
	static struct record records[MOST];
	char number[16];
	size_t n;

	snprintf(number, sizeof(number), "%u", session->id);
	set(PARAMETER "options", "1");
	set(PARAMETER "check", number);
	n = take(session, records, MOST);
	n = n > MOST ? MOST : n;
	row("H11", count(records, n, 0xC0, 0xCC) >= 3 && count(records, n, 0, -1) == 1,
	    "%d with TRACED_GUID, %d with LOG_WNODE", count(records, n, 0xC0, 0xCC),
	    count(records, n, 0, -1));
}

void test_kernel(void)
{
	struct session session;

	if (access(PARAMETER, F_OK)) {
		printf("# kernel: etw_sample.ko is not loaded\n");
		return;
	}
	session = start(&(struct wish){
		.options = ETW_PROVIDER_WNODES | ETW_PROVIDER_TIMESTAMPS });
	test_api(&session);
	test_flag(&session);
	end(&session);
}
