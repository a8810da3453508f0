// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Calls of functions by functions, with their weights. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include "common/print_fields.h"
#include "libetl/array.h"
#include "call_tree.h"
#include "terminal.h"

/* Of call_tree_keep(): 20 bytes each, and slots */
#define PATHS_MOST	((size_t)1 << 20)

static bool grow(struct call_tree *tree, void **array, size_t needed, size_t *room, size_t bytes)
{
	if (array_grow(array, room, needed, bytes))
		return true;
	tree->no_memory = true;
	return false;
}

static uint32_t name_of(struct call_tree *tree, const char *text)
{
	size_t known = tree->hashes.count;
	size_t i = map_add(&tree->hashes, map_mix(MAP_MIX, text, strlen(text)));
	char *copy;

	if (i == MAP_NONE || !grow(tree, (void **)&tree->name, i + 1, &tree->name_room,
				   sizeof(*tree->name))) {
		tree->no_memory = true;
		return 0;
	}
	if (i < known)
		return i;
	copy = strdup(text);
	tree->no_memory |= !copy;
	tree->name[i] = (struct call_name){ .text = copy };
	return i;
}

/* Nodes are numbered as the keys of their map, behind the root. */
static uint32_t child_of(struct call_tree *tree, uint32_t parent, uint32_t name)
{
	size_t known = tree->children.count;
	size_t i = map_add(&tree->children, (uint64_t)parent << 32 | name);

	if (i == MAP_NONE || !grow(tree, (void **)&tree->node, i + 2, &tree->node_room,
				   sizeof(*tree->node))) {
		tree->no_memory = true;
		return 0;
	}
	if (i == known) {
		tree->node[i + 1] = (struct call_node){ .parent = parent, .name = name };
		tree->nodes = i + 2;
	}
	return i + 1;
}

void call_tree_begin(struct call_tree *tree)
{
	if (!tree->nodes && grow(tree, (void **)&tree->node, 1, &tree->node_room,
				 sizeof(*tree->node))) {
		tree->node[0] = (struct call_node){ .name = name_of(tree, "") };
		tree->nodes = 1;
	}
	tree->at = 0;
}

static void step_to(struct call_tree *tree, uint32_t name)
{
	if (!tree->at)
		tree->top = name;
	tree->at = child_of(tree, tree->at, name);
}

void call_tree_step(struct call_tree *tree, const char *name)
{
	if (!tree->no_memory)
		step_to(tree, name_of(tree, name));
}

bool call_tree_step_known(struct call_tree *tree, uint64_t key)
{
	size_t i = map_find(&tree->symbols, key);

	if (tree->no_memory || i == MAP_NONE)
		return false;
	step_to(tree, tree->name_of[i]);
	return true;
}

void call_tree_know(struct call_tree *tree, uint64_t key)
{
	size_t count = tree->symbols.count;

	if (tree->no_memory)
		return;
	/* room first: each key has a name */
	if (!map_make_room((void **)&tree->name_of, count, sizeof(*tree->name_of)) ||
	    map_add(&tree->symbols, key) != count)
		tree->no_memory = true;
	else
		tree->name_of[count] = tree->node[tree->at].name;
}

void call_tree_step_kernel(struct call_tree *tree, const char *name)
{
	call_tree_step(tree, name);
	if (!tree->no_memory)
		tree->name[tree->node[tree->at].name].is_kernel = true;
}

bool call_tree_go(struct call_tree *tree, uint32_t pid, const void *frames, uint32_t count,
		  uint64_t epoch, uint64_t *key)
{
	const uint64_t parts[] = { (uint64_t)tree->at << 32 | pid, (uintptr_t)frames, count };
	size_t i;

	*key = map_mix(MAP_MIX, parts, sizeof(parts));
	if (tree->epoch != epoch) {
		map_free(&tree->paths);
		free(tree->end_of);
		tree->end_of = NULL;
		tree->epoch = epoch;
	}
	i = map_find(&tree->paths, *key);
	if (i == MAP_NONE)
		return false;
	tree->at = tree->end_of[i];
	return true;
}

void call_tree_keep(struct call_tree *tree, uint64_t key)
{
	size_t count = tree->paths.count;

	/* without room, steps go on to be made */
	if (tree->no_memory || count == PATHS_MOST ||
	    !map_make_room((void **)&tree->end_of, count, sizeof(*tree->end_of)) ||
	    map_add(&tree->paths, key) != count)
		return;
	tree->end_of[count] = tree->at;
}

