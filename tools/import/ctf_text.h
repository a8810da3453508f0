/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A field of CTF as text. */
#ifndef ETW_IMPORT_CTF_TEXT_H
#define ETW_IMPORT_CTF_TEXT_H

#include "ctf_library.h"

#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)

/* Return: the field as 'babeltrace2' prints it, to free; NULL: no memory */
char *ctf_text(const struct ctf_library *ctf, const bt_field *field);

#endif
#endif /* ETW_IMPORT_CTF_TEXT_H */
