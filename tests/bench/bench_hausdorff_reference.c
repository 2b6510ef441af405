// Certified distances compared with the algorithm they are based on: Eckstein's, as printed except for its
// errors, which visits every triangle (tests/reference/eckstein.h). One thread, surfaces only, because his
// has no others.
//
//   bench_hausdorff_reference [--nodes N] [--regions N] MESH...
//
// Takes N nodes (500) of at most 5,000 triangles of trees over the meshes, evenly from all levels. Of each
// node it measures the tree's box and the smallest sphere. Both algorithms stop at 1 % or 1e-3 of the diameter
// of the volume. The faster of his two corrections counts. A search of his that exceeds N regions (20,000) counts
// with the time until then, so such ratios are lower bounds.

#include "measure.h"
#include "tests/reference/eckstein.h"

#include <math.h>

enum
{
	most_faces = 5000,
	most_levels = BV_MAX_DEPTH + 1,
	volumes = 2,
	classes = 5,
};

static const uint32_t class_limit[classes] = { 1, 10, 100, 1000, most_faces };
static const char* const volume_names[volumes] = { "box", "sphere" };

static const double relative = 0.01;
static const double floor_part = 1e-3;

// Shorter runs are repeated.
static const double least_seconds = 1e-3;

typedef struct tree_of_mesh
{
	bvb_arena* arena;
	bvb_mesh mesh;
	bvb_tree* tree;
	uint32_t* all; // triangles, so that a node's are a part of it
} tree_of_mesh;

// A node of one of the trees.
typedef struct place
{
	uint32_t tree;
	uint32_t node;
} place;

typedef struct places
{
	place* place;
	uint32_t count;
	uint32_t room;
} places;

typedef struct tally
{
	uint32_t count;
	uint32_t capped; // of his, in both corrections
	uint32_t overlapping;
	double log_ratio;      // sums of logarithms; with a target made for each volume
	double log_bare_ratio; // with one that has measured before
	double his_seconds;
	double our_seconds;
	double bare_seconds;
} tally;

static void fail( const char* message )
{
	fprintf( stderr, "bench_hausdorff_reference: %s\n", message );
	exit( 2 );
}

static void* checked( void* memory )
{
	if ( !memory )
	{
		fail( "out of memory" );
	}
	return memory;
}

static tree_of_mesh build( const char* path )
{
	tree_of_mesh t = { .arena = checked( bvb_arena_create() ) };
	bvb_import_options import_options = bvb_import_options_default();
	bvb_record_options record_options = bvb_record_options_default();
	bvb_hierarchy_options options = box_tree_options();
	bvb_import import;
	bvb_record record;
	bvb_error error = { "" };
	if ( bvb_import_file( path, &import_options, t.arena, &import, &error ) != bv_ok ||
	     bvb_mesh_record( &import.scene.mesh, &record_options, t.arena, &record, &error ) != bv_ok ||
	     bvb_hierarchy_build( &record.mesh, &options, t.arena, &t.tree, &error ) != bv_ok )
	{
		fail( error.message );
	}
	t.mesh = record.mesh;
	t.all = checked( bvb_arena_allocate( t.arena, t.mesh.triangle_count, sizeof *t.all ) );
	for ( uint32_t i = 0; i < t.mesh.triangle_count; ++i )
	{
		t.all[i] = i;
	}
	return t;
}

static void push( places* p, place added )
{
	if ( p->count == p->room )
	{
		p->room = p->room ? 2 * p->room : 256;
		p->place = checked( realloc( p->place, p->room * sizeof *p->place ) );
	}
	p->place[p->count++] = added;
}

static void add_nodes( uint32_t index, const tree_of_mesh* t, places level[most_levels] )
{
	uint32_t nodes = bvb_tree_node_count( t->tree );
	uint8_t* depth = checked( calloc( nodes, 1 ) );
	for ( uint32_t i = 0; i < nodes; ++i )
	{
		bvb_node node = bvb_tree_node( t->tree, i );
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			depth[node.first_child + k] = (uint8_t)( depth[i] + 1 );
		}
		if ( node.triangles <= most_faces )
		{
			push( &level[depth[i]], ( place ){ index, i } );
		}
	}
	free( depth );
}

// As many of every level, evenly spread over it; levels that have fewer leave their share to the others.
static void choose( places level[most_levels], uint32_t wanted, places* out )
{
	uint32_t share[most_levels] = { 0 };
	bool more = true;
	for ( uint32_t given = 0; given < wanted && more; )
	{
		more = false;
		for ( int i = 0; i < most_levels && given < wanted; ++i )
		{
			bool room = share[i] < level[i].count;
			share[i] += room;
			given += room;
			more = more || room;
		}
	}
	for ( int i = 0; i < most_levels; ++i )
	{
		for ( uint32_t k = 0; k < share[i]; ++k )
		{
			push( out, level[i].place[(uint64_t)k * level[i].count / share[i]] );
		}
	}
}

