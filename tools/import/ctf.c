// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Folders with CTF traces, as LTTng writes them: one for the kernel, others for programs. */
#define _GNU_SOURCE
#include "ctf.h"
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include "import.h"
#include "import_limits.h"
#include "libetl/messages.h"

#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)

#define METADATA	"metadata"
#define OPEN_FOLDERS	16
#define MOST_TRACES	4096

/* nftw() has no argument for it */
static struct ctf_reading *searching;

static int look_at(const char *path, const struct stat *stat_, int type, struct FTW *ftw)
{
	struct ctf_reading *reading = searching;
	char *folder;

	(void)stat_;
	if (type != FTW_F || strcmp(path + ftw->base, METADATA))
		return 0;
	if (reading->count == MOST_TRACES) {
		failed("import: %s: more than %d CTF traces", reading->importing->file.name,
		       MOST_TRACES);
		return 1;
	}
	folder = strndup(path, ftw->base ? ftw->base - 1 : 0);
	if (!folder || !map_make_room((void **)&reading->folders, reading->count,
				      sizeof(*reading->folders))) {
		free(folder);
		no_memory();
		return 1;
	}
	reading->folders[reading->count++] = folder;
	return 0;
}

static int compare(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static int find_traces(struct ctf_reading *reading, const char *name)
{
	int err;

	searching = reading;
	err = nftw(name, look_at, OPEN_FOLDERS, FTW_PHYS);
	if (err > 0)
		return -1;
	if (err) {
		failed("import: %s: %s", name, strerror(errno));
		return -1;
	}
	if (!reading->count) {
		failed("import: %s: no CTF trace: neither this folder nor one within it has a file "
		       METADATA, name);
		return -1;
	}
	qsort(reading->folders, reading->count, sizeof(*reading->folders), compare);
	return 0;
}

static int read_ctf(struct importing *importing)
{
	if (ctf_graph_run(importing->source))
		return -1;
	if (importing->begun)
		return 0;
	failed("import: %s: the CTF trace has no event", importing->file.name);
	return -1;
}

static void close_ctf(struct importing *importing)
{
	struct ctf_reading *reading = importing->source;
	size_t i;

	for (i = 0; i < reading->count; i++)
		free(reading->folders[i]);
	free(reading->folders);
	free(reading->cpus);
	map_free(&reading->kinds);
	map_free(&reading->streams);
	free(reading);
}

int import_open_ctf(struct importing *importing, const char *name, const char *output)
{
	static const struct import_provider provider = { "Linux.LTTng", {
		0xcebaa1ca, 0x5e10, 0x5c68, { 0xc0, 0x4c, 0x7f, 0xfe, 0x31, 0xb5, 0x07, 0x48 }
	} };
	struct ctf_reading *reading = calloc(1, sizeof(*reading));

	if (!reading)
		return no_memory();
	importing->source = reading;
	importing->close = close_ctf;
	importing->file.name = name;
	importing->read = read_ctf;
	importing->provider = &provider;
	importing->tasks_by_events = true;
	importing->input_size = import_input_size(name);
	reading->importing = importing;
	reading->ctf = ctf_library();
	reading->values.ctf = reading->ctf;
	if (!reading->ctf) {
		failed("import: %s: CTF needs libbabeltrace2 (Debian: libbabeltrace2-0)", name);
		return -1;
	}
	return find_traces(reading, name) ? -1 : import_begin(importing, output);
}

#else

int import_open_ctf(struct importing *importing, const char *name, const char *output)
{
	(void)importing;
	(void)output;
	failed("import: %s: this etw was built without libbabeltrace2, which reads CTF "
	       "(Debian: libbabeltrace2-dev)", name);
	return -1;
}

#endif
