// What the steps of queries cost on this machine.
//
// Steps are too short to be timed one by one, and what surrounds them counts: so whole queries are, near
// contact, on trees whose nodes and leaves have different sizes, and the costs are those that explain the
// times best, by least squares of the relative errors. First those of boxes, which are compared many at a
// time, with opening, leaves and triangles; then those of each other two types, which are all that is left of
// their queries' times.

#include "bv/mesh.h"
#include "bvbuild/asset.h"
#include "bvbuild/hierarchy.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	shapes = 3,
	shape_cells = 36, // along an edge of the cube that shapes are made of: trees that fill caches
	recipes = 6,
	plain_recipe = 4, // the one of types that are not boxes
	draws = 6,
	offsets = 3,
	poses = draws * offsets,
	box_rounds = 5,
	other_rounds = 2,
	most_unknowns = 6,
	rows = recipes * shapes * offsets,
};

// Ways to build trees that do the same with different numbers of steps.
static const struct
{
	uint32_t collapse;
	uint32_t leaf_triangles;
	double byte_price;
} recipe_of[recipes] = { { 0, 1, 0 }, { 0, 4, 0 }, { 3, 1, 0 }, { 8, 1, 0 }, { 8, 8, 100 }, { 8, 16, 1000 } };

// The half lengths of shapes.
static const double lengths[shapes][3] = { { 1, 0.9, 0.8 }, { 1, 0.3, 0.2 }, { 1, 0.8, 0.1 } };

// From touching, in parts of the half length.
static const double offset_of[offsets] = { 0.01, 0.001, -0.01 };

typedef struct bench
{
	uint64_t random;
	bvb_arena* arena;
	bvb_mesh mesh[shapes];
	bv_pose pose[shapes][poses]; // of the next shape, offset by offset
	const bv_file* file[bv_volume_types][shapes][recipes];
} bench;

// What some queries did, and how long it took.
typedef struct measure_costs_row
{
	bv_test_counts counts;
	double triangles;
	double nanoseconds;
} measure_costs_row;

// Marsaglia's xorshift64. In [-1, 1).
static double random_number( bench* b )
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 7;
	b->random ^= b->random << 17;
	return (double)( b->random >> 11 ) * 0x1p-52 - 1;
}

static bv_vec3 random_vector( bench* b )
{
	double x = random_number( b );
	double y = random_number( b );
	return ( bv_vec3 ){ x, y, random_number( b ) };
}

static bv_vec3 unit( bv_vec3 v )
{
	return bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
}

static bv_pose random_pose( bench* b )
{
	bv_vec3 x = unit( random_vector( b ) );
	bv_vec3 z = unit( bv_cross( x, random_vector( b ) ) );
	bv_vec3 y = bv_cross( z, x );
	return ( bv_pose ){ .rotation = { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

// On a bumpy ball of those lengths: in the same direction as the point on a cube.
static bv_vec3 on_shape( const double* length, bv_vec3 on_cube )
{
	bv_vec3 p = unit( on_cube );
	double bump = 1 + 0.4 * ( p.x * p.y + p.y * p.z * p.z ) + 0.1 * ( p.x * p.x - p.z ) * p.z;
	return ( bv_vec3 ){ length[0] * bump * p.x, length[1] * bump * p.y, length[2] * bump * p.z };
}

static bool make_shape( bench* b, int shape )
{
	bvb_mesh* mesh = b->mesh + shape;
	mesh->triangle_count = 6 * 2 * shape_cells * shape_cells;
	mesh->vertex_count = 3 * mesh->triangle_count;
	mesh->triangles = bvb_arena_allocate( b->arena, mesh->triangle_count, sizeof *mesh->triangles );
	mesh->positions = bvb_arena_allocate( b->arena, mesh->vertex_count, sizeof *mesh->positions );
	if ( !mesh->triangles || !mesh->positions )
	{
		return false;
	}
	static const int corner[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 1, 1 } }, { { 0, 0 }, { 1, 1 }, { 0, 1 } } };
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		uint32_t triangle = i / 3;
		uint32_t cell = triangle / 2 % ( shape_cells * shape_cells );
		uint32_t side = triangle / ( 2 * shape_cells * shape_cells );
		const int* at = corner[triangle % 2][i % 3];
		double x = 2.0 * ( (int)( cell % shape_cells ) + at[0] ) / shape_cells - 1;
		double y = 2.0 * ( (int)( cell / shape_cells ) + at[1] ) / shape_cells - 1;
		double z = side % 2 ? -1 : 1;
		bv_vec3 p = side / 2 == 0   ? ( bv_vec3 ){ z, x, y }
		            : side / 2 == 1 ? ( bv_vec3 ){ y, z, x }
		                            : ( bv_vec3 ){ x, y, z };
		mesh->positions[i] = on_shape( lengths[shape], p );
		mesh->triangles[triangle].corner[i % 3] = i;
	}
	return true;
}

