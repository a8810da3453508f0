// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* A load as a build is: a driver, compilers that recurse, assemblers behind pipes; files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include "chain.h"

/* A walk by frame pointers has to find each of these functions. */
#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

static const char usage[] =
	"compile DIR UNITS JOBS   make UNITS objects in DIR, JOBS at a time\n"
	"compile cc SOURCE        parse SOURCE, code to standard output\n"
	"compile as OBJECT        standard input to OBJECT\n";

enum { DEPTH = 17, OPERANDS = 24, STATEMENTS = 60, ARENA = 1 << 16, CHUNK = 256, BETWEEN = 4096 };

struct node {
	struct node *left;
	struct node *right;
	long value;
	char operator;
	char rest[103];		/* trees of compilers are large */
};

static char source[CHUNK], code[CHUNK];
static long at, have, used;
static char *arena;
static size_t room;
static int input = -1;

static void die(const char *what)
{
	fprintf(stderr, "compile: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* The next character; reads at whatever depth the parser is */
static CHAIN int next(void)
{
	if (at == have) {
		have = chain_call(SYS_read, input, (long)source, sizeof(source), 0);
		at = 0;
		if (have <= 0)
			return 0;
	}
	return source[at];
}

static CHAIN struct node *node(char operator, struct node *left, struct node *right)
{
	struct node *node;

	if (room < sizeof(*node)) {
		arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
		if (arena == MAP_FAILED)
			die("mmap");
		room = ARENA;
	}
	node = (struct node *)arena;
	arena += sizeof(*node);
	room -= sizeof(*node);
	node->operator = operator;
	node->left = left;
	node->right = right;
	return node;
}

static struct node *expression(void);

static CHAIN struct node *number(void)
{
	struct node *n = node('0', NULL, NULL);
	int c;

	while ((c = next()) >= '0' && c <= '9') {
		n->value = 10 * n->value + c - '0';
		at++;
	}
	return n;
}

static CHAIN struct node *primary(void)
{
	struct node *n;

	if (next() != '(')
		return number();
	at++;
	n = expression();
	if (next() != ')')
		die("syntax error");
	at++;
	return n;
}

static CHAIN struct node *unary(void)
{
	struct node *n;

	if (next() != '-')
		return node('u', primary(), NULL);
	at++;
	n = unary();
	return node('-', n, NULL);
}

/* OPERAND { OPERATOR OPERAND }, a function for each level of precedence as compilers have */
#define LEVEL(name, operand, operator) \
static CHAIN struct node *name(void) \
{ \
	struct node *n = operand(); \
	while (next() == (operator)) { \
		at++; \
		n = node(operator, n, operand()); \
	} \
	return n; \
}

LEVEL(product, unary, '*')
LEVEL(sum, product, '+')
LEVEL(comparison, sum, '<')
LEVEL(expression, comparison, '=')

static CHAIN void put(char c)
{
	code[used++] = c;
	if (used == sizeof(code)) {
		chain_call(SYS_write, 1, (long)code, used, 0);
		used = 0;
	}
}

static void generate(const struct node *n);

static CHAIN void operand(const struct node *n)
{
	if (n)
		generate(n);
	asm volatile("" : : : "memory");
}

/* Code for the tree, written at whatever depth the walk is */
static CHAIN void generate(const struct node *n)
{
	operand(n->left);
	operand(n->right);
	put(n->operator);
	put('0' + n->value % 10);
	put('\n');
}

static CHAIN void unit(void)
{
	struct node *n;

	while (next()) {
		n = expression();
		if (next() != ';')
			die("syntax error");
		at++;
		generate(n);
	}
	chain_call(SYS_write, 1, (long)code, used, 0);
}

static void assemble(const char *object)
{
	char text[1 << 14];
	int out = open(object, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	ssize_t n;

	while ((n = read(0, text, sizeof(text))) > 0)
		if (write(out, text, n) != n)
			die(object);
}

/* The same for all units: as many different stacks, however many there are */
static void write_source(const char *path)
{
	FILE *file = fopen(path, "w");
	int i, j;

	if (!file)
		die(path);
	for (i = 0; i < STATEMENTS; i++) {
		for (j = 0; j < DEPTH; j++)
			fprintf(file, "%d+(", 100 + i % 900);
		/* most of the work is in the innermost parentheses */
		for (j = 0; j < OPERANDS; j++)
			fprintf(file, "%d*-7+", 100 + i % 900);
		fprintf(file, "1");
		for (j = 0; j < DEPTH; j++)
			fprintf(file, ")");
		fprintf(file, ";");
	}
	if (fclose(file))
		die(path);
}

static int run(const char *verb, const char *path, int in, int out)
{
	int pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	if (in >= 0)
		dup2(in, 0);
	if (out >= 0)
		dup2(out, 1);
	execl("/proc/self/exe", "compile", verb, path, (char *)NULL);
	die("exec");
	return 0;
}

static int one_unit(const char *dir, int i)
{
	char path[256], object[256];
	int between[2], pid;

	snprintf(path, sizeof(path), "%s/%d.c", dir, i);
	snprintf(object, sizeof(object), "%s/%d.o", dir, i);
	write_source(path);
	if (pipe2(between, O_CLOEXEC))
		die("pipe");
	fcntl(between[0], F_SETPIPE_SZ, BETWEEN);
	pid = run("cc", path, -1, between[1]);
	run("as", object, between[0], -1);
	close(between[0]);
	close(between[1]);
	return pid;
}

static void reap(void)
{
	int status;

	if (wait(&status) < 0 || status)
		die("a compiler");
}

int main(int argc, char **argv)
{
	int i, children = 0;

	if (argc == 3 && !strcmp(argv[1], "cc")) {
		input = open(argv[2], O_RDONLY | O_CLOEXEC);
		/* the C library has no frame pointers: a chain ends in main() */
		chain_bottom(unit);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "as")) {
		assemble(argv[2]);
		return 0;
	}
	if (argc != 4) {
		fputs(usage, stderr);
		return 2;
	}
	for (i = 0; i < atoi(argv[2]); i++) {
		for (; children >= 2 * atoi(argv[3]); children--)
			reap();
		one_unit(argv[1], i);
		children += 2;
	}
	while (children--)
		reap();
	return 0;
}
