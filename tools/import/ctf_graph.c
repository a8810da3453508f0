// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* libbabeltrace2's graph: a source for each trace, all sorted by time, the import behind them. */
#include "ctf.h"
#if defined(ETW_HAVE_BABELTRACE) && defined(ETW_HAVE_DLOPEN)
#include <stdio.h>
#include "import.h"
#include "libetl/messages.h"

/**
 * struct graph - libbabeltrace2's objects
 * @graph: of components
 * @formats: the plugin that reads CTF
 * @utils: the plugin that sorts
 * @muxer: sorts
 * @inputs: ports of @muxer that are connected
 */
struct graph {
	bt_graph *graph;
	const bt_plugin *formats;
	const bt_plugin *utils;
	const bt_component_filter *muxer;
	uint64_t inputs;
};

/* The innermost cause comes first: it names the file and the place. */
static int broken(const struct ctf_reading *reading, const char *name, const char *what)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_error *error = ctf->current_thread_take_error();
	const char *why = "unknown reason";

	if (reading->failed)
		what = NULL;
	if (error && ctf->error_get_cause_count(error))
		why = ctf->error_cause_get_message(ctf->error_borrow_cause_by_index(error, 0));
	if (what)
		failed("import: %s: %s: %s", name, what, why);
	if (error)
		ctf->error_release(error);
	return -1;
}

static int find_plugins(const struct ctf_reading *reading, struct graph *graph)
{
	const struct ctf_library *ctf = reading->ctf;

	graph->graph = ctf->graph_create(0);
	if (!graph->graph)
		return no_memory();
	if (ctf->plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_FALSE, BT_FALSE,
			     &graph->formats) ||
	    ctf->plugin_find("utils", BT_TRUE, BT_FALSE, BT_TRUE, BT_FALSE, BT_FALSE,
			     &graph->utils))
		return broken(reading, reading->importing->file.name,
			      "the plugins of libbabeltrace2 are missing");
	return 0;
}

static int add_muxer(const struct ctf_reading *reading, struct graph *graph)
{
	const struct ctf_library *ctf = reading->ctf;
	const bt_component_class_filter *class =
		ctf->plugin_borrow_filter_component_class_by_name_const(graph->utils, "muxer");

	if (!class || ctf->graph_add_filter_component(graph->graph, class, "sorted", NULL,
						      BT_LOGGING_LEVEL_NONE, &graph->muxer))
		return broken(reading, reading->importing->file.name, "the events cannot be sorted");
	return 0;
}

/* Return: the parameters of the source of a trace, or NULL */
static bt_value *parameters_of(const struct ctf_library *ctf, const char *folder)
{
	bt_value *map = ctf->value_map_create(), *inputs = ctf->value_array_create();

	if (map && inputs && !ctf->value_array_append_string_element(inputs, folder) &&
	    !ctf->value_map_insert_entry(map, "inputs", inputs)) {
		ctf->value_put_ref(inputs);
		return map;
	}
	ctf->value_put_ref(inputs);
	ctf->value_put_ref(map);
	return NULL;
}

static int connect_trace(const struct ctf_reading *reading, struct graph *graph,
			 const bt_component_source *source, const char *folder)
{
	const struct ctf_library *ctf = reading->ctf;
	uint64_t count = ctf->component_source_get_output_port_count(source), i;

	for (i = 0; i < count; i++)
		if (ctf->graph_connect_ports(graph->graph,
		    ctf->component_source_borrow_output_port_by_index_const(source, i),
		    ctf->component_filter_borrow_input_port_by_index_const(graph->muxer,
									   graph->inputs++), NULL))
			return broken(reading, folder, "a stream cannot be read");
	return 0;
}

static int add_trace(const struct ctf_reading *reading, struct graph *graph, size_t number)
{
	const struct ctf_library *ctf = reading->ctf;
	const char *folder = reading->folders[number];
	const bt_component_class_source *class =
		ctf->plugin_borrow_source_component_class_by_name_const(graph->formats, "fs");
	bt_value *parameters = parameters_of(ctf, folder);
	const bt_component_source *source = NULL;
	char name[32];
	int err;

	if (!parameters)
		return no_memory();
	snprintf(name, sizeof(name), "trace%zu", number);
	err = !class || ctf->graph_add_source_component(graph->graph, class, name, parameters,
							BT_LOGGING_LEVEL_NONE, &source);
	ctf->value_put_ref(parameters);
	return err ? broken(reading, folder, "the CTF trace cannot be read") :
		     connect_trace(reading, graph, source, folder);
}

static int add_import(struct ctf_reading *reading, struct graph *graph)
{
	const struct ctf_library *ctf = reading->ctf;
	const char *name = reading->importing->file.name;
	const bt_component_sink *sink;

	if (!graph->inputs) {
		failed("import: %s: the CTF traces have no stream", name);
		return -1;
	}
	if (ctf->graph_add_simple_sink_component(graph->graph, "import", ctf_initialize,
						 ctf_consume, NULL, reading, &sink) ||
	    ctf->graph_connect_ports(graph->graph,
		ctf->component_filter_borrow_output_port_by_index_const(graph->muxer, 0),
		ctf->component_sink_borrow_input_port_by_index_const(sink, 0), NULL))
		return broken(reading, name, "the import cannot begin");
	return 0;
}

static int run(struct ctf_reading *reading, struct graph *graph)
{
	bt_graph_run_status status;
	size_t i;

	if (find_plugins(reading, graph) || add_muxer(reading, graph))
		return -1;
	for (i = 0; i < reading->count; i++)
		if (add_trace(reading, graph, i))
			return -1;
	if (add_import(reading, graph))
		return -1;
	do
		status = reading->ctf->graph_run(graph->graph);
	while (status == BT_GRAPH_RUN_STATUS_AGAIN);
	return status == BT_GRAPH_RUN_STATUS_OK ? 0 :
	       broken(reading, reading->importing->file.name, "the CTF trace is damaged");
}

int ctf_graph_run(struct ctf_reading *reading)
{
	struct graph graph = { };
	int err = run(reading, &graph);

	if (graph.graph)
		reading->ctf->graph_put_ref(graph.graph);
	if (graph.formats)
		reading->ctf->plugin_put_ref(graph.formats);
	if (graph.utils)
		reading->ctf->plugin_put_ref(graph.utils);
	return err;
}

#endif
