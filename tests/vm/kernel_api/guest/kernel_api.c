// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Sessions that etw_sample.ko writes to: what comes of every record, and the counts. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include "tests/lib/guest/provider_session.h"
#include "tests/lib/guest/provider_stream.h"
#include "tests/lib/guest/result.h"
#include "tests/lib/kmod/etw_sample.h"

#define PARAMETER	"/sys/module/etw_sample/parameters/"

static const struct etw_guid sample_guid = SAMPLE_GUID;
static int control;
static const char *prefix = "";
static unsigned int reader_sleeps;

/* By CPU and context: what the module says, and what was read of it */
static struct count {
	unsigned long long tried, written, seen, next;
} counts[STREAM_CPUS][SAMPLE_CONTEXTS];
static unsigned long long gaps, forms[SAMPLE_FORMS];

#define MOST_MESSAGES	(1U << 22)

/* Of messages: how many, the last number, one that was there before or can't be */
static struct {
	__u8 seen[MOST_MESSAGES];
	__u32 count, last, wrong;
} numbers;

/* Of "check": records with a stamp of the module's, and WNODE_HEADERs */
static unsigned int stamped, wnodes;

static void logged(int good, const char *what)
{
	result(good, "%s%s", prefix, what);
}

static void set_parameter(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), PARAMETER "%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, strlen(value)) != (ssize_t)strlen(value))
		die(path);
	close(fd);
}

static void take_number(__u32 number)
{
	numbers.count++;
	if (!number || number >= MOST_MESSAGES || numbers.seen[number]++)
		numbers.wrong++;
	else if (number > numbers.last)
		numbers.last = number;
}

/* As its form says: what the header has is what the data say */
static void check_form(struct stream *stream, const struct record *r, const struct sample_data *d)
{
	const __u16 both = TRACE_MESSAGE_SEQUENCE | TRACE_MESSAGE_TIMESTAMP |
			   TRACE_MESSAGE_SYSTEMINFO;
	int good;

	if (d->form < SAMPLE_MESSAGE)
		good = r->kind == RECORD_EVENT && r->level == 4;
	else if (d->form == SAMPLE_MODERN)
		good = r->kind == RECORD_MODERN && r->level == 4 && r->keyword == 1 && !r->items;
	else if (d->form == SAMPLE_MESSAGE)
		good = r->kind == RECORD_MESSAGE && r->options == (both | TRACE_MESSAGE_GUID);
	else
		good = r->kind == RECORD_MESSAGE && r->component == SAMPLE_COMPONENT &&
		       r->options == (both | TRACE_MESSAGE_COMPONENT_ID);
	if (d->form != SAMPLE_COMPONENT_ID)
		good &= !memcmp(&r->guid, &sample_guid, sizeof(r->guid));
	if (!good || r->number != d->form || r->bits != 8 * sizeof(long))
		stream_fail(stream, "form %u: kind %u number %u options %x", d->form, r->kind,
			    r->number, r->options);
	if (r->thread_id != d->thread_id || r->process_id != d->process_id)
		stream_fail(stream, "form %u: thread %u of process %u, not %u of %u", d->form,
			    r->thread_id, r->process_id, d->thread_id, d->process_id);
	if (r->kind == RECORD_MESSAGE)
		take_number(r->sequence);
	forms[d->form]++;
}

/* Related activity, metadata, then data */
static const char body[] =
	"\x18\0\x01\0\x01\0\x10\0" "\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2\2"
	"\x10\0\x0b\0\0\0\x05\0" "\5\0\0S\0\0\0\0" "abcde";

/* Of check_modern(): what the session wants, whole */
static void check_modern(struct stream *stream, const struct record *r)
{
	if (!r->items || r->length != sizeof(body) - 1 || memcmp(r->data, body, r->length) ||
	    r->bits != 64 || !((r->level == 3 && r->keyword == 2) ||
			       (r->level == 1 && !r->keyword)))
		stream_fail(stream, "an EVENT_HEADER of level %u, keyword %llx, %u bytes", r->level,
			    r->keyword, r->length);
}

/* Of "check", which this program's first thread has the module do */
static void take_checked(struct stream *stream, const struct record *r)
{
	const __u32 process = getpid();
	struct wnode_header wnode;

	if (r->kind == RECORD_WNODE) {
		memcpy(&wnode, r->data - sizeof(wnode), sizeof(wnode));
		wnodes++;
		if (wnode.buffer_size != sizeof(wnode) || wnode.provider_id != SAMPLE_CHECKED ||
		    wnode.historical_context != stream->logger || !wnode.time_stamp ||
		    wnode.time_stamp == SAMPLE_TIME || wnode.flags != WNODE_FLAG_LOG_WNODE)
			stream_fail(stream, "a WNODE_HEADER that is not what was given");
	} else if (r->thread_id != process || r->process_id != process) {
		stream_fail(stream, "thread %u of process %u, not of %u", r->thread_id,
			    r->process_id, process);
	}
	if (r->kind == RECORD_MODERN)
		check_modern(stream, r);
	stamped += r->time == SAMPLE_TIME;
	if (memcmp(&r->guid, &sample_guid, sizeof(r->guid)))
		stream_fail(stream, "kind %u: another GUID", r->kind);
}

