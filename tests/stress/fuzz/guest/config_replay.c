// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Every file of directories as a START and as an UPDATE: the kernel and the parser agree. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
/* The parser itself, once more in user space */
#include "module/config/items.c"
#include "module/config/items_encode.c"
#include "module/config/items_conflicts.c"
#include "module/config/items_values.c"
#include "module/config/linux_events.c"
#include "module/config/config.c"
#include "module/config/update.c"
#include "module/config/profile_sources.c"

#define PAGE	4096U

/* What became of a request, or should */
struct verdict {
	int err;
	struct etw_config_error error;
};

/* Numbers of one ioctl */
struct count {
	unsigned int requests;
	unsigned int refused;	/* as the parser does */
	unsigned int own;	/* for a reason that only the kernel knows */
	unsigned int ok;
	unsigned int different;
};

static int control;
/* Blocks end where a page without access begins, for reads that go too far. */
static __u8 *arena;
static __u8 query[16384];
static struct etw_settings settings, now;
static struct count starts, updates;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static __u8 *place(__u32 size)
{
	return arena + 2 * ETW_MAX_INFORMATION - size;
}

static int ask(unsigned long request, struct etw_control *c, struct verdict *kernel)
{
	int err = ioctl(control, request, c);

	*kernel = (struct verdict){
		.err = err < 0 ? -errno : 0,
		.error = { c->error_offset, c->error_reason, c->error_item },
	};
	return kernel->err;
}

/* Means and sources, and existing sessions: not the parser's business */
static int is_own(const struct verdict *kernel)
{
	switch (kernel->err) {
	case -EOPNOTSUPP:
		return kernel->error.reason == ETW_REASON_UNSUPPORTED ||
		       (kernel->error.reason >= ETW_REASON_NO_EVENT &&
			kernel->error.reason <= ETW_REASON_MANNER);
	case -EBUSY:	/* counters */
	case -ENOMEM:
	case -EEXIST:
	case -ENOSPC:
	case -ENOENT:
		return 1;
	case -EINVAL:	/* a user that this namespace has not; buffers that are no option now */
		return kernel->error.reason == ETW_REASON_RANGE ||
		       (kernel->error.reason == ETW_REASON_FIXED &&
			(kernel->error.item || kernel->error.offset == ETW_FIELD(maximum_buffers)));
	}
	return 0;
}

static int is_alike(const struct verdict *parser, const struct verdict *kernel, __u32 size)
{
	if (parser->err != kernel->err)
		return 0;
	/* it is not looked at, so there is no field */
	if (size < sizeof(struct wmi_logger_information) || size > ETW_MAX_INFORMATION)
		return 1;
	return !memcmp(&parser->error, &kernel->error, sizeof(parser->error));
}

static void compare(struct count *count, const char *what, const char *name, __u32 size,
		    const struct verdict *parser, const struct verdict *kernel)
{
	count->requests++;
	if (!parser->err && !kernel->err) {
		count->ok++;
	} else if (!parser->err && is_own(kernel)) {
		count->own++;
	} else if (is_alike(parser, kernel, size)) {
		count->refused++;
	} else {
		count->different++;
		printf("%s %s: parser %d at %x reason %u item %u, kernel %d at %x reason %u item %u\n",
		       what, name, parser->err, parser->error.offset, parser->error.reason,
		       parser->error.item, kernel->err, kernel->error.offset,
		       kernel->error.reason, kernel->error.item);
	}
}

/* The configuration of a session, as QUERY returns it: what a block can say. */
static void get_settings(__u32 id)
{
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = sizeof(query),
		.information = (unsigned long)query,
	};
	struct wmi_logger_information *info = (void *)query;
	struct etw_config_error error;
	__u32 size;

	if (ioctl(control, ETW_IOC_QUERY, &c))
		die("QUERY");
	size = info->wnode.buffer_size;
	if (etw_config_parse(query, size, &now, &error)) {
		printf("QUERY gives what START would refuse: at %x reason %u item %u\n",
		       error.offset, error.reason, error.item);
		updates.different++;
	}
}

