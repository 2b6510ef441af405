// Compares bv_moving_vertex_face and bv_moving_edge_edge with exact arithmetic: moving_oracle [COUNT [FIRST]] compares the
// queries FIRST to FIRST + COUNT - 1 of tests/reference/moving_pairs.h, each in all orders of its points that leave the
// features what they are. moving_oracle --pair INDEX prints one query.
//
// A contact is missed if there is one and none is found, and false if it is the other way round. A time is late if `lower`
// is above the exact one, and early if it is more than 1e-6 before. An interval is wrong if the exact time is not in it,
// and wide if it is wider than 1e-6. The oracle itself is wrong if it finds no contact where one is by construction, or a
// later one.
//
// Exits with 1 if anything is wrong.

#include "bv/motion.h"
#include "tests/reference/moving_exact.h"
#include "tests/reference/moving_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
	most_kinds = 16,
	most_failures = 4,
	chunk = 256,
};

typedef enum fault
{
	fault_missed,
	fault_false,
	fault_uncertain,
	fault_late,
	fault_early,
	fault_interval,
	fault_order,
	fault_error,
	fault_oracle,
	faults,
} fault;

static const char* const fault_names[faults] = { "missed",    "false",  "uncertain", "late",  "early",
	                                             "intervals", "orders", "errors",    "oracle" };

typedef struct tally
{
	uint64_t queries;
	uint64_t hits;
	uint64_t wrong[faults];
	double earliest; // by how much
} tally;

static tally tallies[2][most_kinds];
static uint64_t failures[faults][most_failures];
static uint32_t failure_counts[faults];

// Of each fault the smallest indices are kept, so that the output does not depend on threads.
static void record( tally* t, fault what, uint64_t index )
{
	++t->wrong[what];
#pragma omp critical( failures )
	{
		uint64_t* list = failures[what];
		uint32_t place = failure_counts[what];
		while ( place > 0 && list[place - 1] > index )
		{
			--place;
		}
		bool is_known = place > 0 && list[place - 1] == index;
		if ( place < most_failures && !is_known )
		{
			uint32_t kept = failure_counts[what] < most_failures ? failure_counts[what] : most_failures - 1;
			memmove( list + place + 1, list + place, ( kept - place ) * sizeof *list );
			list[place] = index;
			failure_counts[what] = kept + 1;
		}
	}
}

// Orders of the four points after which the features are the same ones.
static const uint8_t face_orders[6][4] = {
	{ 0, 1, 2, 3 }, { 0, 2, 3, 1 }, { 0, 3, 1, 2 }, { 0, 1, 3, 2 }, { 0, 3, 2, 1 }, { 0, 2, 1, 3 },
};
static const uint8_t edge_orders[6][4] = {
	{ 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 0, 1, 3, 2 }, { 2, 3, 0, 1 }, { 3, 2, 1, 0 }, { 2, 3, 1, 0 },
};

static bv_status ask( const moving_pair* pair, int order, bv_feature_time* result )
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	const uint8_t* from = pair->is_edges ? edge_orders[order] : face_orders[order];
	for ( int i = 0; i < 4; ++i )
	{
		start[i] = pair->start[from[i]];
		end[i] = pair->end[from[i]];
	}
	return pair->is_edges ? bv_moving_edge_edge( start, end, NULL, result )
	                      : bv_moving_vertex_face( start, end, NULL, result );
}

static void compare_exactly( moving_exact* memory, const moving_pair* pair, moving_exact_time* exact )
{
	if ( pair->is_edges )
	{
		moving_exact_edge_edge( memory, pair->start, pair->end, exact );
	}
	else
	{
		moving_exact_vertex_face( memory, pair->start, pair->end, exact );
	}
}

static void judge( tally* t, const moving_pair* pair, const moving_exact_time* exact )
{
	++t->queries;
	t->hits += exact->found;
	if ( pair->is_touching && !( exact->found && exact->lower <= pair->contact ) )
	{
		record( t, fault_oracle, pair->index );
	}
	bv_feature_time first = { .found = false };
	for ( int order = 0; order < 6; ++order )
	{
		bv_feature_time r;
		if ( ask( pair, order, &r ) != bv_ok )
		{
			record( t, fault_error, pair->index );
			continue;
		}
		if ( r.found != exact->found )
		{
			record( t, exact->found ? fault_missed : fault_false, pair->index );
			continue;
		}
		if ( !r.certain )
		{
			record( t, fault_uncertain, pair->index );
		}
		first = order == 0 ? r : first;
		if ( r.found != first.found || ( r.found && fabs( r.lower - first.lower ) > 1e-6 ) )
		{
			record( t, fault_order, pair->index );
		}
		if ( !r.found )
		{
			continue;
		}
		double early = exact->lower - r.lower;
		t->earliest = early > t->earliest ? early : t->earliest;
		if ( r.lower > exact->upper )
		{
			record( t, fault_late, pair->index );
		}
		if ( !( early <= 1e-6 ) )
		{
			record( t, fault_early, pair->index );
		}
		if ( !( r.upper >= exact->lower && r.upper - r.lower <= 1e-6 ) )
		{
			record( t, fault_interval, pair->index );
		}
	}
}

