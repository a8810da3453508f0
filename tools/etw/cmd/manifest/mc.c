// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: a manifest to a C header. */
#include <string.h>
#include "common/whole_file.h"
#include "common/verb_options.h"
#include "etw.h"
#include "mc.h"

static const char help[] =
	"mc FILE.man [-o FILE.h]\n\n"
	"Makes a header for C and C++ of a manifest (instrumentation XML): descriptors of events,\n"
	"EventRegisterPROVIDER(), EventWriteEVENT(), EventEnabledEVENT(). Programs that include\n"
	"it are linked with libetw. 'etw dump --manifest FILE.man' shows the events.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .argument = "FILE", .help = "the header; default: standard output" },
	{ }
};

static int write_header(FILE *to, void *data)
{
	return mc_write_header(to, data);
}

static int make(const char *name, const char *output)
{
	struct manifest manifest = { };
	int code = EXIT_FAILED;

	if (output && is_same_file(name, output))
		return failed("%s: this is the manifest to read", output);
	if (!manifest_open(&manifest, name))
		code = whole_file_write(output, write_header, &manifest);
	xml_close(&manifest.file);
	return code;
}

static int mc(int argc, char **argv)
{
	const char *output = NULL;
	int c;

	while ((c = next_verb_option(&verb_mc, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_mc);
		if (c != OPTION_OUTPUT)
			return EXIT_USAGE;
		output = strcmp(optarg, "-") ? optarg : NULL;
	}
	if (argc - optind != 1)
		return usage_error(&verb_mc, "mc: exactly one manifest is needed");
	return make(argv[optind], output);
}

const struct verb verb_mc = {
	.name = "mc", .summary = "make a C header of a manifest",
	.help = help, .options = options, .run = mc,
};
