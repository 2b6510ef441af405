// Compares bv_convex_overlap and bv_convex_distance with exact arithmetic: convex_oracle [COUNT [FIRST]]
// compares the pairs FIRST to FIRST + COUNT - 1 of tests/reference/convex_pairs.h in both orders of arguments, without a cache
// and, for some, with one. convex_oracle --pair INDEX prints one pair with all its numbers.
//
// The order b, a of a pair with a placement has the inverse placement, which is rounded: its exact distance is another one and
// is computed, too.
//
// A boolean is wrong if shapes that touch or overlap are reported apart, or the other way round. A bracket is wrong if the exact
// distance is outside. A width is wrong if it exceeds 1e-6 of the distance, or 1e-5 of the depth, plus four units in the last
// place of the largest coordinate. Queries have BV_CONVEX_SCRATCH_AMPLE bytes of scratch memory, except one of each pair: its
// width is judged only if both hulls have at most 80 corners (bv/convex.h). A normal is wrong if the slab normal to it, between the
// shapes, is narrower than `lower` by more than eight units; points are wrong if their distance differs from the exact one by
// more than the bar and eight units.
//
// Exits with 1 if anything is wrong.

#include "bv/convex.h"
#include "tests/reference/convex_exact.h"
#include "tests/reference/convex_pairs.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	most_kinds = 32,
	most_failures = 8,
	chunk = 64,
};

typedef enum fault
{
	fault_boolean,
	fault_uncertain,
	fault_bracket,
	fault_width,
	fault_normal,
	fault_points,
	fault_status,
	fault_sign,
	faults,
} fault;

static const char* const fault_names[faults] = { "booleans", "uncertain", "brackets", "widths",
	                                             "normals",  "points",    "errors",   "signs" };

typedef struct tally
{
	uint64_t pairs;
	uint64_t signs[3];
	uint64_t wrong[faults];
	double widest; // as a part of the bar
} tally;

// One comparison of shapes in one order.
typedef struct query
{
	uint64_t index;
	uint32_t kind;
	bool is_swapped;
	const bv_convex* a;
	const bv_convex* b;
	const bv_transform* at;
	convex_exact_result exact;
	double unit; // in the last place of the largest coordinate
	double bar;  // of widths
	void* scratch;
} query;

typedef struct failure
{
	uint64_t index;
	char text[400];
} failure;

static tally tallies[most_kinds];
static failure failures[faults][most_failures];
static uint32_t failure_counts[faults];

static bool is_failure_before( const failure* x, const failure* y )
{
	return x->index != y->index ? x->index < y->index : strcmp( x->text, y->text ) < 0;
}

// Of each fault those with the smallest indices are kept, in order, so that the output does not depend on threads.
static void record( tally* t, fault what, const query* q, const char* text )
{
	++t->wrong[what];
	failure added = { .index = q->index };
	snprintf( added.text, sizeof added.text, "%-9s %" PRIu64 "%s (%s): exact [%.17g, %.17g], sign %d, %s",
	          fault_names[what], q->index, q->is_swapped ? " swapped" : "", convex_pair_kind( q->kind ),
	          q->exact.lower, q->exact.upper, q->exact.sign, text );
#pragma omp critical( failures )
	{
		failure* list = failures[what];
		uint32_t place = failure_counts[what];
		while ( place > 0 && is_failure_before( &added, &list[place - 1] ) )
		{
			--place;
		}
		if ( place < most_failures )
		{
			uint32_t kept = failure_counts[what] < most_failures ? failure_counts[what] : most_failures - 1;
			memmove( &list[place + 1], &list[place], ( kept - place ) * sizeof *list );
			list[place] = added;
			failure_counts[what] = kept + 1;
		}
	}
}

static bv_vec3 corner_at( const bv_convex* c, uint32_t index )
{
	return c->kind == bv_convex_of_corners ? c->corner[index] : c->points[index];
}

