/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* A file that could not take all of its stream: the loss records at its end. */
#ifndef ETW_WRITER_LOST_H
#define ETW_WRITER_LOST_H

#include "writer.h"

/*
 * Puts loss records for writer->unwritten behind the last buffer. If there is no room, they
 * replace the last buffer, and its events are counted too. If the header is the only buffer,
 * its EventsLost alone reports them.
 */
void writer_report_unwritten(struct writer *writer);

#endif /* ETW_WRITER_LOST_H */
