// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Feeds a made stream to what etw top and etw watch look at: prints what they would show. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/top/top.h"
#include "cmd/watch/policy.h"
#include "cmd/watch/trigger.h"
#include "common/time_span.h"
#include "live/live_stream.h"
#include "tool_messages.h"

static const char usage[] =
	"live_feed order CHUNK < STREAM         the records' times, a line for each delivery\n"
	"live_feed watch SELF CONDITION... < STREAM  what holds; -PID and +NAME: only of these\n"
	"live_feed kept 0 < STREAM              threads that are remembered at the end\n"
	"live_feed top INTERVAL [processes] < STREAM   intervals as JSON\n"
	"live_feed policy DEBOUNCE LIMIT TIME...    an answer for each time, in ms\n"
	"The stream is put in pieces of 4 KiB, or of CHUNK bytes; after each piece all is taken that\n"
	"may be delivered.\n";

/* The tool's own is in main.c. */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint32_t *value)
{
	char *end;
	unsigned long long number = strtoull(text, &end, 0);

	*value = number;
	return *text >= '0' && *text <= '9' && !*end && number >= least && number <= most;
}

static struct live_stream stream;
static uint8_t piece[1 << 20];

/* Return: whether there was a piece */
static bool put_piece(size_t size)
{
	size_t count = fread(piece, 1, size, stdin);

	if (count && live_stream_put(&stream, piece, count))
		exit(1);
	stream.ended = !count;
	return count;
}

static int order(size_t chunk)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	bool more, any;

	do {
		more = put_piece(chunk);
		any = false;
		while (live_stream_next(&stream, &record, &buffer)) {
			printf("%s%s%" PRIu64, any ? " " : "", stream.gap ? "!" : "", record->time);
			any = true;
		}
		if (any)
			putchar('\n');
	} while (more);
	printf("lost %" PRIu64 ", damaged %" PRIu64 "\n", losses_sum(&stream.losses),
	       stream.damaged);
	return 0;
}

static void fire(void *context, const struct condition *condition, uint64_t time,
		 const char *text)
{
	(void)context;
	printf("%s at %" PRIu64 ": %s\n", condition->text, time, text);
}

static int add_word(struct trigger *trigger, const char *word)
{
	const char *wrong;

	if (word[0] == '-') {
		trigger->pids[trigger->nr_pids++] = atoi(word + 1);
		return 0;
	}
	if (word[0] == '+') {
		trigger->names[trigger->nr_names++] = word + 1;
		return 0;
	}
	wrong = condition_parse(word, &trigger->condition[trigger->nr_conditions++]);
	return wrong ? failed("%s: %s", word, wrong) : 0;
}

static int watch(uint32_t self, char **words, bool count)
{
	static struct trigger trigger = { .log = &stream.log, .fire = fire };
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	uint64_t limit = 0;
	bool more;

	for (; *words; words++)
		if (add_word(&trigger, *words))
			return 1;
	if (trigger_begin(&trigger, self))
		return 1;
	do {
		more = put_piece(4096);
		while (live_stream_next(&stream, &record, &buffer)) {
			if (stream.gap)
				trigger_lost(&trigger, false);
			trigger_note(&trigger, buffer, record);
		}
		if (stream.has_limit && stream.limit != limit)
			trigger_tick(&trigger, stream.limit);
		limit = stream.limit;
	} while (more);
	if (count)
		printf("%zu\n", trigger.threads.nr_threads);
	trigger_end(&trigger);
	return 0;
}

static int top(uint64_t interval, bool processes)
{
	static struct top top = { .log = &stream.log, .counters = true };
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	bool more;

	top.processes = processes;
	if (top_begin(&top))
		return 1;
	do {
		more = put_piece(4096);
		while (live_stream_next(&stream, &record, &buffer)) {
			if (stream.gap)
				top_lost(&top, 0);
			top_note(&top, buffer, record);
		}
		if (!stream.has_limit || !top.begin || stream.limit - top.begin < interval)
			continue;
		top_finish(&top, stream.limit);
		top_print_json(&top, 0);
		top_next(&top, NULL);
	} while (more);
	top_end(&top);
	return 0;
}

static int policy(char **words)
{
	static struct policy policy;
	static const char *const names[] = {
		[POLICY_TAKE] = "take", [POLICY_BUSY] = "busy", [POLICY_LIMIT] = "limit",
	};
	enum policy_answer answer;
	uint64_t now;

	policy.debounce_ms = strtoull(words[0], NULL, 10);
	policy.limit = strtoul(words[1], NULL, 10);
	for (words += 2; *words; words++) {
		/* -TIME: the snapshot was written */
		if (**words == '-') {
			policy_done(&policy, strtoull(*words + 1, NULL, 10));
			continue;
		}
		now = strtoull(*words, NULL, 10);
		answer = policy_ask(&policy, now);
		printf("%s\n", names[answer]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	int code = 2;

	if (argc < 3 || live_stream_begin(&stream)) {
		fputs(usage, stderr);
		return 2;
	}
	if (!strcmp(argv[1], "order"))
		code = order(strtoul(argv[2], NULL, 0));
	else if (!strcmp(argv[1], "watch"))
		code = watch(strtoul(argv[2], NULL, 0), argv + 3, false);
	else if (!strcmp(argv[1], "kept"))
		code = watch(0, argv + 3, true);
	else if (!strcmp(argv[1], "top"))
		code = top(strtoull(argv[2], NULL, 0), argc > 3);
	else if (!strcmp(argv[1], "policy") && argc > 3)
		code = policy(argv + 2);
	live_stream_free(&stream);
	return code;
}
