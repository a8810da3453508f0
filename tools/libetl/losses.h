/* SPDX-License-Identifier: GPL-2.0 */
/* Losses, as records of ours tell them: running totals by processor and cause. */
#ifndef ETW_LOSSES_H
#define ETW_LOSSES_H

#include "reader.h"
#include "etw_abi.h"

/**
 * struct losses - of a trace
 * @total: the last one that was told
 */
struct losses {
	uint64_t total[ETL_PROCESSORS][ETW_LOSS_ROOM];
};

/* Return: whether the record tells of a loss */
bool loss_of(const struct etl_record *record, struct etw_loss *loss);
void losses_add(struct losses *losses, const struct etw_loss *loss);
/* Of all processors and causes */
uint64_t losses_sum(const struct losses *losses);

#endif /* ETW_LOSSES_H */