void call_tree_end(struct call_tree *tree, uint64_t weight)
{
	struct call_node *node;
	struct call_name *name;
	uint32_t i;

	if (tree->no_memory)
		return;
	tree->event++;
	tree->weight += weight;
	tree->node[tree->at].self += weight;
	name = &tree->name[tree->node[tree->at].name];
	name->self += weight;
	name->events++;
	for (i = tree->at; ; i = node->parent) {
		node = &tree->node[i];
		node->all += weight;
		name = &tree->name[node->name];
		/* a function that calls itself is in the stack once */
		if (name->last != tree->event)
			name->all += weight;
		name->last = tree->event;
		name->several |= name->top && name->top != tree->top;
		name->top = tree->top;
		if (!i)
			break;
	}
}

unsigned int call_tree_path(const struct call_tree *tree, uint32_t i,
			    uint32_t path[CALL_TREE_DEEPEST])
{
	unsigned int depth = 0, k;
	uint32_t other;

	for (; i && depth < CALL_TREE_DEEPEST; i = tree->node[i].parent)
		path[depth++] = i;
	for (k = 0; k < depth / 2; k++) {
		other = path[k];
		path[k] = path[depth - 1 - k];
		path[depth - 1 - k] = other;
	}
	return depth;
}

/* What separates frames, and the weight, is not in names. */
static void put_frame(const char *text, FILE *to)
{
	for (; *text; text++)
		putc(*text == ';' ? ':' : *text, to);
}

static void put_frames(const struct call_tree *tree, const uint32_t *path, unsigned int depth,
		       FILE *to)
{
	unsigned int k;

	for (k = 0; k < depth; k++) {
		if (k)
			putc(';', to);
		put_frame(tree->name[tree->node[path[k]].name].text, to);
	}
}

void call_tree_folded(const struct call_tree *tree)
{
	uint32_t path[CALL_TREE_DEEPEST], i;
	uint64_t weight;

	for (i = 1; i < tree->nodes; i++) {
		weight = tree->node[i].self / tree->unit;
		if (!weight)
			continue;
		put_frames(tree, path, call_tree_path(tree, i, path), stdout);
		printf(" %" PRIu64 "\n", weight);
	}
}

void call_tree_json(const struct call_tree *tree)
{
	uint32_t path[CALL_TREE_DEEPEST], i;
	unsigned int depth, k;
	json_t *row, *frames;
	uint64_t weight;

	putchar('[');
	for (i = 1, k = 0; i < tree->nodes; i++) {
		weight = tree->node[i].self / tree->unit;
		if (!weight)
			continue;
		if (k++)
			putchar(',');
		depth = call_tree_path(tree, i, path);
		row = json_object();
		frames = json_array();
		for (unsigned int n = 0; n < depth; n++)
			json_array_append_new(frames,
				json_string(tree->name[tree->node[path[n]].name].text));
		json_object_set_new(row, "frames", frames);
		json_object_set_new(row, "weight", json_integer(weight));
		json_dumpf(row, stdout, JSON_COMPACT);
		json_decref(row);
	}
	putchar(']');
}

int call_tree_csv(const struct call_tree *tree)
{
	uint32_t path[CALL_TREE_DEEPEST], i;
	unsigned int depth;
	uint64_t weight;
	size_t size;
	char *text;
	FILE *to;

	puts("weight,process,function,stack");
	for (i = 1; i < tree->nodes; i++) {
		weight = tree->node[i].self / tree->unit;
		if (!weight)
			continue;
		depth = call_tree_path(tree, i, path);
		text = NULL;
		to = open_memstream(&text, &size);
		if (!to)
			return -1;
		put_frames(tree, path, depth, to);
		if (fclose(to)) {
			free(text);
			return -1;
		}
		printf("%" PRIu64 ",", weight);
		text_print_csv(tree->name[tree->node[path[0]].name].text, stdout);
		putchar(',');
		text_print_csv(tree->name[tree->node[i].name].text, stdout);
		putchar(',');
		text_print_csv(text, stdout);
		putchar('\n');
		free(text);
	}
	return 0;
}

static int by_weight(const void *left, const void *right, void *nodes)
{
	const struct call_node *a = (struct call_node *)nodes + *(const uint32_t *)left;
	const struct call_node *b = (struct call_node *)nodes + *(const uint32_t *)right;

	return a->all > b->all ? -1 : a->all < b->all;
}

