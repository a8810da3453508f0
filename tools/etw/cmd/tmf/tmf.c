// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw tmf: the messages of programs, for reading their traces. */
#include <stdlib.h>
#include <string.h>
#include "common/verb_options.h"
#include "etw.h"
#include "common/whole_file.h"
#include "trace_points.h"

static const char help[] =
	"tmf OBJECT... [-o FILE.tmf]\n\n"
	"Writes down the messages that programs made with etw_wpp.h: what they say, by GUID and\n"
	"number, for 'etw dump --tmf FILE.tmf'. An object is a program, a shared or relocatable\n"
	"one, or an archive, of any machine; stripped ones will do.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .argument = "FILE", .help = "the file; default: standard output" },
	{ }
};

/**
 * struct tmf_output - what is written
 * @list: trace points
 * @objects: names of the objects
 */
struct tmf_output {
	struct wpp_list *list;
	const char *const *objects;
};

static int write_list(FILE *to, void *data)
{
	const struct tmf_output *output = data;

	return tmf_write(output->list, output->objects, to);
}

static int make(char **objects, const char *output)
{
	struct wpp_list list = { };
	struct tmf_output what = { &list, (const char *const *)objects };
	int code = EXIT_OK;
	size_t i, n;

	for (i = 0; objects[i] && code == EXIT_OK; i++)
		if (output && is_same_file(objects[i], output))
			code = failed("%s: this is one of the objects to read", output);
		else if (wpp_read_object(objects[i], &list))
			code = EXIT_FAILED;
	if (code == EXIT_OK && !list.count)
		code = failed("%s: no trace points of etw_wpp.h", objects[0]);
	if (code == EXIT_OK)
		code = whole_file_write(output, write_list, &what);
	for (i = 0; i < list.count; i++)
		for (n = 0; n < ETW_WPP_NR_STRINGS; n++)
			free(list.entries[i].string[n]);
	free(list.entries);
	return code;
}

static int tmf(int argc, char **argv)
{
	const char *output = NULL;
	int c;

	while ((c = next_verb_option(&verb_tmf, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_tmf);
		if (c != OPTION_OUTPUT)
			return EXIT_USAGE;
		output = strcmp(optarg, "-") ? optarg : NULL;
	}
	if (optind == argc)
		return usage_error(&verb_tmf, "tmf: missing OBJECT argument");
	return make(argv + optind, output);
}

const struct verb verb_tmf = {
	.name = "tmf", .summary = "write down the messages of programs",
	.help = help, .options = options, .run = tmf,
};