typedef struct wide3
{
	long double x;
	long double y;
	long double z;
} wide3;

static wide3 placed_corner( const bv_convex* c, const bv_transform* t, uint32_t index )
{
	wide3 p;
	if ( c->kind == bv_convex_of_box )
	{
		const bv_obb* box = &c->box;
		p = ( wide3 ){ box->center.x, box->center.y, box->center.z };
		for ( int k = 0; k < 3; ++k )
		{
			long double h = index >> k & 1 ? box->half_extents[k] : -box->half_extents[k];
			p = ( wide3 ){ p.x + h * box->axis[k].x, p.y + h * box->axis[k].y, p.z + h * box->axis[k].z };
		}
	}
	else
	{
		bv_vec3 at = corner_at( c, index );
		p = ( wide3 ){ at.x, at.y, at.z };
	}
	if ( !t )
	{
		return p;
	}
	const double( *r )[3] = t->pose.rotation;
	bv_vec3 by = t->pose.translation;
	wide3 q = { t->scale * ( t->mirror ? -p.x : p.x ), t->scale * p.y, t->scale * p.z };
	return ( wide3 ){ r[0][0] * q.x + r[0][1] * q.y + r[0][2] * q.z + by.x,
		              r[1][0] * q.x + r[1][1] * q.y + r[1][2] * q.z + by.y,
		              r[2][0] * q.x + r[2][1] * q.y + r[2][2] * q.z + by.z };
}

// The largest product of a corner and a direction.
static long double reach( const bv_convex* c, const bv_transform* t, bv_vec3 n, long double sign )
{
	uint32_t count = c->kind == bv_convex_of_box ? 8 : c->count;
	long double most = -HUGE_VALL;
	for ( uint32_t i = 0; i < count; ++i )
	{
		wide3 p = placed_corner( c, t, i );
		long double value = sign * ( n.x * p.x + n.y * p.y + n.z * p.z );
		most = value > most ? value : most;
	}
	return most;
}

// The width of the gap between planes normal to n; below 0 if the shapes overlap along n.
static double slab( const query* q, bv_vec3 n )
{
	return (double)( -reach( q->b, q->at, n, -1 ) - reach( q->a, NULL, n, 1 ) );
}

static bool is_unit( bv_vec3 n )
{
	return fabs( bv_length( n ) - 1 ) < 1e-14;
}

static void judge_overlap( tally* t, const query* q, const bv_convex_options* options, const char* how )
{
	bv_convex_overlap_result r;
	char text[200];
	bv_status status = bv_convex_overlap( q->a, q->b, q->at, options, &r );
	if ( status != bv_ok )
	{
		record( t, fault_status, q, bv_status_text( status ) );
		return;
	}
	snprintf( text, sizeof text, "overlap%s: %d, %s", how, r.overlaps, r.certain ? "certain" : "uncertain" );
	bool meets = q->exact.sign <= 0;
	if ( r.overlaps != meets )
	{
		record( t, fault_boolean, q, text );
	}
	if ( !r.certain )
	{
		record( t, fault_uncertain, q, text );
	}
	if ( !r.overlaps && !meets && ( !is_unit( r.axis ) || slab( q, r.axis ) < -8 * q->unit ) )
	{
		snprintf( text, sizeof text, "overlap%s: axis %g %g %g, slab %g", how, r.axis.x, r.axis.y, r.axis.z,
		          slab( q, r.axis ) );
		record( t, fault_normal, q, text );
	}
}

