// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Programs' events: sessions in a few words, records as they are read of them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "tests/lib/guest/statistics.h"
#include "etw_linux.h"
#include "programs.h"

#define NAME_UNITS	32
#define ROOM		(8U << 20)
/* WMI_BUFFER_HEADER, SYSTEM_TRACE_HEADER, and there in TRACE_LOGFILE_HEADER */
#define TIMER_RESOLUTION_AT	(0x48 + 0x20 + 0x18)

struct block {
	struct wmi_logger_information info;
	__u16 name[NAME_UNITS];
	__u32 items[32];
};

int control = -1, provider = -1;
static __u32 resolution = 40000;	/* 100 ns; as the last stream's first record has it */

int try(int fd, unsigned long cmd, const void *arg)
{
	return ioctl(fd, cmd, arg) ? errno : 0;
}

static __u32 *add_item(struct block *block, __u16 type, const __u32 *values, __u32 n)
{
	__u32 used = block->items[0] & 0xFFFF, i;
	__u32 *item = block->items + used;

	*item = (n + 1) | (__u32)type << 16;
	for (i = 0; i < n; i++)
		item[1 + i] = values[i];
	block->items[0] = (block->items[0] + 0x10000) + n + 1;
	return item;
}

static void fill_items(struct block *block, const struct wish *wish)
{
	__u32 options[2] = { wish->options, wish->rate };

	block->items[0] = 1;
	if (wish->flags)
		add_item(block, ETW_EXT_ENABLE_FLAGS, &wish->flags, 1);
	if (wish->nr_uids)
		add_item(block, ETW_EXT_VND_PROVIDER_UIDS, wish->uids, wish->nr_uids);
	if (wish->nr_gids)
		add_item(block, ETW_EXT_VND_PROVIDER_GIDS, wish->gids, wish->nr_gids);
	if (!wish->plain)
		add_item(block, ETW_EXT_VND_PROVIDER_OPTIONS, options, 2);
	block->info.enable_flags = 0x80FF0000 | offsetof(struct block, items);
}

/* errno, or 0 and @id */
int try_start(const struct wish *wish, __u32 *id)
{
	static const char letters[] = "programs";
	const char *name = wish->name ? wish->name : letters;
	struct block block = {
		.info = {
			.wnode = { .buffer_size = sizeof(block), .flags = WNODE_FLAG_TRACED_GUID,
				   .client_context = wish->clock ? wish->clock : ETW_CLOCK_SYSTEM },
			.buffer_size = wish->kb ? wish->kb : 64,
			.maximum_buffers = wish->buffers ? wish->buffers : 16,
			.log_file_mode = wish->mode | EVENT_TRACE_REAL_TIME_MODE,
			.logger_name.buffer = offsetof(struct block, name),
		},
	};
	struct etw_control c = {
		.size = sizeof(c), .flags = ETW_START_NO_RUNDOWN,
		.information_size = sizeof(block), .information = (unsigned long)&block,
	};
	int i, err;

	if (wish->flags)
		block.info.log_file_mode |= EVENT_TRACE_SYSTEM_LOGGER_MODE;
	for (i = 0; name[i] && i < NAME_UNITS - 1; i++)
		block.name[i] = name[i];
	block.info.logger_name.length = 2 * i;
	if (!wish->plain || wish->nr_uids || wish->nr_gids || wish->flags)
		fill_items(&block, wish);
	err = try(control, ETW_IOC_START, &c);
	if (err)
		printf("# START: %s, field 0x%x, reason %u, item %u\n", error_name(err),
		       c.error_offset, c.error_reason, c.error_item);
	*id = err ? 0 : c.logger_id;
	return err;
}

int open_stream(__u32 id)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "/dev/etw/session%u", id);
	fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		die(name);
	return fd;
}

struct session start(const struct wish *wish)
{
	struct session session = { 0 };

	errno = try_start(wish, &session.id);
	if (errno)
		die("START");
	session.node = open_stream(session.id);
	session.data = malloc(ROOM);
	if (!session.data)
		die("memory");
	take(&session, NULL, 0);
	return session;
}

int stop(__u32 id, __u32 flags)
{
	return on_session(control, ETW_IOC_STOP, id, flags);
}

