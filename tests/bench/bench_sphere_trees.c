// Sphere trees as in their papers, compared with each other: how far their spheres protrude from the shape,
// certified, at cuts with the same number of spheres and level by level. Every builder of the library's
// table that makes spheres takes part.
//
//   bench_sphere_trees MESH...
//
// A cut of at most n spheres begins with the root. The sphere that protrudes most is replaced by its
// children as long as they fit. Prints Markdown. The last lines count the cells of the tables in which this
// project's tree is below all others.

#include "offline/literature/build_spheres.h"
#include "tests/bench/judge.h"

#include <stdlib.h>

enum
{
	most_builders = 32,
	cut_count = 3,
	most_levels = 9,
	most_meshes = 16,
	measures = 2, // how far out of the solid, how far off the surface
};

static const uint32_t cuts[cut_count] = { 8, 64, 512 };

typedef struct subject
{
	judge_mesh mesh;
	bvb_hausdorff_target* target;
	bvb_winding* winding;
	double diagonal;
} subject;

typedef struct spheres
{
	bvlit_sphere_tree tree;
	double* error[measures]; // of each node; negative: not measured
} spheres;

// Of a cut, or a level.
typedef struct figures
{
	uint32_t spheres;
	double greatest[measures]; // of the diagonal
	double mean[measures];
} figures;

static void fail( const char* what )
{
	fprintf( stderr, "bench_sphere_trees: %s\n", what );
	exit( 2 );
}

static bvb_hausdorff measure_sphere( const subject* s, const bv_sphere* sphere,
                                     bvb_hausdorff_measure measure )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	bvb_hausdorff found;
	options.measure = measure;
	options.inside = s->winding;
	options.relative = 0.02;
	options.absolute = 1e-5 * s->diagonal;
	if ( bvb_hausdorff_sphere( s->target, sphere, &options, &found ) != bv_ok )
	{
		fail( "a sphere can't be measured" );
	}
	return found;
}

// An upper bound of how far the sphere protrudes. If the point farthest from the surface lies outside, its
// distance is the result, because no point is farther from the solid than from its surface. Only otherwise the
// distance from the solid is measured, which is slow for open meshes.
static double error_outside( const subject* s, const bv_sphere* sphere )
{
	bvb_hausdorff found = measure_sphere( s, sphere, bvb_hausdorff_solid );
	bool inside = bvb_winding_number( s->winding, found.witness ) >= 0.5;
	return inside ? measure_sphere( s, sphere, bvb_hausdorff_outside ).upper : found.upper;
}

static double error_of( const subject* s, spheres* t, uint32_t node, int measure )
{
	if ( t->error[measure][node] < 0 )
	{
		const bv_sphere* sphere = &t->tree.nodes[node].sphere;
		t->error[measure][node] = measure == 0 ? error_outside( s, sphere )
		                                       : measure_sphere( s, sphere, bvb_hausdorff_surface ).upper;
	}
	return t->error[measure][node];
}

static figures figures_of( const subject* s, spheres* t, const uint32_t* nodes, uint32_t count )
{
	figures f = { .spheres = count };
	for ( int measure = 0; measure < measures; ++measure )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			double error = error_of( s, t, nodes[i], measure ) / s->diagonal;
			f.greatest[measure] = fmax( f.greatest[measure], error );
			f.mean[measure] += error / count;
		}
	}
	return f;
}

static figures cut_of( const subject* s, spheres* t, uint32_t most, uint32_t* open )
{
	uint32_t count = 1;
	open[0] = 0;
	for ( ;; )
	{
		uint32_t worst = UINT32_MAX;
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t children = t->tree.nodes[open[i]].children;
			bool fits = children > 0 && count - 1 + children <= most;
			if ( fits &&
			     ( worst == UINT32_MAX || error_of( s, t, open[i], 0 ) > error_of( s, t, open[worst], 0 ) ) )
			{
				worst = i;
			}
		}
		if ( worst == UINT32_MAX )
		{
			return figures_of( s, t, open, count );
		}
		const bvlit_sphere_node* node = t->tree.nodes + open[worst];
		open[worst] = node->first_child;
		for ( uint32_t k = 1; k < node->children; ++k )
		{
			open[count++] = node->first_child + k;
		}
	}
}

