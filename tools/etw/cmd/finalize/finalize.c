// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw finalize: a trace gets what other machines need to name its addresses. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "libetl/guids.h"
#include "common/copy_progress.h"
#include "common/verb_options.h"
#include "etw.h"
#include "finalize.h"
#include "finalize_names.h"
#include "symbols/symbols.h"
#include "common/unfinished.h"

static const char help[] =
	"finalize [options] FILE\n\n"
	"Adds to a trace, on the machine that it is of: the build-ids of its images, which symbols\n"
	"are found by; the system's name; names of the functions that samples and stacks hit, for\n"
	"PerfView, and the fields of events that it does not know; and the kernel's symbols, where\n"
	"the trace has kernel addresses. The file is replaced when all is written. To be done\n"
	"once.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .help = "write OUT, and leave FILE as it is" },
	{ .code = OPTION_SYSROOT, .help = "look for files below DIR: the trace is of another machine" },
	{ .code = OPTION_KALLSYMS, .help = "a copy of its /proc/kallsyms" },
	{ 'K', 0, "no-kallsyms", NULL, "leave the kernel's symbols out" },
	{ .code = OPTION_QUIET },
	{ }
};

static bool is_final(const struct etl_record *record)
{
	uint16_t hook;

	if (etl_is_ours(record))
		return record->id == ETW_LINUX_EVENT_KALLSYMS ||
		       record->id == ETW_LINUX_EVENT_CGROUP;
	return record->header == ETL_FULL && hook_of(record, &hook) &&
	       (hook >> 8 == GROUP_IMAGE_ID || hook >> 8 == GROUP_SYSTEM_CONFIG_EX);
}

static int take(struct finalizing *finalizing, const struct etl_buffer *buffer,
		const struct etl_record *record, uint64_t time)
{
	struct merging *out = &finalizing->out;

	if (is_final(record)) {
		failed("%s: it is final", finalizing->trace->name);
		return -1;
	}
	if (merging_source_take(&finalizing->source, out, buffer, time))
		return -1;
	if (finalize_names_due(finalizing, time))
		return -1;
	if (finalizing_is_image(record) && finalizing_image(finalizing, buffer, record))
		return -1;
	if (finalizing_describe(finalizing, buffer, record, time))
		return -1;
	return merging_add(out, buffer, record);
}

static void show_progress(const struct finalizing *finalizing, bool last)
{
	if (!finalizing->options->quiet)
		merging_progress(&finalizing->out, finalizing->trace->count, last);
}

static int copy_records(struct finalizing *finalizing)
{
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;
	int err = 0;

	if (merge_begin(&merge, finalizing->trace, false))
		return -1;
	while (!err && merge_next(&merge, &record, &buffer)) {
		/* that of the file is made anew */
		if (!buffer->at)
			continue;
		err = take(finalizing, buffer, record, merge_time(&merge));
		show_progress(finalizing, false);
	}
	show_progress(finalizing, true);
	merge_warn(&merge);
	if (!err && merge.broken)
		err = failed("%s: it is damaged", finalizing->trace->name);
	merge_end(&merge);
	return err ? -1 : 0;
}

static int write_all(struct finalizing *finalizing)
{
	finalizing->out.last = finalizing->trace->log.t0;
	if (finalize_names_find(finalizing) || finalizing_machine(finalizing) ||
	    finalizing_cgroups_before(finalizing) || copy_records(finalizing) ||
	    finalize_names_rest(finalizing) || finalizing_cgroups_now(finalizing) ||
	    finalizing_kallsyms(finalizing))
		return -1;
	merging_source_finish(&finalizing->source, &finalizing->out);
	return merging_finish(&finalizing->out, finalizing->trace, 1);
}

static int check_trace(const struct trace *trace)
{
	if (trace->compressed)
		return failed("%s: it is compressed", trace->name);
	if (trace->gaps)
		return failed("%s: it is damaged at 0x%" PRIx64, trace->name, trace->gap_at);
	/* they would be gone with FILE */
	if (trace->torn)
		return failed("%s: its last %" PRIu64 " bytes are no whole buffer%s", trace->name,
			      trace->size - trace->end, trace_breaks_off(trace) ?
			      "; 'etw close' cuts them" : ": it is damaged");
	if (trace->log.pointer_size != 8)
		return failed("%s: it is of a 32-bit system, so not of ours", trace->name);
	if (!trace->log.buffers_written)
		return failed("%s was not closed ('etw close' closes it)", trace->name);
	trace_warn(trace);
	return EXIT_OK;
}

