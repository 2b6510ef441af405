// Plots of the HTML report. See plots.h.

#include "formats/html/plots.h"

#include "formats/html/svg.h"

#include <math.h>
#include <stdio.h>

enum
{
	levels_at_most = BV_MAX_DEPTH + 1,
};

// One measure of one set of nodes, by level.
typedef struct curve
{
	double lower[levels_at_most];
	double upper[levels_at_most];
} curve;

static void read_curve( const cJSON* levels, const char* path, curve* out )
{
	int i = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, levels )
	{
		if ( i < levels_at_most )
		{
			out->lower[i] = report_number( report_at( level, path ), "lower" );
			out->upper[i] = report_number( report_at( level, path ), "upper" );
			++i;
		}
	}
}

static void widen( const double* values, int count, double* least, double* most )
{
	for ( int i = 0; i < count; ++i )
	{
		*least = values[i] > 0 ? fmin( *least, values[i] ) : *least;
		*most = fmax( *most, values[i] );
	}
}

// Both measures of a set have one axis, so that they can be compared.
static void plot_set( const report_page* page, const cJSON* levels, const char* set,
                      const char* const titles[2] )
{
	static const char* const names[] = { "mean", "largest" };
	static const char* const measures[] = { "surface", "solid" };
	double x[levels_at_most];
	curve curves[2][2];
	double least = INFINITY;
	double most = 0;
	int count = cJSON_GetArraySize( levels );
	count = count < levels_at_most ? count : levels_at_most;
	for ( int i = 0; i < count; ++i )
	{
		x[i] = i;
	}
	for ( int measure = 0; measure < 2; ++measure )
	{
		for ( int i = 0; i < 2; ++i )
		{
			char path[64];
			snprintf( path, sizeof path, "%s.%s.%s", set, measures[measure], i ? "max" : "mean" );
			read_curve( levels, path, &curves[measure][i] );
			widen( curves[measure][i].upper, count, &least, &most );
		}
	}
	report_axis across = { 0, count > 1 ? count - 1 : 1, false, true };
	for ( int measure = 0; measure < 2; ++measure )
	{
		report_plot plot = report_begin_plot(
			page, titles[measure],
			"Mean and largest certified error by level, each as a band from the lower to the upper bound.",
			across, "level", report_choose_axis( least, most ), "error, mesh units" );
		for ( int i = 1; i >= 0; --i )
		{
			report_put_curve( &plot, i ? "largest, level" : "mean, level", i, x, curves[measure][i].lower,
			                  curves[measure][i].upper, count );
		}
		report_put_legend( &plot, names, 2 );
		report_end_plot( &plot );
	}
}

void report_plot_errors( const report_page* page )
{
	static const char* const of_nodes[] = { "Nodes by level: surface", "Nodes by level: solid" };
	static const char* const of_cuts[] = { "Cut by level: surface", "Cut by level: solid" };
	const cJSON* levels = report_at( page->report, "hierarchy.levels" );
	report_put( page, "<div class=\"plots\">\n" );
	plot_set( page, levels, "hausdorff", of_nodes );
	plot_set( page, levels, "cut", of_cuts );
	report_put( page, "</div>\n" );
}

void report_plot_hierarchy( const report_page* page )
{
	double x[levels_at_most];
	double nodes[levels_at_most];
	double leaves[levels_at_most];
	double most = 0;
	int count = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, report_at( page->report, "hierarchy.levels" ) )
	{
		if ( count < levels_at_most )
		{
			x[count] = count;
			nodes[count] = report_number( level, "nodes" );
			leaves[count] = nodes[count] - report_number( level, "leaves" );
			most = fmax( most, nodes[count] );
			++count;
		}
	}
	report_plot plot = report_begin_plot(
		page, "Nodes by level (leaves are paler)", "Number of nodes and of leaves on each level.",
		( report_axis ){ -0.6, count - 0.4, false, true }, "level", report_choose_axis( 0, most ), "nodes" );
	report_put_bars( &plot, x, leaves, nodes, count, 0.8 );
	report_end_plot( &plot );
}

void report_plot_parts( const report_page* page, const double* lower, const double* upper, int count,
                        bool more )
{
	enum
	{
		most_bars = 100,
	};
	double x[most_bars];
	double least = INFINITY;
	double most = 0;
	double tolerance = report_number( page->report, "decomposition.tolerance" );
	widen( upper, count, &least, &most );
	for ( int i = 0; i < count; ++i )
	{
		x[i] = i + 1;
	}
	report_axis y = report_choose_axis( 0, fmax( most, tolerance ) );
	report_plot plot = report_begin_plot(
		page,
		more ? "The 100 largest stand-offs of parts (the uncertain range is paler)"
			 : "Stand-off of each part (the uncertain range is paler)",
		"Certified stand-off of each part from the shape, largest first.",
		( report_axis ){ 0.4, count + 0.6, false, true }, "part, by rank", y, "mesh units" );
	report_put_bars( &plot, x, lower, upper, count, 0.8 );
	if ( tolerance > 0 )
	{
		report_put_limit( &plot, tolerance, "wanted" );
	}
	report_end_plot( &plot );
}
