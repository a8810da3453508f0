// SPDX-License-Identifier: GPL-2.0
/* TMF files: the messages of programs, Windows' own too. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../libetl/text.h"
#include "../etw.h"
#include "tmf.h"

const struct tmf_item tmf_items[] = {
	{ "ItemChar", TMF_SIGNED, 1 }, { "ItemUChar", TMF_UNSIGNED, 1 },
	{ "ItemShort", TMF_SIGNED, 2 }, { "ItemUShort", TMF_UNSIGNED, 2 },
	{ "ItemLong", TMF_SIGNED, 4 }, { "ItemULong", TMF_UNSIGNED, 4 },
	{ "ItemULongX", TMF_HEX, 4 }, { "ItemLongLong", TMF_SIGNED, 8 },
	{ "ItemULongLong", TMF_UNSIGNED, 8 }, { "ItemLongLongX", TMF_HEX, 8 },
	{ "ItemLongLongXX", TMF_HEX, 8 }, { "ItemLongLongO", TMF_UNSIGNED, 8 },
	{ "ItemFloat", TMF_REAL, 4 }, { "ItemDouble", TMF_REAL, 8 },
	{ "ItemPtr", TMF_POINTER, 0 },
	{ "ItemString", TMF_STRING, 0 }, { "ItemRString", TMF_STRING, 0 },
	{ "ItemWString", TMF_STRING16, 0 }, { "ItemRWString", TMF_STRING16, 0 },
	{ "ItemPString", TMF_COUNTED, 0 }, { "ItemPWString", TMF_COUNTED16, 0 },
	{ "ItemGuid", TMF_GUID, 16 }, { "ItemCLSID", TMF_GUID, 16 },
	{ "ItemIID", TMF_GUID, 16 }, { "ItemLIBID", TMF_GUID, 16 },
	{ "ItemHEXDump", TMF_BYTES, 0 },
	{ "ItemNTSTATUS", TMF_STATUS, 4 }, { "ItemHRESULT", TMF_STATUS, 4 },
	{ "ItemWINERROR", TMF_UNSIGNED, 4 }, { "ItemIPAddr", TMF_ADDRESS4, 4 },
	{ "ItemPort", TMF_PORT, 2 }, { "ItemTimestamp", TMF_TIME, 8 },
	{ "ItemListByte", TMF_LIST, 1 }, { "ItemListShort", TMF_LIST, 2 },
	{ "ItemListLong", TMF_LIST, 4 },
	/* the last one: what is here and we don't know */
	{ "", TMF_UNKNOWN, 0 },
};

/**
 * struct reading - a file that is being read
 * @tmf: what is known
 * @name: of the file
 * @line: its number
 * @guid: of the messages that follow
 * @provider: of the GUID
 * @has_guid: there was one
 * @message: the last one, while its arguments are read; NULL
 */
struct reading {
	struct tmf *tmf;
	const char *name;
	unsigned int line;
	struct etw_guid guid;
	char *provider;
	bool has_guid;
	struct tmf_message *message;
};

static bool bad(const struct reading *reading, const char *what)
{
	failed("%s:%u: %s", reading->name, reading->line, what);
	return false;
}

/* What a line begins with */
static bool parse_guid(const char *line, struct etw_guid *guid)
{
	char text[37];

	snprintf(text, sizeof(text), "%.36s", line);
	return text_to_guid(text, guid);
}

/* The word that follows @key, or nothing */
static char *word_behind(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (!at)
		return strdup("");
	at += strlen(key);
	return strndup(at, strcspn(at, " \t\r\n"));
}

/* A quoted text; quotes in Windows' files need not be escaped. Return: behind it, or NULL */
static const char *end_of_text(const char *text)
{
	const char *at, *end = NULL;

	for (at = text; *at; at++) {
		if (at[0] == '\\' && at[1])
			at++;
		else if (*at == '"') {
			const char *next = at + 1 + strspn(at + 1, " \t\r\n");

			end = at;
			if (!*next || !strncmp(next, "//", 2))
				break;
		}
	}
	return end;
}