int on(unsigned long cmd, __u32 id)
{
	return on_session(control, cmd, id, 0);
}

void end(struct session *session)
{
	int err = stop(session->id, ETW_STOP_DISCARD);

	if (err && err != ENOENT)
		result(0, "STOP of a session # session %u: %s", session->id, error_name(err));
	close(session->node);
	free(session->data);
}

struct etw_statistics statistics(__u32 id)
{
	return statistics_of(control, id);
}

int open_provider(__u32 version)
{
	struct etw_provider_rules rules = { .size = sizeof(rules), .version = version };
	int fd = open("/dev/etw/provider", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		die("/dev/etw/provider");
	errno = version ? try(fd, ETW_PROVIDER_SET_RULES, &rules) : 0;
	if (errno)
		die("SET_RULES");
	return fd;
}

/* By 3.1 of the format: 0 where a record is none */
static __u32 size_of_record(const __u8 *bytes)
{
	if (bytes[3] == 0x90)
		return get16(bytes);
	/* a WNODE_HEADER: no marker, but a size of 32 bits */
	if (!bytes[3] && !bytes[2])
		return get32(bytes);
	if (bytes[3] != 0xC0)
		return 0;
	switch (bytes[2]) {
	case 0x01 ... 0x04:
	case 0x10 ... 0x11:
		return get16(bytes + 4);
	default:
		return get16(bytes);
	}
}

/* Of one buffer; returns how many there are now */
static size_t take_buffer(const __u8 *buffer, struct record *to, size_t n, size_t most)
{
	static const struct etw_guid own = ETW_LINUX_PROVIDER_GUID;
	__u32 at = 0x48, end = get32(buffer + 0x30), size;

	if (get16(buffer + 0x36) == ETW_BUFFER_TYPE_HEADER) {
		resolution = get32(buffer + TIMER_RESOLUTION_AT);
		return n;
	}
	for (; at < end; at += (size + 7) & ~7U) {
		size = size_of_record(buffer + at);
		if (size < 8 || at + size > end) {
			result(0, "a buffer has whole records # %u bytes at 0x%x of 0x%x", size, at,
			       end);
			break;
		}
		/* what sessions say of themselves */
		if (buffer[at + 3] == 0xC0 && buffer[at + 2] == 0x13 &&
		    get32(buffer + at + 0x18) == own.data1)
			continue;
		if (n < most)
			to[n] = (struct record){ buffer + at, size, get16(buffer + 0x28), at };
		n++;
	}
	return n;
}

size_t take(struct session *session, struct record *to, size_t most)
{
	size_t at = 0, n = 0;
	ssize_t got;

	session->size = 0;
	errno = on(ETW_IOC_FLUSH, session->id);
	if (errno && errno != EALREADY && errno != EINVAL)
		die("FLUSH");
	while ((got = read(session->node, session->data + session->size,
			   ROOM - session->size)) > 0)
		session->size += got;
	if (got < 0 && errno != EAGAIN)
		die("read");
	for (; at + 0x48 <= session->size; at += get32(session->data + at)) {
		n = take_buffer(session->data + at, to, n, most);
		if (!get32(session->data + at))
			break;
	}
	return n;
}

struct record take_one(struct session *session)
{
	struct record records[2] = { { 0 } };
	size_t n = take(session, records, 2);

	if (n == 1)
		return records[0];
	printf("# %zu records\n", n);
	return (struct record){ 0 };
}

static __u32 units(struct timeval t)
{
	return (t.tv_sec * 10000000ULL + t.tv_usec * 10ULL) / resolution;
}

struct moment moment(void)
{
	struct moment m;
	struct timespec t;
	struct rusage r;

	clock_gettime(CLOCK_REALTIME, &t);
	getrusage(RUSAGE_THREAD, &r);
	m.filetime = FILETIME_OF(t);
	m.time = units(r.ru_stime) + units(r.ru_utime);
	return m;
}

/* With one CPU records are read in the order in which they were written. */
void stay_on(int cpus)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	while (cpus--)
		CPU_SET(cpus, &set);
	sched_setaffinity(0, sizeof(set), &set);
}