static bv_status build_file( bench* b, int type, int shape, int recipe, bvb_error* error )
{
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy.volume_types = 1u << type;
	options.hierarchy.collapse = recipe_of[recipe].collapse;
	options.hierarchy.leaf_triangles = recipe_of[recipe].leaf_triangles;
	options.hierarchy.byte_price = recipe_of[recipe].byte_price;
	options.obb.method = "dito";
	options.errors.relative = 0;
	options.recognize.value = 0;
	bvb_scene scene = { .mesh = b->mesh[shape] };
	bvb_source source = { .name = "shape", .format = "" };
	bvb_asset asset;
	bvb_bytes bytes;
	bv_status status = bvb_asset_build( &scene, &source, &options, b->arena, &asset, error );
	if ( status == bv_ok )
	{
		status = bvb_asset_encode( &asset, b->arena, &bytes, error );
	}
	return status == bv_ok ? bv_file_open( bytes.data, bytes.size, &b->file[type][shape][recipe] ) : status;
}

static bool touches( const bench* b, int shape, const bv_pose* pose )
{
	bv_collide_options options = bv_collide_options_default();
	options.first = true;
	bv_collide_result result = { 0 };
	bv_transform there = bv_transform_of_pose( pose );
	bv_mesh_collide( b->file[0][shape][0], b->file[0][( shape + 1 ) % shapes][0], &there, &options, &result );
	return result.pairs > 0;
}

// One shape comes from far off until it touches the next one, to 2^-20 or so.
static void draw_pose( bench* b, int shape, int draw )
{
	bv_pose pose = random_pose( b );
	bv_vec3 direction = unit( random_vector( b ) );
	double inside = 0;
	double outside = 4;
	for ( int i = 0; i < 24; ++i )
	{
		double middle = ( inside + outside ) / 2;
		pose.translation = bv_scale( middle, direction );
		*( touches( b, shape, &pose ) ? &inside : &outside ) = middle;
	}
	for ( int i = 0; i < offsets; ++i )
	{
		pose.translation = bv_scale( outside + offset_of[i], direction );
		b->pose[shape][i * draws + draw] = pose;
	}
}

static void query_all( const bv_file* a, const bv_file* b, const bv_pose* pose, measure_costs_row* out )
{
	bv_collide_options options = bv_collide_options_default();
	options.counts = out ? &out->counts : NULL;
	for ( int i = 0; i < draws; ++i )
	{
		bv_collide_result result = { 0 };
		bv_transform there = bv_transform_of_pose( pose + i );
		bv_mesh_collide( a, b, &there, &options, &result );
		if ( out )
		{
			out->triangles += (double)result.triangle_tests;
		}
	}
}

// Queries of trees of two types by some recipes. Rows take turns, so that what slows the machine down for a
// while does not make one of them slow.
static int time_rows( const bench* b, int types[2], int first_recipe, int last_recipe, int rounds,
                      measure_costs_row out[rows] )
{
	int count = 0;
	for ( int round = -1; round < rounds; ++round )
	{
		count = 0;
		for ( int i = first_recipe * shapes * offsets; i < ( last_recipe + 1 ) * shapes * offsets; ++i )
		{
			int recipe = i / shapes / offsets;
			int shape = i / offsets % shapes;
			const bv_file* of_a = b->file[types[0]][shape][recipe];
			const bv_file* of_b = b->file[types[1]][( shape + 1 ) % shapes][recipe];
			const bv_pose* pose = b->pose[shape] + i % offsets * draws;
			measure_costs_row* r = out + count++;
			if ( round < 0 )
			{
				*r = ( measure_costs_row ){ .nanoseconds = INFINITY };
				query_all( of_a, of_b, pose, r );
				continue;
			}
			double start = bvbase_cpu_clock();
			query_all( of_a, of_b, pose, NULL );
			r->nanoseconds = bvmath_min( r->nanoseconds, 1e9 * ( bvbase_cpu_clock() - start ) );
		}
	}
	return count;
}

// A symmetric system of equations with a positive definite matrix: Cholesky's factors, in place.
static void solve( double matrix[most_unknowns][most_unknowns], double* x, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k <= i; ++k )
		{
			double sum = matrix[i][k];
			for ( int j = 0; j < k; ++j )
			{
				sum -= matrix[i][j] * matrix[k][j];
			}
			matrix[i][k] = k < i ? sum / matrix[k][k] : sqrt( sum );
		}
		for ( int k = 0; k < i; ++k )
		{
			x[i] -= matrix[i][k] * x[k];
		}
		x[i] /= matrix[i][i];
	}
	for ( int i = count; i-- > 0; )
	{
		for ( int k = i + 1; k < count; ++k )
		{
			x[i] -= matrix[k][i] * x[k];
		}
		x[i] /= matrix[i][i];
	}
}

