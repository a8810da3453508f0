// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw symbols: a symbol store for the images of a trace. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/verb_options.h"
#include "etw.h"
#include "libetl/trace.h"
#include "store.h"

/* Of the kernel, if no file of the trace shows another machine */
#if defined(__aarch64__) || defined(__arm__)
#define MACHINE_HERE	EM_AARCH64
#else
#define MACHINE_HERE	EM_X86_64
#endif

static const char help[] =
	"symbols -o DIR [options] FILE\n\n"
	"Makes a symbol store for the images of a trace, on the machine that it is of: the files\n"
	"by build-id, for PerfView, gdb and perf, and PDBs with functions and source lines, for\n"
	"WPA, xperf and windbg. A file counts only if its build-id is that of the trace.\n\n";

static const struct verb_option options[] = {
	{ .code = OPTION_OUTPUT, .argument = "DIR",
	  .help = "folder of the store; files that are there stay" },
	{ .code = OPTION_SYSROOT, .help = "look for files below DIR: the trace is of another machine" },
	{ .code = OPTION_KALLSYMS,
	  .help = "a copy of its /proc/kallsyms, instead of that in the trace" },
	{ 'L', 0, "no-lines", NULL, "leave source lines out" },
	{ .code = OPTION_JSON, .help = "print what was stored as JSON" },
	{ .code = OPTION_QUIET },
	{ }
};

static uint64_t key_of(const struct module *module)
{
	uint64_t key = map_mix(MAP_MIX, module->path, strlen(module->path) + 1);

	key = map_mix(key, &module->stamp, sizeof(module->stamp));
	return map_mix(key, module->id, module->has_id ? sizeof(module->id) : 0);
}

/* Return: the place for what comes of it; NULL: it was handled before, or there is no memory */
static struct stored *new_image(struct store *store, const struct module *module)
{
	size_t known = store->done.count;
	size_t i = map_add(&store->done, key_of(module));

	if (i == MAP_NONE) {
		failed("symbols: %s", strerror(ENOMEM));
		store->failed = true;
	}
	if (i != known)
		return NULL;
	store->image[i] = (struct stored){ .path = module->path };
	return &store->image[i];
}

static bool is_of_kernel(const struct module *module)
{
	return !module->pid;
}

/* Programs come first, because the kernel has their machine if its file is not here. */
static void store_all(struct store *store, bool kernel)
{
	const struct images *images = symbols_images(store->symbols);
	const struct module *module;
	struct stored *image;
	size_t i;

	for (i = 0; i < images->modules && !store->failed; i++) {
		module = &images->module[i];
		if (is_of_kernel(module) != kernel)
			continue;
		image = new_image(store, module);
		if (!image)
			continue;
		store_progress(store, store->done.count - 1, images->modules, module->name);
		if (!store_name_is_safe(module->name))
			image->why = "its name cannot be that of a file on all systems";
		else if (kernel)
			store_kernel(store, module, image);
		else
			store_image(store, module, image);
	}
}

/* Only an image that its build-id verifies has one here. */
static bool is_any_verified(const struct store *store)
{
	size_t i;

	for (i = 0; i < store->done.count; i++)
		if (store->image[i].id[0])
			return true;
	return false;
}

static bool is_any_stored(const struct store *store)
{
	size_t i;

	for (i = 0; i < store->done.count; i++)
		if (store->image[i].has_file || !store->image[i].why)
			return true;
	return false;
}

static int make_store(const struct trace *trace, const struct store_options *how)
{
	struct store store = { .options = how, .machine = MACHINE_HERE };
	int code = EXIT_FAILED;

	store.symbols = symbols_of_trace(trace, &how->where);
	if (!store.symbols)
		return EXIT_FAILED;
	store.image = calloc(symbols_images(store.symbols)->modules + 1, sizeof(*store.image));
	if (!store.image) {
		failed("symbols: %s", strerror(ENOMEM));
	} else {
		store_all(&store, false);
		/* a 64-bit kernel may run 32-bit programs alone; its own file counts more */
		if (store.machine == EM_386)
			store.machine = EM_X86_64;
		else if (store.machine == EM_ARM)
			store.machine = EM_AARCH64;
		store_all(&store, true);
		store_progress(&store, 1, 1, "");
	}
	if (store.image && !store.failed)
		code = store_report(&store);
	if (!code && !is_any_stored(&store))
		code = failed("symbols: %s: %s", trace->name, is_any_verified(&store) ?
			      "nothing could be stored of the images that build-ids verify" :
			      "none of its images can be verified by a build-id "
			      "(run this on the machine of the trace, or with --sysroot)");
	map_free(&store.done);
	free(store.image);
	symbols_free(store.symbols);
	return code;
}

static int run_on_file(const char *name, const struct store_options *how)
{
	struct trace trace;
	int code;

	if (trace_open(&trace, name))
		return EXIT_FAILED;
	trace_warn(&trace);
	code = make_store(&trace, how);
	trace_close(&trace);
	return code;
}

static int symbols_verb(int argc, char **argv)
{
	struct store_options how = { .where = { .sysroot = "" } };
	int c;

	while ((c = next_verb_option(&verb_symbols, argc, argv)) != -1) {
		switch (c) {
		case OPTION_OUTPUT:
			how.directory = optarg;
			break;
		case 'L':
			how.no_lines = true;
			break;
		case OPTION_JSON:
			how.json = true;
			break;
		case OPTION_QUIET:
			how.quiet = true;
			break;
		default:
			if (symbol_option_take(c, optarg, &how.where))
				break;
			return c == OPTION_HELP ? print_help(&verb_symbols) : EXIT_USAGE;
		}
	}
	if (!how.directory || !*how.directory)
		return usage_error(&verb_symbols, "symbols: missing -o DIR");
	if (argc - optind != 1)
		return usage_error(&verb_symbols, "symbols: exactly one file is needed");
	return run_on_file(argv[optind], &how);
}

const struct verb verb_symbols = {
	.name = "symbols", .summary = "make a symbol store for a trace's images",
	.help = help, .options = options, .run = symbols_verb,
};
