// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw enable, etw disable: which programs' events a session wants. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>
#include "libetl/text.h"
#include "control/control_calls.h"
#include "common/verb_options.h"
#include "enable_filters.h"
#include "etw.h"

static const char enable_help[] =
	"enable NAME|ID -g GUID [-l LEVEL] [-F FLAGS] [-k MASK] [-a MASK] [-c] [--stack]\n"
	"       [--filter-pid PID,..] [--filter-exe NAME,..] [--filter-event ID,..]\n"
	"       [--filter-not-event ID,..] [--filter-event-name NAME,..]\n"
	"       [--filter-not-event-name NAME,..] [--container-id]\n\n"
	"Enables the providers of this control GUID in the session: programs and kernel modules,\n"
	"now or when they register. If it is enabled already, changes level, flags and keywords.\n"
	"Of a provider of EventRegister, the session records the events up to this level that\n"
	"have one of the keywords; without --level or --keywords, of all levels or keywords.\n"
	"Only these events have stacks and filters; an event must meet all filters. A filter that\n"
	"is given again has the parts of both.\n\n";

static const char disable_help[] =
	"disable NAME|ID -g GUID\n\n"
	"Disables the provider in the session: no more events are recorded.\n\n";

static const struct verb_option enable_options[] = {
	{ .code = OPTION_GUID },
	{ .code = OPTION_LEVEL },
	{ 'F', 'F', "flags", "FLAGS", "32 bits, what they mean is the provider's (the keywords)" },
	{ 'k', 'k', "keywords", "MASK", "record events with any of these 64 bits (the flags)" },
	{ 'a', 'a', "all-keywords", "MASK", "of these events, only those with all of these bits" },
	{ 'c', 'c', "capture-state", NULL, "ask the providers for events about their state" },
	{ OPTION_FILTER_EVENT, 0, "filter-event", "ID,..", "record only events with these ids" },
	{ OPTION_FILTER_EVENT_NAME, 0, "filter-event-name", "NAME,..",
	  "record only TraceLogging events with these names" },
	{ OPTION_FILTER_EXE, 0, "filter-exe", "NAME,..", "record only events of these programs" },
	{ OPTION_FILTER_NOT_EVENT, 0, "filter-not-event", "ID,..",
	  "record no events with these ids" },
	{ OPTION_FILTER_NOT_EVENT_NAME, 0, "filter-not-event-name", "NAME,..",
	  "record no TraceLogging events with these names" },
	{ OPTION_FILTER_PID, 0, "filter-pid", "PID,..", "record only events of these processes" },
	{ OPTION_CONTAINER_ID, 0, "container-id", NULL,
	  "record the container of each event's process, as a GUID" },
	{ OPTION_STACK, 0, "stack", NULL, "record the user stack of each event" },
	{ }
};

/* A provider that is disabled has neither level nor flags. */
static const struct verb_option disable_options[] = {
	{ .code = OPTION_GUID },
	{ }
};

/* Those of evntrace.h */
bool parse_level(const char *text, uint32_t *level)
{
	static const char *const names[] = {
		"none", "critical", "error", "warning", "information", "verbose",
	};
	uint32_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		*level = i;
		if (!strcasecmp(text, names[i]))
			return true;
	}
	return parse_number(text, 0, 0xFF, level);
}

/**
 * struct choice - the options of both verbs
 * @enable: argument of ENABLE
 * @filters: of --filter-...
 * @flags: --flags was given
 * @keywords: --keywords was given
 * @capture: --capture-state was given
 */
struct choice {
	struct etw_enable enable;
	struct enable_filters filters;
	bool flags;
	bool keywords;
	bool capture;
};

static bool parse_keywords(const char *text, __u64 *mask)
{
	bool hex = text[0] == '0' && (text[1] | 0x20) == 'x';
	char *end;

	errno = 0;
	*mask = strtoull(text, &end, hex ? 16 : 10);
	return !errno && isdigit((unsigned char)*text) && !*end;
}

