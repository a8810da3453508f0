// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Names of addresses: module!function+offset. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "libetl/decode.h"
#include "libetl/events/events.h"
#include "libetl/images.h"
#include "libetl/lifetimes.h"
#include "libetl/text.h"
#include "etw.h"
#include "elf_inline.h"
#include "image_epochs.h"
#include "jit.h"
#include "process_file.h"
#include "symbol_table.h"
#include "symbols.h"
#include "vdso_file.h"

#define KERNEL_NAME	"vmlinux"

/**
 * struct symbols - of a trace
 * @images: what was where
 * @lifetimes: the processes of threads
 * @no_memory: for some of these
 * @copy: the kernel's symbols in the trace, until they are unpacked
 * @kernel: those; @kernel_tried: or there are none
 * @clock: for the times of compiled functions
 * @jits: processes with looked-up functions of their JIT compiler
 * @jit: by index of these
 */
struct symbols {
	const struct trace *trace;
	struct symbol_options options;
	struct images images;
	struct lifetimes *lifetimes;
	bool no_memory;
	struct kallsyms_copy copy;
	struct symbol_table *kernel;
	bool kernel_tried;
	struct jit_clock clock;
	struct map jits;
	struct jit_code *jit;
	struct image_epochs epochs;
};

struct symbols *symbols_new(const struct trace *trace, const struct symbol_options *options)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (!symbols)
		return NULL;
	symbols->trace = trace;
	symbols->clock.log = &trace->log;
	symbols->options = *options;
	if (!symbols->options.sysroot)
		symbols->options.sysroot = "";
	symbols->lifetimes = malloc(sizeof(*symbols->lifetimes));
	if (!symbols->lifetimes) {
		free(symbols);
		return NULL;
	}
	lifetimes_begin(symbols->lifetimes);
	return symbols;
}

void symbols_note(struct symbols *symbols, const struct etl_record *record)
{
	images_note(&symbols->images, record);
	kallsyms_note(&symbols->copy, record);
	jit_clock_note(&symbols->clock, record);
	if (lifetimes_note(symbols->lifetimes, &symbols->trace->log, record))
		symbols->no_memory = true;
}

uint64_t symbols_epoch(struct symbols *symbols, uint64_t time)
{
	return image_epoch_at(&symbols->epochs, time);
}

void symbols_ready(struct symbols *symbols)
{
	images_ready(&symbols->images);
	image_epochs_find(&symbols->epochs, &symbols->images);
	if (symbols->images.no_memory)
		warn("%s: some images are missing: %s", symbols->trace->name, strerror(ENOMEM));
	if (symbols->no_memory)
		warn("%s: some threads are missing: %s", symbols->trace->name, strerror(ENOMEM));
}

struct symbols *symbols_of_trace(const struct trace *trace, const struct symbol_options *options)
{
	struct symbols *symbols = symbols_new(trace, options);
	const struct etl_record *record;
	const struct etl_buffer *buffer;
	struct merge merge;

	if (!symbols) {
		failed("%s", strerror(ENOMEM));
		return NULL;
	}
	if (merge_begin(&merge, trace, false)) {
		symbols_free(symbols);
		return NULL;
	}
	while (merge_next(&merge, &record, &buffer))
		symbols_note(symbols, record);
	merge_end(&merge);
	symbols_ready(symbols);
	return symbols;
}

bool symbols_process_of(const struct symbols *symbols, uint32_t tid, uint64_t time,
			uint32_t *pid)
{
	const struct thread *thread = lifetimes_thread(symbols->lifetimes, tid, time);

	if (!thread || !thread->process)
		return false;
	*pid = thread->process->life.id;
	return true;
}

/* One boot's kernel is in one place; by the time of boot alone two machines may look the same. */
static bool is_of_this_kernel(const struct symbols *symbols, const char *text, size_t size)
{
	const struct images *images = &symbols->images;
	size_t i;

	for (i = 0; i < images->count && !images->list[i].pid; i++)
		if (!strcmp(images->module[images->list[i].module].name, KERNEL_NAME))
			return kallsyms_begin_at(text, size, images->list[i].base);
	return true;
}

