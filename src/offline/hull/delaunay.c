// Delaunay tetrahedra, made by qhull as the lower side of the hull of the points lifted onto a paraboloid.
// The options are those that qhull's manual lists for Delaunay triangulations in three dimensions: the last
// coordinate scaled to the others (Qbb), a point above all others for input on a common sphere (Qz), and
// facets of more than four points cut into tetrahedra (Qt). If that fails, joggled input (QJ) is the last
// resort.
//
// Unlike all other code that writes files, qhull may give different results on different processors, since it
// does not follow the rounding rules of src/offline/base. It is single-threaded, so the number of threads has
// no influence.
//
// Based on: Barber, Dobkin, Huhdanpaa 1996, "The Quickhull algorithm for convex hulls".

#include "offline/hull/delaunay.h"

#include "offline/base/arena.h"
#include "offline/hull/run_qhull.h"
#include "offline/hull/scale.h"
#include "runtime/math/vec.h"

#include <math.h>

// A tetrahedron whose volume is less, beside that of the cube of its longest side, has a center that is
// rounding more than anything.
static const double least_volume = 0x1p-30;

// Facets of the lower side, and not of the point above.
static bool is_cell( qhT* qh, const facetT* facet, uint32_t count )
{
	if ( facet->upperdelaunay || !facet->simplicial || qh_setsize( qh, facet->vertices ) != 4 )
	{
		return false;
	}
	vertexT* vertex;
	vertexT** vertexp;
	FOREACHvertex_( facet->vertices )
	{
		int id = qh_pointid( qh, vertex->point );
		if ( id < 0 || (uint32_t)id >= count )
		{
			return false;
		}
	}
	return true;
}

// Neighbors are across from the corner of the same place, except where Qt cut facets, so that they are looked
// for.
static void read_cell( qhT* qh, facetT* facet, bvhull_delaunay_cell* out )
{
	for ( int k = 0; k < 4; ++k )
	{
		const vertexT* vertex = SETelemt_( facet->vertices, k, vertexT );
		out->corner[k] = (uint32_t)qh_pointid( qh, vertex->point );
		out->neighbor[k] = BVHULL_NO_CELL;
	}
	facetT* neighbor;
	facetT** neighborp;
	FOREACHneighbor_( facet )
	{
		if ( neighbor->visitid == 0 )
		{
			continue;
		}
		for ( int k = 0; k < 4; ++k )
		{
			vertexT* vertex = SETelemt_( facet->vertices, k, vertexT );
			if ( !qh_setin( neighbor->vertices, vertex ) )
			{
				out->neighbor[k] = neighbor->visitid - 1;
				break;
			}
		}
	}
}

// What cells are read into.
typedef struct delaunay_reading
{
	uint32_t count; // of points
	bvb_arena* arena;
	bvhull_delaunay* out;
} delaunay_reading;

static bv_status read_cells( qhT* qh, void* context )
{
	const delaunay_reading* r = context;
	bvhull_delaunay* out = r->out;
	uint32_t cells = 0;
	facetT* facet;
	FORALLfacets
	{
		facet->visitid = is_cell( qh, facet, r->count ) ? ++cells : 0;
	}
	out->cells = bvb_arena_allocate( r->arena, cells + 1, sizeof *out->cells );
	if ( !out->cells )
	{
		return bv_error_memory;
	}
	FORALLfacets
	{
		if ( facet->visitid > 0 )
		{
			read_cell( qh, facet, out->cells + facet->visitid - 1 );
		}
	}
	out->cell_count = cells;
	return bv_ok;
}

// From the planes that are as far from the first corner as from each other.
bool bvhull_sphere_through( const bv_vec3 corner[4], bv_vec3* center, double* radius )
{
	bv_vec3 side[3];
	double square[3];
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		side[k] = bv_sub( corner[k + 1], corner[0] );
		square[k] = bv_dot( side[k], side[k] );
		longest = bvmath_max( longest, square[k] );
	}
	bv_vec3 n[] = { bv_cross( side[1], side[2] ), bv_cross( side[2], side[0] ),
		            bv_cross( side[0], side[1] ) };
	double volume = bv_dot( side[0], n[0] );
	if ( !( fabs( volume ) > least_volume * longest * sqrt( longest ) ) )
	{
		return false;
	}
	bv_vec3 sum = bv_add( bv_scale( square[0], n[0] ),
	                      bv_add( bv_scale( square[1], n[1] ), bv_scale( square[2], n[2] ) ) );
	bv_vec3 to = bv_scale( 0.5 / volume, sum );
	*center = bv_add( corner[0], to );
	*radius = sqrt( bv_dot( to, to ) );
	return true;
}