static void judge_distance( tally* t, const query* q, const bv_convex_options* options, const char* how )
{
	// On the stack there is no room for the polytopes of large hulls.
	bool is_large = q->a->count > 80 || q->b->count > 80;
	bool may_be_wide = !options->scratch && q->exact.sign < 0 && is_large;
	bv_convex_result r;
	char text[300];
	bv_status status = bv_convex_distance( q->a, q->b, q->at, options, &r );
	if ( status != bv_ok )
	{
		record( t, fault_status, q, bv_status_text( status ) );
		return;
	}
	double width = r.upper - r.lower;
	snprintf( text, sizeof text, "distance%s: [%.17g, %.17g], width %g, bar %g", how, r.lower, r.upper, width,
	          q->bar );
	// The exact bounds are neighbors or equal: comparing with them is comparing with the number between.
	if ( !( r.lower <= q->exact.lower && q->exact.upper <= r.upper ) )
	{
		record( t, fault_bracket, q, text );
	}
	if ( !( width <= q->bar || may_be_wide ) )
	{
		record( t, fault_width, q, text );
	}
	t->widest = may_be_wide ? t->widest : fmax( t->widest, width / q->bar );
	double wide = slab( q, r.normal );
	if ( !is_unit( r.normal ) || !( wide >= r.lower - 8 * q->unit ) )
	{
		snprintf( text, sizeof text, "distance%s: lower %g, slab %g, normal %g %g %g", how, r.lower, wide,
		          r.normal.x, r.normal.y, r.normal.z );
		record( t, fault_normal, q, text );
	}
	double between = bv_length( bv_sub( r.point[1], r.point[0] ) );
	double allowed = may_be_wide ? fmax( q->bar, width ) : q->bar;
	if ( !( fabs( between - fabs( q->exact.lower ) ) <= allowed + 8 * q->unit ) )
	{
		snprintf( text, sizeof text, "distance%s: points are %g apart", how, between );
		record( t, fault_points, q, text );
	}
}

static void judge_query( tally* t, query* q )
{
	double size = fmax( q->exact.size, DBL_MIN );
	q->unit = nextafter( size, INFINITY ) - size;
	double relative = q->exact.sign > 0 ? 1e-6 : 1e-5;
	q->bar = relative * fabs( q->exact.lower ) + 4 * q->unit;
	bv_convex_options options = bv_convex_options_default();
	judge_distance( t, q, &options, " without scratch memory" );
	options.scratch = q->scratch;
	options.scratch_bytes = BV_CONVEX_SCRATCH_AMPLE;
	judge_overlap( t, q, &options, "" );
	judge_distance( t, q, &options, "" );
	if ( q->index / 2 % 4 == 0 )
	{
		bv_convex_cache cache = { 0 };
		options.cache = &cache;
		judge_distance( t, q, &options, " with an empty cache" );
		judge_overlap( t, q, &options, " with a cache" );
		judge_distance( t, q, &options, " with a cache" );
	}
}

static void judge_pair( tally* all, convex_exact* memory, void* scratch, const convex_pair* pair )
{
	tally* t = &all[pair->kind];
	const bv_convex* a = &pair->shape[0];
	const bv_convex* b = &pair->shape[1];
	bv_transform back = bv_transform_inverse( &pair->placement );
	query q = { .index = pair->index, .kind = pair->kind, .a = a, .b = b, .scratch = scratch };
	q.at = pair->is_placed ? &pair->placement : NULL;
	++t->pairs;
	if ( !convex_exact_compare( memory, a, NULL, b, q.at, &q.exact ) )
	{
		record( t, fault_sign, &q, "the oracle rejects the pair" );
		return;
	}
	++t->signs[q.exact.sign + 1];
	if ( q.exact.sign < pair->sign[0] || q.exact.sign > pair->sign[1] )
	{
		record( t, fault_sign, &q, "not the sign that the pair was made with" );
	}
	judge_query( t, &q );
	q.a = b;
	q.b = a;
	q.is_swapped = true;
	if ( pair->is_placed )
	{
		q.at = &back;
		convex_exact_compare( memory, b, NULL, a, &back, &q.exact );
	}
	judge_query( t, &q );
}