static void update(__u32 id, const char *name, const __u8 *block, __u32 size)
{
	struct etw_control c = {
		.size = sizeof(c), .logger_id = id, .information_size = size,
		.information = (unsigned long)block,
	};
	struct verdict parser = { 0 }, kernel;

	get_settings(id);
	parser.err = etw_config_parse(block, size, &settings, &parser.error);
	if (!parser.err)
		parser.err = etw_config_check_update(&now, &settings, &parser.error);
	ask(ETW_IOC_UPDATE, &c, &kernel);
	compare(&updates, "UPDATE", name, size, &parser, &kernel);
}

static void discard(__u32 id)
{
	struct etw_control c = {
		.size = sizeof(c), .flags = ETW_STOP_DISCARD, .logger_id = id,
	};

	if (ioctl(control, ETW_IOC_STOP, &c))
		die("STOP");
}

/* Returns the logger id, or 0. The block is written to. */
static __u32 start(const char *name, __u8 *block, __u32 size)
{
	struct etw_control c = {
		.size = sizeof(c), .flags = ETW_START_NO_RUNDOWN, .information_size = size,
		.information = (unsigned long)block,
	};
	struct verdict parser = { 0 }, kernel;

	parser.err = etw_config_parse(block, size, &settings, &parser.error);
	if (!parser.err)
		parser.err = etw_config_check_sources(&settings, NULL, &parser.error);
	ask(ETW_IOC_START, &c, &kernel);
	compare(&starts, "START", name, size, &parser, &kernel);
	return kernel.err ? 0 : c.logger_id;
}

/* A session of that file, and updates of it to the same file and to the one before */
static void replay(const char *name, const __u8 *bytes, __u32 size, __u32 other)
{
	static __u8 before[2 * ETW_MAX_INFORMATION];
	static __u32 before_size;
	__u8 *block = place(size);
	__u32 id;

	memcpy(block, bytes, size);
	update(other, name, block, size);
	id = start(name, block, size);
	if (!id)
		return;
	memcpy(block, bytes, size);
	update(id, name, block, size);
	block = place(before_size);
	memcpy(block, before, before_size);
	if (before_size)
		update(id, "before it", block, before_size);
	discard(id);
	memcpy(before, bytes, size);
	before_size = size;
}

static void replay_directory(const char *path, __u32 other)
{
	static __u8 bytes[2 * ETW_MAX_INFORMATION];
	struct dirent **entries;
	char file[4096];
	int n, i, fd;
	ssize_t size;

	/* in an order that is the same each time */
	n = scandir(path, &entries, NULL, alphasort);
	if (n < 0)
		die(path);
	for (i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		fd = entries[i]->d_type == DT_REG ? open(file, O_RDONLY) : -1;
		size = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
		if (size >= 0)
			replay(entries[i]->d_name, bytes, size, other);
		if (fd >= 0)
			close(fd);
	}
}

static __u32 start_other(void)
{
	static const __u16 name[] = { 'o', 't', 'h', 'e', 'r' };
	struct wmi_logger_information info = {
		.wnode.buffer_size = sizeof(info) + sizeof(name),
		.wnode.flags = WNODE_FLAG_TRACED_GUID,
		.maximum_buffers = 8,
		.log_file_mode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_SYSTEM_LOGGER_MODE,
		.logger_name = { sizeof(name), 0, 0, sizeof(info) },
	};
	__u8 *block = place(sizeof(info) + sizeof(name));
	__u32 id;

	memcpy(block, &info, sizeof(info));
	memcpy(block + sizeof(info), name, sizeof(name));
	id = start("other", block, sizeof(info) + sizeof(name));
	if (!id)
		die("a session");
	return id;
}

static void report(const char *what, const struct count *count)
{
	printf("replay: %s %u refused %u own %u ok %u different %u\n", what, count->requests,
	       count->refused, count->own, count->ok, count->different);
}

int main(int argc, char **argv)
{
	__u32 other;
	int i;

	control = open("/dev/etw/control", O_RDWR);
	if (control < 0)
		die("/dev/etw/control");
	arena = mmap(NULL, 2 * ETW_MAX_INFORMATION + PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (arena == MAP_FAILED || mprotect(arena + 2 * ETW_MAX_INFORMATION, PAGE, PROT_NONE))
		die("mmap");
	other = start_other();
	for (i = 1; i < argc; i++)
		replay_directory(argv[i], other);
	discard(other);
	report("START", &starts);
	report("UPDATE", &updates);
	return starts.different || updates.different;
}