static void find_sphere( const bv_vec3* points, bvhull_delaunay_cell* cell )
{
	const uint32_t* c = cell->corner;
	const bv_vec3 corner[] = { points[c[0]], points[c[1]], points[c[2]], points[c[3]] };
	cell->flat = !bvhull_sphere_through( corner, &cell->center, &cell->radius );
}

// From cell to cell, since flat ones come in heaps. What no other leads to keeps no sphere.
static bool give_spheres_to_flat( bvhull_delaunay* d, bvb_arena* scratch )
{
	uint32_t* queue = bvb_arena_allocate( scratch, d->cell_count + 1, sizeof *queue );
	bool* known = bvb_arena_allocate( scratch, d->cell_count + 1, sizeof *known );
	if ( !queue || !known )
	{
		return false;
	}
	uint32_t last = 0;
	for ( uint32_t i = 0; i < d->cell_count; ++i )
	{
		known[i] = !d->cells[i].flat;
		if ( known[i] )
		{
			queue[last++] = i;
		}
	}
	for ( uint32_t i = 0; i < last; ++i )
	{
		const bvhull_delaunay_cell* cell = d->cells + queue[i];
		for ( int k = 0; k < 4; ++k )
		{
			uint32_t next = cell->neighbor[k];
			if ( next != BVHULL_NO_CELL && !known[next] )
			{
				known[next] = true;
				d->cells[next].center = cell->center;
				d->cells[next].radius = cell->radius;
				queue[last++] = next;
			}
		}
	}
	return true;
}

// About the middle of their box, and of a size of about 1, whatever they were.
static bv_vec3* prepare( const bv_vec3* points, uint32_t count, bvb_arena* scratch )
{
	bv_vec3* out = bvb_arena_allocate( scratch, count, sizeof *out );
	if ( !out )
	{
		return NULL;
	}
	bv_vec3 lower = points[0];
	bv_vec3 upper = points[0];
	for ( uint32_t i = 0; i < count; ++i )
	{
		lower = bvmath_least( lower, points[i] );
		upper = bvmath_greatest( upper, points[i] );
	}
	bv_vec3 middle = bv_add( bv_scale( 0.5, lower ), bv_scale( 0.5, upper ) );
	double reach = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out[i] = bv_sub( points[i], middle );
		reach = bvmath_max( reach, bvhull_largest_coordinate( out[i] ) );
	}
	int exponent;
	frexp( reach, &exponent );
	bvhull_scale_points( out, count, exponent, out );
	return out;
}

bv_status bvhull_delaunay_create( const bv_vec3* points, uint32_t count, bvb_arena* arena,
                                  bvhull_delaunay* out )
{
	static const char* const commands[bvhull_qhull_commands] = { "qhull d Qt Qbb Qz Q12",
		                                                         "qhull d QJ Qbb Q12" };
	*out = ( bvhull_delaunay ){ 0 };
	if ( count < 4 )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_vec3* prepared = scratch ? prepare( points, count, scratch ) : NULL;
	delaunay_reading r = { count, arena, out };
	bv_status status =
		prepared ? bvhull_run_qhull( prepared, count, commands, read_cells, &r, scratch ) : bv_error_memory;
	for ( uint32_t i = 0; status == bv_ok && i < out->cell_count; ++i )
	{
		find_sphere( points, out->cells + i );
	}
	if ( status == bv_ok && !give_spheres_to_flat( out, scratch ) )
	{
		status = bv_error_memory;
	}
	bvb_arena_destroy( scratch );
	return status == bv_error_limit ? bv_ok : status;
}
