// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Stacks of programs, by libdw's unwinder. */
#include "unwind.h"
#include "import.h"
#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>
#include "libetl/library.h"
#include "libetl/reader.h"

#define LIBRARY	"libdw.so.1"
/* Programs with open files at a time */
#define PROGRAMS	64
/* Files of a program: a new one is compared with all */
#define MOST_FILES	1024
/*
 * Files that are opened in all: so many, and one for these bytes of the recording. A crafted one
 * may map others before each sample. A sample has 8 KB of stack, as perf records it.
 */
#define MOST_OPENED	(1u << 20)
#define BYTES_OF_FILE	256

/* As perf numbers the registers of a sample */
enum { X86_SP = 7, X86_IP = 8, X86_R8 = 16, ARM64_PC = 32 };
/* Registers of DWARF that are in a sample */
#define X86_REGISTERS	17
#define ARM64_REGISTERS	32

struct libdwfl {
	__typeof__(dwfl_begin) *begin;
	__typeof__(dwfl_end) *end;
	__typeof__(dwfl_report_begin_add) *report_begin_add;
	__typeof__(dwfl_report_elf) *report_elf;
	__typeof__(dwfl_report_end) *report_end;
	__typeof__(dwfl_attach_state) *attach_state;
	__typeof__(dwfl_getthread_frames) *getthread_frames;
	__typeof__(dwfl_frame_pc) *frame_pc;
	__typeof__(dwfl_thread_state_registers) *thread_state_registers;
	__typeof__(dwfl_thread_state_register_pc) *thread_state_register_pc;
};

/**
 * struct program - a process with its open files
 * @pid: of it
 * @generation: of the process
 * @dwfl: its files; NULL: none
 * @images: of the process that are in @dwfl, or cannot be
 * @used: when it was used last
 * @machine: EM_*; 0: no file is open
 * @attached: libdw unwinds it
 */
struct program {
	uint32_t pid;
	uint32_t generation;
	Dwfl *dwfl;
	size_t images;
	uint64_t used;
	uint16_t machine;
	bool attached;
};

/**
 * struct unwinder - what is needed to unwind stacks
 * @libdwfl: the library
 * @programs: processes
 * @clock: counts uses
 * @opened: files so far, also those that are not used
 * @record: the sample that is unwound
 * @machine: of its program
 * @frames: result
 * @count: number of them
 */
struct unwinder {
	const struct libdwfl *libdwfl;
	struct program programs[PROGRAMS];
	uint64_t clock;
	size_t opened;
	const struct perf_record *record;
	uint16_t machine;
	uint64_t *frames;
	size_t count;
};

#define FUNCTION(name)	{ "dwfl_" #name, offsetof(struct libdwfl, name) }

static const struct libdwfl *load(void)
{
	static const struct library_function functions[] = {
		FUNCTION(begin), FUNCTION(end), FUNCTION(report_begin_add), FUNCTION(report_elf),
		FUNCTION(report_end), FUNCTION(attach_state), FUNCTION(getthread_frames),
		FUNCTION(frame_pc), FUNCTION(thread_state_registers),
		FUNCTION(thread_state_register_pc),
	};
	static struct libdwfl libdwfl;
	static bool tried, loaded;

	/* once: a search in all folders for each sample takes longer than the import */
	if (!tried)
		loaded = library_load(LIBRARY, functions, sizeof(functions) / sizeof(functions[0]),
				      &libdwfl);
	tried = true;
	return loaded ? &libdwfl : NULL;
}

/* Return: false: the sample does not have this register */
static bool register_of(const struct perf_record *record, unsigned int number, uint64_t *value)
{
	uint64_t mask = record->kind->attr.sample_regs_user, bit = 1ull << number;

	if (!(mask & bit))
		return false;
	*value = get64(record->registers + 8 * __builtin_popcountll(mask & (bit - 1)));
	return true;
}

static pid_t next_thread(Dwfl *dwfl, void *context, void **thread)
{
	(void)dwfl;
	if (*thread)
		return 0;
	*thread = context;
	return 1;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *context, void **thread)
{
	(void)dwfl;
	(void)tid;
	*thread = context;
	return true;
}

