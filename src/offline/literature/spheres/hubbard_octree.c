// Sphere trees of octrees by P. M. Hubbard, "Collision detection for interactive graphics applications", IEEE
// Transactions on Visualization and Computer Graphics 1(3), 1995, as J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, sections 3.2.1 and 3.5, describes them.
//
// The cube round the object is divided into octants, each that the surface passes through is enclosed by a
// sphere, and then simulated annealing makes each sphere fit closer: its center is moved at random, its
// radius is what the surface in the cell wants, and its energy is the directed Hausdorff distance of the
// sphere to that surface. Hubbard estimates the distance: the greatest of the twenty corners of a
// dodecahedron on the sphere, and the distance of two neighbors among them besides. That is an upper bound,
// which no effort makes tighter. Ours is certified: the upper end of an interval that is known to a
// twentieth.
//
// Ours, too: the depth, which is that of the most levels whose last has no more cells than there are faces,
// or 1024; the schedule, a hundred moves of up to a quarter of the radius, which shrink with the temperature;
// and that the best sphere counts, not the last, so that none ends with more energy than it began with. Cells
// inside of the object, where there is no surface, have no spheres.

#include "offline/literature/spheres/octree.h"

#include "bvbuild/hausdorff.h"
#include "offline/base/random.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	cells_at_least = 1024,
	moves = 100,
};

static const double cooling = 0.96;    // of the temperature and of steps, with each move
static const double first_heat = 0.1;  // of the energy at the beginning
static const double first_step = 0.25; // of the radius at the beginning
static const double tolerance = 0.05;  // of certified distances
static const double slack =
	0x1p-48; // what rounding may take from a sphere, in units of its radius and of coordinates

// What a sphere has to enclose: the pieces of faces in a cell, as triangles.
typedef struct surface
{
	bvb_mesh mesh;
	uint32_t vertex_room;
	uint32_t triangle_room;
	bvb_hausdorff_target* target; // null before there was one
	bvb_arena* arena;
	bv_status status;
} surface;

typedef struct annealing
{
	const bvb_mesh* mesh;
	const bvlit_octree* octree;
	const bvlit_sphere_options* options;
	bvlit_sphere_tree* tree;
	bool estimate;
	bvb_arena* arena;
} annealing;

static bool has_area( const bv_vec3* p )
{
	bv_vec3 n = bv_cross( bv_sub( p[1], p[0] ), bv_sub( p[2], p[0] ) );
	return bvmath_norm1( n ) > 0;
}

static bool make_room( surface* s, size_t vertices, size_t triangles )
{
	bvb_mesh* m = &s->mesh;
	if ( vertices > s->vertex_room )
	{
		m->positions = bvb_arena_allocate( s->arena, vertices, sizeof *m->positions );
		s->vertex_room = m->positions ? (uint32_t)vertices : 0;
	}
	if ( triangles > s->triangle_room )
	{
		m->triangles = bvb_arena_allocate( s->arena, triangles, sizeof *m->triangles );
		s->triangle_room = m->triangles ? (uint32_t)triangles : 0;
	}
	return m->positions && m->triangles;
}

// Pieces of no area are points to be enclosed, but nothing to measure to: a neighbor has the same points.
static void add_piece( surface* s, const bvlit_piece* piece )
{
	bvb_mesh* m = &s->mesh;
	for ( uint32_t i = 0; i < piece->count; ++i )
	{
		m->positions[m->vertex_count + i] = piece->corner[i];
	}
	for ( uint32_t i = 2; i < piece->count; ++i )
	{
		const bv_vec3 p[] = { piece->corner[0], piece->corner[i - 1], piece->corner[i] };
		if ( has_area( p ) )
		{
			m->triangles[m->triangle_count++] =
				( bvb_triangle ){ { m->vertex_count, m->vertex_count + i - 1, m->vertex_count + i } };
		}
	}
	m->vertex_count += piece->count;
}

// @return whether there is a surface to measure to
static bool collect( const annealing* a, const bvlit_octree_cell* cell, surface* s )
{
	s->mesh.vertex_count = 0;
	s->mesh.triangle_count = 0;
	size_t most = (size_t)bvlit_piece_corners * cell->faces;
	if ( most > UINT32_MAX / 2 || !make_room( s, most, most ) )
	{
		s->status = bv_error_memory;
		return false;
	}
	for ( uint32_t i = 0; i < cell->faces; ++i )
	{
		bvlit_piece piece;
		bvlit_piece_of_face( a->mesh, a->octree->face[cell->first_face + i], &cell->box, &piece );
		add_piece( s, &piece );
	}
	if ( s->mesh.triangle_count == 0 )
	{
		return false;
	}
	bvb_error error;
	s->status = s->target ? bvb_hausdorff_target_reset( s->target, &s->mesh, NULL, 0, &error )
	                      : bvb_hausdorff_target_create( &s->mesh, NULL, 0, s->arena, &s->target, &error );
	return s->status == bv_ok;
}

static bv_sphere around( const bvb_mesh* mesh, bv_vec3 center )
{
	double square = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 d = bv_sub( mesh->positions[i], center );
		square = bvmath_max( square, bv_dot( d, d ) );
	}
	double radius = sqrt( square );
	return ( bv_sphere ){ center, radius + slack * ( radius + bvmath_norm1( center ) ) };
}

// The upper end of the distance from a sphere's surface, or of a point where the radius is 0.
static double certified( surface* s, const bv_sphere* sphere )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	bvb_hausdorff distance;
	options.measure = bvb_hausdorff_surface;
	options.relative = tolerance;
	bv_status status = bvb_hausdorff_sphere( s->target, sphere, &options, &distance );
	s->status = s->status == bv_ok ? status : s->status;
	return status == bv_ok ? distance.upper : INFINITY;
}

