// The tables of docs/experiments/hierarchies.md, as Markdown: geometric means over pose files of ratios to
// the base. See experiment.h.

#include "tests/bench/experiment/experiment.h"

#include <math.h>

enum
{
	most_subjects = 256,
	most_levels = 128,
	most_best = 20,
	cut_nodes = 64, // the cut that errors are compared at
};

typedef enum measure
{
	measure_volume_tests = 0,
	measure_triangle_tests,
	measure_cost,
	measure_query,
	measure_build,
	measure_bytes,
	measure_error,
	measure_count,
} measure;

// Everything that is printed of one way to build, over all pose files.
typedef struct means
{
	double sum[measure_count]; // of logarithms of ratios
	uint32_t count[measure_count];
	uint32_t ends[ending_count];
} means;

typedef struct tables
{
	const results* all;
	const char* subjects[most_subjects]; // from the smallest
	uint32_t triangles[most_subjects];
	int count;
	bool small[most_subjects]; // has the full product
	int small_count;
	cell base;
} tables;

// The mean error of the first cut of so many nodes; 0 when there is none.
static double error_at( const result* r, uint32_t nodes )
{
	for ( uint32_t i = 0; i < r->cut_count; ++i )
	{
		if ( r->cuts[i].nodes >= nodes )
		{
			return (double)r->cuts[i].error;
		}
	}
	return 0;
}

static void get_measures( const result* r, double out[measure_count] )
{
	out[measure_volume_tests] = (double)r->volume_tests;
	out[measure_triangle_tests] = (double)r->triangle_tests;
	out[measure_cost] = r->cost;
	out[measure_query] = r->query;
	out[measure_build] = r->build;
	out[measure_bytes] = (double)r->bytes;
	out[measure_error] = error_at( r, cut_nodes );
}

static void add_ratios( const result* r, const result* base, means* to )
{
	double mine[measure_count];
	double theirs[measure_count];
	get_measures( r, mine );
	get_measures( base, theirs );
	for ( int i = 0; i < measure_count; ++i )
	{
		if ( mine[i] > 0 && theirs[i] > 0 )
		{
			to->sum[i] += log( mine[i] / theirs[i] );
			to->count[i] += 1;
		}
	}
}

static means mean_of( const tables* t, const char* key, bool small_only )
{
	means m = { .ends = { 0 } };
	for ( int i = 0; i < t->count; ++i )
	{
		const result* r = find_result( t->all, key, t->subjects[i] );
		const result* base = find_result( t->all, t->base.key, t->subjects[i] );
		if ( !r || ( small_only && !t->small[i] ) )
		{
			continue;
		}
		m.ends[r->end] += 1;
		if ( r->end == ending_done && base && base->end == ending_done )
		{
			add_ratios( r, base, &m );
		}
	}
	return m;
}

static double get_mean( const means* m, measure which )
{
	return m->count[which] ? exp( m->sum[which] / m->count[which] ) : 0;
}

static void print_ratio( double ratio )
{
	if ( ratio > 0 )
	{
		printf( " | %.3g", ratio );
	}
	else
	{
		printf( " | -" );
	}
}

static void print_row( const tables* t, const char* name, const cell* c )
{
	means m = mean_of( t, c->key, false );
	bool is_base = strcmp( c->key, t->base.key ) == 0;
	printf( "| %s%s", name, is_base ? " (base)" : "" );
	for ( int i = 0; i < measure_count; ++i )
	{
		print_ratio( get_mean( &m, (measure)i ) );
	}
	printf( " | %u | %u", m.ends[ending_done], m.ends[ending_time] + m.ends[ending_skipped] );
	if ( m.ends[ending_wrong] + m.ends[ending_failed] > 0 )
	{
		printf( " | %u WRONG, %u FAILED", m.ends[ending_wrong], m.ends[ending_failed] );
	}
	printf( " |\n" );
}

static void print_head( const char* what )
{
	printf( "\n| %s | volume tests | triangle tests | weighted cost | query time | build time | bytes | "
	        "error | files | "
	        "out of time |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
	        what );
}

