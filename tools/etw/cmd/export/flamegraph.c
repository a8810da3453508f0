// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* etw export --flamegraph: stacks as a picture, SVG with a script that zooms and searches. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/print_fields.h"
#include "cmd/stat/stacks.h"
#include "etw.h"
#include "generated/flamegraph_page.h"
#include "stack_formats.h"

/* The geometry is that of flamegraph.js, at a width of 1280 pixels */
#define WIDTH		1280
#define ROW		18
#define LEFT		10
#define TOP		76
#define BOTTOM		12
#define CHARACTER	6.7
/* The picture without its script leaves out what is narrower than this, as the script does */
#define LEAST		0.4
#define GAP		0.5

/**
 * struct picture - a flame graph while it is drawn
 * @tree: the stacks
 * @order: the children of each
 * @deepest: depth of the frames farthest from the root
 * @what: unit of the weights, for people
 * @before: by node: its weight before, with callees; NULL: there is no comparison
 */
struct picture {
	struct call_tree *tree;
	struct call_order order;
	unsigned int deepest;
	const char *what;
	uint64_t *before;
};

static void put_text(const char *text)
{
	text_print_xml(text, strlen(text), stdout);
}

static const char *name_of(const struct picture *picture, uint32_t node)
{
	return node ? picture->tree->name[picture->tree->node[node].name].text : "all";
}

/* Two characters: process, kernel or user; and which of its colours, the same for one name */
static void put_kind(const struct call_name *name)
{
	unsigned int colour = map_mix(MAP_MIX, name->text, strlen(name->text)) & 3;

	if (!name->is_kernel && !strchr(name->text, '!'))
		fputs("p0", stdout);
	else
		printf("%c%u", name->is_kernel ? 'k' : 'u', colour);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * part / all : 0;
}

/* How far the share of all grew, in percentage points */
static double growth_of(const struct picture *picture, uint32_t node)
{
	return percent(picture->tree->node[node].all, picture->tree->weight) -
	       percent(picture->before[node], picture->before[0]);
}

/* Compared, a frame turns red as far as its share grew, and blue as far as it shrank. */
static void put_colour(const struct picture *picture, uint32_t node)
{
	static const double steps[] = { 0.2, 1, 3, 10 };
	double growth, size;
	unsigned int level = 0;

	if (!picture->before) {
		put_kind(&picture->tree->name[picture->tree->node[node].name]);
		return;
	}
	growth = growth_of(picture, node);
	size = growth < 0 ? -growth : growth;
	while (level < sizeof(steps) / sizeof(steps[0]) && size >= steps[level])
		level++;
	printf("%s%u", !level ? "d" : growth < 0 ? "s" : "g", level);
}

static double width_of(const struct picture *picture, uint32_t node, double width)
{
	const struct call_node *parent = &picture->tree->node[picture->tree->node[node].parent];

	return parent->all ? width * picture->tree->node[node].all / parent->all : 0;
}

static void find_depth(struct picture *picture, uint32_t node, double width, unsigned int depth)
{
	uint32_t k;

	if (depth > picture->deepest)
		picture->deepest = depth;
	if (depth == CALL_TREE_DEEPEST)
		return;
	for (k = picture->order.begin[node]; k < picture->order.begin[node + 1]; k++) {
		double wide = width_of(picture, picture->order.child[k], width);

		if (wide >= LEAST)
			find_depth(picture, picture->order.child[k], wide, depth + 1);
	}
}

/* What fits of the function's name, by whole characters; the title has the module, too */
static void put_label(const char *name, double width)
{
	size_t room = width < 6 ? 0 : (width - 6) / CHARACTER, used = 0, i;
	const char *function = strchr(name, '!');

	if (room < 3)
		return;
	if (function && strcmp(function, "!?"))
		name = function + 1;
	for (i = 0; name[i]; i++)
		used += (name[i] & 0xC0) != 0x80;
	if (used <= room) {
		put_text(name);
		return;
	}
	for (i = 0, used = 0; name[i]; i++) {
		used += (name[i] & 0xC0) != 0x80;
		if (used == room)
			break;
	}
	text_print_xml(name, i, stdout);
	fputs("…", stdout);
}

