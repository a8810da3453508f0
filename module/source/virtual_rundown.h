/* SPDX-License-Identifier: GPL-2.0 */
/* The part of a rundown that tells programs' own memory. */
#ifndef ETW_VIRTUAL_RUNDOWN_H
#define ETW_VIRTUAL_RUNDOWN_H

#include "../decorate/rundown.h"

int etw_virtual_rundown(struct etw_rundown *rundown, enum etw_rundown_phase phase);

#endif /* ETW_VIRTUAL_RUNDOWN_H */