// Sums for the least squares of relative errors.
typedef struct measure_costs_fit
{
	double matrix[most_unknowns][most_unknowns];
	double right[most_unknowns];
} measure_costs_fit;

static void add_row( measure_costs_fit* f, const double* times, double nanoseconds, double whole, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k < count; ++k )
		{
			f->matrix[i][k] += times[i] * times[k] / ( whole * whole );
		}
		f->right[i] += times[i] * nanoseconds / ( whole * whole );
	}
}

// No cost comes out as none or less.
static double cost_of( double fitted )
{
	static const double least = 0.1;
	return bvmath_max( least, fitted );
}

static void fit_boxes( const bench* b, bv_costs* out )
{
	measure_costs_fit f = { .right = { 0 } };
	for ( int i = 0; i < 4; ++i )
	{
		int first = i / 2;
		int second = i % 2;
		measure_costs_row of[rows];
		int count = time_rows( b, ( int[2] ){ first, second }, 0, recipes - 1, box_rounds, of );
		for ( int k = 0; k < count; ++k )
		{
			double times[most_unknowns] = { (double)of[k].counts.openings, (double)of[k].counts.leaves,
				                            of[k].triangles };
			times[3 + first + second] = (double)of[k].counts.volumes[first][second];
			add_row( &f, times, of[k].nanoseconds, of[k].nanoseconds, most_unknowns );
		}
	}
	solve( f.matrix, f.right, most_unknowns );
	out->opening = cost_of( f.right[0] );
	out->leaf = cost_of( f.right[1] );
	out->triangles = cost_of( f.right[2] );
	out->volumes[0][0] = cost_of( f.right[3] );
	out->volumes[0][1] = out->volumes[1][0] = cost_of( f.right[4] );
	out->volumes[1][1] = cost_of( f.right[5] );
}

static void fit_pair( const bench* b, int first, int second, bv_costs* out )
{
	measure_costs_fit f = { .right = { 0 } };
	for ( int turned = 0; turned < 2; ++turned )
	{
		measure_costs_row of[rows];
		int types[2] = { turned ? second : first, turned ? first : second };
		int count = time_rows( b, types, plain_recipe, plain_recipe, other_rounds, of );
		for ( int k = 0; k < count; ++k )
		{
			const measure_costs_row* r = of + k;
			double rest = out->opening * (double)r->counts.openings + out->leaf * (double)r->counts.leaves +
			              out->triangles * r->triangles;
			double tests = (double)r->counts.volumes[types[0]][types[1]];
			add_row( &f, &tests, r->nanoseconds - rest, r->nanoseconds, 1 );
		}
	}
	solve( f.matrix, f.right, 1 );
	out->volumes[first][second] = out->volumes[second][first] = cost_of( f.right[0] );
}

static bv_status prepare( bench* b, bvb_error* error )
{
	b->random = 88172645463325252u;
	for ( int shape = 0; shape < shapes; ++shape )
	{
		if ( !make_shape( b, shape ) )
		{
			return bvbase_fail_memory( error );
		}
	}
	for ( int i = 0; i < bv_volume_types * shapes * recipes; ++i )
	{
		int type = i % bv_volume_types;
		int recipe = i / bv_volume_types / shapes;
		bv_status status = type <= bv_volume_aabb || recipe == plain_recipe
		                       ? build_file( b, type, i / bv_volume_types % shapes, recipe, error )
		                       : bv_ok;
		if ( status != bv_ok )
		{
			return status;
		}
	}
	for ( int i = 0; i < shapes * draws; ++i )
	{
		draw_pose( b, i % shapes, i / shapes );
	}
	return bv_ok;
}

bv_status bvb_costs_measure( bv_costs* out, bvb_error* error )
{
	bvb_arena* arena = bvb_arena_create();
	bench* b = arena ? bvb_arena_allocate( arena, 1, sizeof *b ) : NULL;
	bv_status status = bv_error_memory;
	if ( !b )
	{
		bvbase_fail_memory( error );
	}
	else
	{
		b->arena = arena;
		status = prepare( b, error );
	}
	if ( status == bv_ok )
	{
		fit_boxes( b, out );
		for ( int i = 2; i < bv_volume_types; ++i )
		{
			for ( int k = 0; k <= i; ++k )
			{
				fit_pair( b, k, i, out );
			}
		}
	}
	bvb_arena_destroy( arena );
	return status;
}
