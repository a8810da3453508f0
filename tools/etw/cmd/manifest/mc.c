// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw mc: a manifest to a C header, a binary template and a message table. */
#include <string.h>
#include "common/whole_file.h"
#include "common/verb_options.h"
#include "etw.h"
#include "mc.h"
#include "mc_template.h"

static const char help[] =
	"mc FILE.man [-o FILE.h] [-b FILE.bin] [--messages FILE]\n\n"
	"Makes a header for C and C++ of a manifest (instrumentation XML): descriptors of events,\n"
	"EventRegisterPROVIDER(), EventWriteEVENT(), EventEnabledEVENT(). Programs that include\n"
	"it are linked with libetw. 'etw dump --manifest FILE.man' shows the events.\n\n"
	"With -b or --messages, it makes what Windows' mc.exe makes for the resources of a\n"
	"program (WEVT_TEMPLATE and MESSAGETABLE), and a header only with -o.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .argument = "FILE",
	  .help = "the header; default: standard output" },
	{ 'b', 'b', "binary", "FILE", "the binary template, a resource WEVT_TEMPLATE" },
	{ 'm', 0, "messages", "FILE", "the message table, a resource MESSAGETABLE" },
	{ }
};

/* What is written, in this order */
enum mc_output {
	MC_HEADER,
	MC_BINARY,
	MC_MESSAGES,
	MC_OUTPUTS,
};

static int write_header(FILE *to, void *data)
{
	const struct xml_node *first = ((struct manifest *)data)->provider;
	int err = mc_write_header(to, data);

	((struct manifest *)data)->provider = first;
	return err;
}

static int write_binary(FILE *to, void *data)
{
	return mc_write_template(to, data);
}

static int write_messages(FILE *to, void *data)
{
	return mc_write_messages(to, data);
}

/* @outputs: names; NULL: not this one */
static int make(const char *name, const char *const outputs[MC_OUTPUTS])
{
	static int (*const writes[])(FILE *to, void *data) = {
		write_header, write_binary, write_messages,
	};
	struct manifest manifest = { };
	int code = EXIT_OK, i, k;

	for (i = 0; i < MC_OUTPUTS; i++) {
		if (outputs[i] && is_same_file(name, outputs[i]))
			return failed("%s: this is the manifest to read", outputs[i]);
		for (k = 0; outputs[i] && k < i; k++)
			if (outputs[k] && strcmp(outputs[i], "-") &&
			    !strcmp(outputs[i], outputs[k]))
				return failed("%s: two outputs have this name", outputs[i]);
	}
	if (manifest_open(&manifest, name))
		code = EXIT_FAILED;
	for (i = 0; !code && i < MC_OUTPUTS; i++)
		if (outputs[i])
			code = whole_file_write(strcmp(outputs[i], "-") ? outputs[i] : NULL,
						writes[i], &manifest);
	xml_close(&manifest.file);
	return code;
}

static int mc(int argc, char **argv)
{
	const char *outputs[MC_OUTPUTS] = { };
	int c;

	while ((c = next_verb_option(&verb_mc, argc, argv)) != -1) {
		if (c == OPTION_HELP)
			return print_help(&verb_mc);
		if (c != OPTION_OUTPUT && c != 'b' && c != 'm')
			return EXIT_USAGE;
		outputs[c == 'b' ? MC_BINARY : c == 'm' ? MC_MESSAGES : MC_HEADER] = optarg;
	}
	if (argc - optind != 1)
		return usage_error(&verb_mc, "mc: exactly one manifest is needed");
	if (!outputs[MC_BINARY] && !outputs[MC_MESSAGES] && !outputs[MC_HEADER])
		outputs[MC_HEADER] = "-";
	return make(argv[optind], outputs);
}

const struct verb verb_mc = {
	.name = "mc", .summary = "make a C header or a binary template of a manifest",
	.help = help, .options = options, .run = mc,
};