bool call_tree_order(const struct call_tree *tree, struct call_order *order)
{
	size_t i;

	order->begin = calloc(tree->nodes + 2, sizeof(*order->begin));
	order->child = calloc(tree->nodes + 1, sizeof(*order->child));
	if (!order->begin || !order->child)
		return false;
	for (i = 1; i < tree->nodes; i++)
		order->begin[tree->node[i].parent + 2]++;
	for (i = 1; i <= tree->nodes; i++)
		order->begin[i + 1] += order->begin[i];
	/* begin[p + 1] walks from the begin of p's children to their end, p + 1's begin */
	for (i = 1; i < tree->nodes; i++)
		order->child[order->begin[tree->node[i].parent + 1]++] = i;
	for (i = 0; i < tree->nodes; i++)
		qsort_r(order->child + order->begin[i], order->begin[i + 1] - order->begin[i],
			sizeof(uint32_t), by_weight, tree->node);
	return true;
}

uint64_t *call_tree_join(struct call_tree *tree, const struct call_tree *other)
{
	uint32_t *same = calloc(other->nodes + 1, sizeof(*same));
	const struct call_name *name;
	uint64_t *all = NULL;
	size_t i;

	/* callers precede their callees */
	for (i = 1; same && i < other->nodes; i++) {
		name = &other->name[other->node[i].name];
		tree->at = same[other->node[i].parent];
		if (name->is_kernel)
			call_tree_step_kernel(tree, name->text);
		else
			call_tree_step(tree, name->text);
		same[i] = tree->at;
	}
	if (same && !tree->no_memory)
		all = calloc(tree->nodes + 1, sizeof(*all));
	for (i = 0; all && i < other->nodes; i++)
		all[same[i]] += other->node[i].all;
	free(same);
	return all;
}

/* Characters before the function's name; those of the name that are shown at any depth */
#define NUMBERS		33
#define LEAST_NAME	24

/* On a terminal the name is cut, and levels that have no room are a number: "+12 name" */
static void print_function(const struct terminal *terminal, const char *name, unsigned int depth)
{
	unsigned int room = terminal->width > NUMBERS + LEAST_NAME ?
			    terminal->width - NUMBERS : LEAST_NAME;
	unsigned int levels = (room - LEAST_NAME) / 2, used;

	if (!terminal->width) {
		printf("%*s%s\n", 2 * depth, "", name);
		return;
	}
	if (levels > depth)
		levels = depth;
	used = printf("%*s", 2 * levels, "");
	if (depth > levels)
		used += printf("+%u ", depth - levels);
	terminal_print(name, room - used, false);
	putchar('\n');
}

/**
 * struct tree_text - how a tree is printed
 * @least: nodes of less weight are left out
 * @top: callees of a function, 0: all
 */
struct tree_text {
	const struct call_tree *tree;
	struct call_order order;
	struct terminal terminal;
	uint64_t least;
	uint32_t top;
};

static void print_node(const struct tree_text *text, uint32_t i, unsigned int depth)
{
	const struct call_tree *tree = text->tree;
	const struct call_node *node = &tree->node[i];
	const struct call_order *order = &text->order;
	uint32_t k, end = order->begin[i + 1];

	if (depth) {
		printf("%12" PRIu64 " %12" PRIu64 " %6.2f ", node->all / tree->unit,
		       node->self / tree->unit,
		       tree->weight ? 100.0 * node->all / tree->weight : 0);
		print_function(&text->terminal, tree->name[node->name].text, depth - 1);
	}
	if (depth == CALL_TREE_DEEPEST)
		return;
	if (text->top && end - order->begin[i] > text->top)
		end = order->begin[i] + text->top;
	for (k = order->begin[i]; k < end; k++)
		if (tree->node[order->child[k]].all >= text->least)
			print_node(text, order->child[k], depth + 1);
}

void call_tree_text(const struct call_tree *tree, uint32_t part, uint32_t top)
{
	struct tree_text text = {
		.tree = tree, .terminal = terminal_of_stdout(), .top = top,
		.least = part ? (tree->weight + part - 1) / part : 0,
	};

	puts("         all         self      % function");
	if (tree->nodes && call_tree_order(tree, &text.order))
		print_node(&text, 0, 0);
	call_order_free(&text.order);
}

void call_order_free(struct call_order *order)
{
	free(order->begin);
	free(order->child);
}

void call_tree_free(struct call_tree *tree)
{
	size_t i;

	for (i = 0; i < tree->hashes.count && i < tree->name_room; i++)
		free(tree->name[i].text);
	free(tree->name);
	free(tree->node);
	map_free(&tree->hashes);
	map_free(&tree->children);
	map_free(&tree->symbols);
	free(tree->name_of);
	map_free(&tree->paths);
	free(tree->end_of);
}