static void print_base( const tables* t )
{
	printf( "The base, `%s` (builder, splitter, volumes, degree, quality, aggregate, node box, refit, hit "
	        "tests, leaf triangles, rounds of optimize, collapse, byte price, depth, "
	        "search budget, seed). Tests, cost and time are those of a query; the error is that of the first "
	        "cut of %d nodes "
	        "or more, in %% of the diagonal.\n\n",
	        t->base.key, cut_nodes );
	printf( "| poses | triangles | volume tests | triangle tests | weighted cost, us | query, us | build, us "
	        "per triangle | bytes per "
	        "triangle | nodes | depth | error, %% |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "| ---: | ---: | ---: "
	        "|\n" );
	for ( int i = 0; i < t->count; ++i )
	{
		const result* r = find_result( t->all, t->base.key, t->subjects[i] );
		if ( !r || r->end != ending_done )
		{
			continue;
		}
		double n = r->poses;
		printf( "| %s | %u | %.0f | %.1f | %.2f | %.1f | %.2f | %.1f | %u | %u | %.3g |\n", r->subject,
		        r->triangles, (double)r->volume_tests / n, (double)r->triangle_tests / n, 1e-3 * r->cost / n,
		        1e6 * r->query / n, 1e6 * r->build / r->triangles, (double)r->bytes / r->triangles, r->nodes,
		        r->depth, 100 * error_at( r, cut_nodes ) );
	}
}

static void print_presets( const tables* t )
{
	print_head( "preset" );
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		bvb_asset_options options;
		bvb_preset_options( bvb_preset_name( i, NULL ), &options );
		cell c = make_cell( &options.hierarchy );
		print_row( t, bvb_preset_name( i, NULL ), &c );
	}
}

static void print_factor( const tables* t, const factor* f )
{
	print_head( f->name );
	char text[name_size];
	const char* name;
	bvb_hierarchy_options options = t->base.options;
	for ( uint32_t i = 0; ( name = f->set( &options, i, text ) ); ++i )
	{
		cell c = make_cell( &options );
		print_row( t, name, &c );
		options = t->base.options;
	}
}

// Geometric means of errors by the size of the cut, over the files on which each has been measured.
static void print_cuts( const tables* t )
{
	printf( "\n| mean solid error, %% of the diagonal, of the first cut of" );
	for ( uint32_t nodes = 1; nodes <= 4096; nodes *= 4 )
	{
		printf( " | %u", nodes );
	}
	printf( " nodes |\n| ---" );
	for ( uint32_t nodes = 1; nodes <= 4096; nodes *= 4 )
	{
		printf( " | ---:" );
	}
	printf( " |\n" );
	for ( uint32_t i = 0; bvb_preset_name( i, NULL ); ++i )
	{
		bvb_asset_options options;
		bvb_preset_options( bvb_preset_name( i, NULL ), &options );
		cell c = make_cell( &options.hierarchy );
		printf( "| %s", bvb_preset_name( i, NULL ) );
		for ( uint32_t nodes = 1; nodes <= 4096; nodes *= 4 )
		{
			double sum = 0;
			int count = 0;
			for ( int k = 0; k < t->count; ++k )
			{
				const result* r = find_result( t->all, c.key, t->subjects[k] );
				double error = r ? error_at( r, nodes ) : 0;
				sum += error > 0 ? log( error ) : 0;
				count += error > 0;
			}
			print_ratio( count ? 100 * exp( sum / count ) : 0 );
		}
		printf( " |\n" );
	}
}

// The best of the product for each builder or splitter and volume.
typedef struct product
{
	const tables* t;
	char names[most_levels][name_size]; // of builders and splitters
	int name_count;
	char volumes[most_levels][name_size];
	int volume_count;
	double best[most_levels][most_levels]; // by name and volume; 0 for none
	cell top[most_best];
	double top_cost[most_best];
	int top_count;
	uint32_t cells;
	uint32_t measured; // cells with a result on every small file
	uint32_t early;    // of them, those out of time somewhere
	int base_level[factor_count];
	double sum[factor_count]
			  [most_levels]; // of logarithms of the ratio of costs to the same with the base's level
	uint32_t count[factor_count][most_levels];
} product;