/* What was asked for, else what the trace has, else the running kernel's own */
static struct symbol_table *kernel_table(struct symbols *symbols)
{
	size_t size = 0;
	char *text;

	if (symbols->kernel_tried)
		return symbols->kernel;
	symbols->kernel_tried = true;
	text = kallsyms_text(&symbols->copy, &size);
	if (symbols->options.kallsyms) {
		free(text);
		text = whole_file(symbols->options.kallsyms, &size);
		if (!text)
			warn("%s: %s", symbols->options.kallsyms, strerror(errno));
	} else if (!text && !*symbols->options.sysroot && trace_is_of_this_boot(symbols->trace)) {
		text = whole_file("/proc/kallsyms", &size);
		if (text && !is_of_this_kernel(symbols, text, size)) {
			free(text);
			text = NULL;
		}
	}
	if (text)
		symbols->kernel = symbols_of_kallsyms(text, size);
	free(text);
	return symbols->kernel;
}

/* Without a build-id: the file that a process of the trace still has mapped */
static bool is_mapped_now(const struct symbols *symbols, const struct module *module,
			  char root[PROCESS_ROOT])
{
	const struct images *images = &symbols->images;
	size_t i;

	if (!trace_is_of_this_boot(symbols->trace))
		return false;
	for (i = 0; i < images->count; i++)
		if (&images->module[images->list[i].module] == module &&
		    process_has_file(&symbols->trace->log, module->pid, module->path,
				     images->list[i].base, images->list[i].named, root))
			return true;
	return false;
}

const char *symbol_request_of(const struct module *module, struct symbol_request *request)
{
	static uint8_t stamp[4];

	if (module->has_id) {
		request->id = module->id;
		request->id_bytes = sizeof(module->id);
	} else if (module->stamp) {
		memcpy(stamp, &module->stamp, sizeof(stamp));
		request->id = stamp;
		request->id_bytes = sizeof(stamp);
	}
	if (is_vdso(module->path)) {
		request->path = vdso_file();
		return request->path ? NULL : "this process has no vDSO";
	}
	return module->path[0] == '/' ? NULL : "its path is none of Linux";
}

static struct symbol_table *module_table(struct symbols *symbols, struct module *module)
{
	struct symbol_request request = {
		.path = module->path, .sysroot = symbols->options.sysroot,
		.no_server = symbols->options.no_server,
	};
	char root[PROCESS_ROOT];

	if (module->tried)
		return module->symbols;
	module->tried = true;
	module->why = symbol_request_of(module, &request);
	if (module->why)
		return NULL;
	if (!request.id_bytes && !*request.sysroot) {
		request.sysroot = root;
		if (!is_mapped_now(symbols, module, root))
			module->why = "it has no build-id in the trace, and no process of the "
				      "trace has it mapped: nothing says which file it was";
		else
			module->symbols = symbols_of_elf(&request, &module->why);
		return module->symbols;
	}
	module->symbols = symbols_of_elf(&request, &module->why);
	/* the build-id verifies what is there */
	if (!module->symbols && !*request.sysroot && process_root(module->pid, root)) {
		request.sysroot = root;
		module->symbols = symbols_of_elf(&request, &module->why);
	}
	return module->symbols;
}