static void print_pair( uint64_t index )
{
	moving_pair pair;
	moving_pair_make( index, &pair );
	moving_exact* memory = moving_exact_create();
	moving_exact_time exact;
	compare_exactly( memory, &pair, &exact );
	moving_exact_destroy( memory );
	printf( "%s %" PRIu64 ", %s\n", pair.is_edges ? "edges" : "vertex and face", index,
	        moving_pair_kind( pair.kind ) );
	for ( int i = 0; i < 4; ++i )
	{
		printf( "  from %.17g %.17g %.17g to %.17g %.17g %.17g\n", pair.start[i].x, pair.start[i].y,
		        pair.start[i].z, pair.end[i].x, pair.end[i].y, pair.end[i].z );
	}
	if ( pair.is_touching )
	{
		printf( "  a contact at %.17g by construction\n", pair.contact );
	}
	printf( "  exact: %s [%.17g, %.17g]\n", exact.found ? "found" : "none", exact.lower, exact.upper );
	for ( int order = 0; order < 6; ++order )
	{
		bv_feature_time r;
		bv_status status = ask( &pair, order, &r );
		if ( status != bv_ok )
		{
			printf( "  order %d: %s\n", order, bv_status_text( status ) );
			continue;
		}
		printf( "  order %d: %s%s [%.17g, %.17g], %" PRIu32 " tests\n", order, r.found ? "found" : "none",
		        r.certain ? "" : ", uncertain", r.lower, r.upper, r.tests );
	}
}

static bool print_tallies( void )
{
	bool wrong = false;
	printf( "| features | kind | queries | hits |" );
	for ( int f = 0; f < faults; ++f )
	{
		printf( " %s |", fault_names[f] );
	}
	printf( " earliest by |\n| --- | --- | ---: | ---: |" );
	for ( int f = 0; f < faults; ++f )
	{
		printf( " ---: |" );
	}
	printf( " ---: |\n" );
	for ( int e = 0; e < 2; ++e )
	{
		for ( uint32_t k = 0; k < moving_pair_kinds(); ++k )
		{
			const tally* t = &tallies[e][k];
			printf( "| %s | %s | %" PRIu64 " | %" PRIu64 " |", e ? "edge-edge" : "vertex-face",
			        moving_pair_kind( k ), t->queries, t->hits );
			for ( int f = 0; f < faults; ++f )
			{
				printf( " %" PRIu64 " |", t->wrong[f] );
				wrong = wrong || t->wrong[f] > 0;
			}
			printf( " %.2g |\n", t->earliest );
		}
	}
	for ( int f = 0; f < faults; ++f )
	{
		for ( uint32_t i = 0; i < failure_counts[f]; ++i )
		{
			printf( "%s: %" PRIu64 "\n", fault_names[f], failures[f][i] );
		}
	}
	return wrong;
}

int main( int count, char** arguments )
{
	if ( count == 3 && strcmp( arguments[1], "--pair" ) == 0 )
	{
		print_pair( strtoull( arguments[2], NULL, 10 ) );
		return 0;
	}
	uint64_t queries = count > 1 ? strtoull( arguments[1], NULL, 10 ) : 100000;
	uint64_t first = count > 2 ? strtoull( arguments[2], NULL, 10 ) : 0;
#pragma omp parallel
	{
		moving_exact* memory = moving_exact_create();
		tally own[2][most_kinds] = { 0 };
#pragma omp for schedule( dynamic, chunk )
		for ( uint64_t i = first; i < first + queries; ++i )
		{
			moving_pair pair;
			moving_exact_time exact;
			moving_pair_make( i, &pair );
			compare_exactly( memory, &pair, &exact );
			judge( &own[pair.is_edges][pair.kind], &pair, &exact );
		}
		moving_exact_destroy( memory );
#pragma omp critical( tallies )
		for ( int e = 0; e < 2; ++e )
		{
			for ( int k = 0; k < most_kinds; ++k )
			{
				tally* to = &tallies[e][k];
				to->queries += own[e][k].queries;
				to->hits += own[e][k].hits;
				to->earliest = fmax( to->earliest, own[e][k].earliest );
				for ( int f = 0; f < faults; ++f )
				{
					to->wrong[f] += own[e][k].wrong[f];
				}
			}
		}
	}
	return print_tallies() ? 1 : 0;
}
