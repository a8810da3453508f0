// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* The contexts of a call of tdh.h: where descriptions of messages are. */
#include <stdlib.h>
#include "consume.h"
#include "tdh_private.h"
#include "tdh_tmf.h"

/* consume_copy_name() may leave a copy after an error */
static ULONG take_name(const TDH_CONTEXT *from, char **to)
{
	if (!from->ParameterValue)
		return ERROR_INVALID_PARAMETER;
	return consume_copy_name(true, (const void *)(uintptr_t)from->ParameterValue, to);
}

static ULONG take(const TDH_CONTEXT *from, struct tdh_contexts *to)
{
	switch (from->ParameterType) {
	case TDH_CONTEXT_WPP_TMFFILE:
		return take_name(from, &to->file);
	case TDH_CONTEXT_WPP_TMFSEARCHPATH:
		return take_name(from, &to->folders);
	case TDH_CONTEXT_WPP_GMT:
		to->gmt = from->ParameterValue != 0;
		return ERROR_SUCCESS;
	case TDH_CONTEXT_POINTERSIZE:
		to->pointer_size = from->ParameterValue;
		return from->ParameterValue == 4 || from->ParameterValue == 8 ?
		       ERROR_SUCCESS : ERROR_INVALID_PARAMETER;
	case TDH_CONTEXT_PDB_PATH:	/* a PDB is not read */
		return ERROR_SUCCESS;
	default:
		return ERROR_INVALID_PARAMETER;
	}
}

ULONG tdh_contexts_read(const TDH_CONTEXT *from, ULONG count, struct tdh_contexts *contexts)
{
	unsigned int seen = 0;
	ULONG err = ERROR_SUCCESS, i;

	*contexts = (struct tdh_contexts){ };
	if (count && !from)
		return ERROR_INVALID_PARAMETER;
	for (i = 0; !err && i < count; i++) {
		if ((unsigned int)from[i].ParameterType >= TDH_CONTEXT_MAXIMUM ||
		    seen >> from[i].ParameterType & 1)
			err = ERROR_INVALID_PARAMETER;
		else
			err = take(&from[i], contexts);
		seen |= err ? 0 : 1u << from[i].ParameterType;
	}
	if (err)
		tdh_contexts_free(contexts);
	return err;
}

void tdh_contexts_free(struct tdh_contexts *contexts)
{
	free(contexts->file);
	free(contexts->folders);
	*contexts = (struct tdh_contexts){ };
}