/* Rules of frames need the stack only. */
static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result, void *context)
{
	const struct unwinder *unwinder = context;
	const struct perf_record *record = unwinder->record;
	unsigned int number = unwinder->machine == EM_X86_64 ? X86_SP : ARM64_PC - 1;
	uint64_t begin;

	(void)dwfl;
	if (!register_of(record, number, &begin) || address < begin ||
	    record->stack_size < sizeof(*result) ||
	    address - begin > record->stack_size - sizeof(*result))
		return false;
	*result = get64(record->stack + (address - begin));
	return true;
}

static bool set_x86_registers(const struct unwinder *unwinder, Dwfl_Thread *thread)
{
	/* ax, dx, cx, bx, si, di, bp, sp, r8 to r15, ip */
	static const uint8_t numbers[X86_REGISTERS] = {
		0, 3, 2, 1, 4, 5, 6, X86_SP, X86_R8, 17, 18, 19, 20, 21, 22, 23, X86_IP
	};
	Dwarf_Word values[X86_REGISTERS];
	size_t i;

	for (i = 0; i < X86_REGISTERS; i++)
		if (!register_of(unwinder->record, numbers[i], &values[i]))
			return false;
	return unwinder->libdwfl->thread_state_registers(thread, 0, X86_REGISTERS, values);
}

static bool set_arm64_registers(const struct unwinder *unwinder, Dwfl_Thread *thread)
{
	Dwarf_Word values[ARM64_REGISTERS], pc;
	size_t i;

	for (i = 0; i < ARM64_REGISTERS; i++)
		if (!register_of(unwinder->record, i, &values[i]))
			return false;
	if (!register_of(unwinder->record, ARM64_PC, &pc))
		return false;
	unwinder->libdwfl->thread_state_register_pc(thread, pc);
	return unwinder->libdwfl->thread_state_registers(thread, 0, ARM64_REGISTERS, values);
}

static bool set_registers(Dwfl_Thread *thread, void *context)
{
	const struct unwinder *unwinder = context;

	return unwinder->machine == EM_X86_64 ? set_x86_registers(unwinder, thread) :
						set_arm64_registers(unwinder, thread);
}