static const struct jit_code *jit_code(struct symbols *symbols, uint32_t pid)
{
	const struct jit_request request = {
		.sysroot = symbols->options.sysroot, .pid = pid, .images = &symbols->images,
		.clock = &symbols->clock,
		.living = !*symbols->options.sysroot && trace_is_of_this_boot(symbols->trace),
	};
	size_t i = map_find(&symbols->jits, pid);

	if (i != MAP_NONE)
		return &symbols->jit[i];
	if (!map_make_room((void **)&symbols->jit, symbols->jits.count, sizeof(*symbols->jit)))
		return NULL;
	i = map_add(&symbols->jits, pid);
	if (i == MAP_NONE)
		return NULL;
	jit_code_read(&symbols->jit[i], &request);
	if (symbols->jit[i].dump.no_memory || symbols->clock.no_memory)
		warn("%s: some functions of process %" PRIu32 " are missing: %s",
		     symbols->trace->name, pid, strerror(ENOMEM));
	return &symbols->jit[i];
}

bool symbols_is_of_image(const char *name, const struct module *module)
{
	size_t length = strlen(name);

	return !strncmp(module->name, name, length) &&
	       (!module->name[length] || !strcmp(module->name + length, ".ko"));
}

/*
 * The table describes one moment and contains no sizes. If the trace contains an image at the
 * address, the function must belong to that image. Otherwise neither the address nor the
 * function may belong to an image of another time: only BPF programs and the like have no image.
 */
static bool fits(const struct symbols *symbols, const struct function *function,
		 uint64_t address, const struct image *image)
{
	const struct images *images = &symbols->images;

	if (image)
		return function->address >= image->base &&
		       symbols_is_of_image(symbols->kernel->text + function->module,
					   &images->module[image->module]);
	return !images_ever(images, 0, address) && !images_ever(images, 0, function->address);
}

static bool found_in(const struct symbol_table *table, uint64_t address, const char *module,
		     struct symbol *symbol)
{
	const struct function *function = table ? symbol_table_find(table, address) : NULL;

	if (!function)
		return false;
	symbol->module = function->module ? table->text + function->module : module;
	symbol->function = table->text + function->name;
	symbol->offset = address - function->address;
	symbol->reach = symbol_table_reach(table, function);
	return true;
}

/* A jitdump file has times, so it knows more than a map of one moment. */
static void find_compiled(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
			  struct symbol *symbol)
{
	const struct jit_code *code = jit_code(symbols, pid);
	const struct image *function;

	if (!code)
		return;
	function = images_find(&code->dump, pid, address, time);
	if (!function) {
		found_in(code->map, address, "jit", symbol);
		return;
	}
	symbol->module = "jit";
	symbol->function = code->dump.module[function->module].path;
	symbol->offset = address - function->base;
	symbol->reach = function->end - function->base;
	symbol->since = function->from;
}

static void find_kernel(struct symbols *symbols, uint64_t address, uint64_t time,
			struct symbol *symbol)
{
	const struct image *image = images_find(&symbols->images, 0, address, time);
	const struct symbol_table *table = kernel_table(symbols);
	const struct function *function = table ? symbol_table_find(table, address) : NULL;

	symbol->image = image;
	if (function && fits(symbols, function, address, image) &&
	    found_in(table, address, KERNEL_NAME, symbol))
		return;
	if (!image)
		return;
	symbol->module = symbols->images.module[image->module].name;
	symbol->offset = address - image->base;
}

void symbols_find(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		  unsigned int how, struct symbol *symbol)
{
	const struct image *image;
	struct module *module;

	*symbol = (struct symbol){ .offset = address };
	if (is_kernel_address(address, how & SYMBOL_NARROW ? 4 : 8)) {
		find_kernel(symbols, address, time, symbol);
		return;
	}
	image = images_find(&symbols->images, pid, address, time);
	if (!image) {
		if (pid)
			find_compiled(symbols, pid, address, time, symbol);
		return;
	}
	symbol->image = image;
	module = &symbols->images.module[image->module];
	if (found_in(module_table(symbols, module), address - image->base, module->name, symbol))
		return;
	symbol->module = module->name;
	symbol->offset = address - image->base;
}

