// SPDX-License-Identifier: GPL-2.0
/* The rules of etw check, and how findings are told. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include "check.h"

/* Findings of one rule that are printed without --all */
#define SHOWN	20

enum severity {
	ALWAYS,		/* a violation in any file */
	HOUSE,		/* a violation in our files, a note in others */
	NOTE,
};

struct rule {
	enum severity severity;
	const char *text;
};

/* Up to 41 the numbers are those of the reader's checklist; from 50, ours. */
static const struct rule rules[RULES] = {
	[1] = { ALWAYS, "the file starts with a buffer header" },
	[2] = { ALWAYS, "the first buffer is a header buffer" },
	[3] = { ALWAYS, "the header buffer is not compressed" },
	[4] = { ALWAYS, "the header buffer is whole" },
	[5] = { HOUSE, "SavedOffset of the header buffer is the end of its records" },
	[6] = { ALWAYS, "the first record is a SYSTEM record" },
	[7] = { ALWAYS, "the first record is the header event" },
	[8] = { ALWAYS, "the header event has version 2" },
	[9] = { ALWAYS, "the header event holds two terminated strings" },
	[10] = { ALWAYS, "PointerSize is that of the record" },
	[11] = { HOUSE, "PerfFreq and CpuSpeedInMHz are not 0" },
	[12] = { ALWAYS, "NumberOfProcessors is above every processor index" },
	[13] = { ALWAYS, "BuffersWritten is the number of buffers" },
	[14] = { ALWAYS, "LogFileMode says whether buffers are compressed" },
	[15] = { ALWAYS, "EndTime is not before StartTime" },
	[16] = { HOUSE, "the header event has a time stamp" },
	[17] = { ALWAYS, "the clock type is 1, 2 or 3" },
	[20] = { ALWAYS, "buffers follow each other to the end of the file" },
	[21] = { HOUSE, "all buffers have the size that the header event tells" },
	[22] = { ALWAYS, "Offset is inside the buffer and a multiple of 8" },
	[23] = { HOUSE, "SequenceNumber increases per processor, up to BuffersWritten" },
	[24] = { HOUSE, "the processor index is flagged as one" },
	[25] = { HOUSE, "no buffer is empty" },
	[26] = { HOUSE, "the records of a processor are in order of time" },
	[28] = { HOUSE, "0xFF from Offset to the end of the buffer" },
	[30] = { ALWAYS, "records end exactly at Offset" },
	[31] = { ALWAYS, "the flag byte of a record is C0, or 90" },
	[32] = { ALWAYS, "the header type of a record is known" },
	[33] = { NOTE, "MESSAGE records: some readers don't know them" },
	[34] = { ALWAYS, "a record has room for its header and fits the buffer" },
	[36] = { HOUSE, "version words announce inline items of PERFINFO records only" },
	[37] = { ALWAYS, "the chain of extended items is whole" },
	[38] = { HOUSE, "hook ids are of known groups" },
	[50] = { HOUSE, "SavedOffset = CurrentOffset = Offset" },
	[51] = { HOUSE, "ReferenceCount is 0 and State 3" },
	[52] = { HOUSE, "the unused words of buffer headers are 0" },
	[53] = { HOUSE, "SequenceNumber is dense: 0 in the header buffer, then 1, 2, ..." },
	[54] = { HOUSE, "TimeStamp of buffers never decreases, and is 0 in the header buffer" },
	[55] = { HOUSE, "BufferFlag and BufferType are as they must be" },
	[56] = { HOUSE, "LoggerId is one and the same" },
	[57] = { HOUSE, "the header event's fields are those of our streams" },
	[58] = { HOUSE, "known events have their header, version and size" },
	[59] = { HOUSE, "process records parse to their end" },
	[60] = { HOUSE, "strings end with the payload" },
	[61] = { HOUSE, "each context switch goes on from the one before" },
	[62] = { NOTE, "threads of context switches are known" },
	[63] = { NOTE, "records are not later than their buffer's hand-over" },
	[64] = { HOUSE, "events of our provider have their size" },
	[65] = { NOTE, "EventsLost agrees with the loss records" },
	[66] = { NOTE, "the file is closed" },
	[67] = { HOUSE, "values of scheduler events are in range" },
	[68] = { HOUSE, "records are not earlier than the start" },
	[69] = { NOTE, "the last buffer of a closed file has the FLUSH_MARKER" },
	[70] = { HOUSE, "the records of a hook carry one number of counters, or none" },
	[71] = { HOUSE, "the counters of a processor's context swaps never go back" },
	[72] = { HOUSE, "0x0F30 names each of the counters that records carry" },
	[73] = { HOUSE, "PEBS indexes are in context swaps only and never go back" },
	[74] = { NOTE, "time stamps that a program may have given are in order" },
};

static bool is_violation(const struct checker *checker, unsigned int rule)
{
	enum severity severity = rules[rule].severity;

	return severity == ALWAYS || (severity == HOUSE && checker->ours);
}

void finding(struct checker *checker, unsigned int rule, const char *format, ...)
{
	bool violation = is_violation(checker, rule);
	va_list arguments;

	if (violation)
		checker->violations++;
	else
		checker->notes++;
	if (++checker->of_rule[rule] > SHOWN && !checker->all)
		return;
	printf("%s: rule %u: ", violation ? "violation" : "note", rule);
	if (checker->buffer)
		printf("buffer 0x%" PRIx64 ": ", checker->buffer->at);
	if (checker->record_at)
		printf("record 0x%x: ", checker->record_at);
	printf("%s: ", rules[rule].text);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

void print_findings_left_out(const struct checker *checker)
{
	unsigned int i;

	for (i = 0; i < RULES && !checker->all; i++)
		if (checker->of_rule[i] > SHOWN)
			printf("%s: rule %u: %" PRIu64 " more (--all shows them)\n",
			       is_violation(checker, i) ? "violation" : "note", i,
			       checker->of_rule[i] - SHOWN);
}

void print_rules(void)
{
	static const char *const text[] = {
		[ALWAYS] = "always", [HOUSE] = "ours", [NOTE] = "note",
	};
	unsigned int i;

	for (i = 0; i < RULES; i++)
		if (rules[i].text)
			printf("%3u %-7s %s\n", i, text[rules[i].severity], rules[i].text);
}
