// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Images that come and go in known ways, a line about each; and maps of everybody. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	((unsigned long)sysconf(_SC_PAGESIZE))
#define OFTEN	100	/* many more than an image table's window */

/* Images of a process that its child begins with */
static struct mapped {
	char *base;
	const char *path;
} mapped[16];

static int nr_mapped;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void tell(const char *what, const void *base, const char *path)
{
	printf("%s %d %lx %s\n", what, getpid(), (unsigned long)base, path);
	fflush(stdout);
}

/**
 * struct image - an image by this program's own loader
 * @base: where
 * @text: its code
 * @text_size: bytes of it
 * @size: bytes of all of it
 */
struct image {
	char *base;
	char *text;
	unsigned long text_size;
	unsigned long size;
};

/* As a dynamic linker does it: all of it first, then each part over it */
static struct image map(const char *path, char *where)
{
	int i, fd = open(path, O_RDONLY);
	unsigned long low = -1UL, high = 0;
	struct image image = { };
	struct elf64_phdr parts[32];
	struct elf64_hdr head;

	if (fd < 0 || read(fd, &head, sizeof(head)) != sizeof(head) || head.e_phnum > 32 ||
	    pread(fd, parts, head.e_phnum * sizeof(parts[0]), head.e_phoff) < 0)
		die(path);
	for (i = 0; i < head.e_phnum; i++) {
		if (parts[i].p_type != PT_LOAD)
			continue;
		low = parts[i].p_vaddr < low ? parts[i].p_vaddr : low;
		high = parts[i].p_vaddr + parts[i].p_memsz;
	}
	low &= -PAGE;
	image.size = (high - low + PAGE - 1) & -PAGE;
	image.base = mmap(where, image.size, PROT_READ, MAP_PRIVATE | (where ? MAP_FIXED : 0),
			  fd, 0);
	if (image.base == MAP_FAILED)
		die("mmap");
	for (i = 0; i < head.e_phnum; i++) {
		unsigned long extra = parts[i].p_vaddr & (PAGE - 1);
		char *at = image.base + parts[i].p_vaddr - low - extra;
		int prot = (parts[i].p_flags & PF_R ? PROT_READ : 0) |
			   (parts[i].p_flags & PF_W ? PROT_WRITE : 0) |
			   (parts[i].p_flags & PF_X ? PROT_EXEC : 0);

		if (parts[i].p_type != PT_LOAD || (at == image.base && !(prot & PROT_EXEC)))
			continue;
		if (mmap(at, parts[i].p_filesz + extra, prot, MAP_PRIVATE | MAP_FIXED, fd,
			 parts[i].p_offset - extra) == MAP_FAILED)
			die("mmap");
		if (prot & PROT_EXEC) {
			image.text = at;
			image.text_size = (parts[i].p_filesz + extra + PAGE - 1) & -PAGE;
		}
	}
	close(fd);
	tell("load", image.base, path);
	return image;
}

static void unmap(struct image *image, const char *path)
{
	munmap(image->base, image->size);
	tell("unload", image->base, path);
}

static void *in_thread(void *path)
{
	struct image image = map(path, NULL);

	unmap(&image, path);
	return NULL;
}

/* Nothing of this is an image's end, or its beginning. */
static void disturb(struct image *image)
{
	mprotect(image->text, image->text_size, PROT_READ | PROT_WRITE | PROT_EXEC);
	mprotect(image->text, image->text_size, PROT_READ | PROT_EXEC);
	mprotect(image->text + PAGE, PAGE, PROT_READ | PROT_WRITE);
	mprotect(image->text + PAGE, PAGE, PROT_READ | PROT_EXEC);
	madvise(image->text, image->text_size, MADV_DONTNEED);
	munmap(image->text + image->text_size - PAGE, PAGE);
}

/* A file of code without its head: base is what the offset says */
static void map_part(const char *path)
{
	int fd = open(path, O_RDONLY);
	char *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 3 * PAGE);

	if (at == MAP_FAILED)
		die("mmap");
	tell("load", at - 3 * PAGE, path);
	munmap(at, 2 * PAGE);
	tell("unload", at - 3 * PAGE, path);
	close(fd);
}