typedef struct subject
{
	const tree_of_mesh* tree;
	bvb_node node;
	int kind; // of volume_names
	bv_sphere ball;
	double diameter;
} subject;

static bool his_run( const subject* s, const eckstein_options* options, eckstein_result* out )
{
	uint32_t first = s->node.first_triangle;
	return s->kind == 0
	           ? eckstein_box( &s->tree->mesh, first, s->node.triangles, &s->node.volume.obb, options, out )
	           : eckstein_sphere( &s->tree->mesh, first, s->node.triangles, &s->ball, options, out );
}

// The faster correction of those that came to an end, or of both.
static double his_time( const subject* s, uint64_t max_regions, eckstein_result* out )
{
	double least = INFINITY;
	bool ended = false;
	for ( int correction = 0; correction < 2; ++correction )
	{
		eckstein_options options = eckstein_options_default();
		options.correction = correction ? eckstein_nearest : eckstein_reach;
		options.relative = relative;
		options.absolute = floor_part * s->diameter;
		options.max_regions = max_regions;
		eckstein_result result;
		int runs = 0;
		double start = now();
		double seconds;
		do
		{
			if ( !his_run( s, &options, &result ) )
			{
				fail( "out of memory" );
			}
			runs += 1;
			seconds = now() - start;
		} while ( seconds < least_seconds );
		seconds /= runs;
		bool better = result.out_of_regions ? !ended && seconds < least : !ended || seconds < least;
		*out = better ? result : *out;
		least = better ? seconds : least;
		ended = ended || !result.out_of_regions;
	}
	return least;
}

static void our_run( const subject* s, bvb_hausdorff_target* target, bvb_hausdorff* out )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = relative;
	options.absolute = floor_part * s->diameter;
	bv_status status = s->kind == 0 ? bvb_hausdorff_obb( target, &s->node.volume.obb, &options, out )
	                                : bvb_hausdorff_sphere( target, &s->ball, &options, out );
	if ( status != bv_ok )
	{
		fail( bv_status_text( status ) );
	}
}

static bvb_hausdorff_target* make_target( const subject* s, bvb_arena* arena )
{
	bvb_hausdorff_target* target;
	bvb_error error = { "" };
	if ( bvb_hausdorff_target_create( &s->tree->mesh, s->tree->all + s->node.first_triangle,
	                                  s->node.triangles, arena, &target, &error ) != bv_ok )
	{
		fail( error.message );
	}
	return target;
}

// Target and its memory made for this volume alone.
static double our_time( const subject* s, bvb_hausdorff* out )
{
	int runs = 0;
	double start = now();
	double seconds;
	do
	{
		bvb_arena* arena = checked( bvb_arena_create() );
		our_run( s, make_target( s, arena ), out );
		bvb_arena_destroy( arena );
		runs += 1;
		seconds = now() - start;
	} while ( seconds < least_seconds );
	return seconds / runs;
}

// With a target that has measured before.
static double our_bare_time( const subject* s )
{
	bvb_arena* arena = checked( bvb_arena_create() );
	bvb_hausdorff_target* target = make_target( s, arena );
	bvb_hausdorff result;
	our_run( s, target, &result );
	int runs = 0;
	double start = now();
	double seconds;
	do
	{
		our_run( s, target, &result );
		runs += 1;
		seconds = now() - start;
	} while ( seconds < least_seconds );
	bvb_arena_destroy( arena );
	return seconds / runs;
}

static double diagonal( const bv_obb* box )
{
	const double* h = box->half_extents;
	return 2 * sqrt( h[0] * h[0] + h[1] * h[1] + h[2] * h[2] );
}

static bv_sphere least_sphere( const tree_of_mesh* t, const bvb_node* node )
{
	bv_vec3* points = checked( malloc( 3 * (size_t)node->triangles * sizeof *points ) );
	for ( uint32_t i = 0; i < 3 * node->triangles; ++i )
	{
		points[i] = t->mesh.positions[t->mesh.triangles[node->first_triangle + i / 3].corner[i % 3]];
	}
	bv_sphere ball = { { 0, 0, 0 }, 0 };
	bvb_fit_sphere( points, 3 * node->triangles, &ball );
	free( points );
	return ball;
}

