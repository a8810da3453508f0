/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw_wpp.h, if a session is enabled: arguments to pairs of address and length. */
#ifndef ETW_WPP_SEND_H
#define ETW_WPP_SEND_H

/* Two for an argument: strings that have no NUL get one, bytes have their length before them */
#define ETW_WPP_PAIRS	(2 * ETW_WPP_ARGUMENTS)

/**
 * struct etw_wpp_pairs - what TraceMessage() is given
 * @count: pairs
 * @data: addresses; NULL behind the last
 * @length: bytes
 * @bytes: lengths of ETW_WPP_BYTES
 */
struct etw_wpp_pairs {
	unsigned int count;
	const void *data[ETW_WPP_PAIRS];
	size_t length[ETW_WPP_PAIRS];
	uint16_t bytes[ETW_WPP_ARGUMENTS];
};

/* The GUID of this file's messages, made once: threads that race make the same. */
static inline __attribute__((unused)) void etw_wpp_guid(GUID *guid)
{
	static const uint32_t n[11] = { ETW_TRACE_GUID };
	static uint32_t made, words[4];
	uint32_t copy[4];
	GUID control;
	int i;

	if (!__atomic_load_n(&made, __ATOMIC_ACQUIRE)) {
		control.Data1 = n[0];
		control.Data2 = (uint16_t)n[1];
		control.Data3 = (uint16_t)n[2];
		for (i = 0; i < 8; i++)
			control.Data4[i] = (uint8_t)n[3 + i];
		etw_wpp_message_guid(&control, __BASE_FILE__, copy);
		for (i = 0; i < 4; i++)
			__atomic_store_n(&words[i], copy[i], __ATOMIC_RELAXED);
		__atomic_store_n(&made, 1, __ATOMIC_RELEASE);
	}
	for (i = 0; i < 4; i++)
		copy[i] = __atomic_load_n(&words[i], __ATOMIC_RELAXED);
	memcpy(guid, copy, sizeof(copy));
}

static inline void etw_wpp_put(struct etw_wpp_pairs *pairs, const void *data, size_t length)
{
	if (!length)
		return;
	pairs->data[pairs->count] = data;
	pairs->length[pairs->count++] = length;
}

/* printf's own text for no string; it has none for a precision that cuts it */
static inline void etw_wpp_put_string(struct etw_wpp_pairs *pairs, const char *text,
				      size_t limit)
{
	size_t length = 0;

	if (!text)
		text = limit < 6 ? "" : "(null)";
	if (limit == SIZE_MAX)
		length = strlen(text);
	while (length < limit && text[length])
		length++;
	if (length < limit) {
		etw_wpp_put(pairs, text, length + 1);
		return;
	}
	etw_wpp_put(pairs, text, length);
	etw_wpp_put(pairs, "", 1);
}

static inline void etw_wpp_put_string16(struct etw_wpp_pairs *pairs, const void *text,
					size_t limit)
{
	static const uint16_t null_text[] = { '(', 'n', 'u', 'l', 'l', ')', 0 };
	const uint16_t *unit = (const uint16_t *)(text ? text : null_text);
	size_t n = 0;

	while (n < limit && unit[n])
		n++;
	etw_wpp_put(pairs, unit, n * sizeof(*unit));
	etw_wpp_put(pairs, &null_text[6], sizeof(*unit));
}

static inline void etw_wpp_put_bytes(struct etw_wpp_pairs *pairs, uint16_t *length,
				     const struct etw_wpp_counted *bytes)
{
	*length = !bytes->data ? 0 : bytes->length > 0xFFFF ? 0xFFFF : (uint16_t)bytes->length;
	etw_wpp_put(pairs, length, sizeof(*length));
	etw_wpp_put(pairs, bytes->data, *length);
}

/* Digits, or an argument that says it; -1 without any. Return: the character behind it */
static inline const char *etw_wpp_number_at(const char *at, int *value, unsigned int *next,
					    const void *const *arguments)
{
	*value = -1;
	if (*at == '*') {
		if (arguments[*next])
			memcpy(value, arguments[(*next)++], sizeof(*value));
		return at + 1;
	}
	while (*at >= '0' && *at <= '9')
		*value = (*value < 0 ? 0 : *value) * 10 + *at++ - '0';
	return at;
}

/* The precision of each argument that has one; others are left alone. */
static inline void etw_wpp_precisions(const char *format, unsigned int count,
				      const void *const *arguments, size_t *limit)
{
	unsigned int next = 0;
	const char *at;
	int value, said;

	for (at = format; *at && next < count; at++) {
		if (*at != '%' || *++at == '%')
			continue;
		at += strspn(at, "-+ #0'");
		at = etw_wpp_number_at(at, &value, &next, arguments);
		value = -1;
		if (*at == '.') {
			said = at[1] == '*';
			at = etw_wpp_number_at(at + 1, &value, &next, arguments);
			if (value < 0 && !said)
				value = 0;
		}
		at += strspn(at, "hlLqjzt");
		if (next < count && value >= 0)
			limit[next] = (size_t)value;
		next++;
		if (!*at)
			break;
	}
}