double bvlit_dodecahedron_estimate( bvlit_dodecahedron_distance* distance_of, void* context,
                                    const bv_sphere* sphere )
{
	// Corners of a regular dodecahedron, of a length of sqrt( 3 ): (±1, ±1, ±1), and (0, ±1/phi, ±phi) turned
	// through the axes.
	const double phi = 0.5 * ( 1 + sqrt( 5 ) );
	double greatest = 0;
	for ( uint32_t i = 0; i < 20; ++i )
	{
		double x = i & 1 ? -1 : 1;
		double y = i & 2 ? -1 : 1;
		bv_vec3 corner = { x, y, i & 4 ? -1 : 1 };
		if ( i >= 8 )
		{
			uint32_t turn = ( i - 8 ) / 4;
			corner = turn == 0   ? ( bv_vec3 ){ 0, x / phi, y * phi }
			         : turn == 1 ? ( bv_vec3 ){ x / phi, y * phi, 0 }
			                     : ( bv_vec3 ){ y * phi, 0, x / phi };
		}
		bv_vec3 point = bv_add( sphere->center, bv_scale( sphere->radius / sqrt( 3 ), corner ) );
		greatest = bvmath_max( greatest, distance_of( context, point ) );
	}

	// Sides are 2 / phi long.
	return greatest + sphere->radius * 2 / ( phi * sqrt( 3 ) );
}

static double distance_of_point( void* context, bv_vec3 point )
{
	bv_sphere ball = { point, 0 };
	return certified( context, &ball );
}

static double energy_of( const annealing* a, surface* s, const bv_sphere* sphere )
{
	return a->estimate ? bvlit_dodecahedron_estimate( distance_of_point, s, sphere ) : certified( s, sphere );
}

static double unit( uint64_t* random )
{
	return (double)( bvbase_random( random ) >> 11 ) * 0x1p-53;
}

// About e to the power of -x: the library's differs from machine to machine.
static double decay( double x )
{
	double y = x < 64 ? 1 - x / 1024 : 0;
	for ( int i = 0; i < 10; ++i )
	{
		y *= y;
	}
	return y;
}

bool bvlit_annealing_takes( double before, double after, double heat, uint64_t* random )
{
	return after <= before || ( heat > 0 && unit( random ) < decay( ( after - before ) / heat ) );
}

static bv_sphere anneal( const annealing* a, surface* s, const bv_sphere* start, uint64_t random )
{
	bv_sphere now = around( &s->mesh, start->center );
	bv_sphere best = now;
	double energy = energy_of( a, s, &now );
	double least = energy;
	double heat = first_heat * energy;
	double step = first_step * now.radius;
	for ( int i = 0; i < moves && s->status == bv_ok; ++i )
	{
		double x = step * ( 2 * unit( &random ) - 1 );
		double y = step * ( 2 * unit( &random ) - 1 );
		double z = step * ( 2 * unit( &random ) - 1 );
		bv_sphere moved = around( &s->mesh, bv_add( now.center, ( bv_vec3 ){ x, y, z } ) );
		double after = energy_of( a, s, &moved );
		bool taken = bvlit_annealing_takes( energy, after, heat, &random );
		now = taken ? moved : now;
		energy = taken ? after : energy;
		best = energy < least ? now : best;
		least = bvmath_min( least, energy );
		heat *= cooling;
		step *= cooling;
	}
	return best;
}

static bv_status anneal_all( const annealing* a )
{
	bv_status status = bv_ok;
	int64_t count = a->tree->node_count;
#pragma omp parallel num_threads( a->options->team ) if ( a->options->team > 1 )
	{
		surface s = { .arena = bvbase_arena_create_scratch( a->arena ) };
		s.status = s.arena ? bv_ok : bv_error_memory;
#pragma omp for schedule( dynamic, 1 )
		for ( int64_t i = 0; i < count; ++i )
		{
			uint64_t random = bvbase_mix( a->options->seed ^ bvbase_mix( (uint64_t)i ) );
			bv_sphere* sphere = &a->tree->nodes[i].sphere;
			if ( s.status == bv_ok && collect( a, a->octree->cells + i, &s ) )
			{
				*sphere = anneal( a, &s, sphere, random );
			}
		}
#pragma omp critical
		status = s.status != bv_ok ? s.status : status;
		bvb_arena_destroy( s.arena );
	}
	return status;
}

static bv_status build( const bvb_mesh* mesh, const bvlit_sphere_options* options, bool annealed,
                        bool estimate, bvb_arena* arena, bvlit_sphere_tree* out )
{
	bvlit_octree octree = { 0 };
	uint32_t most = mesh->triangle_count > cells_at_least ? mesh->triangle_count : cells_at_least;
	bv_status status = bvlit_octree_create_even( mesh, options->max_depth, most, arena, &octree );
	status = status == bv_ok ? bvlit_spheres_of_octree( &octree, arena, out ) : status;
	if ( status != bv_ok || !annealed )
	{
		return status;
	}
	annealing a = { mesh, &octree, options, out, estimate, arena };
	return anneal_all( &a );
}

bv_status bvlit_spheres_hubbard_octree( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                        bvb_arena* arena, bvlit_sphere_tree* out )
{
	return build( mesh, options, true, false, arena, out );
}

bv_status bvlit_spheres_hubbard_octree_estimate( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                                 bvb_arena* arena, bvlit_sphere_tree* out )
{
	return build( mesh, options, true, true, arena, out );
}

bv_status bvlit_spheres_hubbard_octree_plain( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                              bvb_arena* arena, bvlit_sphere_tree* out )
{
	return build( mesh, options, false, false, arena, out );
}