static void compare( const subject* s, uint64_t max_regions, tally by_class[classes] )
{
	int c = 0;
	while ( s->node.triangles > class_limit[c] )
	{
		c += 1;
	}
	eckstein_result his = { 0 };
	bvb_hausdorff ours;
	double his_seconds = his_time( s, max_regions, &his );
	double our_seconds = our_time( s, &ours );
	double bare_seconds = our_bare_time( s );
	double rounding = 1e-9 * s->diameter;
	tally* t = &by_class[c];
	t->count += 1;
	t->capped += his.out_of_regions;
	t->overlapping += ours.lower <= his.upper + rounding && his.lower <= ours.upper + rounding;
	t->log_ratio += log( his_seconds / our_seconds );
	t->log_bare_ratio += log( his_seconds / bare_seconds );
	t->his_seconds += his_seconds;
	t->our_seconds += our_seconds;
	t->bare_seconds += bare_seconds;
}

static void print_line( const char* what, const tally* t )
{
	if ( t->count > 0 )
	{
		printf( "  %-14s %5u %8.2f %8.2f %7u %8u %10.3f %10.3f %10.3f\n", what, t->count,
		        exp( t->log_ratio / t->count ), exp( t->log_bare_ratio / t->count ), t->capped,
		        t->overlapping, t->his_seconds, t->our_seconds, t->bare_seconds );
	}
}

static void print( const char* name, const tally by_class[classes] )
{
	tally all = { 0 };
	printf( "%s\n  %-14s %5s %8s %8s %7s %8s %10s %10s %10s\n", name, "triangles", "nodes", "ratio", "bare",
	        "capped", "overlap", "his s", "ours s", "bare s" );
	for ( int c = 0; c < classes; ++c )
	{
		const tally* t = &by_class[c];
		char range[32];
		snprintf( range, sizeof range, "%u to %u", c ? class_limit[c - 1] + 1 : 1, class_limit[c] );
		print_line( range, t );
		all.count += t->count;
		all.capped += t->capped;
		all.overlapping += t->overlapping;
		all.log_ratio += t->log_ratio;
		all.log_bare_ratio += t->log_bare_ratio;
		all.his_seconds += t->his_seconds;
		all.our_seconds += t->our_seconds;
		all.bare_seconds += t->bare_seconds;
	}
	print_line( "all", &all );
}

int main( int count, char** arguments )
{
	uint32_t wanted = 500;
	uint64_t max_regions = 20000;
	int first = 1;
	for ( ; first + 1 < count && strncmp( arguments[first], "--", 2 ) == 0; first += 2 )
	{
		uint64_t value = strtoull( arguments[first + 1], NULL, 10 );
		wanted = strcmp( arguments[first], "--nodes" ) == 0 ? (uint32_t)value : wanted;
		max_regions = strcmp( arguments[first], "--regions" ) == 0 ? value : max_regions;
	}
	if ( first >= count || wanted < 1 || max_regions < 1 )
	{
		fprintf( stderr, "usage: bench_hausdorff_reference [--nodes N] [--regions N] MESH...\n" );
		return 1;
	}

	tree_of_mesh* trees = checked( calloc( (size_t)count, sizeof *trees ) );
	places level[most_levels] = { { 0 } };
	for ( int i = first; i < count; ++i )
	{
		trees[i] = build( arguments[i] );
		add_nodes( (uint32_t)i, &trees[i], level );
	}
	places chosen = { 0 };
	choose( level, wanted, &chosen );
	tally tallies[volumes][classes] = { { { 0 } } };
	for ( uint32_t i = 0; i < chosen.count; ++i )
	{
		const tree_of_mesh* t = &trees[chosen.place[i].tree];
		for ( int kind = 0; kind < volumes; ++kind )
		{
			subject s = { .tree = t, .node = bvb_tree_node( t->tree, chosen.place[i].node ), .kind = kind };
			s.ball = least_sphere( t, &s.node );
			s.diameter = kind == 0 ? diagonal( &s.node.volume.obb ) : 2 * s.ball.radius;
			compare( &s, max_regions, tallies[kind] );
		}
	}
	printf( "Nodes of %d meshes. Geometric means of his time over ours, with a target made for each volume "
	        "(ratio)\n"
	        "and with one that has measured it before (bare). He is stopped after %llu regions (capped).\n",
	        count - first, (unsigned long long)max_regions );
	for ( int kind = 0; kind < volumes; ++kind )
	{
		print( volume_names[kind], tallies[kind] );
	}

	for ( int i = first; i < count; ++i )
	{
		bvb_arena_destroy( trees[i].arena );
	}
	for ( int i = 0; i < most_levels; ++i )
	{
		free( level[i].place );
	}
	free( chosen.place );
	free( trees );
	return 0;
}