static void add( tally* sum, const tally* t )
{
	sum->pairs += t->pairs;
	for ( int i = 0; i < 3; ++i )
	{
		sum->signs[i] += t->signs[i];
	}
	for ( int i = 0; i < faults; ++i )
	{
		sum->wrong[i] += t->wrong[i];
	}
	sum->widest = fmax( sum->widest, t->widest );
}

static void print_row( const char* name, const tally* t )
{
	printf( "| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64, name, t->pairs, t->signs[2],
	        t->signs[1], t->signs[0] );
	for ( int i = 0; i < faults; ++i )
	{
		printf( " | %" PRIu64, t->wrong[i] );
	}
	printf( " | %.2f |\n", t->widest );
}

static double seconds_of( clockid_t clock_id )
{
	struct timespec t;
	clock_gettime( clock_id, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int judge_all( uint64_t first, uint64_t count )
{
	double start = seconds_of( CLOCK_MONOTONIC );
	int64_t chunks = (int64_t)( ( count + chunk - 1 ) / chunk );
#pragma omp parallel
	{
		convex_exact* memory = convex_exact_create();
		convex_pair* pair = malloc( sizeof *pair );
		void* scratch = malloc( BV_CONVEX_SCRATCH_AMPLE );
		tally own[most_kinds] = { 0 };
#pragma omp for schedule( dynamic )
		for ( int64_t i = 0; i < chunks; ++i )
		{
			for ( uint64_t k = 0; k < chunk && (uint64_t)i * chunk + k < count; ++k )
			{
				convex_pair_make( first + (uint64_t)i * chunk + k, pair );
				judge_pair( own, memory, scratch, pair );
			}
		}
#pragma omp critical( tallies )
		for ( uint32_t i = 0; i < most_kinds; ++i )
		{
			add( &tallies[i], &own[i] );
		}
		free( scratch );
		free( pair );
		convex_exact_destroy( memory );
	}
	double wall = seconds_of( CLOCK_MONOTONIC ) - start;
	printf( "| kind | pairs | apart | touching | overlapping" );
	for ( int i = 0; i < faults; ++i )
	{
		printf( " | %s", fault_names[i] );
	}
	printf( " | widest, of the bar |\n| --- | ---: | ---: | ---: | ---: " );
	for ( int i = 0; i < faults; ++i )
	{
		printf( "| ---: " );
	}
	printf( "| ---: |\n" );
	tally sum = { 0 };
	for ( uint32_t i = 0; i < convex_pair_kinds(); ++i )
	{
		print_row( convex_pair_kind( i ), &tallies[i] );
		add( &sum, &tallies[i] );
	}
	print_row( "all", &sum );
	uint64_t wrong = 0;
	for ( int i = 0; i < faults; ++i )
	{
		wrong += sum.wrong[i];
	}
	printf( "\n%" PRIu64 " pairs in both orders, %.0f s, %.0f s of processors, %.0f pairs/s, %d threads\n",
	        count, wall, seconds_of( CLOCK_PROCESS_CPUTIME_ID ), (double)count / wall,
	        omp_get_max_threads() );
	for ( int i = 0; i < faults; ++i )
	{
		for ( uint32_t k = 0; k < failure_counts[i]; ++k )
		{
			printf( "%s\n", failures[i][k].text );
		}
	}
	printf( wrong > 0 ? "%" PRIu64 " faults; convex_oracle --pair INDEX prints a pair\n" : "no faults\n",
	        wrong );
	return wrong > 0;
}

static void print_shape( const char* name, const bv_convex* c )
{
	if ( c->kind == bv_convex_of_box )
	{
		const bv_obb* box = &c->box;
		printf( "%s: box, center %a %a %a\n", name, box->center.x, box->center.y, box->center.z );
		for ( int k = 0; k < 3; ++k )
		{
			printf( "  axis %a %a %a, half extent %a\n", box->axis[k].x, box->axis[k].y, box->axis[k].z,
			        box->half_extents[k] );
		}
		return;
	}
	printf( "%s: %s, %u\n", name,
	        c->kind == bv_convex_of_points  ? "points"
	        : c->kind == bv_convex_of_graph ? "graph"
	                                        : "corners",
	        c->count );
	for ( uint32_t i = 0; i < c->count; ++i )
	{
		bv_vec3 p = corner_at( c, i );
		printf( "  { %a, %a, %a }, // %.17g %.17g %.17g\n", p.x, p.y, p.z, p.x, p.y, p.z );
	}
}

static int print_pair( uint64_t index )
{
	convex_pair* pair = malloc( sizeof *pair );
	convex_exact* memory = convex_exact_create();
	bv_convex_options options = bv_convex_options_default();
	options.scratch = malloc( BV_CONVEX_SCRATCH_AMPLE );
	options.scratch_bytes = BV_CONVEX_SCRATCH_AMPLE;
	convex_pair_make( index, pair );
	printf( "pair %" PRIu64 ": %s\n", index, convex_pair_kind( pair->kind ) );
	print_shape( "a", &pair->shape[0] );
	print_shape( "b", &pair->shape[1] );
	const bv_transform* t = pair->is_placed ? &pair->placement : NULL;
	for ( int i = 0; t && i < 3; ++i )
	{
		printf( "  rotation %a %a %a\n", t->pose.rotation[i][0], t->pose.rotation[i][1],
		        t->pose.rotation[i][2] );
	}
	if ( t )
	{
		bv_vec3 by = t->pose.translation;
		printf( "  translation %a %a %a, scale %a, mirror %d\n", by.x, by.y, by.z, t->scale, t->mirror );
	}
	for ( int order = 0; order < 2; ++order )
	{
		const bv_convex* a = &pair->shape[order];
		const bv_convex* b = &pair->shape[1 - order];
		bv_transform back = bv_transform_inverse( &pair->placement );
		const bv_transform* at = t && order == 1 ? &back : t;
		convex_exact_result exact;
		bv_convex_overlap_result overlap;
		bv_convex_result distance;
		convex_exact_compare( memory, a, NULL, b, at, &exact );
		printf( "%s exact [%.17g, %.17g], sign %d, size %g, %u support points\n",
		        order ? "b, a:" : "a, b:", exact.lower, exact.upper, exact.sign, exact.size,
		        convex_exact_supports( memory ) );
		if ( bv_convex_overlap( a, b, at, &options, &overlap ) == bv_ok )
		{
			printf( "  overlap %d, %s, %u support points\n", overlap.overlaps,
			        overlap.certain ? "certain" : "uncertain", overlap.supports );
		}
		if ( bv_convex_distance( a, b, at, &options, &distance ) == bv_ok )
		{
			bv_vec3 n = distance.normal;
			bv_vec3 p = distance.point[0];
			bv_vec3 q = distance.point[1];
			printf( "  distance [%.17g, %.17g], normal %.17g %.17g %.17g, points %.17g %.17g %.17g and %.17g "
			        "%.17g %.17g, %u support points\n",
			        distance.lower, distance.upper, n.x, n.y, n.z, p.x, p.y, p.z, q.x, q.y, q.z,
			        distance.supports );
		}
	}
	free( options.scratch );
	convex_exact_destroy( memory );
	free( pair );
	return 0;
}

int main( int count, char** arguments )
{
	bool is_pair = count == 3 && strcmp( arguments[1], "--pair" ) == 0;
	if ( is_pair )
	{
		return print_pair( strtoull( arguments[2], NULL, 10 ) );
	}
	uint64_t pairs = count > 1 ? strtoull( arguments[1], NULL, 10 ) : 10000;
	uint64_t first = count > 2 ? strtoull( arguments[2], NULL, 10 ) : 0;
	if ( pairs == 0 || count > 3 )
	{
		fprintf( stderr, "usage: convex_oracle [COUNT [FIRST]] or convex_oracle --pair INDEX\n" );
		return 2;
	}
	return judge_all( first, pairs );
}
