// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw watch: snapshots of a flight recorder when a condition holds. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/time_span.h"
#include "common/verb_options.h"
#include "watch.h"

static const char help[] =
	"watch NAME|ID --when CONDITION [options]\n\n"
	"Takes a snapshot of a flight recorder (a session in mode buffering) when a condition\n"
	"holds. A session of the watch's own shows when that is. SIGUSR1 asks for a snapshot,\n"
	"too.\n\n";

static const char notes[] =
	"Conditions; T is a time such as 250us, 20ms, 3s:\n"
	"  wait:T         a thread waits longer than T; needs --pid or --process\n"
	"  ready:T        a thread could run, but does not, longer than T\n"
	"  run:T          a processor runs one thread longer than T\n"
	"  event:NAME     a kernel event of those that the recorder records: a name or a\n"
	"                 number of 'etw list hooks'\n"
	"  event:GUID     an event of this provider; GUID:ID, GUID:NAME: this event of it\n"
	"  mark[:TEXT]    'etw mark' without a session wrote a text that contains TEXT\n"
	"  lost           the recorder lost events\n"
	"  signal[:NAME]  a process ended with a signal, such as SEGV (exit status 128 + N)\n"
	"Threads of the watch and of its commands do not count.\n\n"
	"The command of --exec gets the file's path as its only argument, and in its\n"
	"environment ETW_SNAPSHOT (the path), ETW_SESSION, ETW_CONDITION and ETW_REASON.\n";

static const struct verb_option options[] = {
	{ 'w', 'w', "when", "CONDITION", "take a snapshot when it holds; may be repeated" },
	{ .code = OPTION_OUTPUT, .argument = "FILE",
	  .help = "the files, with %d for their number (NAME-%d.etl); a file\n"
		  "that exists is left alone" },
	{ 'i', 0, "pid", "PID,..", "wait, ready, run, signal: only of these processes" },
	{ 'P', 0, "process", "NAME,..", "only of processes with these names" },
	{ 'l', 0, "limit", "N/h", "snapshots in any hour; 0/h: no limit (10/h)" },
	{ 'd', 0, "debounce", "T", "ignore conditions for this time after a snapshot (1s)" },
	{ 'n', 'n', "count", "N", "end after N snapshots" },
	{ 'x', 0, "exec", "PROGRAM", "run it for each snapshot, without a shell" },
	{ 'f', 0, "flight", "SIZE",
	  "start the recorder with this much memory, such as 64M; it ends\n"
	  "with the watch" },
	{ 'p', 'p', "profile", "PROFILE", "with --flight: 'etw list profiles' (latency)" },
	{ 'e', 'e', "events", "EVENT+...", "with --flight: 'etw list events'" },
	{ .code = OPTION_JSON, .help = "a line of JSON for each snapshot" },
	{ .code = OPTION_QUIET, .help = "no messages but errors and losses" },
	{ .code = OPTION_RAW },
	{ }
};

static int add_condition(struct watch *watch, const char *text)
{
	struct trigger *trigger = &watch->trigger;
	const char *wrong;

	if (trigger->nr_conditions == TRIGGER_CONDITIONS)
		return usage_error(&verb_watch, "watch: --when: more than %u conditions",
				   TRIGGER_CONDITIONS);
	wrong = condition_parse(text, &trigger->condition[trigger->nr_conditions]);
	if (wrong)
		return usage_error(&verb_watch, "watch: --when %s: %s", text, wrong);
	trigger->nr_conditions++;
	return 0;
}

/* @text is cut into its parts, which stay where they are. */
static int add_processes(struct trigger *trigger, char *text, bool names)
{
	char *part, *rest;

	for (part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		if (trigger->nr_pids == TRIGGER_NAMES || trigger->nr_names == TRIGGER_NAMES)
			return usage_error(&verb_watch, "watch: more than %u processes",
					   TRIGGER_NAMES);
		if (names)
			trigger->names[trigger->nr_names++] = part;
		else if (!parse_number(part, 1, LIVE_IDS - 1, &trigger->pids[trigger->nr_pids++]))
			return usage_error(&verb_watch, "watch: --pid %s: a process id is needed "
					   "('pgrep NAME' finds it; --process NAME)", part);
	}
	return 0;
}

