// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw log: events of one's own into a session, as logger(1) does it with the log. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "libetl/guids.h"
#include "libetl/text.h"
#include "control/control_calls.h"
#include "control/provider_device.h"
#include "common/verb_options.h"
#include "etw.h"

static const char help[] =
	"log NAME|ID [-g GUID] [-t TYPE | -m NUMBER] [-l LEVEL] [TEXT... | -d TEXT | -x BYTES |\n"
	"           -f FILE]\n\n"
	"Writes an event into a session; without data, one for each line of standard input.\n"
	"Needs the right to write to the session. Only root can give its name; other users\n"
	"give its number.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_GUID,
	  .help = "class of the event, or GUID of the message; default: that of\n"
		  "the tool's own text" },
	{ 't', 't', "type", "N", "Class.Type, 0 to 255 (0)" },
	{ .code = OPTION_LEVEL,
	  .help = "Class.Level: critical, error, warning, information, verbose, or\n"
		  "0 to 255 (0)" },
	{ 'p', 'p', "priority", "NAME",
	  "the level that stands for a priority of syslog, such as err, info" },
	{ 'V', 0, "version", "N", "Class.Version, 0 to 65535 (0)" },
	{ 'm', 'm', "message", "N",
	  "no event but a message with this number, as TraceMessage does" },
	{ 'd', 'd', "data", "TEXT", "the data is this text and a NUL" },
	{ 'w', 'w', "wide", NULL, "text is UTF-16" },
	{ 'x', 'x', "hex", "BYTES", "the data in hexadecimal; blanks may be between bytes" },
	{ 'f', 'f', "file", "FILE", "the data is what is in this file; -: standard input" },
	{ }
};

#define MOST_DATA	(ETW_MAX_RECORD - sizeof(struct event_trace_header))

/**
 * struct log - what is to be written, and where
 * @fd: the device
 * @id: session
 * @is_message: no event
 * @number: of the message
 * @wide: text is UTF-16
 * @text: of --data
 * @hex: of --hex
 * @file: of --file
 * @help: only how to ask
 * @size: bytes of data behind @header
 * @header: GUID, type and so on
 * @data: it
 */
struct log {
	int fd;
	uint32_t id;
	bool is_message;
	uint32_t number;
	bool wide;
	const char *text;
	const char *hex;
	const char *file;
	bool help;
	size_t size;
	struct event_trace_header header;
	uint8_t data[MOST_DATA + 1];
};

/* As the levels of evntrace.h count them */
static bool parse_priority(const char *text, uint32_t *level)
{
	static const struct {
		const char *name;
		uint32_t level;
	} priorities[] = {
		{ "emerg", 1 }, { "panic", 1 }, { "alert", 1 }, { "crit", 1 }, { "err", 2 },
		{ "error", 2 }, { "warning", 3 }, { "warn", 3 }, { "notice", 4 }, { "info", 4 },
		{ "debug", 5 },
	};
	const char *dot = strrchr(text, '.');
	size_t i;

	/* facility.priority: there are no facilities here */
	text = dot ? dot + 1 : text;
	for (i = 0; i < sizeof(priorities) / sizeof(priorities[0]); i++) {
		*level = priorities[i].level;
		if (!strcasecmp(text, priorities[i].name))
			return true;
	}
	return false;
}

static bool parse_class(struct log *log, int c, const char *text)
{
	uint32_t value = 0;

	switch (c) {
	case OPTION_GUID:
		return text_to_guid(text, &log->header.guid);
	case 't':
		if (!parse_number(text, 0, 0xFF, &value))
			return false;
		log->header.type = value;
		return true;
	case 'V':
		if (!parse_number(text, 0, 0xFFFF, &value))
			return false;
		log->header.version = value;
		return true;
	case 'm':
		log->is_message = true;
		return parse_number(text, 0, 0xFFFF, &log->number);
	default:
		if (!(c == OPTION_LEVEL ? parse_level : parse_priority)(text, &value))
			return false;
		log->header.level = value;
		return true;
	}
}

