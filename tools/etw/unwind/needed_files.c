// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The executable files that a command will load. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "needed_files.h"

#define MOST_FILES	256
/* A script's interpreter may be a script. The kernel follows five. */
#define MOST_SCRIPTS	5
#define SCRIPT_LINE	256

static bool is_file(const char *path, int rights)
{
	struct stat file;

	return !stat(path, &file) && S_ISREG(file.st_mode) && !access(path, rights);
}

/* A file may name a device as its library, and to open a device may have an effect. */
static void add(struct needed_files *files, const char *path)
{
	char **more;
	size_t i;

	if (!is_file(path, R_OK))
		return;
	for (i = 0; i < files->count; i++)
		if (!strcmp(files->path[i], path))
			return;
	if (files->count == MOST_FILES)
		return;
	more = realloc(files->path, (files->count + 1) * sizeof(*more));
	if (!more)
		return;
	files->path = more;
	files->path[files->count] = strdup(path);
	files->count += !!files->path[files->count];
}

/* @folders: divided by colons; an empty one is the current folder. Return: the file is there */
static bool find_in(const char *folders, const char *name, int rights, char path[PATH_MAX])
{
	const char *end;
	int n;

	for (;; folders = end + 1) {
		end = strchrnul(folders, ':');
		n = snprintf(path, PATH_MAX, "%.*s%s%s", (int)(end - folders), folders,
			     end == folders ? "" : "/", name);
		if (n < PATH_MAX && is_file(path, rights))
			return true;
		if (!*end)
			return false;
	}
}

/* As execvp() does */
static bool find_program(const char *command, char path[PATH_MAX])
{
	const char *folders = getenv("PATH");

	if (strchr(command, '/'))
		return snprintf(path, PATH_MAX, "%s", command) < PATH_MAX && is_file(path, X_OK);
	return *command && find_in(folders ? folders : "/bin:/usr/bin", command, X_OK, path);
}

/* Return: the first line of a script behind its two characters, or NULL: it is none */
static char *script_line(const char *path, char line[SCRIPT_LINE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = -1;

	if (fd < 0)
		return NULL;
	n = read(fd, line, SCRIPT_LINE - 1);
	close(fd);
	if (n < 2 || line[0] != '#' || line[1] != '!')
		return NULL;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return line + 2;
}

static void add_program(struct needed_files *files, const char *command, int scripts);

/* @words: the program, and for env the program that this starts */
static void add_interpreters(struct needed_files *files, char *words, int scripts)
{
	static const char between[] = " \t";
	char *rest, *word = strtok_r(words, between, &rest);
	const char *name;

	if (!word)
		return;
	add_program(files, word, scripts);
	name = strrchr(word, '/');
	if (strcmp(name ? name + 1 : word, "env"))
		return;
	do
		word = strtok_r(NULL, between, &rest);
	while (word && (*word == '-' || strchr(word, '=')));
	if (word)
		add_program(files, word, scripts);
}

static void add_program(struct needed_files *files, const char *command, int scripts)
{
	char path[PATH_MAX], line[SCRIPT_LINE], *words;

	if (!find_program(command, path))
		return;
	words = script_line(path, line);
	if (!words)
		add(files, path);
	else if (scripts < MOST_SCRIPTS)
		add_interpreters(files, words, scripts + 1);
}

#ifdef ETW_HAVE_ELF
#include "symbols/elf_file.h"
#include "library_cache.h"

/* Bytes of the dynamic section. Programs have less than 1 KB; each entry may be a search. */
#define MOST_DYNAMIC	(1 << 16)

/**
 * struct library_search - where the libraries of a file are
 * @files: where they are added
 * @cache: the loader's
 * @origin: folder of the file
 * @folders: of the file (DT_RUNPATH, DT_RPATH); empty: none
 * @program_folders: the same of the program
 */
struct library_search {
	struct needed_files *files;
	struct library_cache cache;
	char origin[PATH_MAX];
	char folders[PATH_MAX];
	char program_folders[PATH_MAX];
};

static const char default_folders[] = "/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib";

static void find_library(struct library_search *search, const char *name)
{
	const char *own = getenv("LD_LIBRARY_PATH"), *cached;
	char path[PATH_MAX];
	size_t from = 0;

	if (strchr(name, '/')) {
		add(search->files, name);
		return;
	}
	if ((*search->folders && find_in(search->folders, name, R_OK, path)) ||
	    (*search->program_folders && find_in(search->program_folders, name, R_OK, path)) ||
	    (own && *own && find_in(own, name, R_OK, path))) {
		add(search->files, path);
		return;
	}
	while ((cached = library_cache_find(&search->cache, name, &from)))
		add(search->files, cached);
	if (find_in(default_folders, name, R_OK, path))
		add(search->files, path);
}

/* Replaces $ORIGIN; what does not fit is left out. */
static void set_folders(struct library_search *search, const char *given)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	size_t used = 0, i, n;
	const char *put;

	while (*given) {
		n = 1;
		put = given;
		for (i = 0; i < 2; i++)
			if (!strncmp(given, words[i], strlen(words[i]))) {
				n = strlen(words[i]);
				put = search->origin;
			}
		given += n;
		n = put == search->origin ? strlen(put) : 1;
		if (used + n >= sizeof(search->folders))
			break;
		memcpy(search->folders + used, put, n);
		used += n;
	}
	search->folders[used] = '\0';
}

