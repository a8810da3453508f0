// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Trace points where C has none: templates, inline functions, lambdas, references. */
#define ETW_TRACE_PROVIDER sample
#define ETW_TRACE_GUID 0x7c2a3d10, 0x1b5e, 0x4f7a, 0x91, 0x0c, 0x5a, 0x33, 0x7e, 0x1d, 0x20, 0x44
#include "etw_wpp.h"

enum colour { red };
struct object {
	int member;
	void method() const;
};

void use(const char &c, unsigned char byte);

template <class T> void of_template(T value)
{
	ETW_TRACE(TRACE_LEVEL_ERROR, 1, "template %ld", (long)value);
}

inline void of_header(bool truth, colour which)
{
	ETW_TRACE(TRACE_LEVEL_ERROR, 1, "inline %d %d %.2s", truth, which, "text");
}

void object::method() const
{
	ETW_TRACE(TRACE_LEVEL_ERROR, 1, "method %p %d", (const void *)this, member);
}

void use(const char &c, unsigned char byte)
{
	auto lambda = [&](float f) { ETW_TRACE(TRACE_LEVEL_ERROR, 1, "lambda %f %c", f, c); };

	of_template(1);
	of_template(2u);
	of_header(true, red);
	object{ 1 }.method();
	lambda(1);
	ETW_TRACE(TRACE_LEVEL_ERROR, 1, "%d %p %s", byte, (void *)nullptr, &c);
}
