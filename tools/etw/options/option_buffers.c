// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Options about memory, time and files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "config/config.h"
#include "control/group_masks.h"
#include "session_options.h"

bool parse_bytes(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGkmg";
	const char *unit;
	char *end;

	errno = 0;
	*bytes = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || errno)
		return false;
	if (!*end)
		return true;
	unit = strchr(units, *end);
	if (!unit || end[1] || *bytes > UINT64_MAX >> 30)
		return false;
	*bytes <<= 10 * ((unit - units) % 3 + 1);
	return true;
}

int option_buffer_size(struct session_options *options, const char *value)
{
	uint32_t *kb = &options->request.buffer_kb;

	if (parse_number(value, ETW_MIN_BUFFER_KB, ETW_MAX_BUFFER_KB, kb) &&
	    *kb % ETW_MIN_BUFFER_KB == 0)
		return 0;
	return option_error(options, "buffer size '%s': %u to %u, a multiple of %u", value,
			    ETW_MIN_BUFFER_KB, ETW_MAX_BUFFER_KB, ETW_MIN_BUFFER_KB);
}

static int set_count(struct session_options *options, const char *value, uint32_t *count)
{
	if (parse_number(value, 1, UINT32_MAX, count))
		return 0;
	return option_error(options, "number of buffers '%s': a number from 1 on is needed", value);
}

int option_min_buffers(struct session_options *options, const char *value)
{
	return set_count(options, value, &options->request.minimum_buffers);
}

int option_max_buffers(struct session_options *options, const char *value)
{
	options->maximum = true;
	return set_count(options, value, &options->request.maximum_buffers);
}

int option_buffers(struct session_options *options, const char *value)
{
	const char *colon = strchr(value, ':');
	char *least;
	int code;

	if (!colon)
		return option_max_buffers(options, value);
	least = strndup(value, colon - value);
	code = least ? option_min_buffers(options, least) : EXIT_FAILED;
	free(least);
	return code ? code : option_max_buffers(options, colon + 1);
}

int option_flush_timer(struct session_options *options, const char *value)
{
	size_t digits = strspn(value, "0123456789");
	const char *unit = value + digits;
	char *number = strndup(value, digits);
	bool good;

	options->timer = true;
	options->timer_in_ms = !strcmp(unit, "ms");
	good = number && (options->timer_in_ms || !*unit || !strcmp(unit, "s")) &&
	       parse_number(number, 0, options->timer_in_ms ? 86400000 : 86400,
			    &options->flush_ms);
	free(number);
	if (!good)
		return option_error(options,
				    "flush timer '%s': seconds, or with ms behind; up to a day",
				    value);
	if (!options->timer_in_ms)
		options->flush_ms *= 1000;
	return 0;
}

int option_duration(struct session_options *options, const char *value)
{
	static const struct {
		const char *name;
		uint32_t ms;
	} units[] = { { "ms", 1 }, { "s", 1000 }, { "", 1000 }, { "m", 60000 }, { "h", 3600000 } };
	uint32_t number = 0;
	char digits[16];
	size_t i, length = strspn(value, "0123456789");

	snprintf(digits, sizeof(digits), "%.*s", (int)length, value);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcasecmp(value + length, units[i].name) &&
		    parse_number(digits, 1, UINT32_MAX / units[i].ms, &number))
			break;
	if (i == sizeof(units) / sizeof(units[0]))
		return option_error(options, "--duration %s: a number with ms, s, m or h behind, "
				    "at most %uh", value, UINT32_MAX / 3600000);
	options->duration_ms = number * units[i].ms;
	return 0;
}

int option_mode(struct session_options *options, const char *value)
{
	static const struct {
		const char *name;
		uint32_t mode;
	} modes[] = {
		{ "realtime", EVENT_TRACE_REAL_TIME_MODE },
		{ "sequential", EVENT_TRACE_FILE_MODE_SEQUENTIAL },
		{ "circular", EVENT_TRACE_FILE_MODE_CIRCULAR },
		{ "newfile", EVENT_TRACE_FILE_MODE_NEWFILE },
		{ "buffering", EVENT_TRACE_BUFFERING_MODE },
	};
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcasecmp(value, modes[i].name))
			continue;
		options->target = modes[i].mode;
		return 0;
	}
	return option_error(options,
			    "mode '%s': realtime, sequential, circular, newfile or buffering",
			    value);
}

/* A number alone is one of megabytes. */
static bool parse_megabytes(const char *text, uint32_t *mb)
{
	uint64_t bytes;

	if (parse_number(text, 1, UINT32_MAX, mb))
		return true;
	if (!strpbrk(text, "MGmg") || !parse_bytes(text, &bytes) || !bytes ||
	    bytes >> 20 > UINT32_MAX)
		return false;
	*mb = bytes >> 20;
	return true;
}

int option_max_file(struct session_options *options, const char *value)
{
	if (parse_megabytes(value, &options->request.maximum_file_mb))
		return 0;
	return option_error(options, "maximum file size '%s': megabytes, from 1 on, or with M or G "
			    "behind (64, 64M, 2G)", value);
}

int option_flight(struct session_options *options, const char *value)
{
	if (parse_bytes(value, &options->flight) && options->flight)
		return 0;
	return option_error(options, "size '%s': bytes, or with K, M or G behind", value);
}

int option_clock(struct session_options *options, const char *value)
{
	if (clock_parse(value, &options->request.clock))
		return 0;
	return option_error(options, "clock '%s': qpc, system or cycle", value);
}