static void take(struct stream *stream, const struct record *r)
{
	struct sample_data d;
	struct count *count;
	__u32 i;

	if (r->kind != RECORD_MESSAGE && r->number == SAMPLE_CHECKED)
		return take_checked(stream, r);
	/* a message of "check" */
	if (r->length < sizeof(d))
		return;
	memcpy(&d, r->data, sizeof(d));
	if (d.magic != SAMPLE_MAGIC || d.cpu != r->cpu || d.context >= SAMPLE_CONTEXTS ||
	    d.form >= SAMPLE_FORMS || d.form != d.sequence % SAMPLE_FORMS ||
	    d.length != d.sequence % (SAMPLE_MAX_PATTERN + 1) ||
	    r->length != sizeof(d) + d.length)
		return stream_fail(stream, "a torn record: CPU %u context %u", r->cpu, d.context);
	for (i = 0; i < d.length; i++)
		if (r->data[sizeof(d) + i] != (__u8)(d.sequence + i))
			return stream_fail(stream, "a torn pattern: CPU %u context %u", r->cpu,
					   d.context);
	check_form(stream, r, &d);
	count = &counts[r->cpu][d.context];
	if (d.sequence < count->next)
		stream_fail(stream, "CPU %u context %u: %llu again", r->cpu, d.context,
			    d.sequence);
	gaps += d.sequence - count->next;
	count->next = d.sequence + 1;
	count->seen++;
}

static void *reader(void *data)
{
	struct stream *stream = data;
	int fd = open_node(stream->logger, 0);

	sleep(reader_sleeps);
	if (fd < 0)
		die("open of the stream");
	read_stream(stream, fd);
	close(fd);
	return NULL;
}

/* What the module did since the last time */
static void read_counts(void)
{
	FILE *file = fopen(PARAMETER "write", "r");
	unsigned long long tried, written;
	unsigned int cpu, context;
	static struct count last[STREAM_CPUS][SAMPLE_CONTEXTS];

	if (!file)
		die(PARAMETER "write");
	while (fscanf(file, "%u %u %llu %llu", &cpu, &context, &tried, &written) == 4) {
		counts[cpu][context].tried = tried - last[cpu][context].tried;
		counts[cpu][context].written = written - last[cpu][context].written;
		last[cpu][context].tried = tried;
		last[cpu][context].written = written;
	}
	fclose(file);
}

static void compare(struct stream *stream, const struct etw_statistics *s)
{
	unsigned long long all = 0, found = 0, wrong = 0, of[SAMPLE_CONTEXTS] = { 0 };
	unsigned int cpu, context;

	read_counts();
	for (cpu = 0; cpu < STREAM_CPUS; cpu++)
		for (context = 0; context < SAMPLE_CONTEXTS; context++) {
			wrong += counts[cpu][context].written != counts[cpu][context].seen;
			of[context] += counts[cpu][context].written;
			all += counts[cpu][context].tried;
			found += counts[cpu][context].written;
			counts[cpu][context].seen = 0;
		}
	printf("%llu tried, %llu written, %llu read, %llu lost\n", all, found, stream->ours,
	       all_lost(s));
	printf("written: task %llu softirq %llu hardirq %llu nmi %llu\n", of[0], of[1], of[2],
	       of[3]);
	logged(!stream->failures, "every record is whole, and in order");
	logged(!wrong, "what was written is what was read, by CPU and context");
	logged(all == session_attempted(s), "attempted = written + lost, by STATISTICS");
	logged(all - found == all_lost(s), "each failure was counted as a loss");
	logged(gaps <= all_lost(s), "no number is missing that was not lost");
	printf("%u messages, the last is number %u\n", numbers.count, numbers.last);
	logged(!numbers.wrong && numbers.count && numbers.last == numbers.count,
	     "messages are numbered from 1 on, each has its own number");
	logged(of[SAMPLE_TASK] && of[SAMPLE_SOFTIRQ] && of[SAMPLE_HARDIRQ],
	     "tasks, softirqs and interrupts wrote");
#ifdef __x86_64__
	logged(!!of[SAMPLE_NMI], "NMIs wrote");
#endif
	logged(forms[0] && forms[1] && forms[2] && forms[3] && forms[4] && forms[5],
	     "data behind the header, GuidPtr, MofPtr, message by GUID and by component id, "
	     "EVENT_HEADER");
}