/* Return addresses stay as they are, as those of the kernel's callchains do. */
static int take_frame(Dwfl_Frame *frame, void *context)
{
	struct unwinder *unwinder = context;
	Dwarf_Addr pc;

	if (!unwinder->libdwfl->frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	unwinder->frames[unwinder->count++] = pc;
	return unwinder->count == UNWIND_FRAMES ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* The rules of frames are in the files that run: no file of symbols is looked for. */
static int no_debug_file(Dwfl_Module *module, void **context, const char *name, Dwarf_Addr base,
			 const char *file, const char *link, GElf_Word sum, char **found)
{
	(void)module;
	(void)context;
	(void)name;
	(void)base;
	(void)file;
	(void)link;
	(void)sum;
	(void)found;
	return -1;
}

static const Dwfl_Callbacks callbacks = { .find_debuginfo = no_debug_file };

static void close_program(const struct libdwfl *libdwfl, struct program *program)
{
	if (program->dwfl)
		libdwfl->end(program->dwfl);
	*program = (struct program){ };
}

static void report(struct unwinder *unwinder, struct program *program,
		   const struct importing *importing, const struct import_image *image)
{
	const char *path = importing->names[image->path];
	struct unwind_file file;

	if (!unwind_file_open(&file, path, image->base, perf_file_id_of(&importing->file, path)))
		return;
	if ((file.machine != EM_X86_64 && file.machine != EM_AARCH64) ||
	    (program->machine && file.machine != program->machine) ||
	    !unwinder->libdwfl->report_elf(program->dwfl, path, path, file.fd, file.bias, true)) {
		close(file.fd);
		return;
	}
	program->machine = file.machine;
}

/* A later file at the same addresses takes the place of the former. */
static bool is_covered(const struct import_process *process, size_t i)
{
	const struct import_image *image = &process->images[i], *later;
	size_t k;

	for (k = i + 1; k < process->count; k++) {
		later = &process->images[k];
		if (later->base < image->base + image->size &&
		    image->base < later->base + later->size && later->path != image->path)
			return true;
	}
	return false;
}

/* Return: false: a file that is open is no longer mapped: libdw must begin anew */
static bool are_valid(const struct program *program, const struct import_process *process)
{
	size_t i, k;

	for (k = program->images; k < process->count; k++)
		for (i = 0; i < program->images; i++)
			if (process->images[i].base < process->images[k].base +
						      process->images[k].size &&
			    process->images[k].base < process->images[i].base +
						      process->images[i].size)
				return false;
	return true;
}

static void add_files(struct unwinder *unwinder, struct program *program,
		      const struct importing *importing, const struct import_process *process)
{
	const size_t most = MOST_OPENED + importing->file.size / BYTES_OF_FILE;
	const struct libdwfl *libdwfl = unwinder->libdwfl;

	libdwfl->report_begin_add(program->dwfl);
	for (; program->images < process->count; program->images++)
		if (unwinder->opened++ < most && !is_covered(process, program->images))
			report(unwinder, program, importing, &process->images[program->images]);
	libdwfl->report_end(program->dwfl, NULL, NULL);
}

/* The program that was not used for the longest time gives way. */
static struct program *place_of(struct unwinder *unwinder, const struct import_process *process)
{
	struct program *oldest = unwinder->programs, *program;

	for (program = unwinder->programs; program < unwinder->programs + PROGRAMS; program++) {
		if (program->dwfl && program->pid == process->pid &&
		    program->generation == process->generation)
			return program;
		if (program->used < oldest->used)
			oldest = program;
	}
	close_program(unwinder->libdwfl, oldest);
	return oldest;
}

static struct program *program_of(struct unwinder *unwinder, const struct importing *importing,
				  const struct import_process *process)
{
	static const Dwfl_Thread_Callbacks state = {
		.next_thread = next_thread, .get_thread = get_thread, .memory_read = read_memory,
		.set_initial_registers = set_registers,
	};
	struct program *program = place_of(unwinder, process);

	if (process->count > MOST_FILES)
		return NULL;
	if (program->dwfl && (process->count < program->images || !are_valid(program, process)))
		close_program(unwinder->libdwfl, program);
	if (!program->dwfl) {
		program->dwfl = unwinder->libdwfl->begin(&callbacks);
		program->pid = process->pid;
		program->generation = process->generation;
	}
	if (!program->dwfl)
		return NULL;
	program->used = ++unwinder->clock;
	if (program->images < process->count)
		add_files(unwinder, program, importing, process);
	if (program->machine && !program->attached)
		program->attached = unwinder->libdwfl->attach_state(program->dwfl, NULL, 1, &state,
								    unwinder);
	return program->attached ? program : NULL;
}

/* libdw keeps files open: PROGRAMS have more of them than the usual 1024. */
static void permit_open_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

struct unwinder *unwinder_new(void)
{
	const struct libdwfl *libdwfl = load();
	struct unwinder *unwinder = libdwfl ? calloc(1, sizeof(*unwinder)) : NULL;

	if (!unwinder)
		return NULL;
	permit_open_files();
	unwinder->libdwfl = libdwfl;
	return unwinder;
}

size_t unwinder_run(struct unwinder *unwinder, const struct importing *importing,
		    const struct import_process *process, const struct perf_record *record,
		    uint64_t frames[UNWIND_FRAMES])
{
	struct program *program = program_of(unwinder, importing, process);

	if (!program)
		return 0;
	unwinder->record = record;
	unwinder->machine = program->machine;
	unwinder->frames = frames;
	unwinder->count = 0;
	/* a stack that cannot be followed to its end has the frames before */
	unwinder->libdwfl->getthread_frames(program->dwfl, 1, take_frame, unwinder);
	return unwinder->count;
}

void unwinder_free(struct unwinder *unwinder)
{
	size_t i;

	for (i = 0; unwinder && i < PROGRAMS; i++)
		close_program(unwinder->libdwfl, &unwinder->programs[i]);
	free(unwinder);
}

#else

struct unwinder *unwinder_new(void)
{
	return NULL;
}

size_t unwinder_run(struct unwinder *unwinder, const struct importing *importing,
		    const struct import_process *process, const struct perf_record *record,
		    uint64_t frames[UNWIND_FRAMES])
{
	(void)unwinder;
	(void)importing;
	(void)process;
	(void)record;
	(void)frames;
	return 0;
}

void unwinder_free(struct unwinder *unwinder)
{
	(void)unwinder;
}

#endif