/* No ELF file, so only its mappings show where it begins, and that its code is in two */
static void map_raw(void)
{
	static const char path[] = "/tmp/raw.so";
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	char *at;
	int i;

	if (ftruncate(fd, 6 * PAGE))
		die("ftruncate");
	at = mmap(NULL, 6 * PAGE, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		die("mmap");
	tell("load", at, path);
	for (i = 2; i <= 4; i += 2)
		if (mmap(at + i * PAGE, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			 fd, i * PAGE) == MAP_FAILED)
			die("mmap");
	munmap(at, 6 * PAGE);
	tell("unload", at, path);
	close(fd);
}

/* A file that is cut while its code is mapped, and then has another name */
static void map_cut(void)
{
	static const char path[] = "/tmp/cut.so", gone[] = "/tmp/cut.so (deleted)";
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	char *at;

	if (ftruncate(fd, 8 * PAGE))
		die("ftruncate");
	at = mmap(NULL, 8 * PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		die("mmap");
	tell("load", at, path);
	if (ftruncate(fd, 0))
		die("ftruncate");
	unlink(path);
	munmap(at, 8 * PAGE);
	tell("unload", at, gone);
	close(fd);
}

/*
 * One file as code in many places, as in a program that writes and runs code through two mappings
 */
static void map_often(void)
{
	static const char path[] = "/tmp/often.so";
	int i, fd = open(path, O_RDWR | O_CREAT, 0600);
	char *at[OFTEN], *room;

	room = mmap(NULL, 2 * OFTEN * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED || ftruncate(fd, OFTEN * PAGE))
		die("room for many mappings");
	for (i = 0; i < OFTEN; i++) {
		at[i] = mmap(room + 2 * i * PAGE, PAGE, PROT_READ | PROT_EXEC,
			     MAP_SHARED | MAP_FIXED, fd, i * PAGE);
		if (at[i] == MAP_FAILED)
			die("mmap");
		tell("load", at[i] - i * PAGE, path);
	}
	for (i = 0; i < OFTEN; i++) {
		mprotect(at[i], PAGE, PROT_READ);
		mprotect(at[i], PAGE, PROT_READ | PROT_EXEC);
	}
	for (i = 0; i < OFTEN; i++) {
		munmap(at[i], PAGE);
		tell("unload", at[i] - i * PAGE, path);
	}
	munmap(room, 2 * OFTEN * PAGE);
	close(fd);
}

static void in_one_process(const char *a, const char *b)
{
	struct image first = map(a, NULL), second = map(a, NULL), third;
	pthread_t thread;

	disturb(&first);
	unmap(&first, a);
	mprotect(second.base, second.size, PROT_READ);
	unmap(&second, a);

	first = map(a, NULL);
	/* over it: what is mapped ends before what is mapped there begins */
	tell("unload", first.base, a);
	third = map(b, first.base);
	if (third.size < first.size)
		munmap(first.base + third.size, first.size - third.size);
	unmap(&third, b);
	map_part(a);
	map_raw();
	map_cut();
	map_often();
	pthread_create(&thread, NULL, in_thread, (void *)b);
	pthread_join(thread, NULL);
}

/* A child without exec has what its parent has, and then its own. */
static void in_child(const char *a, const char *b)
{
	struct image kept = map(a, NULL), own;
	int status;
	pid_t pid;

	mapped[nr_mapped++] = (struct mapped){ kept.base, a };
	pid = fork();
	if (!pid) {
		int i;

		for (i = 0; i < nr_mapped; i++)
			tell("load", mapped[i].base, mapped[i].path);
		own = map(b, NULL);
		unmap(&own, b);
		unmap(&kept, a);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	unmap(&kept, a);
	nr_mapped--;
}

static void in_vforked_child(void)
{
	char *const argv[] = { "images", "nothing", NULL };
	int status;
	pid_t pid = vfork();

	if (!pid) {
		execv("/w/images", argv);
		_exit(127);
	}
	printf("vfork %d\n", pid);
	fflush(stdout);
	waitpid(pid, &status, 0);
}

/* A program that prints where it is, and the same file by our own loader */
static void another_program(const char *path)
{
	struct image image;
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl(path, path, NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (status)
		exit(1);
	image = map(path, NULL);
	unmap(&image, path);
}

static int print_maps(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char path[64], line[4096];

	while ((entry = readdir(dir))) {
		int pid = atoi(entry->d_name);
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%d/maps", pid);
		file = pid && pid != getpid() ? fopen(path, "r") : NULL;
		while (file && fgets(line, sizeof(line), file))
			printf("%d %s", pid, line);
		if (file)
			fclose(file);
	}
	closedir(dir);
	return 0;
}

/* The kernel's whole mapping of it */
static int write_vdso(void)
{
	unsigned long start, end;
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", &start, &end) == 2)
			return fwrite((void *)start, end - start, 1, stdout) != 1;
	return 1;
}

int main(int argc, char **argv)
{
	int i;

	if (argc == 2 && !strcmp(argv[1], "maps"))
		return print_maps();
	if (argc == 2 && !strcmp(argv[1], "vdso"))
		return write_vdso();
	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	if (argc < 4)
		return 2;
	if (!strcmp(argv[1], "stay")) {
		for (i = 2; i < argc; i++)
			map(argv[i], NULL);
		for (;;)
			pause();
	}
	in_one_process(argv[2], argv[3]);
	in_child(argv[2], argv[3]);
	in_vforked_child();
	for (i = 4; i < argc; i++)
		another_program(argv[i]);
	return 0;
}