static int parse(int argc, char **argv, struct log *log)
{
	int c;

	while ((c = next_verb_option(&verb_log, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			log->help = true;
		else if (c == 'w')
			log->wide = true;
		else if (c == 'd')
			log->text = optarg;
		else if (c == 'x')
			log->hex = optarg;
		else if (c == 'f')
			log->file = optarg;
		else if (!parse_class(log, c, optarg))
			return usage_error(&verb_log, "log: '%s' is no value for that option",
					   optarg);
		if (log->help)
			return EXIT_OK;
	}
	if (optind == argc)
		return usage_error(&verb_log, "log: missing session (NAME or ID)");
	if (!!log->text + !!log->hex + !!log->file + (argc - optind > 1) > 1)
		return usage_error(&verb_log,
				   "log: --data, --hex, --file and TEXT are mutually exclusive");
	return EXIT_OK;
}

/* Return: false when there is more than an event can have */
static bool add(struct log *log, const void *from, size_t bytes)
{
	if (bytes > MOST_DATA - log->size)
		return false;
	memcpy(log->data + log->size, from, bytes);
	log->size += bytes;
	return true;
}

static int too_much(void)
{
	return failed("log: an event has at most %zu bytes of data (ERROR_MORE_DATA)", MOST_DATA);
}

static bool add_text(struct log *log, const char *text)
{
	static uint16_t units[MOST_DATA / 2 + 2];
	size_t n;

	if (!log->wide)
		return add(log, text, strlen(text) + 1);
	n = text_to_utf16(text, units, MOST_DATA / 2 + 1);
	units[n] = 0;
	return add(log, units, 2 * (n + 1));
}

static int add_hex(struct log *log, const char *text)
{
	unsigned int byte;
	int used;

	for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
		if (strspn(text, "0123456789abcdefABCDEF") < 2 ||
		    sscanf(text, "%2x%n", &byte, &used) != 1)
			return usage_error(&verb_log, "log: '%s' are no bytes", text);
		if (log->size == MOST_DATA)
			return too_much();
		log->data[log->size++] = byte;
		text += used;
	}
	return EXIT_OK;
}

static int add_file(struct log *log, const char *name)
{
	int fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	ssize_t n = -1;
	int err;

	if (fd >= 0)
		while ((n = read(fd, log->data + log->size, sizeof(log->data) - log->size)) > 0)
			log->size += n;
	err = errno;
	if (fd > STDIN_FILENO)
		close(fd);
	if (n < 0)
		return failed("%s: %s", name, strerror(err));
	return log->size > MOST_DATA ? too_much() : EXIT_OK;
}

static int send(struct log *log)
{
	static const struct etw_guid own = ETW_LOG_GUID;

	/* text of our own says which it is: decode.c */
	if (log->wide && !memcmp(&log->header.guid, &own, sizeof(own)))
		log->header.version = 1;
	log->header.size = sizeof(log->header) + log->size;
	log->header.flags = WNODE_FLAG_TRACED_GUID;
	if (log->is_message)
		return provider_message(log->fd, log->id, log->number, &log->header.guid,
					log->data, log->size);
	return provider_event(log->fd, log->id, &log->header);
}

static int send_one(struct log *log)
{
	int err = send(log);

	return err ? provider_failed(log->id, err) : EXIT_OK;
}

/* Lost lines are reported at the end; an error that every line would get ends the loop. */
static int send_lines(struct log *log)
{
	uint64_t lines = 0, lost = 0;
	char *line = NULL;
	size_t room = 0;
	int err = 0, last = 0, reason;

	while ((!err || provider_lost(err)) && getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = 0;
		log->size = 0;
		lines++;
		err = add_text(log, line) ? send(log) : -EMSGSIZE;
		lost += !!err;
		last = err ? err : last;
	}
	reason = errno;
	free(line);
	if (ferror(stdin))
		return failed("standard input: %s", strerror(reason));
	if (!last)
		return EXIT_OK;
	provider_failed(log->id, last);
	return failed("log: %ju of %ju lines are missing", (uintmax_t)lost, (uintmax_t)lines);
}

static int send_words(struct log *log, char **words)
{
	static char text[MOST_DATA + 2];
	size_t used = 0;

	for (; *words; words++) {
		used += snprintf(text + used, sizeof(text) - used, "%s%s", used ? " " : "",
				 *words);
		if (used >= sizeof(text) - 1)
			return too_much();
	}
	return add_text(log, text) ? send_one(log) : too_much();
}

static int send_data(struct log *log, char **words)
{
	int code;

	if (log->hex || log->file) {
		code = log->hex ? add_hex(log, log->hex) : add_file(log, log->file);
		return code == EXIT_OK ? send_one(log) : code;
	}
	if (log->text)
		return add_text(log, log->text) ? send_one(log) : too_much();
	return *words ? send_words(log, words) : send_lines(log);
}

/* A user without the right to control sessions can give the number of a session. */
static bool find_session(const char *text, uint32_t *id)
{
	int fd = open(ETW_CONTROL_NODE, O_RDWR | O_CLOEXEC);
	int err = errno;

	if (fd >= 0) {
		err = control_find(fd, "log", text, id);
		close(fd);
		return !err;
	}
	if (parse_number(text, 1, ETW_MAX_LOGGERS, id))
		return true;
	failed("log: the session '%s' is to be named by its number: %s: %s", text,
	       ETW_CONTROL_NODE, strerror(err));
	return false;
}

static int log_verb(int argc, char **argv)
{
	static struct log log = { .header.guid = ETW_LOG_GUID };
	int code = parse(argc, argv, &log);

	if (code != EXIT_OK)
		return code;
	if (log.help)
		return print_help(&verb_log);
	log.fd = provider_open();
	if (log.fd < 0)
		return EXIT_FAILED;
	code = find_session(argv[optind], &log.id) ? send_data(&log, argv + optind + 1) :
						     EXIT_FAILED;
	close(log.fd);
	return code;
}

const struct verb verb_log = {
	.name = "log", .summary = "write an event into a session", 
	.help = help, .options = options, .run = log_verb,
};
