/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Control groups that records of a trace name, and what containers are called. */
#ifndef ETW_CONTAINERS_H
#define ETW_CONTAINERS_H

#include "map.h"
#include "reader.h"

struct fields;

/* What reports call the container of a process that has none */
#define NO_CONTAINER	"none"

/**
 * struct container - a control group
 * @path: relative to the root of the hierarchy
 * @label: its last part; of a container of docker, podman or Kubernetes the first digits of its id
 * @index: of the first control group with this label
 */
struct container {
	char *path;
	char *label;
	uint32_t index;
};

/**
 * struct containers - all of them
 * @paths: hashes of their paths
 * @labels: hashes of their labels
 * @first: by index in @labels: index in @list
 * @list: by index in @paths; they stay where they are
 */
struct containers {
	struct map paths;
	struct map labels;
	uint32_t *first;
	struct container **list;
};

/* Whether a record may name the control group of a process */
bool containers_concern(const struct etl_record *record);
/*
 * Such a record: its process, and its control group; NULL: the record names none.
 * Return: 0, or -1: no memory
 */
int containers_note(struct containers *containers, const struct etl_record *record,
		    struct fields *fields, uint32_t *pid,
		    const struct container **container);
void containers_free(struct containers *containers);

#endif /* ETW_CONTAINERS_H */