static int set_limit(struct watch *watch, const char *text)
{
	size_t length = strspn(text, "0123456789");
	char digits[16];

	snprintf(digits, sizeof(digits), "%.*s", (int)length, text);
	if (!strcmp(text + length, "/h") && length < sizeof(digits) &&
	    parse_number(digits, 0, POLICY_MOST, &watch->policy.limit))
		return 0;
	return usage_error(&verb_watch, "watch: --limit %s: 0/h to %u/h", text, POLICY_MOST);
}

static int set_debounce(struct watch *watch, const char *text)
{
	uint64_t ns;

	if (!time_span_parse(text, &ns))
		return usage_error(&verb_watch, "watch: --debounce %s: a time such as 500ms, 3s",
				   text);
	watch->policy.debounce_ms = (ns + 999999) / 1000000;
	return 0;
}

static int set_recorder(struct watch *watch, const char *name, const char *value)
{
	watch->starts |= !strcmp(name, "flight");
	watch->chooses |= strcmp(name, "flight");
	return session_option_set(&watch->recorder, name, value);
}

/* Return: 0 or an exit code */
static int take_option(struct watch *watch, int c, char *value)
{
	switch (c) {
	case 'w':
		return add_condition(watch, value);
	case 'i':
	case 'P':
		return add_processes(&watch->trigger, value, c == 'P');
	case 'l':
		return set_limit(watch, value);
	case 'd':
		return set_debounce(watch, value);
	case 'n':
		if (parse_number(value, 1, UINT32_MAX, &watch->count))
			return 0;
		return usage_error(&verb_watch, "watch: --count %s: a number from 1 on", value);
	case 'f':
		return set_recorder(watch, "flight", value);
	case 'p':
		return set_recorder(watch, "profile", value);
	case 'e':
		return set_recorder(watch, "events", value);
	}
	watch->snapshots.json |= c == OPTION_JSON;
	watch->quiet |= c == OPTION_QUIET;
	watch->snapshots.raw |= c == OPTION_RAW;
	if (c == 'x')
		watch->snapshots.command = value;
	if (c == OPTION_OUTPUT)
		watch->snapshots.pattern = value;
	return 0;
}

/* Every process that has nothing to do waits. */
static bool lacks_processes(const struct trigger *trigger)
{
	return trigger_has(trigger, CONDITION_WAIT) && !trigger->nr_pids && !trigger->nr_names;
}

static int check(struct watch *watch, char *const *words)
{
	static char pattern[PATH_MAX];
	const char *wrong;

	if (!words[0] || words[1])
		return usage_error(&verb_watch, "watch: exactly one session is needed");
	watch->name = words[0];
	watch->snapshots.session = watch->name;
	if (!watch->trigger.nr_conditions)
		return usage_error(&verb_watch, "watch: missing --when CONDITION");
	if (lacks_processes(&watch->trigger))
		return usage_error(&verb_watch, "watch: --when wait:T: missing --pid or --process "
				   "(every idle thread waits)");
	if (!watch->starts && watch->chooses)
		return usage_error(&verb_watch, "watch: --profile and --events need --flight");
	if (!watch->snapshots.pattern) {
		if (strpbrk(watch->name, "%/"))
			return usage_error(&verb_watch, "watch: %s is no file name: -o FILE",
					   watch->name);
		snprintf(pattern, sizeof(pattern), "%s-%%d.etl", watch->name);
		watch->snapshots.pattern = pattern;
	}
	wrong = snapshots_check_pattern(watch->snapshots.pattern, watch->count == 1);
	if (wrong)
		return usage_error(&verb_watch, "watch: -o %s: %s", watch->snapshots.pattern, wrong);
	return 0;
}

static int run_watch(int argc, char **argv)
{
	static struct watch watch = {
		.recorder = { .verb = &verb_watch, .for_verb = FOR_START },
		.policy = { .debounce_ms = 1000, .limit = 10 },
	};
	int c, code;

	while ((c = next_verb_option(&verb_watch, argc, argv)) != -1) {
		if (c == '?')
			return EXIT_USAGE;
		if (c == OPTION_HELP)
			return print_help(&verb_watch);
		code = take_option(&watch, c, optarg);
		if (code)
			return code;
	}
	code = check(&watch, argv + optind);
	if (code)
		return code;
	code = watch_open(&watch);
	if (!code)
		code = watch_loop(&watch);
	watch_close(&watch);
	return code;
}

const struct verb verb_watch = {
	.name = "watch", .summary = "take snapshots of a flight recorder when conditions hold",
	.help = help, .options = options, .notes = notes, .run = run_watch,
};