/* Return: the string of an entry, or NULL: it is of another kind */
static const char *dynamic_string(Elf *elf, size_t strings, Elf_Data *data, int i, bool needed)
{
	GElf_Dyn entry;
	bool wanted;

	if (!gelf_getdyn(data, i, &entry))
		return NULL;
	wanted = needed ? entry.d_tag == DT_NEEDED :
		 entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
	return wanted ? elf_strptr(elf, strings, entry.d_un.d_val) : NULL;
}

static void add_libraries(struct library_search *search, Elf *elf)
{
	Elf_Scn *section = elf_section_named(elf, ".dynamic");
	Elf_Data *data = NULL;
	GElf_Shdr header;
	const char *name;
	int i, count;

	if (section && gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC &&
	    header.sh_size <= MOST_DYNAMIC && header.sh_entsize)
		data = elf_getdata(section, NULL);
	if (!data)
		return;
	count = data->d_size / header.sh_entsize;
	for (i = 0; i < count; i++) {
		name = dynamic_string(elf, header.sh_link, data, i, false);
		if (name)
			set_folders(search, name);
	}
	for (i = 0; i < count; i++) {
		name = dynamic_string(elf, header.sh_link, data, i, true);
		if (name)
			find_library(search, name);
	}
}

static void add_loader(struct library_search *search, Elf *elf, int fd)
{
	char path[PATH_MAX];
	size_t i, n = 0;
	GElf_Phdr phdr;
	ssize_t got;

	elf_getphdrnum(elf, &n);
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &phdr) || phdr.p_type != PT_INTERP ||
		    phdr.p_filesz >= sizeof(path))
			continue;
		got = pread(fd, path, phdr.p_filesz, phdr.p_offset);
		if (got <= 0)
			continue;
		path[got] = '\0';
		add(search->files, path);
	}
}

static void add_needed(struct library_search *search, const char *path)
{
	const char *slash = strrchr(path, '/');
	int fd;
	Elf *elf = elf_open(path, &fd);

	snprintf(search->origin, sizeof(search->origin), "%.*s", slash ? (int)(slash - path) : 1,
		 slash ? path : ".");
	*search->folders = '\0';
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		add_loader(search, elf, fd);
		add_libraries(search, elf);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

/* Files that are added here are looked at, too. */
static void add_all_needed(struct needed_files *files)
{
	struct library_search *search = calloc(1, sizeof(*search));
	size_t i;

	if (!search)
		return;
	search->files = files;
	library_cache_read(&search->cache, "/etc/ld.so.cache");
	for (i = 0; i < files->count; i++) {
		add_needed(search, files->path[i]);
		if (!i)
			memcpy(search->program_folders, search->folders, sizeof(search->folders));
	}
	library_cache_free(&search->cache);
	free(search);
}
#else
static void add_all_needed(struct needed_files *files)
{
	(void)files;
}
#endif

int needed_files_error(const char *command)
{
	char path[PATH_MAX], line[SCRIPT_LINE], *words, *rest;
	int scripts;

	if (!find_program(command, path))
		return strchr(command, '/') && !access(command, F_OK) ? EACCES : ENOENT;
	for (scripts = 0; scripts < MOST_SCRIPTS; scripts++) {
		words = script_line(path, line);
		words = words ? strtok_r(words, " \t", &rest) : NULL;
		if (!words)
			break;
		if (!is_file(words, X_OK))
			return access(words, F_OK) ? ENOENT : EACCES;
		strcpy(path, words);
	}
	return 0;
}

void needed_files_find(struct needed_files *files, const char *command)
{
	*files = (struct needed_files){ };
	add_program(files, command, 0);
	add_all_needed(files);
}

void needed_files_free(struct needed_files *files)
{
	size_t i;

	for (i = 0; i < files->count; i++)
		free(files->path[i]);
	free(files->path);
	*files = (struct needed_files){ };
}