static unsigned int take_number(const char **at, unsigned int base, unsigned int most)
{
	unsigned int value = 0, digit;

	while (most--) {
		digit = **at >= 'a' ? **at - 'a' + 10 : **at >= 'A' ? **at - 'A' + 10 :
			**at - '0';
		if (**at < '0' || digit >= base)
			break;
		value = value * base + digit;
		++*at;
	}
	return value;
}

/* What C's escapes stand for; an unknown one stays as it is, as in "\Device" */
static char *unquote(const char *from, size_t bytes)
{
	static const char letters[] = "n\nt\tr\ra\ab\bf\fv\v\\\\\"\"";
	char *text = malloc(bytes + 1), *to = text;
	const char *end = from + bytes, *letter;

	while (text && from < end) {
		if (*from != '\\' || from + 1 == end) {
			*to++ = *from++;
			continue;
		}
		from++;
		for (letter = letters; *letter && *letter != *from; letter += 2)
			;
		if (*letter) {
			*to++ = letter[1];
			from++;
		} else if (*from >= '0' && *from <= '7') {
			*to++ = take_number(&from, 8, 3);
		} else {
			*to++ = '\\';
		}
	}
	if (text)
		*to = 0;
	return text;
}

static struct tmf_message *add(struct tmf *tmf)
{
	if (tmf->count == tmf->room) {
		size_t room = tmf->room ? 2 * tmf->room : 64;
		struct tmf_message *more = realloc(tmf->messages, room * sizeof(*more));

		if (!more)
			return NULL;
		tmf->messages = more;
		tmf->room = room;
	}
	memset(&tmf->messages[tmf->count], 0, sizeof(*tmf->messages));
	tmf->messages[tmf->count].order = tmf->count;
	return &tmf->messages[tmf->count++];
}

/* #typev main_c42 10 "%0text %10!d!" //   LEVEL=... FLAGS=... FUNC=... */
static bool read_message(struct reading *reading, const char *line)
{
	struct tmf_message *message;
	char source[256];
	const char *end;
	uint32_t number;
	int used = 0;

	if (!reading->has_guid)
		return bad(reading, "a message before any GUID");
	if (sscanf(line, "#%*s %255s %u \"%n", source, &number, &used) < 2 || !used)
		return bad(reading, "this is no #typev NAME NUMBER \"TEXT\"");
	line += used;
	end = end_of_text(line);
	if (!end)
		return bad(reading, "the text has no end");
	message = add(reading->tmf);
	if (!message)
		return bad(reading, strerror(ENOMEM));
	reading->message = message;
	message->guid = reading->guid;
	message->number = number;
	message->provider = strdup(reading->provider);
	message->source = strdup(source);
	message->format = unquote(line, end - line);
	message->function = word_behind(end, "FUNC=");
	message->level = word_behind(end, "LEVEL=");
	message->flags = word_behind(end, "FLAGS=");
	if (!message->provider || !message->source || !message->format || !message->function ||
	    !message->level || !message->flags)
		return bad(reading, strerror(ENOMEM));
	return true;
}

static const struct tmf_item *find_item(const char *name, size_t length)
{
	const struct tmf_item *item;

	for (item = tmf_items; item->name[0]; item++)
		if (strlen(item->name) == length && !memcmp(item->name, name, length))
			break;
	return item;
}

/* (ZERO,ONE,TWO) to ZERO NUL ONE NUL TWO NUL NUL */
static char *list_names(const char *text)
{
	size_t n = strcspn(text, ")"), i;
	char *names = calloc(1, n + 2);

	for (i = 0; names && i < n; i++)
		names[i] = text[i] == ',' ? 0 : text[i];
	return names;
}

