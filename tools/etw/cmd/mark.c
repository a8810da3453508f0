// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mark: a text between the events of kernel sessions. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "libetl/guids.h"
#include "control/control_calls.h"
#include "common/verb_options.h"
#include "etw.h"
#include "etw_hooks.h"

static const char help[] =
	"mark TEXT [NAME|ID]...\n\n"
	"Puts a mark with this text between the events of these sessions, or of all that record\n"
	"kernel events.\n\n";

static int mark_one(int fd, uint32_t id, const char *text)
{
	return control_try_log_record(fd, id, PERFINFO_LOG_TYPE_MARK, 0, text, strlen(text) + 1);
}

static int mark_failed(uint32_t id, int err)
{
	switch (-err) {
	case EINVAL:
		return failed("mark: session %u has no kernel events "
			      "(ERROR_INVALID_PARAMETER); 'etw log' writes to it", id);
	case EALREADY:
		return failed("mark: session %u is stopped (ERROR_INVALID_HANDLE)", id);
	case E2BIG:
	case EMSGSIZE:
		return failed("mark: session %u: the text is too long (ERROR_MORE_DATA)", id);
	case ENOBUFS:
		return failed("mark: session %u: lost: no buffer was free "
			      "(ERROR_NOT_ENOUGH_MEMORY)", id);
	}
	return failed("mark: session %u: %s", id, strerror(-err));
}

static int mark_named(int fd, const char *text, char **names)
{
	int code = EXIT_OK, err;
	uint32_t id;

	for (; *names; names++) {
		if (control_find(fd, "mark", *names, &id)) {
			code = EXIT_FAILED;
			continue;
		}
		err = mark_one(fd, id, text);
		if (err)
			code = mark_failed(id, err);
	}
	return code;
}

/* Those without kernel events, and those that are stopped, are none of them. */
static int mark_all(int fd, const char *text)
{
	int code = EXIT_OK, err;
	unsigned int marked = 0;
	uint64_t loggers;
	uint32_t id;

	if (control_list(fd, &loggers))
		return EXIT_FAILED;
	for (id = 1; id <= ETW_MAX_LOGGERS; id++) {
		if (!(loggers >> (id - 1) & 1))
			continue;
		err = mark_one(fd, id, text);
		if (err == -EINVAL || err == -EALREADY || err == -ENOENT)
			continue;
		marked++;
		if (err)
			code = mark_failed(id, err);
	}
	return marked ? code : failed("mark: no session that records kernel events is running");
}

static int mark(int argc, char **argv)
{
	int c, fd, code;

	while ((c = next_verb_option(&verb_mark, argc, argv)) != -1)
		return c == OPTION_HELP ? print_help(&verb_mark) : EXIT_USAGE;
	if (optind == argc)
		return usage_error(&verb_mark, "mark: missing TEXT argument");
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	argv += optind;
	code = argv[1] ? mark_named(fd, argv[0], argv + 1) : mark_all(fd, argv[0]);
	close(fd);
	return code;
}

const struct verb verb_mark = {
	.name = "mark", .summary = "put a text between the events of kernel sessions",
	.help = help, .run = mark,
};