static int write_trace(const struct trace *trace, const char *output,
		       const struct finalize_options *options)
{
	struct finalizing *finalizing = calloc(1, sizeof(*finalizing));
	uint32_t size = merging_size(trace, 1);
	int err;

	if (!finalizing)
		return failed("%s", strerror(ENOMEM));
	finalizing->trace = trace;
	finalizing->options = options;
	finalizing->here = trace_is_of_this_boot(trace);
	err = merging_source_begin(&finalizing->source, trace);
	unfinished_hold();
	if (!err)
		err = merging_open(&finalizing->out, output, size,
				   trace->buffers[0].header.logger_id);
	unfinished_begin(err ? NULL : output);
	if (!err) {
		err = write_all(finalizing);
		err |= merging_close(&finalizing->out, err);
	}
	if (!err && !options->quiet)
		fprintf(stderr, "etw: %s: %" PRIu64 " images, %" PRIu64 " with a build-id, %"
			PRIu64 " functions with names, %" PRIu64 " bytes of kernel symbols\n",
			options->output ? output : trace->name, finalizing->images,
			finalizing->identified, finalizing->named, finalizing->symbols);
	merging_source_end(&finalizing->source);
	finalize_names_free(finalizing->functions);
	map_free(&finalizing->names);
	map_free(&finalizing->described);
	free(finalizing->identity);
	free(finalizing);
	return err ? EXIT_FAILED : EXIT_OK;
}

/* Writes a new file beside the old one, unreadable for other users until it replaces that */
static int write_beside_file(const struct trace *trace, const char *file,
			     const struct finalize_options *options)
{
	size_t room = strlen(file) + sizeof(".XXXXXX");
	char *name = malloc(room);
	struct stat old;
	int fd, code, err;

	if (!name)
		return failed("%s", strerror(ENOMEM));
	snprintf(name, room, "%s.XXXXXX", file);
	unfinished_hold();
	fd = stat(file, &old) ? -1 : mkstemp(name);
	err = errno;
	unfinished_begin(fd < 0 ? NULL : name);
	if (fd < 0) {
		code = failed("%s: no file can be made beside it: %s (-o OUT writes to another "
			      "place)", file, strerror(err));
		free(name);
		return code;
	}
	code = write_trace(trace, name, options);
	/* without the right to keep the owner, the file belongs to the user of this process */
	if (!code && fchown(fd, old.st_uid, old.st_gid) && errno != EPERM)
		code = failed("%s: %s", name, strerror(errno));
	if (!code && (fchmod(fd, old.st_mode & 07777) || rename(name, file)))
		code = failed("%s: %s", file, strerror(errno));
	if (code)
		unlink(name);
	unfinished_end();
	close(fd);
	free(name);
	return code;
}

/* The file that is meant, not a link to it */
static int write_beside(const struct trace *trace, const struct finalize_options *options)
{
	char *file = realpath(trace->name, NULL);
	int code;

	if (!file)
		return failed("%s: %s", trace->name, strerror(errno));
	code = write_beside_file(trace, file, options);
	free(file);
	return code;
}

int finalize_file(const char *name, const struct finalize_options *how)
{
	struct trace trace;
	int code;

	if (!strcmp(name, "-"))
		return failed("finalize: of a file, not of a stream");
	if (how->output && is_same_file(name, how->output))
		return failed("%s: this is the file to read", how->output);
	if (trace_open(&trace, name))
		return EXIT_FAILED;
	code = check_trace(&trace);
	if (!code)
		code = how->output ? write_trace(&trace, how->output, how) :
		       write_beside(&trace, how);
	unfinished_end();
	trace_close(&trace);
	return code;
}

static int finalize(int argc, char **argv)
{
	struct finalize_options how = { .sysroot = "" };
	int c;

	while ((c = next_verb_option(&verb_finalize, argc, argv)) != -1) {
		switch (c) {
		case OPTION_OUTPUT:
			how.output = optarg;
			break;
		case OPTION_SYSROOT:
			how.sysroot = optarg;
			break;
		case OPTION_KALLSYMS:
			how.kallsyms = optarg;
			break;
		case 'K':
			how.no_kallsyms = true;
			break;
		case OPTION_QUIET:
			how.quiet = true;
			break;
		default:
			return c == OPTION_HELP ? print_help(&verb_finalize) : EXIT_USAGE;
		}
	}
	if (argc - optind != 1)
		return usage_error(&verb_finalize, "finalize: exactly one file is needed");
	if (how.output && !strcmp(how.output, "-"))
		return usage_error(&verb_finalize, "finalize: -o needs a file, not standard output");
	if (how.kallsyms && how.no_kallsyms)
		return usage_error(&verb_finalize,
				   "finalize: --kallsyms and --no-kallsyms are mutually exclusive");
	return finalize_file(argv[optind], &how);
}

const struct verb verb_finalize = {
	.name = "finalize", .summary = "add build-ids and kernel symbols, for another machine",
	.help = help, .options = options, .run = finalize,
};