/* Arg, ItemLong -- 10; what stands before the comma is code, and may have commas, too */
static bool read_argument(struct reading *reading, const char *line)
{
	struct tmf_message *message = reading->message;
	const char *at = strstr(line, ", Item"), *dashes = line, *next;
	struct tmf_argument *more;
	size_t length;

	while (at && (next = strstr(at + 1, ", Item")))
		at = next;
	while ((next = strstr(dashes + 1, " -- ")))
		dashes = next;
	if (!at || dashes == line || dashes < at)
		return bad(reading, "this is no ARGUMENT, ItemTYPE -- NUMBER");
	if (message->count == TMF_ARGUMENTS)
		return bad(reading, "too many arguments");
	at += 2;
	more = realloc(message->arguments, (message->count + 1) * sizeof(*more));
	if (!more)
		return bad(reading, strerror(ENOMEM));
	message->arguments = more;
	more += message->count++;
	length = strcspn(at, "( \t");
	more->item = find_item(at, length);
	more->number = strtoul(dashes + 4, NULL, 10);
	more->names = at[length] == '(' ? list_names(at + length + 1) : NULL;
	return true;
}

static bool read_line(struct reading *reading, const char *line)
{
	if (reading->message && !strncmp(line, "}", 1)) {
		reading->message = NULL;
		return true;
	}
	if (!strncmp(line, "//", 2) || !line[strspn(line, " \t\r\n")] || line[0] == '{')
		return true;
	if (!strncmp(line, "#type", 5))
		return read_message(reading, line);
	if (reading->message)
		return read_argument(reading, line);
	if (line[0] == '#')	/* enumerations, of which we know nothing */
		return true;
	if (!parse_guid(line, &reading->guid))
		return bad(reading, "neither a GUID nor a message");
	free(reading->provider);
	reading->provider = strndup(line + 36 + strspn(line + 36, " \t"),
				    strcspn(line + 36 + strspn(line + 36, " \t"), " \t\r\n"));
	reading->has_guid = reading->provider;
	return reading->has_guid || bad(reading, strerror(ENOMEM));
}

bool tmf_parse(struct tmf *tmf, FILE *from, const char *name)
{
	struct reading reading = { .tmf = tmf, .name = name };
	char *line = NULL;
	size_t room = 0;
	bool good = true;

	while (good && getline(&line, &room, from) > 0) {
		reading.line++;
		good = read_line(&reading, line);
	}
	free(line);
	free(reading.provider);
	if (good && reading.message)
		good = bad(&reading, "the last message has no end");
	return good;
}

bool tmf_read(struct tmf *tmf, const char *name)
{
	FILE *from = fopen(name, "re");
	bool good;

	if (!from) {
		failed("%s: %s", name, strerror(errno));
		return false;
	}
	good = tmf_parse(tmf, from, name);
	fclose(from);
	return good;
}

static int compare_key(const struct tmf_message *message, const struct etw_guid *guid,
		       uint32_t number)
{
	int order = memcmp(&message->guid, guid, sizeof(*guid));

	if (order)
		return order;
	return message->number < number ? -1 : message->number > number;
}

static int compare(const void *a, const void *b)
{
	const struct tmf_message *left = a, *right = b;
	int order = compare_key(left, &right->guid, right->number);

	return order ? order : left->order < right->order ? -1 : 1;
}

void tmf_ready(struct tmf *tmf)
{
	if (tmf->count)
		qsort(tmf->messages, tmf->count, sizeof(*tmf->messages), compare);
}

/* The last of those that are the same: files given later say more */
const struct tmf_message *tmf_find(const struct tmf *tmf, const struct etw_guid *guid,
				   uint32_t number)
{
	size_t low = 0, high = tmf->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_key(&tmf->messages[middle], guid, number) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low && !compare_key(&tmf->messages[low - 1], guid, number) ?
	       &tmf->messages[low - 1] : NULL;
}

void tmf_free(struct tmf *tmf)
{
	size_t i, n;

	for (i = 0; i < tmf->count; i++) {
		struct tmf_message *message = &tmf->messages[i];

		for (n = 0; n < message->count; n++)
			free(message->arguments[n].names);
		free(message->arguments);
		free(message->provider);
		free(message->source);
		free(message->format);
		free(message->function);
		free(message->level);
		free(message->flags);
	}
	free(tmf->messages);
	memset(tmf, 0, sizeof(*tmf));
}
