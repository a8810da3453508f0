/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* etw_wpp.h in C++: what an argument is, and a copy of it. */
#ifndef ETW_WPP_TYPES_CXX_H
#define ETW_WPP_TYPES_CXX_H

#include <type_traits>

/* As it is passed to printf: small integers become int, arrays addresses, float double */
template <class T> constexpr auto etw_wpp_value(T value)
{
	static_assert(std::is_trivially_copyable_v<T>, "a format has no place for such an object");
	if constexpr (std::is_floating_point_v<T>)
		return (double)value;
	else if constexpr (std::is_null_pointer_v<T>)
		return (const void *)nullptr;
	else if constexpr (std::is_integral_v<T> ||
			   (std::is_enum_v<T> && std::is_convertible_v<T, int>))
		return +value;
	else
		return value;
}

template <class T> constexpr unsigned long long etw_wpp_type()
{
	using to = std::remove_cv_t<std::remove_pointer_t<T>>;

	if constexpr (std::is_integral_v<T>)
		return sizeof(T) == 8 ? ETW_WPP_INT64 : ETW_WPP_INT32;
	else if constexpr (std::is_floating_point_v<T>)
		return ETW_WPP_DOUBLE;
	else if constexpr (std::is_pointer_v<T>)
		return std::is_same_v<to, char> ? ETW_WPP_STRING :
		       std::is_same_v<to, WCHAR> ? ETW_WPP_STRING16 :
		       std::is_same_v<to, GUID> ? ETW_WPP_GUID : ETW_WPP_POINTER;
	else
		return std::is_same_v<T, etw_wpp_text> ? ETW_WPP_TEXT :
		       std::is_same_v<T, etw_wpp_text16> ? ETW_WPP_TEXT16 :
		       std::is_same_v<T, etw_wpp_bytes> ? ETW_WPP_BYTES :
		       std::is_same_v<T, GUID> ? ETW_WPP_GUID_VALUE : ETW_WPP_NONE;
}

#define ETW_WPP_TYPE(a)	(etw_wpp_type<decltype(etw_wpp_value(a))>())

/* As the compiler's check of the format has to see it */
template <class T> constexpr auto etw_wpp_asked(T value)
{
	using to = std::remove_cv_t<std::remove_pointer_t<T>>;

	if constexpr (std::is_same_v<T, etw_wpp_text>)
		return "";
	else if constexpr (std::is_same_v<T, etw_wpp_text16> || std::is_same_v<T, etw_wpp_bytes> ||
			   std::is_same_v<to, GUID> || std::is_same_v<to, WCHAR>)
		return (void *)nullptr;
	else
		return value;
}

#define ETW_WPP_ASKED(a)	etw_wpp_asked(a)
#define ETW_WPP_COPY(n, a)	auto etw_wpp_##n = etw_wpp_value(a);
#define ETW_WPP_CONSTANT(n)	(std::integral_constant<uint32_t, (uint32_t)(n)>::value)
/* Functions that several files have can't put it into a section of its own. */
#define ETW_WPP_DEFINE_FORMAT(format)
#define ETW_WPP_FORMAT_STRING(format)	format

static inline __attribute__((format(printf, 1, 2))) void etw_wpp_check(const char *format, ...)
{
	(void)format;
}

#endif /* ETW_WPP_TYPES_CXX_H */
