/* SPDX-License-Identifier: GPL-2.0 */
/* What is told on a terminal of a copy of a stream: progress, a summary. */
#ifndef ETW_COPY_PROGRESS_H
#define ETW_COPY_PROGRESS_H

#include "../libetl/stream_copy.h"

void copy_progress_show(struct stream_copy *copy);

#endif /* ETW_COPY_PROGRESS_H */
