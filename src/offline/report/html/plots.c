// Plots of the HTML report. See plots.h.

#include "offline/report/html/plots.h"

#include "offline/report/html/svg.h"

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
			out->lower[i] = bvhtml_number( bvhtml_at( level, path ), "lower" );
			out->upper[i] = bvhtml_number( bvhtml_at( level, path ), "upper" );
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
static void plot_set( const bvhtml_page* page, const cJSON* levels, const char* set,
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
	char y_name[64];
	snprintf( y_name, sizeof y_name, "error, %s", page->unit );
	bvhtml_axis across = { 0, count > 1 ? count - 1 : 1, false, true };
	for ( int measure = 0; measure < 2; ++measure )
	{
		bvhtml_plot plot = bvhtml_begin_plot(
			page, titles[measure],
			"Mean and largest certified error by level, each as a band from the lower to the upper bound.",
			across, "level", bvhtml_choose_axis( least, most ), y_name );
		for ( int i = 1; i >= 0; --i )
		{
			bvhtml_put_curve( &plot, i ? "largest, level" : "mean, level", i, x, curves[measure][i].lower,
			                  curves[measure][i].upper, count );
		}
		bvhtml_put_legend( &plot, names, 2 );
		bvhtml_end_plot( &plot );
	}
}

void bvhtml_plot_errors( const bvhtml_page* page )
{
	static const char* const of_nodes[] = { "Nodes by level: surface", "Nodes by level: solid" };
	static const char* const of_cuts[] = { "Cut by level: surface", "Cut by level: solid" };
	const cJSON* levels = bvhtml_at( page->report, "hierarchy.levels" );
	bvhtml_put( page, "<div class=\"plots\">\n" );
	plot_set( page, levels, "hausdorff", of_nodes );
	plot_set( page, levels, "cut", of_cuts );
	bvhtml_put( page, "</div>\n" );
}

void bvhtml_plot_hierarchy( const bvhtml_page* page )
{
	double x[levels_at_most];
	double nodes[levels_at_most];
	double leaves[levels_at_most];
	double most = 0;
	int count = 0;
	const cJSON* level;
	cJSON_ArrayForEach( level, bvhtml_at( page->report, "hierarchy.levels" ) )
	{
		if ( count < levels_at_most )
		{
			x[count] = count;
			nodes[count] = bvhtml_number( level, "nodes" );
			leaves[count] = nodes[count] - bvhtml_number( level, "leaves" );
			most = fmax( most, nodes[count] );
			++count;
		}
	}
	bvhtml_plot plot = bvhtml_begin_plot(
		page, "Nodes by level (leaves are paler)", "Number of nodes and of leaves on each level.",
		( bvhtml_axis ){ -0.6, count - 0.4, false, true }, "level", bvhtml_choose_axis( 0, most ), "nodes" );
	bvhtml_put_bars( &plot, x, leaves, nodes, count, 0.8 );
	bvhtml_end_plot( &plot );
}

void bvhtml_plot_parts( const bvhtml_page* page, const double* lower, const double* upper, int count,
                        bool more )
{
	enum
	{
		most_bars = 100,
	};
	double x[most_bars];
	double least = INFINITY;
	double most = 0;
	double tolerance = bvhtml_number( page->report, "decomposition.tolerance" );
	widen( upper, count, &least, &most );
	for ( int i = 0; i < count; ++i )
	{
		x[i] = i + 1;
	}
	bvhtml_axis y = bvhtml_choose_axis( 0, fmax( most, tolerance ) );
	bvhtml_plot plot =
		bvhtml_begin_plot( page,
	                       more ? "The 100 largest stand-offs of parts (the uncertain range is paler)"
	                            : "Stand-off of each part (the uncertain range is paler)",
	                       "Certified stand-off of each part from the shape, largest first.",
	                       ( bvhtml_axis ){ 0.4, count + 0.6, false, true }, "part, by rank", y, page->unit );
	bvhtml_put_bars( &plot, x, lower, upper, count, 0.8 );
	if ( tolerance > 0 )
	{
		bvhtml_put_limit( &plot, tolerance, "tolerance" );
	}
	bvhtml_end_plot( &plot );
}

void bvhtml_plot_clip( const bvhtml_page* page )
{
	enum
	{
		most_samples = 4096,
	};
	static const char* const names[] = { "fitted to the pose", "built for the pose" };
	double* x = bvb_arena_allocate( page->arena, 4 * (size_t)most_samples, sizeof *x );
	if ( !x )
	{
		return;
	}
	double* fitted = x + most_samples;
	double* places = fitted + most_samples;
	double* built = places + most_samples;
	double most = 0;
	int count = 0;
	int built_count = 0;
	const cJSON* frame;
	cJSON_ArrayForEach( frame, bvhtml_at( page->report, "clip.frames" ) )
	{
		double relative = bvhtml_number( frame, "relative" );
		double ratio = bvhtml_number( frame, "to_rebuilt" );
		if ( count < most_samples && relative > 0 )
		{
			x[count] = bvhtml_number( frame, "time" );
			fitted[count++] = relative;
			most = fmax( most, relative );
		}
		if ( built_count < most_samples && relative > 0 && ratio > 0 )
		{
			places[built_count] = bvhtml_number( frame, "time" );
			built[built_count++] = relative / ratio;
			most = fmax( most, relative / ratio );
		}
	}
	if ( count < 2 )
	{
		return;
	}
	bvhtml_put( page, "<div class=\"plots\">\n" );
	bvhtml_plot plot = bvhtml_begin_plot( page, "Cost of a query over the clip",
	                                      "Expected cost of a query at each sample, relative to the pose of "
	                                      "the mesh: of this hierarchy with volumes fitted to "
	                                      "the pose, and of hierarchies that were built for some poses.",
	                                      ( bvhtml_axis ){ x[0], x[count - 1], false, false }, "time, s",
	                                      bvhtml_choose_axis( NAN, most ), "cost, relative" );
	bvhtml_put_curve( &plot, names[0], 0, x, NULL, fitted, count );
	bvhtml_put_curve( &plot, names[1], 1, places, NULL, built, built_count );
	bvhtml_put_legend( &plot, names, 2 );
	bvhtml_end_plot( &plot );
	bvhtml_put( page, "</div>\n" );
}