// All nodes of a level, and the leaves above it.
// @return whether any has children
static bool level_of( const subject* s, spheres* t, uint32_t level, uint32_t* open, uint32_t* other,
                      figures* out )
{
	uint32_t count = 1;
	bool more = false;
	open[0] = 0;
	for ( uint32_t l = 0; l <= level; ++l )
	{
		uint32_t next = 0;
		more = false;
		for ( uint32_t i = 0; i < count; ++i )
		{
			const bvlit_sphere_node* node = t->tree.nodes + open[i];
			more = more || node->children > 0;
			for ( uint32_t k = 0; k < node->children && l < level; ++k )
			{
				other[next++] = node->first_child + k;
			}
			if ( node->children == 0 && l < level )
			{
				other[next++] = open[i];
			}
		}
		if ( l < level )
		{
			memcpy( open, other, next * sizeof *open );
			count = next;
		}
	}
	*out = figures_of( s, t, open, count );
	return more;
}

static void load( const char* path, subject* s )
{
	bvb_error error;
	if ( judge_load( path, bvb_positions_float, &s->mesh, &error ) != bv_ok )
	{
		fail( error.message );
	}
	const bvb_mesh* mesh = &s->mesh.asset.record.mesh;
	if ( bvb_hausdorff_target_create( mesh, NULL, 0, s->mesh.arena, &s->target, &error ) != bv_ok ||
	     bvb_winding_create( mesh, s->mesh.arena, &s->winding, &error ) != bv_ok )
	{
		fail( error.message );
	}
	bv_vec3 lower = mesh->positions[0];
	bv_vec3 upper = lower;
	for ( uint32_t i = 1; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
		upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
	}
	s->diagonal =
		sqrt( ( upper.x - lower.x ) * ( upper.x - lower.x ) + ( upper.y - lower.y ) * ( upper.y - lower.y ) +
	          ( upper.z - lower.z ) * ( upper.z - lower.z ) );
}

// @return seconds of processor time
static double make( const subject* s, const bvhier_builder* builder, spheres* out, bvb_arena* arena )
{
	uint32_t leaf = builder->traits.leaf_triangles;
	bvlit_sphere_options options = { leaf ? leaf : 1, BV_MAX_DEPTH, 1, 1 };
	double start = now();
	const bvlit_spheres_how* how = builder->how;
	if ( how->make( &s->mesh.asset.record.mesh, &options, arena, &out->tree ) != bv_ok )
	{
		fail( builder->name );
	}
	double seconds = now() - start;
	for ( int measure = 0; measure < measures; ++measure )
	{
		out->error[measure] = bvb_arena_allocate( arena, out->tree.node_count, sizeof( double ) );
		for ( uint32_t i = 0; out->error[measure] && i < out->tree.node_count; ++i )
		{
			out->error[measure][i] = -1;
		}
	}
	return seconds;
}

static uint32_t list_builders( const bvhier_builder* out[most_builders] )
{
	uint32_t count = 0;
	const char* name;
	for ( uint32_t i = 0; ( name = bvb_builder_name( i, NULL ) ) && count < most_builders; ++i )
	{
		const bvhier_builder* builder = bvhier_builder_find( name );
		if ( builder->build == bvlit_build_spheres )
		{
			out[count++] = builder;
		}
	}
	return count;
}

static void print_levels( const subject* s, const bvhier_builder* builder, spheres* t, bvb_arena* arena )
{
	uint32_t* open = bvb_arena_allocate( arena, t->tree.node_count, sizeof *open );
	uint32_t* other = bvb_arena_allocate( arena, t->tree.node_count, sizeof *other );
	bool more = open && other;
	for ( uint32_t level = 0; level < most_levels && more; ++level )
	{
		figures f;
		more = level_of( s, t, level, open, other, &f );
		printf( "| %s | %u | %u | %.3g | %.3g | %.3g | %.3g |\n", builder->name, level, f.spheres,
		        100 * f.greatest[0], 100 * f.mean[0], 100 * f.greatest[1], 100 * f.mean[1] );
	}
}

static figures all[most_builders][most_meshes][cut_count];

static const char ours[] = "sphere-merge";

