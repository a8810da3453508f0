// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw record --dotnet: .NET programs write their events, which are merged into the recording. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "libetl/output_file.h"
#include "record_child.h"
#include "record_dotnet.h"
#include "record_perf.h"

/* Collections, compilation, exceptions, threads, loader; names of methods at the end; activities */
#define DEFAULT_PROVIDERS \
	"Microsoft-Windows-DotNETRuntime:0x14c14fccbd:5," \
	"Microsoft-Windows-DotNETRuntimeRundown:0x80020139:5," \
	"System.Threading.Tasks.TplEventSource:0x80:5"
/* Where nothing else records samples */
#define SAMPLE_PROVIDER	",Microsoft-DotNETCore-SampleProfiler:0:5"
#define MOST_CONFIG	8192

/**
 * struct dotnet - what the environment of the command contains
 * @files: where it writes
 * @config: providers
 */
struct dotnet {
	struct dotnet_files files;
	char config[MOST_CONFIG];
};

static int make_config(const struct session_options *options, bool sample, struct dotnet *dotnet)
{
	size_t used = snprintf(dotnet->config, MOST_CONFIG, "%s%s", DEFAULT_PROVIDERS,
			       sample ? SAMPLE_PROVIDER : "");
	uint32_t i;

	for (i = 0; i < options->nr_dotnet_providers; i++) {
		used += snprintf(dotnet->config + used, MOST_CONFIG - used, ",%s",
				 options->dotnet_providers[i]);
		if (used >= MOST_CONFIG)
			return option_error(options, "--dotnet-provider: the providers have more "
					    "than %u characters", MOST_CONFIG);
	}
	return EXIT_OK;
}

static const struct {
	const char *name;
	const char *value;
} settings[] = {
	{ "DOTNET_EnableEventPipe", "1" },
	/* otherwise the runtime keeps events in memory until it ends */
	{ "DOTNET_EventPipeOutputStreaming", "1" },
	{ "DOTNET_EventPipeConfig", NULL },
	{ "DOTNET_EventPipeOutputPath", NULL },
};

static const char *value_of(const struct dotnet *dotnet, size_t i)
{
	if (settings[i].value)
		return settings[i].value;
	return i == 2 ? dotnet->config : dotnet->files.pattern;
}

static int set_environment(const struct dotnet *dotnet)
{
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		if (setenv(settings[i].name, value_of(dotnet, i), 1))
			return failed("record: --dotnet: %s: no memory", settings[i].name);
	return EXIT_OK;
}

static void print_environment(const struct dotnet *dotnet)
{
	size_t i;

	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		printf("%s='%s'\n", settings[i].name, value_of(dotnet, i));
}

/* As a shell has it */
static int run_alone(char **command)
{
	/* Ctrl-C ends the command; its events are imported */
	int status = record_child(command, 0);

	if (status < 0)
		return EXIT_FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whether only .NET records */
static bool is_alone(const struct session_options *kernel)
{
	if (!kernel->no_module || perf_may_record(kernel))
		return false;
	warn("record: --dotnet: only events of .NET are recorded, because perf is missing or may "
	     "not record (Debian: apt-get install linux-perf; sysctl kernel.perf_event_paranoid)");
	return true;
}

static int record_all(const struct session_options *options, char **command,
		      struct dotnet *dotnet,
		      int (*record)(const struct session_options *options, char **command))
{
	struct session_options kernel = *options;
	int code = dotnet_files_make(&dotnet->files, options->file);
	bool alone;

	if (code)
		return code;
	kernel.file = dotnet->files.kernel;
	alone = is_alone(&kernel);
	code = make_config(options, alone, dotnet);
	if (!code)
		code = set_environment(dotnet);
	if (code) {
		dotnet_files_remove(&dotnet->files);
		return code;
	}
	code = alone ? run_alone(command) : record(&kernel, command);
	return dotnet_files_merge(&dotnet->files, options->file, options->quiet, code);
}

/* A device or a pipe has no place beside it, and would be replaced. */
static bool is_replaceable(const char *file)
{
	char *path = output_path(file);
	bool good = path && (access(path, F_OK) || output_is_replaced(path));

	free(path);
	return good;
}

static int check(const struct session_options *options, char **command)
{
	/* --dry-run shows the environment for any command */
	if (!command && !options->dry_run)
		return option_error(options, "--dotnet: missing COMMAND (a program of .NET)");
	if (!strcmp(options->file, "-") || strchr(options->file, '%') ||
	    options->target != EVENT_TRACE_REAL_TIME_MODE || !is_replaceable(options->file))
		return option_error(options, "--dotnet: one file, without --mode, --flight, "
				    "--max-file, devices and standard output");
	return EXIT_OK;
}

static int show(const struct session_options *options, char **command, struct dotnet *dotnet,
		int (*record)(const struct session_options *options, char **command))
{
	int code = make_config(options, false, dotnet);

	if (code)
		return code;
	snprintf(dotnet->files.pattern, sizeof(dotnet->files.pattern),
		 "%s.dotnet-XXXXXX/{pid}.nettrace", options->file);
	print_environment(dotnet);
	return record(options, command);
}

int record_dotnet(const struct session_options *options, char **command,
		  int (*record)(const struct session_options *options, char **command))
{
	struct dotnet *dotnet;
	int code = check(options, command);

	if (code)
		return code;
	dotnet = calloc(1, sizeof(*dotnet));
	if (!dotnet)
		return failed("record: --dotnet: no memory");
	code = options->dry_run ? show(options, command, dotnet, record) :
				  record_all(options, command, dotnet, record);
	free(dotnet);
	return code;
}
