/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* elfutils' library for DWARF, which is loaded only when it is needed. */
#ifndef ETW_SYMBOLS_LIBDW_H
#define ETW_SYMBOLS_LIBDW_H

#if defined(ETW_HAVE_DWARF) && defined(ETW_HAVE_DLOPEN)
#include <elfutils/libdw.h>

#define LIBDW	"libdw.so.1"

/**
 * struct libdw - functions of elfutils' library, with its names behind "dwarf_"
 */
struct libdw {
	__typeof__(dwarf_begin) *begin;
	__typeof__(dwarf_end) *end;
	__typeof__(dwarf_addrdie) *addrdie;
	__typeof__(dwarf_get_units) *get_units;
	__typeof__(dwarf_haspc) *haspc;
	__typeof__(dwarf_getscopes) *getscopes;
	__typeof__(dwarf_getscopes_die) *getscopes_die;
	__typeof__(dwarf_tag) *tag;
	__typeof__(dwarf_attr) *attr;
	__typeof__(dwarf_attr_integrate) *attr_integrate;
	__typeof__(dwarf_formstring) *formstring;
	__typeof__(dwarf_getsrclines) *getsrclines;
	__typeof__(dwarf_onesrcline) *onesrcline;
	__typeof__(dwarf_lineaddr) *lineaddr;
	__typeof__(dwarf_lineno) *lineno;
	__typeof__(dwarf_linesrc) *linesrc;
	__typeof__(dwarf_lineendsequence) *lineendsequence;
	__typeof__(dwarf_ranges) *ranges;
	__typeof__(dwarf_child) *child;
	__typeof__(dwarf_siblingof) *siblingof;
	__typeof__(dwarf_formudata) *formudata;
	__typeof__(dwarf_formref_die) *formref_die;
	__typeof__(dwarf_entrypc) *entrypc;
	__typeof__(dwarf_linebeginstatement) *linebeginstatement;
	__typeof__(dwarf_getlocation_addr) *getlocation_addr;
	__typeof__(dwarf_getcfi) *getcfi;
	__typeof__(dwarf_getcfi_elf) *getcfi_elf;
	__typeof__(dwarf_cfi_end) *cfi_end;
	__typeof__(dwarf_cfi_addrframe) *cfi_addrframe;
	__typeof__(dwarf_frame_cfa) *frame_cfa;
};

/**
 * libdw_load() - load the library when it is needed for the first time
 *
 * Return: its functions, or NULL: it is not installed
 */
const struct libdw *libdw_load(void);
#endif

#endif /* ETW_SYMBOLS_LIBDW_H */
