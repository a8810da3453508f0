/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Windows' types, as far as programs that trace events need them, and the last error. */
#ifndef _WINDOWS_
#define _WINDOWS_
/* On Windows wmistr.h and evntrace.h require this macro; programs test it, too */
#define _WINNT_

#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifndef __cplusplus
#include <uchar.h>
#endif

#ifdef __cplusplus
#define EXTERN_C	extern "C"
#else
#define EXTERN_C	extern
#endif

/* There is one calling convention here */
#define WINAPI
#define APIENTRY
#define CALLBACK
#define NTAPI
#define WMIAPI
#define EVNTAPI
#define __cdecl
#define __stdcall
#define DECLSPEC_IMPORT	__attribute__((visibility("default")))
#ifndef FORCEINLINE
#define FORCEINLINE	static inline __attribute__((always_inline))
#endif
/*
 * Headers of mc.exe define functions by DECLSPEC_NOINLINE __inline, and by ETW_INLINE unless the
 * program defines that. In C, an inline function has no definition elsewhere, so these must be
 * static; otherwise the program is not linked. gcc warns of a function that is inline and noinline.
 */
#ifndef DECLSPEC_NOINLINE
#ifdef __cplusplus
#define DECLSPEC_NOINLINE	__attribute__((noinline))
#else
#define DECLSPEC_NOINLINE	static __attribute__((unused))
#ifndef ETW_INLINE
#define ETW_INLINE	static inline
#endif
#endif
#endif
#define DECLSPEC_CACHEALIGN	__attribute__((aligned(64)))
#ifndef UNALIGNED
#define UNALIGNED
#endif
/* Functions of Windows' compilers */
#define _byteswap_ushort	__builtin_bswap16
#define _byteswap_ulong	__builtin_bswap32
#define _byteswap_uint64	__builtin_bswap64
/* A macro in the compiler's header of intrinsics */
#ifndef _rotl
FORCEINLINE unsigned int _rotl(unsigned int value, int bits)
{
	return value << (bits & 31) | value >> (-(bits & 31) & 31);
}
#endif
/* Words of the compiler, which may follow unsigned */
#ifndef _MSC_EXTENSIONS
#define __int8	char
#define __int16	short
#define __int32	int
#define __int64	long long
#endif
/*
 * Where the compiler does not have it. With Windows' compilers selectany defines a variable also
 * behind EXTERN_C and without a value. Here EXTERN_C would declare it only, so a function takes it.
 */
#ifndef __declspec
#define __declspec(kind)	__ETW_DECLSPEC_##kind
#ifdef __cplusplus
#define __ETW_DECLSPEC_selectany	void etw_selectany(void); inline
#else
#define __ETW_DECLSPEC_selectany	void etw_selectany(void); __attribute__((weak))
#endif
#define __ETW_DECLSPEC_noinline	__attribute__((noinline))
#define __ETW_DECLSPEC_noreturn	__attribute__((noreturn))
#define __ETW_DECLSPEC_dllexport	__attribute__((visibility("default")))
#define __ETW_DECLSPEC_dllimport	__attribute__((visibility("default")))
#define __ETW_DECLSPEC_align(bytes)	__attribute__((aligned(bytes)))
#define __ETW_DECLSPEC_thread	__thread
#endif

#include "sal.h"
/* Annotations of parameters have no meaning for this compiler */
#define IN
#define OUT
#define OPTIONAL
#define CONST		const
#define UNREFERENCED_PARAMETER(p)	((void)(p))
#define DUMMYUNIONNAME
#define DUMMYSTRUCTNAME

#define VOID		void
#define TRUE		1
#define FALSE		0

/* LONG has 32 bits on 64-bit Windows, too */
typedef char CHAR, CCHAR;
typedef unsigned char UCHAR, BYTE, BOOLEAN;
typedef short SHORT;
typedef unsigned short USHORT, WORD;
typedef int INT, LONG, BOOL;
typedef unsigned int UINT, ULONG, DWORD;
typedef int32_t INT32, LONG32;
typedef uint32_t UINT32, ULONG32, DWORD32;
typedef long long LONGLONG, LONG64, INT64;
typedef unsigned long long ULONGLONG, ULONG64, UINT64, DWORD64, DWORDLONG;
typedef int8_t INT8;
typedef uint8_t UINT8;
typedef int16_t INT16;
typedef uint16_t UINT16;
typedef float FLOAT;
typedef double DOUBLE;
typedef intptr_t INT_PTR, LONG_PTR, SSIZE_T;
typedef uintptr_t UINT_PTR, ULONG_PTR, DWORD_PTR, SIZE_T;

typedef void *PVOID, *LPVOID, *HANDLE;
typedef const void *LPCVOID, *PCVOID;
typedef HANDLE *PHANDLE, *LPHANDLE;
typedef PVOID PSID, PSECURITY_DESCRIPTOR;
typedef CHAR *PCHAR;
typedef UCHAR *PUCHAR, *PBYTE, *LPBYTE, *PBOOLEAN;
typedef USHORT *PUSHORT, *PWORD, *LPWORD;
typedef LONG *PLONG, *LPLONG;
typedef INT *PINT, *LPINT;
typedef BOOL *PBOOL, *LPBOOL;
typedef ULONG *PULONG, *PDWORD, *LPDWORD;
typedef UINT *PUINT;
typedef LONGLONG *PLONGLONG, *PLONG64;
typedef ULONGLONG *PULONGLONG, *PULONG64, *PDWORD64;
typedef ULONG_PTR *PULONG_PTR;
typedef SIZE_T *PSIZE_T;