static int find_name( char names[most_levels][name_size], int* count, const char* name )
{
	for ( int i = 0; i < *count; ++i )
	{
		if ( strcmp( names[i], name ) == 0 )
		{
			return i;
		}
	}
	if ( *count == most_levels )
	{
		return most_levels - 1;
	}
	snprintf( names[*count], name_size, "%s", name );
	return ( *count )++;
}

// Which level of a factor a cell has; -1 for none.
static int level_of( const cell* c, const factor* f, char text[name_size], const char** name )
{
	bvb_hierarchy_options options = c->options;
	for ( uint32_t i = 0; ( *name = f->set( &options, i, text ) ); ++i )
	{
		if ( strcmp( make_cell( &options ).key, c->key ) == 0 )
		{
			return (int)i;
		}
	}
	return -1;
}

// Where a splitter stands for topdown, and a builder for itself.
static const char* name_of_way( const cell* c )
{
	return strcmp( c->options.builder, "topdown" ) == 0 ? c->options.splitter : c->options.builder;
}

// Of several that make the same trees the first.
static void keep_best( product* p, const cell* c, double cost )
{
	for ( int i = 0; i < p->top_count; ++i )
	{
		if ( p->top_cost[i] == cost )
		{
			return;
		}
	}
	int at = p->top_count < most_best ? p->top_count++ : most_best;
	for ( ; at > 0 && p->top_cost[at - 1] > cost; --at )
	{
		if ( at < most_best )
		{
			p->top[at] = p->top[at - 1];
			p->top_cost[at] = p->top_cost[at - 1];
		}
	}
	if ( at < most_best )
	{
		p->top[at] = *c;
		p->top_cost[at] = cost;
	}
}

// What a level does to the cost when everything else stays.
static void compare_level( product* p, const cell* c, int f )
{
	char text[name_size];
	const char* name;
	int level = level_of( c, factors + f, text, &name );
	if ( p->base_level[f] < 0 || level < 0 || level >= most_levels )
	{
		return;
	}
	bvb_hierarchy_options options = c->options;
	factors[f].set( &options, (uint32_t)p->base_level[f], text );
	cell other = make_cell( &options );
	for ( int i = 0; i < p->t->count; ++i )
	{
		const result* mine = find_result( p->t->all, c->key, p->t->subjects[i] );
		const result* theirs = find_result( p->t->all, other.key, p->t->subjects[i] );
		if ( p->t->small[i] && mine && theirs && mine->end == ending_done && theirs->end == ending_done )
		{
			p->sum[f][level] += log( mine->cost / theirs->cost );
			p->count[f][level] += 1;
		}
	}
}

static void add_to_product( void* context, const cell* c )
{
	product* p = context;
	char text[name_size];
	const char* volume;
	means m = mean_of( p->t, c->key, true );
	uint32_t ended = 0;
	for ( int i = 0; i < ending_count; ++i )
	{
		ended += m.ends[i];
	}
	p->cells += 1;
	p->measured += ended == (uint32_t)p->t->small_count;
	p->early += m.ends[ending_time] + m.ends[ending_skipped] > 0;
	if ( level_of( c, factors + factor_volume, text, &volume ) < 0 )
	{
		return;
	}
	int column = find_name( p->volumes, &p->volume_count, volume );
	int row = find_name( p->names, &p->name_count, name_of_way( c ) );
	double cost = get_mean( &m, measure_cost );
	if ( p->t->small_count > 0 && m.ends[ending_done] == (uint32_t)p->t->small_count && cost > 0 )
	{
		keep_best( p, c, cost );
		if ( p->best[row][column] == 0 || cost < p->best[row][column] )
		{
			p->best[row][column] = cost;
		}
	}
	static const int compared[] = { factor_splitter, factor_volume, factor_degree, factor_quality };
	for ( size_t i = 0; i < sizeof compared / sizeof *compared; ++i )
	{
		compare_level( p, c, compared[i] );
	}
}

static void print_matrix( const product* p )
{
	printf( "\n| least cost of all degrees and qualities" );
	for ( int k = 0; k < p->volume_count; ++k )
	{
		printf( " | %s", p->volumes[k] );
	}
	printf( " |\n| ---" );
	for ( int k = 0; k < p->volume_count; ++k )
	{
		printf( " | ---:" );
	}
	printf( " |\n" );
	for ( int i = 0; i < p->name_count; ++i )
	{
		printf( "| %s", p->names[i] );
		for ( int k = 0; k < p->volume_count; ++k )
		{
			print_ratio( p->best[i][k] );
		}
		printf( " |\n" );
	}
}

