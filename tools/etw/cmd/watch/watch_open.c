// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The sessions of etw watch: the recorder, and the one whose records the conditions are about. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "control/group_masks.h"
#include "etw_hooks.h"
#include "watch.h"

/* How often all processors are flushed: a condition is seen at most this much later */
#define PERIOD	"100ms"
/* "0x1234," for each event */
#define HOOKS_TEXT	(8 * (TRIGGER_CONDITIONS + 16))

/* Return: 0 or an exit code */
static int start_recorder(struct watch *watch)
{
	struct session_options *options = &watch->recorder;
	int code = 0;

	if (!watch->chooses)
		code = session_option_set(options, "profile", "latency");
	options->request.name = watch->name;
	options->request.flags |= ETW_START_TIED;
	if (!code)
		code = session_options_finish(options);
	if (code)
		return code;
	return control_start(watch->recorder_fd, &options->request, &watch->recorder_id) ?
	       EXIT_FAILED : EXIT_OK;
}

static int open_recorder(struct watch *watch, struct session_information *session)
{
	int code = EXIT_OK;

	watch->recorder_fd = control_open();
	if (watch->recorder_fd < 0)
		return EXIT_FAILED;
	if (watch->starts)
		code = start_recorder(watch);
	else if (control_find(watch->recorder_fd, "watch", watch->name, &watch->recorder_id))
		code = EXIT_FAILED;
	if (code)
		return code;
	if (control_query(watch->recorder_fd, watch->recorder_id, session))
		return EXIT_FAILED;
	if (session->info.log_file_mode & EVENT_TRACE_BUFFERING_MODE)
		return EXIT_OK;
	return failed("watch: session '%s' is no flight recorder: its mode is not buffering "
		      "('etw start --flight 64M')", session->name);
}

/*
 * The recorder's events, without all those that no condition is about: the events of conditions,
 * and those that describe processes and threads.
 */
static int choose_hooks(const struct watch *watch, const struct session_information *recorder,
			struct session_options *options)
{
	static const uint16_t described[] = {
		WMI_LOG_TYPE_PROCESS_CREATE, WMI_LOG_TYPE_PROCESS_DELETE,
		WMI_LOG_TYPE_PROCESS_DC_START, WMI_LOG_TYPE_THREAD_CREATE,
		WMI_LOG_TYPE_THREAD_DELETE, WMI_LOG_TYPE_THREAD_DC_START,
		PERFINFO_LOG_TYPE_CONTEXTSWAP, PERFINFO_LOG_TYPE_READYTHREAD,
		PERFINFO_LOG_TYPE_MARK,
	};
	const struct trigger *trigger = &watch->trigger;
	char hooks[HOOKS_TEXT];
	size_t used = 0, i;

	if (!trigger_has(trigger, CONDITION_EVENT))
		return 0;
	masks_add(&options->request.masks, &recorder->masks, 0);
	for (i = 0; i < sizeof(described) / sizeof(described[0]); i++)
		used += snprintf(hooks + used, sizeof(hooks) - used, "0x%04x,", described[i]);
	for (i = 0; i < trigger->nr_conditions; i++)
		if (trigger->condition[i].kind == CONDITION_EVENT)
			used += snprintf(hooks + used, sizeof(hooks) - used, "0x%04x,",
					 trigger->condition[i].hook);
	hooks[used - 1] = 0;
	return session_option_set(options, "hook", hooks);
}

static int choose_events(const struct watch *watch, struct session_options *options)
{
	const struct trigger *trigger = &watch->trigger;
	bool blocked = trigger_has(trigger, CONDITION_WAIT) ||
		       trigger_has(trigger, CONDITION_READY);
	bool run = trigger_has(trigger, CONDITION_RUN);

	return session_option_set(options, "events",
				  blocked ? "PROC_THREAD+CSWITCH+DISPATCHER" :
				  run ? "PROC_THREAD+CSWITCH" : "PROC_THREAD");
}

/* Return: 0 or an exit code */
static int enable_providers(const struct watch *watch)
{
	const struct trigger *trigger = &watch->trigger;
	struct etw_enable enable;
	unsigned int i;

	for (i = 0; i < trigger->nr_conditions; i++) {
		if (trigger->condition[i].kind != CONDITION_PROVIDER)
			continue;
		enable = (struct etw_enable){
			.enabled = true, .logger_id = watch->live.id,
			.guid = trigger->condition[i].guid,
		};
		if (control_enable(watch->live.control, &enable))
			return EXIT_FAILED;
	}
	return EXIT_OK;
}

int watch_open(struct watch *watch)
{
	static struct session_options options = { .verb = &verb_watch, .for_verb = FOR_START };
	static struct session_information recorder;
	static char name[32];
	int code, control;

	watch->live.control = -1;
	watch->live.node = -1;
	code = open_recorder(watch, &recorder);
	if (!code)
		code = choose_events(watch, &options);
	if (!code)
		code = choose_hooks(watch, &recorder, &options);
	if (!code)
		code = session_option_set(&options, "flush-timer", PERIOD);
	if (code)
		return code;
	snprintf(name, sizeof(name), "etw-watch-%d", getpid());
	options.request.name = name;
	control = control_open();
	if (control < 0 || trigger_begin(&watch->trigger, getpid()))
		return EXIT_FAILED;
	code = live_session_start(&watch->live, control, &options);
	watch->trigger.log = &watch->live.stream.log;
	return code ? code : enable_providers(watch);
}

void watch_close(struct watch *watch)
{
	live_session_end(&watch->live);
	trigger_end(&watch->trigger);
	/* a recorder of the watch is tied to this descriptor */
	if (watch->recorder_fd >= 0)
		close(watch->recorder_fd);
}
