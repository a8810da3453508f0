/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The etw authors */
/* Functions of libbabeltrace2, which reads CTF. */
#ifndef ETW_IMPORT_CTF_LIBRARY_H
#define ETW_IMPORT_CTF_LIBRARY_H

#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <babeltrace2/babeltrace.h>

#define CTF_CALLS(call) \
	call(graph_create) call(graph_put_ref) call(graph_run) call(graph_connect_ports) \
	call(graph_add_source_component) call(graph_add_filter_component) \
	call(graph_add_simple_sink_component) \
	call(plugin_find) call(plugin_put_ref) \
	call(plugin_borrow_source_component_class_by_name_const) \
	call(plugin_borrow_filter_component_class_by_name_const) \
	call(component_source_get_output_port_count) \
	call(component_source_borrow_output_port_by_index_const) \
	call(component_filter_borrow_input_port_by_index_const) \
	call(component_filter_borrow_output_port_by_index_const) \
	call(component_sink_borrow_input_port_by_index_const) \
	call(value_map_create) call(value_map_insert_entry) call(value_array_create) \
	call(value_array_append_string_element) call(value_put_ref) \
	call(value_get_type) call(value_string_get) \
	call(current_thread_take_error) call(error_release) call(error_get_cause_count) \
	call(error_borrow_cause_by_index) call(error_cause_get_message) \
	call(message_iterator_next) call(message_get_type) call(message_put_ref) \
	call(message_event_borrow_event_const) \
	call(message_event_borrow_default_clock_snapshot_const) \
	call(message_stream_beginning_borrow_stream_const) \
	call(message_packet_beginning_borrow_packet_const) \
	call(message_discarded_events_borrow_stream_const) \
	call(message_discarded_events_get_count) \
	call(message_discarded_events_borrow_beginning_default_clock_snapshot_const) \
	call(message_discarded_packets_borrow_stream_const) \
	call(message_discarded_packets_get_count) \
	call(message_discarded_packets_borrow_beginning_default_clock_snapshot_const) \
	call(clock_snapshot_get_ns_from_origin) call(clock_class_get_offset) \
	call(clock_class_get_frequency) call(clock_class_origin_is_unix_epoch) \
	call(stream_borrow_class_const) call(stream_class_borrow_default_clock_class_const) \
	call(stream_class_supports_packets) call(stream_class_get_event_class_count) \
	call(stream_class_borrow_event_class_by_index_const) call(stream_borrow_trace_const) \
	call(trace_borrow_environment_entry_value_by_name_const) \
	call(stream_class_discarded_events_have_default_clock_snapshots) \
	call(stream_class_discarded_packets_have_default_clock_snapshots) \
	call(packet_borrow_stream_const) call(packet_borrow_context_field_const) \
	call(event_borrow_class_const) call(event_borrow_stream_const) \
	call(event_borrow_payload_field_const) call(event_borrow_specific_context_field_const) \
	call(event_borrow_common_context_field_const) \
	call(event_class_get_name) call(event_class_get_id) \
	call(field_get_class_type) call(field_borrow_class_const) \
	call(field_bool_get_value) call(field_bit_array_get_value_as_integer) \
	call(field_integer_signed_get_value) call(field_integer_unsigned_get_value) \
	call(field_real_single_precision_get_value) \
	call(field_real_double_precision_get_value) \
	call(field_string_get_value) call(field_string_get_length) \
	call(field_array_get_length) call(field_array_borrow_element_field_by_index_const) \
	call(field_structure_borrow_member_field_by_index_const) \
	call(field_structure_borrow_member_field_by_name_const) \
	call(field_option_borrow_field_const) \
	call(field_variant_borrow_selected_option_field_const) \
	call(field_class_get_type) call(field_class_integer_get_field_value_range) \
	call(field_class_array_borrow_element_field_class_const) \
	call(field_class_structure_get_member_count) \
	call(field_class_structure_borrow_member_by_index_const) \
	call(field_class_structure_member_get_name)

/**
 * struct ctf_library - functions of libbabeltrace2, without its prefix
 *
 * The library is loaded only when it is needed, because it is large and few imports need it.
 */
struct ctf_library {
#define CTF_MEMBER(name)	__typeof__(bt_##name) *name;
	CTF_CALLS(CTF_MEMBER)
#undef CTF_MEMBER
};

/* NULL: it is not installed */
const struct ctf_library *ctf_library(void);

#endif
#endif /* ETW_IMPORT_CTF_LIBRARY_H */