static void print_levels( const product* p, int f )
{
	char text[name_size];
	const char* name;
	bvb_hierarchy_options options = p->t->base.options;
	printf( "\n| %s, the rest the same | weighted cost | pairs of cells and files |\n| --- | ---: | ---: |\n",
	        factors[f].name );
	for ( uint32_t i = 0; i < most_levels && ( name = factors[f].set( &options, i, text ) ); ++i )
	{
		printf( "| %s", name );
		print_ratio( p->count[f][i] ? exp( p->sum[f][i] / p->count[f][i] ) : 0 );
		printf( " | %u |\n", p->count[f][i] );
	}
}

static void print_product( const tables* t )
{
	static product p;
	p = ( product ){ .t = t };
	for ( int f = 0; f < factor_count; ++f )
	{
		char text[name_size];
		const char* name;
		cell base = t->base;
		base.options.builder = f == factor_splitter ? "topdown" : base.options.builder;
		base = make_cell( &base.options );
		p.base_level[f] = level_of( &base, factors + f, text, &name );
	}
	walk_full( add_to_product, &p );
	printf( "\n### The full product, on the smallest meshes\n\n" );
	printf( "%u cells on %d files; %u of them measured on all, %u out of time on one or more. Costs are "
	        "relative to the base's. A "
	        "dash: not measured, or out of time on one of the files.\n",
	        p.cells, t->small_count, p.measured, p.early );
	print_matrix( &p );
	print_levels( &p, factor_degree );
	print_levels( &p, factor_quality );
	print_levels( &p, factor_volume );
	print_levels( &p, factor_splitter );
	printf( "\n| the %d best (the first among equal trees) | weighted cost |\n| --- | ---: |\n", most_best );
	for ( int i = 0; i < p.top_count; ++i )
	{
		printf( "| `%s` | %.3f |\n", p.top[i].key, p.top_cost[i] );
	}
}

static void list_subjects( tables* t )
{
	for ( uint32_t i = 0; i < t->all->count; ++i )
	{
		const result* r = t->all->lines + i;
		int at = 0;
		while ( at < t->count && strcmp( t->subjects[at], r->subject ) != 0 )
		{
			at += 1;
		}
		if ( at < t->count || t->count == most_subjects )
		{
			continue;
		}
		for ( at = t->count++; at > 0 && t->triangles[at - 1] > r->triangles; --at )
		{
			t->subjects[at] = t->subjects[at - 1];
			t->triangles[at] = t->triangles[at - 1];
		}
		t->subjects[at] = r->subject;
		t->triangles[at] = r->triangles;
	}
}

typedef struct counting
{
	const tables* t;
	const char* subject;
	uint32_t there;
} counting;

static void count_there( void* context, const cell* c )
{
	counting* n = context;
	n->there += find_result( n->t->all, c->key, n->subject ) != NULL;
}

// Those with more cells of the full product than one factor at a time gives.
static void find_small( tables* t )
{
	for ( int i = 0; i < t->count; ++i )
	{
		counting one = { t, t->subjects[i], 0 };
		counting full = one;
		walk_one( factor_count, count_there, &one );
		walk_full( count_there, &full );
		t->small[i] = full.there > one.there;
		t->small_count += t->small[i];
	}
}

void print_tables( const results* all )
{
	static tables t;
	t = ( tables ){ .all = all, .base = base_cell() };
	list_subjects( &t );
	find_small( &t );
	printf( "### The base\n\n" );
	print_base( &t );
	printf( "\n### One factor at a time\n\nRatios to the base, geometric means over the pose files.\n" );
	print_presets( &t );
	print_cuts( &t );
	for ( int f = 0; f < factor_count; ++f )
	{
		print_factor( &t, factors + f );
	}
	print_product( &t );
}

void print_one_factor( const results* all, factor_index only )
{
	static tables t;
	t = ( tables ){ .all = all, .base = base_cell() };
	list_subjects( &t );
	print_factor( &t, factors + only );
}