// In how many cells, of meshes by cuts, ours is less than all others, and where it is not.
static void print_standing( const bvhier_builder* const builders[], uint32_t count, char** names, int meshes )
{
	static const char* const what[measures] = { "out of the solid", "off the surface" };
	uint32_t own = 0;
	while ( own < count && strcmp( builders[own]->name, ours ) != 0 )
	{
		++own;
	}
	for ( int measure = 0; own < count && measure < measures; ++measure )
	{
		int least[2] = { 0, 0 };
		char behind[4096] = "";
		for ( int cell = 0; cell < meshes * cut_count; ++cell )
		{
			int m = cell / cut_count;
			int c = cell % cut_count;
			bool below[2] = { true, true };
			for ( uint32_t b = 0; b < count; ++b )
			{
				const figures* other = &all[b][m][c];
				const figures* f = &all[own][m][c];
				below[0] = below[0] && ( b == own || f->greatest[measure] < other->greatest[measure] );
				below[1] = below[1] && ( b == own || f->mean[measure] < other->mean[measure] );
			}
			least[0] += below[0];
			least[1] += below[1];
			size_t length = strlen( behind );
			if ( !below[0] || !below[1] )
			{
				snprintf( behind + length, sizeof behind - length, "%s %s %u (%s)",
				          length ? "," : ": all but", name_of( names[m] ), cuts[c],
				          below[0]   ? "mean"
				          : below[1] ? "greatest"
				                     : "both" );
			}
		}
		printf( "\nHow far %s: `%s` is below all others by the greatest in %d and by the mean in %d of %d "
		        "cells%s.\n",
		        what[measure], ours, least[0], least[1], meshes * cut_count, behind );
	}
}

int main( int argc, char** argv )
{
	const bvhier_builder* builders[most_builders];
	uint32_t count = list_builders( builders );
	static double seconds[most_builders];
	int meshes = argc - 1 < most_meshes ? argc - 1 : most_meshes;
	printf( "Levels of the trees of the first mesh: their spheres and the leaves above, how far they are out "
	        "of the solid and off the "
	        "surface, in %% of the diagonal.\n\n| builder | level | spheres | outside, max | mean | surface, "
	        "max | mean "
	        "|\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n" );
	for ( int m = 0; m < meshes; ++m )
	{
		subject s;
		load( argv[m + 1], &s );
		for ( uint32_t b = 0; b < count; ++b )
		{
			bvb_arena* arena = bvb_arena_create();
			spheres t;
			seconds[b] += make( &s, builders[b], &t, arena );
			uint32_t* open =
				bvb_arena_allocate( arena, cuts[cut_count - 1] + BVB_MAX_CHILDREN, sizeof *open );
			for ( int c = 0; c < cut_count; ++c )
			{
				all[b][m][c] = cut_of( &s, &t, cuts[c], open );
			}
			if ( m == 0 )
			{
				print_levels( &s, builders[b], &t, arena );
			}
			bvb_arena_destroy( arena );
		}
		judge_unload( &s.mesh );
		fflush( stdout );
	}
	for ( int c = 0; c < cut_count; ++c )
	{
		printf( "\nCuts of %u spheres: how far out of the solid, %% of the diagonal, greatest / mean; the "
		        "means of all meshes (geometric) of "
		        "these and of the distances off the surface; processor time of all meshes.\n\n| builder |",
		        cuts[c] );
		for ( int m = 0; m < meshes; ++m )
		{
			printf( " %s |", name_of( argv[m + 1] ) );
		}
		printf( " outside | surface | s |\n| --- |" );
		for ( int m = 0; m < meshes + 3; ++m )
		{
			printf( " ---: |" );
		}
		printf( "\n" );
		for ( uint32_t b = 0; b < count; ++b )
		{
			double product[measures][2] = { { 0, 0 }, { 0, 0 } };
			printf( "| %s |", builders[b]->name );
			for ( int m = 0; m < meshes; ++m )
			{
				const figures* f = &all[b][m][c];
				printf( " %.2f / %.2f |", 100 * f->greatest[0], 100 * f->mean[0] );
				for ( int measure = 0; measure < measures; ++measure )
				{
					product[measure][0] += log( fmax( f->greatest[measure], 1e-9 ) ) / meshes;
					product[measure][1] += log( fmax( f->mean[measure], 1e-9 ) ) / meshes;
				}
			}
			printf( " %.2f / %.2f | %.2f / %.2f | %.1f |\n", 100 * exp( product[0][0] ),
			        100 * exp( product[0][1] ), 100 * exp( product[1][0] ), 100 * exp( product[1][1] ),
			        seconds[b] );
		}
	}
	print_standing( builders, count, argv + 1, meshes );
	return 0;
}
