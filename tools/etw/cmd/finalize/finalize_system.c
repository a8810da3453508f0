// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The machine that a trace is of, and its kernel's symbols. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include "libetl/text.h"
#include "etw.h"
#include "finalize.h"
#include "symbols/symbol_table.h"
#include "symbols/symbols.h"

#define BUILD_INFO	32
#define SYSTEM_PATHS	33
#define VOLUME_MAPPING	35

/*
 * Contains SystemDirectory, as SystemWindowsDirectory does on Windows. TraceEvent takes the first
 * two characters for a drive and requires a separator at the end. With "/" it throws an exception
 * and opens no trace.
 */
#define SYSTEM_ROOT	"/lib/"

static const struct etw_guid system_config_ex = {
	0x9b79ee91, 0xb5fd, 0x41c0, { 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9, 0xd0 }
};

static const struct etl_buffer first_processor;

/* The first line of a file that begins with @key, without that and quotes around */
static void text_of(const char *sysroot, const char *name, const char *key, char *to, size_t room)
{
	char path[4096], line[1024];
	char *value, *end;
	FILE *file;

	to[0] = 0;
	snprintf(path, sizeof(path), "%s%s", sysroot, name);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line[strcspn(line, "\n")] = 0;
		value = line + strlen(key);
		end = value + strlen(value);
		if (*value == '"' && end - value > 1 && end[-1] == '"') {
			value++;
			end[-1] = 0;
		}
		snprintf(to, room, "%s", value);
		break;
	}
	if (file)
		fclose(file);
}

/* The machine got its id when it was installed. 0: not known */
static uint64_t install_date(const char *sysroot)
{
	struct stat stat_;
	char path[4096];

	snprintf(path, sizeof(path), "%s/etc/machine-id", sysroot);
	if (stat(path, &stat_))
		return 0;
	return FILETIME_OF_UNIX + stat_.st_mtim.tv_sec * 10000000ULL;
}

static void begin(struct finalizing *finalizing, uint8_t opcode)
{
	finalizing_begin(finalizing, &system_config_ex, opcode, 0, finalizing->trace->log.t0, 0,
			 0);
}

/* Release and version of the kernel, the distribution's name */
static int write_build_info(struct finalizing *finalizing)
{
	const char *sysroot = finalizing->options->sysroot;
	char build[1100], product[1024], release[512], version[512];
	struct utsname name;

	if (*sysroot) {
		text_of(sysroot, "/proc/sys/kernel/osrelease", "", release, sizeof(release));
		text_of(sysroot, "/proc/sys/kernel/version", "", version, sizeof(version));
	} else if (!uname(&name)) {
		snprintf(release, sizeof(release), "%s", name.release);
		snprintf(version, sizeof(version), "%s", name.version);
	} else {
		return 0;
	}
	snprintf(build, sizeof(build), "%s %s", release, version);
	text_of(sysroot, "/etc/os-release", "PRETTY_NAME=", product, sizeof(product));
	begin(finalizing, BUILD_INFO);
	finalizing_u64(finalizing, install_date(sysroot));
	finalizing_text(finalizing, build);
	finalizing_text(finalizing, product[0] ? product : "Linux");
	if (finalizing_write(finalizing, &first_processor))
		return -1;
	snprintf(build, sizeof(build), SYSTEM_ROOT "modules/%s", release);
	begin(finalizing, SYSTEM_PATHS);
	finalizing_text(finalizing, build);
	finalizing_text(finalizing, SYSTEM_ROOT);
	return finalizing_write(finalizing, &first_processor);
}

int finalizing_machine(struct finalizing *finalizing)
{
	if ((finalizing->here || *finalizing->options->sysroot) && write_build_info(finalizing))
		return -1;
	/* consumers take their own machine's volumes when a trace has none */
	begin(finalizing, VOLUME_MAPPING);
	finalizing_text(finalizing, "\\??\\");
	finalizing_text(finalizing, "");
	return finalizing_write(finalizing, &first_processor);
}

static const struct etw_guid our_provider = ETW_LINUX_PROVIDER_GUID;

static int write_pieces(struct finalizing *finalizing, struct etw_kallsyms *head,
			const uint8_t *bytes)
{
	uint32_t room = finalizing_event_room(finalizing) - sizeof(*head), n;

	head->parts = (head->packed + room - 1) / room;
	for (; head->part < head->parts; head->part++, bytes += n) {
		n = head->packed - head->part * room;
		if (n > room)
			n = room;
		finalizing_begin_event(finalizing, &our_provider, ETW_LINUX_EVENT_KALLSYMS,
				       finalizing->out.last, 0);
		finalizing_bytes(finalizing, head, sizeof(*head));
		finalizing_bytes(finalizing, bytes, n);
		if (finalizing_write(finalizing, &first_processor))
			return -1;
	}
	finalizing->symbols = head->packed;
	return 0;
}

/* Users without the right to see addresses get zeros, which are no symbols. */
static bool is_of_use(const char *text, size_t size)
{
	struct symbol_table *table = symbols_of_kallsyms(text, size);

	symbol_table_free(table);
	return table;
}

static int write_kallsyms(struct finalizing *finalizing, const char *text, size_t size)
{
	struct etw_kallsyms head = { .size = size };
	uint8_t *bytes;
	size_t packed;
	int err = 0;

	bytes = kallsyms_pack(text, size, &packed, &head.method);
	head.packed = packed;
	if (!bytes)
		err = -1;
	else if (packed <= UINT32_MAX)
		err = write_pieces(finalizing, &head, bytes);
	free(bytes);
	return err;
}

static const char *why_not(const struct finalizing *finalizing, const char *text, size_t size)
{
	if (!text || !is_of_use(text, size))
		return "it shows no addresses";
	if (!finalizing->options->kallsyms && !kallsyms_begin_at(text, size, finalizing->kernel))
		return "the kernel is not where that of the trace was";
	return NULL;
}

/*
 * A trace without kernel addresses may belong to a user without the right to see them. So it
 * gets no kernel symbols, whatever the rights of the user who finalizes it are.
 */
int finalizing_kallsyms(struct finalizing *finalizing)
{
	const struct finalize_options *options = finalizing->options;
	const char *path = options->kallsyms ? options->kallsyms : "/proc/kallsyms", *why;
	size_t size;
	char *text;
	int err = 0;

	if (options->no_kallsyms)
		return 0;
	if (!options->kallsyms && (!finalizing->kernel || !finalizing->here ||
				   *options->sysroot))
		return 0;
	text = whole_file(path, &size);
	/* the trace is made final once: not without what was asked for */
	if (!text && options->kallsyms) {
		failed("%s: %s", path, strerror(errno));
		return -1;
	}
	why = why_not(finalizing, text, size);
	if (why)
		warn("%s: %s; symbols of the kernel are missing", path, why);
	else
		err = write_kallsyms(finalizing, text, size);
	free(text);
	return err;
}