/* A provider that is enabled, from every context; a reader, or one that sleeps first */
static void contexts(const char *records, __u32 buffers, unsigned int sleeps)
{
	static struct stream stream;
	const struct wanted w = {
		.name = "contexts", .mode = EVENT_TRACE_USE_LOCAL_SEQUENCE, .buffer_kb = 8,
		.buffers = buffers, .uid = -1,
	};
	struct etw_statistics s, before;
	pthread_t thread;
	int id = session_start(control, &w);

	if (id < 0)
		exit(1);
	stream = (struct stream){
		.name = "contexts", .take = take, .logger = id, .modern = &sample_guid,
	};
	memset(&numbers, 0, sizeof(numbers));
	reader_sleeps = sleeps;
	prefix = sleeps ? "a reader that sleeps: " : "";
	set_parameter("write", "10");
	logged(!session_enable(control, id, &sample_guid, 1, 4, 0x5A),
	     "ENABLE of the module's GUID");
	if (pthread_create(&thread, NULL, reader, &stream))
		die("pthread_create");
	set_parameter("write", records);
	logged(!session_enable(control, id, &sample_guid, 0, 0, 0), "and its end");
	set_parameter("write", "10");
	/* it is gone when it is read to its end; and anchors come while we look */
	session_statistics(control, id, &before);
	do {
		s = before;
		session_statistics(control, id, &before);
	} while (memcmp(&s, &before, sizeof(s)));
	logged(!on_session(control, ETW_IOC_STOP, id, 0), "STOP");
	pthread_join(thread, NULL);
	compare(&stream, &s);
	if (sleeps)
		logged(all_lost(&s) > 0, "events are lost");
}

/* Some of the events of check_modern(), by level, keywords and name; and the provider's state */
static int enable_modern(int id)
{
	static const struct etw_filter_event_names names = { .count = 1, .names = "L" };
	const struct etw_event_filter filter = {
		.data = (unsigned long)&names, .type = ETW_FILTER_EVENT_NAME,
		.size = offsetof(struct etw_filter_event_names, names) + 2,
	};
	struct etw_enable enable = {
		.size = sizeof(enable), .logger_id = id, .guid = SAMPLE_GUID, .enabled = 1,
		.level = 3, .match_any = 6, .match_all = 2, .nr_filters = 1,
		.filters = (unsigned long)&filter,
	};
	const struct etw_enable capture = {
		.size = sizeof(capture), .logger_id = id, .guid = SAMPLE_GUID,
		.enabled = ETW_ENABLE_CAPTURE_STATE,
	};

	return ioctl(control, ETW_IOC_ENABLE, &enable) ||
	       ioctl(control, ETW_IOC_ENABLE, &capture) ? errno : 0;
}

/* What the functions return, case by case */
static void cases(int options)
{
	static struct stream stream;
	const struct wanted w = {
		.name = "cases", .buffer_kb = 4, .buffers = 64, .uid = -1,
		.provider.flags = options ? ETW_PROVIDER_TIMESTAMPS | ETW_PROVIDER_WNODES : 0,
	};
	unsigned long long good = 0;
	struct etw_statistics s;
	pthread_t thread;
	char line[160];
	FILE *file;
	int id;

	stream = (struct stream){
		.name = "cases", .take = take, .stamped = options, .wnodes = options,
		.modern = &sample_guid,
	};
	id = session_start(control, &w);
	if (id < 0)
		exit(1);
	stream.logger = id;
	stamped = 0;
	wnodes = 0;
	if (pthread_create(&thread, NULL, reader, &stream))
		die("pthread_create");
	logged(!enable_modern(id), "ENABLE with keywords and a filter by name");
	set_parameter("options", options ? "1" : "0");
	snprintf(line, sizeof(line), "%d", id);
	set_parameter("check", line);
	file = fopen(PARAMETER "check", "r");
	if (!file)
		die(PARAMETER "check");
	while (fgets(line, sizeof(line), file)) {
		printf("%.*s - %s%s", (int)(strstr(line, " - ") - line), line,
		       options ? "with options: " : "", strstr(line, " - ") + 3);
		failures += line[0] != 'o';
		good += !strstr(line, ": E") && !strstr(line, " no record: ");
	}
	fclose(file);
	session_statistics(control, id, &s);
	logged(!on_session(control, ETW_IOC_STOP, id, 0), "STOP");
	pthread_join(thread, NULL);
	printf("%llu good, %llu read, %llu lost\n", good, stream.ours, all_lost(&s));
	logged(!stream.failures && stream.ours == good, "every success is a record");
	logged(stamped == !!options && wnodes == !!options,
	     "the caller's time stamp where it is taken, and the WNODE_HEADER");
	logged(s.lost[ETW_LOSS_TOO_LARGE] == 2 && all_lost(&s) == 2,
	     "no failure is a loss, but what is larger than a buffer");
}

int main(int argc, char **argv)
{
	control = open("/dev/etw/control", O_RDWR | O_CLOEXEC);
	if (control < 0)
		die("/dev/etw/control");
	cases(0);
	cases(1);
	contexts(argc > 1 ? argv[1] : "4000", 128, 0);
	contexts(argc > 1 ? argv[1] : "4000", 4, 3);
	return failures != 0;
}