/*
 * A unit of UTF-16: u"..." makes strings of them. With -fshort-wchar L"..."
 * does, and WCHAR is wchar_t, as it is on Windows.
 */
#if __SIZEOF_WCHAR_T__ == 2
typedef wchar_t WCHAR;
#define __ETW_WIDE(text)	L##text
#else
typedef char16_t WCHAR;
#define __ETW_WIDE(text)	u##text
#endif
typedef WCHAR *PWCHAR, *LPWCH, *PWCH, *LPWSTR, *PWSTR, *NWPSTR;
typedef const WCHAR *LPCWCH, *PCWCH, *LPCWSTR, *PCWSTR;
typedef CHAR *LPCH, *PCH, *LPSTR, *PSTR, *NPSTR;
typedef const CHAR *LPCCH, *PCCH, *LPCSTR, *PCSTR;

#ifdef UNICODE
typedef WCHAR TCHAR;
typedef LPWSTR LPTSTR, PTSTR;
typedef LPCWSTR LPCTSTR, PCTSTR;
#define __TEXT(text)	__ETW_WIDE(text)
#else
typedef CHAR TCHAR;
typedef LPSTR LPTSTR, PTSTR;
typedef LPCSTR LPCTSTR, PCTSTR;
#define __TEXT(text)	text
#endif
typedef TCHAR *PTCHAR;
#define TEXT(text)	__TEXT(text)

#define INVALID_HANDLE_VALUE	((HANDLE)(LONG_PTR)-1)
#define MAX_PATH		260
#define INFINITE		0xFFFFFFFFU
#define MAXUSHORT		0xFFFF
#define MAXLONG			0x7FFFFFFF
#define MAXULONG		0xFFFFFFFFU
#define MAXDWORD		0xFFFFFFFF
#define ANYSIZE_ARRAY		1

#define ARRAYSIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define FIELD_OFFSET(type, field)	((LONG)offsetof(type, field))
#define CONTAINING_RECORD(address, type, field)	\
	((type *)((PCHAR)(address) - offsetof(type, field)))

/* Rights to any object */
#define READ_CONTROL			0x00020000
#define WRITE_DAC			0x00040000
#define WRITE_OWNER			0x00080000
#define SYNCHRONIZE			0x00100000
#define STANDARD_RIGHTS_REQUIRED	0x000F0000
#define STANDARD_RIGHTS_READ		READ_CONTROL
#define STANDARD_RIGHTS_WRITE		READ_CONTROL
#define STANDARD_RIGHTS_EXECUTE		READ_CONTROL
#define STANDARD_RIGHTS_ALL		0x001F0000
#define SPECIFIC_RIGHTS_ALL		0x0000FFFF

typedef union _LARGE_INTEGER {
	__extension__ struct {
		DWORD LowPart;
		LONG HighPart;
	};
	struct {
		DWORD LowPart;
		LONG HighPart;
	} u;
	LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef union _ULARGE_INTEGER {
	__extension__ struct {
		DWORD LowPart;
		DWORD HighPart;
	};
	struct {
		DWORD LowPart;
		DWORD HighPart;
	} u;
	ULONGLONG QuadPart;
} ULARGE_INTEGER, *PULARGE_INTEGER;

typedef struct _FILETIME {
	DWORD dwLowDateTime;
	DWORD dwHighDateTime;
} FILETIME, *PFILETIME, *LPFILETIME;

typedef struct _SYSTEMTIME {
	WORD wYear;
	WORD wMonth;
	WORD wDayOfWeek;
	WORD wDay;
	WORD wHour;
	WORD wMinute;
	WORD wSecond;
	WORD wMilliseconds;
} SYSTEMTIME, *PSYSTEMTIME, *LPSYSTEMTIME;

typedef struct _TIME_ZONE_INFORMATION {
	LONG Bias;
	WCHAR StandardName[32];
	SYSTEMTIME StandardDate;
	LONG StandardBias;
	WCHAR DaylightName[32];
	SYSTEMTIME DaylightDate;
	LONG DaylightBias;
} TIME_ZONE_INFORMATION, *PTIME_ZONE_INFORMATION, *LPTIME_ZONE_INFORMATION;

#include "guiddef.h"
#include "winnt_status.h"
#include "winerror.h"

#define RtlZeroMemory(to, bytes)	memset(to, 0, bytes)
#define RtlCopyMemory(to, from, bytes)	memcpy(to, from, bytes)
#define RtlMoveMemory(to, from, bytes)	memmove(to, from, bytes)
#define RtlFillMemory(to, bytes, value)	memset(to, value, bytes)
#define ZeroMemory			RtlZeroMemory
#define CopyMemory			RtlCopyMemory
#define MoveMemory			RtlMoveMemory
#define FillMemory			RtlFillMemory

/* Each thread has its own */
EXTERN_C DECLSPEC_IMPORT DWORD WINAPI GetLastError(VOID);
EXTERN_C DECLSPEC_IMPORT VOID WINAPI SetLastError(DWORD dwErrCode);

EXTERN_C DECLSPEC_IMPORT DWORD WINAPI GetCurrentThreadId(VOID);

static inline DWORD GetCurrentProcessId(VOID)
{
	return (DWORD)getpid();
}

static inline VOID Sleep(DWORD dwMilliseconds)
{
	poll(NULL, 0, (int)dwMilliseconds);
}

#endif /* _WINDOWS_ */