static inline void etw_wpp_put_argument(struct etw_wpp_pairs *pairs, unsigned int i,
					unsigned int type, const void *at, size_t limit)
{
	const struct etw_wpp_counted *counted = (const struct etw_wpp_counted *)at;
	static const GUID none = { 0, 0, 0, { 0, 0, 0, 0, 0, 0, 0, 0 } };
	const void *pointer;

	pointer = type == ETW_WPP_INT32 ? NULL : *(const void *const *)at;
	switch (type) {
	case ETW_WPP_INT32:
		etw_wpp_put(pairs, at, 4);
		break;
	case ETW_WPP_INT64:
	case ETW_WPP_DOUBLE:
		etw_wpp_put(pairs, at, 8);
		break;
	case ETW_WPP_POINTER:
		etw_wpp_put(pairs, at, sizeof(void *));
		break;
	case ETW_WPP_STRING:
		etw_wpp_put_string(pairs, (const char *)pointer, limit);
		break;
	case ETW_WPP_TEXT:
		limit = counted->length < limit ? counted->length : limit;
		etw_wpp_put_string(pairs, (const char *)counted->data, limit);
		break;
	case ETW_WPP_STRING16:
		etw_wpp_put_string16(pairs, pointer, SIZE_MAX);
		break;
	case ETW_WPP_TEXT16:
		etw_wpp_put_string16(pairs, counted->data, counted->length);
		break;
	case ETW_WPP_GUID:
		etw_wpp_put(pairs, pointer ? pointer : &none, sizeof(GUID));
		break;
	case ETW_WPP_GUID_VALUE:
		etw_wpp_put(pairs, at, sizeof(GUID));
		break;
	case ETW_WPP_BYTES:
		etw_wpp_put_bytes(pairs, &pairs->bytes[i], counted);
		break;
	}
}

#define ETW_WPP_2(p, i)		(p).data[i], (p).length[i], (p).data[(i) + 1], (p).length[(i) + 1]
#define ETW_WPP_4(p, i)		ETW_WPP_2(p, i), ETW_WPP_2(p, (i) + 2)
#define ETW_WPP_8(p, i)		ETW_WPP_4(p, i), ETW_WPP_4(p, (i) + 4)
#define ETW_WPP_16(p, i)	ETW_WPP_8(p, i), ETW_WPP_8(p, (i) + 8)

/* A call has as many arguments as it was compiled with: NULL ends them before. */
static inline void etw_wpp_call(const struct etw_wpp_control *control, uint16_t number,
				struct etw_wpp_pairs *p)
{
	TRACEHANDLE to = __atomic_load_n(&control->session, __ATOMIC_RELAXED);
	const ULONG flags = ETW_TRACE_MESSAGE_FLAGS;
	unsigned int i, room = p->count <= 4 ? 4 : p->count <= 8 ? 8 : ETW_WPP_PAIRS;
	void *const end = NULL;
	GUID guid;

	for (i = p->count; i < room; i++) {
		p->data[i] = NULL;
		p->length[i] = 0;
	}
	etw_wpp_guid(&guid);
	if (room == 4)
		TraceMessage(to, flags, &guid, number, ETW_WPP_4(*p, 0), end);
	else if (room == 8)
		TraceMessage(to, flags, &guid, number, ETW_WPP_8(*p, 0), end);
	else
		TraceMessage(to, flags, &guid, number, ETW_WPP_16(*p, 0), ETW_WPP_16(*p, 16), end);
}

/* The slow part of a trace point, out of line of the code that traces */
static __attribute__((noinline, cold, unused)) void
etw_wpp_send(const struct etw_wpp_control *control, uint16_t number, const char *precise,
	     unsigned long long types, const void *const *arguments)
{
	size_t limit[ETW_WPP_ARGUMENTS];
	struct etw_wpp_pairs pairs;
	unsigned int i, count = 0;
	DWORD last = GetLastError();
	int err = errno;

	for (; count < ETW_WPP_ARGUMENTS && types >> (4 * count); count++)
		limit[count] = SIZE_MAX;
	if (precise)
		etw_wpp_precisions(precise, count, arguments, limit);
	pairs.count = 0;
	for (i = 0; i < count; i++)
		etw_wpp_put_argument(&pairs, i, (types >> (4 * i)) & 0xF, arguments[i], limit[i]);
	etw_wpp_call(control, number, &pairs);
	SetLastError(last);
	errno = err;
}

#endif /* ETW_WPP_SEND_H */