static void put_frame(const struct picture *picture, uint32_t i, double x, double width,
		      unsigned int depth)
{
	const struct call_tree *tree = picture->tree;
	const struct call_node *node = &tree->node[i];
	unsigned int y = TOP + (picture->deepest - depth) * ROW;

	fputs("<g class=\"f\"><title>", stdout);
	put_text(name_of(picture, i));
	printf(": %" PRIu64 " %s, %.2f %%", node->all / tree->unit, picture->what,
	       percent(node->all, tree->weight));
	if (picture->before)
		printf("; before %.2f %%, %+.2f", percent(picture->before[i], picture->before[0]),
		       growth_of(picture, i));
	printf("</title><rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" class=\"", LEFT + x,
	       y, width > 2 ? width - GAP : width, ROW - 1);
	put_colour(picture, i);
	printf("\"/><text x=\"%.2f\" y=\"%u\">", LEFT + x + 3, y + 13);
	put_label(name_of(picture, i), width);
	puts("</text></g>");
}

static void put_frames(const struct picture *picture, uint32_t node, double x, double width,
		       unsigned int depth)
{
	uint32_t k;

	put_frame(picture, node, x, width, depth);
	if (depth == picture->deepest)
		return;
	for (k = picture->order.begin[node]; k < picture->order.begin[node + 1]; k++) {
		double wide = width_of(picture, picture->order.child[k], width);

		if (wide >= LEAST)
			put_frames(picture, picture->order.child[k], x, wide, depth + 1);
		x += wide;
	}
}

/* What the script draws from: the functions, then the nodes, callers before callees */
static void put_data(const struct picture *picture)
{
	const struct call_tree *tree = picture->tree;
	size_t i;

	fputs("<metadata id=\"names\">", stdout);
	for (i = 1; i < tree->hashes.count; i++) {
		putchar('\n');
		put_kind(&tree->name[i]);
		putchar(' ');
		put_text(tree->name[i].text);
	}
	puts("\n</metadata>");
	fputs("<metadata id=\"nodes\">", stdout);
	for (i = 0; i < tree->nodes; i++) {
		printf("\n%u %u %" PRIu64, tree->node[i].parent, tree->node[i].name,
		       tree->node[i].self);
		if (picture->before)
			printf(" %" PRIu64, picture->before[i]);
	}
	puts("\n</metadata>");
}

static void put_head(const struct picture *picture, const struct stack_report *report)
{
	unsigned int height = TOP + (picture->deepest + 1) * ROW + BOTTOM;
	const char *file = strrchr(report->trace->name, '/');

	printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
	       "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" data-unit=\"%u\" data-what=\"%s\">\n"
	       "<style>\n%s</style>\n<text id=\"title\" x=\"%u\" y=\"24\">", WIDTH, height, WIDTH,
	       height, picture->tree->unit, picture->what, flamegraph_css, LEFT);
	put_text(file ? file + 1 : report->trace->name);
	printf(": %" PRIu64 " %s", picture->tree->weight / picture->tree->unit, picture->what);
	if (picture->before) {
		fputs("; before: ", stdout);
		put_text(report->before->name);
		printf(": %" PRIu64 "; red: larger share, blue: smaller share",
		       picture->before[0] / picture->tree->unit);
	}
	puts("</text>");
	printf("<g id=\"controls\" visibility=\"hidden\">"
	       "<foreignObject x=\"%u\" y=\"34\" width=\"200\" height=\"24\">"
	       "<input xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"search\" "
	       "placeholder=\"search (press /)\" aria-label=\"search\"/></foreignObject>"
	       "<text id=\"result\" x=\"%u\" y=\"50\"/>"
	       "<text id=\"reset\" x=\"%u\" y=\"70\" visibility=\"hidden\">zoom out</text>"
	       "<text id=\"details\" x=\"%u\" y=\"70\"/></g>\n", LEFT, LEFT + 210, LEFT,
	       LEFT + 70);
}

static const char *unit_of(const struct stack_report *report)
{
	if (report->weight == WEIGH_WAITING)
		return "µs waited";
	return report->all_samples ? "samples" : "events";
}

int export_flamegraph(const struct stack_report *report)
{
	struct picture picture = { .tree = report->tree, .what = unit_of(report) };

	if (report->before)
		picture.before = call_tree_join(picture.tree, &report->before->tree);
	if ((report->before && !picture.before) ||
	    !call_tree_order(picture.tree, &picture.order)) {
		call_order_free(&picture.order);
		free(picture.before);
		return no_memory();
	}
	find_depth(&picture, 0, WIDTH - 2 * LEFT, 0);
	put_head(&picture, report);
	puts("<g id=\"frames\">");
	put_frames(&picture, 0, 0, WIDTH - 2 * LEFT, 0);
	puts("</g>");
	put_data(&picture);
	printf("<script><![CDATA[\n%s]]></script>\n</svg>\n", flamegraph_script);
	call_order_free(&picture.order);
	free(picture.before);
	return 0;
}