char *symbols_name(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		   unsigned int how, char *to, size_t room)
{
	unsigned int back = how & SYMBOL_CALLER && address ? 1 : 0;
	bool whole = how & SYMBOL_OFFSET;
	struct symbol symbol;

	symbols_find(symbols, pid, address - back, time, how, &symbol);
	symbol.offset += back;
	if (!symbol.module)
		snprintf(to, room, whole ? "0x%" PRIx64 : "?", address);
	else if (!symbol.function && whole)
		snprintf(to, room, "%s+0x%" PRIx64, symbol.module, symbol.offset);
	else if (!symbol.function)
		snprintf(to, room, "%s!?", symbol.module);
	else if (!whole || !symbol.offset)
		snprintf(to, room, "%s!%s", symbol.module, symbol.function);
	else
		snprintf(to, room, "%s!%s+0x%" PRIx64, symbol.module, symbol.function,
			 symbol.offset);
	text_escape_control(to);
	return to;
}

/*
 * Names stay where they are: their addresses identify them. Code of a compiler at run time changes
 * without an image.
 */
uint64_t symbols_key(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
		     unsigned int how, bool *stays)
{
	struct symbol symbol;

	address -= how & SYMBOL_CALLER && address ? 1 : 0;
	symbols_find(symbols, pid, address, time, how, &symbol);
	*stays &= symbol.image || is_kernel_address(address, how & SYMBOL_NARROW ? 4 : 8);
	return map_mix(map_mix(MAP_MIX, &symbol.module, sizeof(symbol.module)), &symbol.function,
		       sizeof(symbol.function));
}

/* The file with the symbols has the debug information, too. */
static struct elf_inlines *module_inlines(struct module *module)
{
	const struct symbol_table *table = module->symbols;

	if (!module->inlines && !module->inlines_tried && table && table->from)
		module->inlines = elf_inlines_open(table->from, table->lowest);
	module->inlines_tried = true;
	return module->inlines;
}

const char *symbols_inlined(struct symbols *symbols, uint32_t pid, uint64_t address, uint64_t time,
			    unsigned int how, const char **module)
{
	unsigned int back = how & SYMBOL_CALLER && address ? 1 : 0;
	const struct image *image;
	struct module *found;

	if (is_kernel_address(address, how & SYMBOL_NARROW ? 4 : 8))
		return "";
	image = images_find(&symbols->images, pid, address - back, time);
	if (!image)
		return "";
	found = &symbols->images.module[image->module];
	module_table(symbols, found);
	*module = found->name;
	return elf_inlines_find(module_inlines(found), address - back - image->base);
}

void symbols_warn(const struct symbols *symbols, bool all)
{
	size_t i, count = 0;

	for (i = 0; i < symbols->images.modules; i++) {
		const struct module *module = &symbols->images.module[i];

		if (!module->tried || module->symbols)
			continue;
		count++;
		if (all)
			warn("%s: %s", module->path, module->why ? module->why : "no memory");
	}
	if (count && !all)
		warn("%zu files have no symbols here ('etw dump --symbols -v' says why)", count);
}

struct images *symbols_images(struct symbols *symbols)
{
	return &symbols->images;
}

const struct symbol_table *symbols_kernel(struct symbols *symbols)
{
	return kernel_table(symbols);
}

bool symbols_have_images(const struct symbols *symbols)
{
	return symbols->images.modules;
}

void symbols_free(struct symbols *symbols)
{
	size_t i;

	if (!symbols)
		return;
	for (i = 0; i < symbols->images.modules; i++) {
		elf_inlines_close(symbols->images.module[i].inlines);
		symbol_table_free(symbols->images.module[i].symbols);
	}
	for (i = 0; i < symbols->jits.count; i++)
		jit_code_free(&symbols->jit[i]);
	symbol_table_free(symbols->kernel);
	images_free(&symbols->images);
	lifetimes_free(symbols->lifetimes);
	free(symbols->lifetimes);
	map_free(&symbols->jits);
	jit_clock_free(&symbols->clock);
	free(symbols->copy.bytes);
	free(symbols->jit);
	free(symbols->epochs.change);
	free(symbols);
}
