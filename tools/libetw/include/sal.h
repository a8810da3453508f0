/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Annotations of parameters, which have no meaning for this compiler. */
#ifndef ETW_SAL_H
#define ETW_SAL_H

#define _In_
#define _In_opt_
#define _Out_
#define _Out_opt_
#define _Inout_
#define _Inout_opt_
#define _In_z_
#define _In_opt_z_
#define _In_count_(count)
#define _In_bytecount_(bytes)
#define _In_range_(from, to)
#define _In_count_x_(count)
#define _In_reads_(count)
#define _In_reads_opt_(count)
#define _In_reads_z_(count)
#define _In_reads_or_z_(count)
#define _In_reads_bytes_(bytes)
#define _In_reads_bytes_opt_(bytes)
#define _Inout_count_(count)
#define _Inout_updates_(count)
#define _Inout_updates_opt_(count)
#define _Inout_updates_bytes_(bytes)
#define _Out_writes_(count)
#define _Out_writes_opt_(count)
#define _Out_writes_bytes_(bytes)
#define _Out_writes_to_(count, written)
#define _Out_writes_bytes_opt_(bytes)
#define _Outptr_
#define _Outptr_opt_
#define _Post_invalid_
#define _Ret_bytecount_(bytes)
#define _Ret_opt_bytecount_(bytes)
#define _Ret_z_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Reserved_
#define _Pre_
#define _Pre_cap_(count)
#define _Post_writable_size_(count)
#define _Post_
#define _Success_(expression)
#define _When_(expression, annotations)
#define _Printf_format_string_
#define _Must_inspect_result_
#define _Check_return_
#define _Use_decl_annotations_
#define _IRQL_requires_max_(level)
#define _IRQL_requires_same_

#endif /* ETW_SAL_H */
