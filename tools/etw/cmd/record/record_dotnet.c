// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw record --dotnet: .NET programs write their events, which are merged into the recording. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "record_dotnet.h"

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

static bool can_run(const char *program)
{
	const char *path = getenv("PATH");
	char name[4200];
	size_t length;

	for (path = path ? path : ""; *path; path += length + (path[length] == ':')) {
		length = strcspn(path, ":");
		snprintf(name, sizeof(name), "%.*s/%s", (int)length, path, program);
		if (length && !access(name, X_OK))
			return true;
	}
	return false;
}

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
	pid_t pid = fork(), ended;
	int status;

	if (!pid) {
		/* the tool itself ignores it, but the command need not */
		signal(SIGXFSZ, SIG_DFL);
		execvp(command[0], command);
		fprintf(stderr, "etw: record: --dotnet: %s: %s\n", command[0], strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	/* Ctrl-C ends the command; its events are imported */
	signal(SIGINT, SIG_IGN);
	do {
		ended = pid < 0 ? -1 : waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	signal(SIGINT, SIG_DFL);
	if (ended < 0)
		return failed("record: --dotnet: %s: %s", command[0], strerror(errno));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int record_all(const struct session_options *options, char **command, bool alone,
		      struct dotnet *dotnet,
		      int (*record)(const struct session_options *options, char **command))
{
	struct session_options kernel = *options;
	int code = dotnet_files_make(&dotnet->files, options->file);

	if (code)
		return code;
	code = set_environment(dotnet);
	kernel.file = dotnet->files.kernel;
	if (!code)
		code = alone ? run_alone(command) : record(&kernel, command);
	return dotnet_files_merge(&dotnet->files, options->file, options->quiet, code);
}

static int check(const struct session_options *options, char **command)
{
	/* --dry-run shows the environment for any command */
	if (!command && !options->dry_run)
		return option_error(options, "--dotnet: missing COMMAND (a program of .NET)");
	if (!strcmp(options->file, "-") || strchr(options->file, '%') ||
	    options->target != EVENT_TRACE_REAL_TIME_MODE)
		return option_error(options, "--dotnet: one file, without --mode, --flight, "
				    "--max-file and standard output");
	return EXIT_OK;
}

int record_dotnet(const struct session_options *options, char **command,
		  int (*record)(const struct session_options *options, char **command))
{
	bool alone = options->no_module && !can_run("perf");
	struct dotnet *dotnet;
	int code = check(options, command);

	if (code)
		return code;
	dotnet = calloc(1, sizeof(*dotnet));
	if (!dotnet)
		return failed("record: --dotnet: no memory");
	if (alone)
		warn("record: --dotnet: only events of .NET are recorded, because there is no "
		     "perf (Debian: apt-get install linux-perf)");
	code = make_config(options, alone, dotnet);
	if (!code && options->dry_run) {
		snprintf(dotnet->files.pattern, sizeof(dotnet->files.pattern),
			 "%s.dotnet-XXXXXX/{pid}.nettrace", options->file);
		print_environment(dotnet);
		code = alone ? EXIT_OK : record(options, command);
	} else if (!code) {
		code = record_all(options, command, alone, dotnet, record);
	}
	free(dotnet);
	return code;
}
