// SPDX-License-Identifier: GPL-2.0
/* Losses, as records of ours tell them: running totals by processor and cause. */
#include <string.h>
#include "losses.h"

bool loss_of(const struct etl_record *record, struct etw_loss *loss)
{
	if (!etl_is_ours(record) || record->id != ETW_LINUX_EVENT_LOSS ||
	    record->payload_size < sizeof(*loss))
		return false;
	memcpy(loss, record->payload, sizeof(*loss));
	return true;
}

void losses_add(struct losses *losses, const struct etw_loss *loss)
{
	if (loss->processor < ETL_PROCESSORS && loss->cause < ETW_LOSS_ROOM)
		losses->total[loss->processor][loss->cause] = loss->total;
}

uint64_t losses_sum(const struct losses *losses)
{
	uint64_t sum = 0;
	size_t i, k;

	for (i = 0; i < ETL_PROCESSORS; i++)
		for (k = 0; k < ETW_LOSS_ROOM; k++)
			sum += losses->total[i][k];
	return sum;
}