/* Return: 0, or an exit code after a message */
static int take_choice(const struct verb *verb, int c, const char *text, struct choice *choice)
{
	struct etw_enable *enable = &choice->enable;

	if (c == 'F' && !parse_number(text, 0, UINT32_MAX, &enable->enable_flags))
		return usage_error(verb, "%s: flags '%s': a number of 32 bits", verb->name, text);
	if (c == 'k' && !parse_keywords(text, &enable->match_any))
		return usage_error(verb, "%s: keywords '%s': a number of 64 bits", verb->name, text);
	if (c == 'a' && !parse_keywords(text, &enable->match_all))
		return usage_error(verb, "%s: keywords '%s': a number of 64 bits", verb->name, text);
	choice->flags |= c == 'F';
	choice->keywords |= c == 'k';
	choice->capture |= c == 'c';
	if (c == OPTION_STACK)
		enable->properties |= ETW_ENABLE_STACK;
	if (c == OPTION_CONTAINER_ID)
		enable->properties |= ETW_ENABLE_CONTAINER_ID;
	return enable_filters_take(verb, &choice->filters, c, optarg);
}

/* As Windows does: what one kind of provider sees as flags, the other one sees as keywords. */
static void complete(struct choice *choice)
{
	if (!choice->keywords)
		choice->enable.match_any = choice->enable.enable_flags;
	if (!choice->flags)
		choice->enable.enable_flags = (uint32_t)choice->enable.match_any;
	enable_filters_set(&choice->filters, &choice->enable);
}

/* Return: 0, an exit code after a message, or -1: --help */
static int parse(const struct verb *verb, int argc, char **argv, struct choice *choice)
{
	struct etw_enable *enable = &choice->enable;
	bool guid = false;
	int c;

	while ((c = next_verb_option(verb, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return -1;
		if (c == OPTION_GUID)
			guid = text_to_guid(optarg, &enable->guid);
		if (c == OPTION_GUID && !guid)
			return usage_error(verb, "%s: --guid %s: a GUID is needed "
					   "(12345678-9abc-def0-1234-56789abcdef0; "
					   "'etw providers' lists them)", verb->name, optarg);
		if (c == OPTION_LEVEL && !parse_level(optarg, &enable->level))
			return usage_error(verb, "%s: level '%s': a name, or 0 to 255",
					   verb->name, optarg);
		if (take_choice(verb, c, optarg, choice))
			return EXIT_USAGE;
	}
	complete(choice);
	if (!guid)
		return usage_error(verb, "%s: missing provider (--guid GUID)", verb->name);
	if (argc - optind != 1)
		return usage_error(verb, "%s: exactly one session is needed", verb->name);
	return 0;
}

/* The kernel would refuse the programs' events, which only the programs would notice. */
static void warn_of_refusal(int fd, uint32_t id)
{
	static struct session_information session;

	if (control_try_query(fd, id, &session) || !session_is_kernel(&session) ||
	    session.items.provider.flags & ETW_PROVIDER_KERNEL_SESSION)
		return;
	warn("enable: session '%s' records kernel events and takes no events of programs, only of "
	     "kernel modules (start it with --provider-kernel)", session.name);
}

/* Return: 0 or a negative errno, after a message */
static int capture_state(int fd, const struct etw_enable *enabled)
{
	const struct etw_enable request = {
		.enabled = ETW_ENABLE_CAPTURE_STATE, .logger_id = enabled->logger_id,
		.guid = enabled->guid,
	};

	return control_enable(fd, &request);
}

static int change(const struct verb *verb, int argc, char **argv, bool enabled)
{
	struct choice choice = { .enable.enabled = enabled };
	struct etw_enable *enable = &choice.enable;
	int fd, code = parse(verb, argc, argv, &choice);

	if (code)
		return code < 0 ? print_help(verb) : code;
	fd = control_open();
	if (fd < 0)
		return EXIT_FAILED;
	if (control_find(fd, verb->name, argv[optind], &enable->logger_id) ||
	    control_enable(fd, enable) || (choice.capture && capture_state(fd, enable)))
		code = EXIT_FAILED;
	else if (enabled)
		warn_of_refusal(fd, enable->logger_id);
	close(fd);
	return code;
}

static int run_enable(int argc, char **argv)
{
	return change(&verb_enable, argc, argv, true);
}

static int run_disable(int argc, char **argv)
{
	return change(&verb_disable, argc, argv, false);
}

const struct verb verb_enable = {
	.name = "enable", .summary = "record the events of a provider",
	.help = enable_help, .options = enable_options, .run = run_enable,
};

const struct verb verb_disable = {
	.name = "disable", .summary = "stop recording a provider",
	.help = disable_help, .options = disable_options, .run = run_disable,
};
