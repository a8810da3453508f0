/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* TMF files that the contexts of a call name. */
#ifndef LIBETW_TDH_TMF_H
#define LIBETW_TDH_TMF_H

#include "include/tdh.h"
#include "tmf/tmf.h"

/**
 * struct tdh_contexts - what a caller's array of TDH_CONTEXT contains
 * @file: TDH_CONTEXT_WPP_TMFFILE, UTF-8; NULL: the file has the name of the message's GUID
 * @folders: TDH_CONTEXT_WPP_TMFSEARCHPATH, UTF-8, with ; between them; NULL: none
 * @gmt: TDH_CONTEXT_WPP_GMT
 * @pointer_size: TDH_CONTEXT_POINTERSIZE; 0: that of the event
 */
struct tdh_contexts {
	char *file;
	char *folders;
	bool gmt;
	uint8_t pointer_size;
};

/* tdh_contexts.c: returns a Win32 code; after ERROR_SUCCESS the caller frees the texts */
ULONG tdh_contexts_read(const TDH_CONTEXT *from, ULONG count, struct tdh_contexts *contexts);
void tdh_contexts_free(struct tdh_contexts *contexts);

/*
 * tdh_tmf.c: what describes the event, under tdh_lock(). @message stays valid up to tdh_unlock().
 * Returns a Win32 code; ERROR_NOT_FOUND: no file describes it
 */
ULONG tdh_tmf_find(const EVENT_RECORD *event, const struct tdh_contexts *contexts,
		   const struct tmf_message **message);

#endif /* LIBETW_TDH_TMF_H */
