/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Calls of functions by functions, with their weights. */
#ifndef ETW_CALL_TREE_H
#define ETW_CALL_TREE_H

#include <stdbool.h>
#include "libetl/map.h"

/**
 * struct call_name - a function
 * @text: its name
 * @events: in which it was on top
 * @self: their weight
 * @all: weight of the events with the function in their stacks
 * @last: the event that was counted last for @all, from 1
 * @is_kernel: an address of the kernel has this name
 * @top: the name of the first step of its latest event
 * @several: events with it have different first steps
 */
struct call_name {
	char *text;
	uint64_t events;
	uint64_t self;
	uint64_t all;
	uint64_t last;
	bool is_kernel;
	uint32_t top;
	bool several;
};

/**
 * struct call_node - a function as it was called from another
 * @parent: index of the caller; the root is its own
 * @name: index of its name
 * @self: weight of what ended here
 * @all: and of what was called from here
 */
struct call_node {
	uint32_t parent;
	uint32_t name;
	uint64_t self;
	uint64_t all;
};

/**
 * struct call_tree - of all events
 * @name: functions; node 0, the root, has the first, which is empty
 * @symbols: keys of call_tree_know()
 * @name_of: by index of the key: index of the name
 * @paths: keys of call_tree_keep(), of one @epoch
 * @end_of: by index of the key: the node at its end
 * @node: indexes are those of the map of children, and the root's
 * @at: where the event that is being added is
 * @top: the name of its first step
 * @event: its number
 * @weight: of all
 * @unit: what is shown as 1, for sums are rounded, not what they are made of
 */
struct call_tree {
	struct map hashes;
	struct call_name *name;
	size_t name_room;
	struct map symbols;
	uint32_t *name_of;
	struct map paths;
	uint32_t *end_of;
	uint64_t epoch;
	struct map children;
	struct call_node *node;
	size_t nodes;
	size_t node_room;
	uint32_t at;
	uint32_t top;
	uint64_t event;
	uint64_t weight;
	uint32_t unit;
	bool no_memory;
};

/**
 * struct call_order - the children of all nodes, each one's together
 * @begin: by node: its first in @child; one more than there are nodes
 * @child: the heaviest first
 */
struct call_order {
	uint32_t *begin;
	uint32_t *child;
};

/* What is deeper is left out of paths and of text */
#define CALL_TREE_DEEPEST	1024

/* An event begins at the root, */
void call_tree_begin(struct call_tree *tree);
/* goes on from caller to callee, */
void call_tree_step(struct call_tree *tree, const char *name);
/* (the same with a function of the kernel) */
void call_tree_step_kernel(struct call_tree *tree, const char *name);
/*
 * (the same with a function that has a key, without making its name again. Return: false: the key
 * is new, and a step by name must come, then call_tree_know())
 */
bool call_tree_step_known(struct call_tree *tree, uint64_t key);
/* (the function of the last step has this key from now on) */
void call_tree_know(struct call_tree *tree, uint64_t key);
/*
 * (the same with all frames of a part of a stack, which stays at @frames, by the names that it had
 * before. Return: false: it has none in this epoch, so steps must come, then call_tree_keep().
 * Without an earlier step, the event must not end by call_tree_end())
 */
bool call_tree_go(struct call_tree *tree, uint32_t pid, const void *frames, uint32_t count,
		  uint64_t epoch, uint64_t *key);
/* (the steps since then were those of @key) */
void call_tree_keep(struct call_tree *tree, uint64_t key);
/* and ends there. */
void call_tree_end(struct call_tree *tree, uint64_t weight);
/* The nodes from the root's child down to @node. Return: how many */
unsigned int call_tree_path(const struct call_tree *tree, uint32_t node,
			    uint32_t path[CALL_TREE_DEEPEST]);
/* "process;caller;function 17" for each node that something ended in */
void call_tree_folded(const struct call_tree *tree);
/*
 * Indented, the heaviest first; what weighs less than 1/@part of all is left out, 0: nothing; and
 * more than the @top heaviest callees of a function, 0: none
 */
void call_tree_text(const struct call_tree *tree, uint32_t part, uint32_t top);
/* An array: the frames of each node that something ended in, and what */
void call_tree_json(const struct call_tree *tree);
/* The same as lines, with the frames as in call_tree_folded(). Return: 0, or -1: no memory */
int call_tree_csv(const struct call_tree *tree);
/*
 * Adds the nodes that only @other has, without weight. Return: by node of @tree the weight in
 * @other, with callees; free() it. NULL: no memory
 */
uint64_t *call_tree_join(struct call_tree *tree, const struct call_tree *other);
/* The order of the children. Return: false without memory; call_order_free() either way */
bool call_tree_order(const struct call_tree *tree, struct call_order *order);
void call_order_free(struct call_order *order);
void call_tree_free(struct call_tree *tree);

#endif /* ETW_CALL_TREE_H */
