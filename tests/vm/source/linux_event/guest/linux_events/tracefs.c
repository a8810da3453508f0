// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* tracefs: formats of events, and the raw pages of ftrace's ring buffer. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include "linux_events.h"

static FILE *open_text(const char *format, const char *system, const char *name)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), format, system, name);
	file = fopen(path, "r");
	if (!file)
		die(path);
	return file;
}

/* By the declaration in the format file */
static __u16 copy_of(const char *declaration, __u16 *size)
{
	int text = !!strstr(declaration, "char[]"), relative = !!strstr(declaration, "__rel_loc");

	if (relative || strstr(declaration, "__data_loc")) {
		*size = !text;
		if (text)
			return relative ? ETW_FIELD_REL_LOC_STRING : ETW_FIELD_LOC_STRING;
		return relative ? ETW_FIELD_REL_LOC_ARRAY : ETW_FIELD_LOC_ARRAY;
	}
	return strstr(declaration, "char ") && strchr(declaration, '[') ? ETW_FIELD_STRING :
									  ETW_FIELD_BYTES;
}

static int read_line(const char *line, char *declaration, unsigned int *offset, unsigned int *size)
{
	static const char form[] = " field:%255[^;]; offset:%u; size:%u;";

	return sscanf(line, form, declaration, offset, size) == 3 &&
	       !strstr(declaration, " common_");
}

void event_find(struct event *event, const char *system, const char *name)
{
	FILE *file = open_text(TRACEFS "/events/%s/%s/id", system, name);
	char line[512], declaration[256];
	unsigned int offset, size;

	*event = (struct event){ .system = system, .name = name };
	if (fscanf(file, "%u", &event->id) != 1)
		die("id");
	fclose(file);
	file = open_text(TRACEFS "/events/%s/%s/format", system, name);
	while (fgets(line, sizeof(line), file)) {
		if (!read_line(line, declaration, &offset, &size) || !size)
			continue;
		event->field[event->nr] = (struct etw_linux_event_field){
			.offset = offset, .size = size,
		};
		event->field[event->nr].copy = copy_of(declaration, &event->field[event->nr].size);
		if (offset + size > event->record_size)
			event->record_size = offset + size;
		if (++event->nr == MAX_FIELDS)
			die("too many fields");
	}
	fclose(file);
}

/* Offset and size of a field with that name */
__u32 event_offset(const struct event *event, const char *field, __u32 *size)
{
	FILE *file = open_text(TRACEFS "/events/%s/%s/format", event->system, event->name);
	char line[512], declaration[256];
	unsigned int offset = ~0U;
	const char *last;

	while (fgets(line, sizeof(line), file)) {
		if (!read_line(line, declaration, &offset, size))
			continue;
		last = strrchr(declaration, ' ');
		if (last && !strcmp(last + 1, field)) {
			fclose(file);
			return offset;
		}
	}
	die(field);
	return 0;
}

int tracefs_has(const char *path)
{
	char whole[256];
	struct stat st;

	snprintf(whole, sizeof(whole), TRACEFS "/%s", path);
	return !stat(whole, &st);
}

void tracefs_write(const char *path, const char *text)
{
	char whole[256];
	int fd;

	snprintf(whole, sizeof(whole), TRACEFS "/%s", path);
	/* no O_TRUNC: it would remove the probes of others */
	fd = open(whole, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die(whole);
	close(fd);
}

void ftrace_begin(void)
{
	if (!tracefs_has("trace"))
		mount("tracefs", TRACEFS, "tracefs", 0, NULL);
	tracefs_write("tracing_on", "0");
	tracefs_write("buffer_size_kb", "4096");
}

void ftrace_enable(const struct event *event, int on)
{
	char path[256];

	snprintf(path, sizeof(path), "events/%s/%s/enable", event->system, event->name);
	tracefs_write(path, on ? "1" : "0");
}

void ftrace_switch(int on)
{
	if (on)
		close(open(TRACEFS "/trace", O_WRONLY | O_TRUNC));	/* empties it */
	tracefs_write("tracing_on", on ? "1" : "0");
}

/* Bytes of an entry of a page. @data: out: its record, or NULL; @size: out: bytes of it */
static __u32 page_entry(const __u8 *at, const __u8 **data, __u32 *size)
{
	__u32 head, length;

	memcpy(&head, at, 4);
	memcpy(&length, at + 4, 4);
	*data = NULL;
	switch (head & 31) {
	case 29:	/* padding; without a time it fills the page */
		return head >> 5 ? 4 + length : ~0U;
	case 30:
	case 31:
		return 8;
	case 0:
		*data = at + 8;
		*size = length - 4;
		return 4 + length;
	}
	*data = at + 4;
	*size = 4 * (head & 31);
	return 4 + *size;
}

static __u32 read_page(const __u8 *page, __u32 cpu, struct raw *to, __u32 room)
{
	const __u8 *data;
	__u64 commit;
	__u32 at, step, size, nr = 0;

	memcpy(&commit, page + 8, sizeof(commit));
	commit &= 0xFFFFF;	/* flags are above */
	for (at = 16; at < 16 + commit; at += step) {
		step = page_entry(page + at, &data, &size);
		if (step == ~0U)
			break;
		if (!data || nr == room || size > MAX_RAW)
			continue;
		to[nr].cpu = cpu;
		to[nr].size = size;
		memcpy(to[nr++].data, data, size);
	}
	return nr;
}

/* All records, by CPU; ftrace has none afterwards */
__u32 ftrace_read(struct raw *to, __u32 room)
{
	static __u8 page[65536];
	char path[128];
	__u32 cpu, nr = 0;
	ssize_t n;
	int fd;

	for (cpu = 0; cpu < 64; cpu++) {
		snprintf(path, sizeof(path), TRACEFS "/per_cpu/cpu%u/trace_pipe_raw", cpu);
		fd = open(path, O_RDONLY | O_NONBLOCK);
		if (fd < 0)
			break;
		while ((n = read(fd, page, getpagesize())) > 0)
			nr += read_page(page, cpu, to + nr, room - nr);
		close(fd);
	}
	return nr;
}
