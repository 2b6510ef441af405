// Batches of rays and points. All inputs are checked before the first result is written.
//
// Queries are answered in the order in which they come if the file is small. In a large file several rays
// take turns (flight.h), and points are visited along a space-filling curve, so that each of them begins with
// the triangle that was found for a point near by, and finds most of what it reads in the cache. To order
// them takes no memory: they are put into the cells of a grid, which are lists, and the links of these lists
// are in the results, which are not there yet. The curve is that of Morton 1966.

#include "runtime/tree/batch.h"

#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/walk.h"

static const void* element_of( const bv_array* array, size_t index )
{
	return (const char*)array->data + (ptrdiff_t)index * array->stride;
}

static bv_vec3 vector_at( const bv_array* array, size_t index )
{
	double v[3];
	if ( array->type == bv_number_double )
	{
		memcpy( v, element_of( array, index ), sizeof v );
		return ( bv_vec3 ){ v[0], v[1], v[2] };
	}
	float f[3];
	memcpy( f, element_of( array, index ), sizeof f );
	return ( bv_vec3 ){ f[0], f[1], f[2] };
}

static double number_at( const bv_array* array, size_t index, double missing )
{
	double d;
	float f;
	if ( !array->data )
	{
		return missing;
	}
	if ( array->type == bv_number_double )
	{
		memcpy( &d, element_of( array, index ), sizeof d );
		return d;
	}
	memcpy( &f, element_of( array, index ), sizeof f );
	return f;
}

static bool has_type( const bv_array* array )
{
	return array->type == bv_number_float || array->type == bv_number_double;
}

bool bvtree_batch_begin( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                         bvtree_batch* batch )
{
	if ( !file || !bvtree_is_placement( placement ) || !bvtree_walk_begin( file, &batch->view ) )
	{
		return false;
	}
	batch->lanes = lanes;
	batch->placed = bvvol_similarity_of( placement, &batch->storage );
	return true;
}

bv_ray bvtree_ray_at( const bv_rays* rays, size_t index )
{
	return ( bv_ray ){
		.origin = vector_at( &rays->origin, index ),
		.direction = vector_at( &rays->direction, index ),
		.from = number_at( &rays->from, index, 0 ),
		.to = number_at( &rays->to, index, 0 ),
	};
}

static bool are_arrays_of_rays( const bv_rays* rays )
{
	return has_type( &rays->origin ) && has_type( &rays->direction ) && has_type( &rays->from ) &&
	       has_type( &rays->to ) && ( rays->count == 0 || ( rays->origin.data && rays->direction.data ) );
}

// Some 2 MB of nodes and triangles: what is in a cache of that size is not worth waiting for in turns, or
// putting queries in order.
static bool is_large( const bv_file* file )
{
	return file && bv_file_get_mesh( file ).triangles >= 1 << 17;
}

bv_status bvtree_cast_rays_in( const bvtree_lanes* lanes, bool in_turns, const bv_file* file,
                               const bv_transform* placement, const bv_rays* rays,
                               const bv_ray_options* options, bv_ray_result* results, size_t* invalid )
{
	bvtree_batch batch;
	size_t ignored;
	invalid = invalid ? invalid : &ignored;
	*invalid = SIZE_MAX;
	if ( !rays || !are_arrays_of_rays( rays ) || ( rays->count > 0 && !results ) ||
	     !bvtree_batch_begin( lanes, file, placement, &batch ) )
	{
		return bv_error_argument;
	}
	for ( size_t i = 0; i < rays->count; ++i )
	{
		bv_ray ray = bvtree_ray_at( rays, i );
		if ( !bvtree_is_ray( &ray ) )
		{
			*invalid = i;
			return bv_error_argument;
		}
	}
	// A ray that is stuck in its turn is cast again, and would report its hits twice.
	bool reports = options && options->callback;
	( in_turns && !reports ? bvtree_cast_rays_in_turns : bvtree_cast_each_ray )( &batch, rays, options,
	                                                                             results );
	return bv_ok;
}

bv_status bv_mesh_cast_rays( const bv_file* file, const bv_transform* placement, const bv_rays* rays,
                             const bv_ray_options* options, bv_ray_result* results, size_t* invalid )
{
	bv_transform storage;
	return bvtree_cast_rays_in( bvtree_lanes_best(), is_large( file ), file,
	                            bvtree_place( NULL, file, placement, &storage ), rays, options, results,
	                            invalid );
}

enum
{
	coarse_bits = 3, // of each coordinate
	fine_bits = 3,
	grid_bits = coarse_bits + fine_bits,
	coarse_cells = 1 << 3 * coarse_bits,
	fine_cells = 1 << 3 * fine_bits,
	few_points = 8, // their order does not matter
};

// Links are the indices of points, counted from the first point of a part of the batch.
static const uint32_t no_link = UINT32_MAX;

// Of a part. More points would not be much closer to each other, and their results lie on more pages.
static const uint32_t most_points = 1 << 18;

// Points of a batch, consecutive ones, in the grid of cells over their bounds.
typedef struct batch_part
{
	const bvtree_batch* batch;
	const bv_points* points;
	bv_closest_result* results; // of the first point of the part on
	double limit;               // of all points
	size_t first;
	uint32_t count;
	double lower[3]; // of the grid
	double scale[3]; // cells per unit of length
	uint32_t last;   // a point whose result was found; no_link if there is none
} batch_part;

// The first four bytes of a result that is not there yet.
static uint32_t link_of( const batch_part* p, uint32_t index )
{
	uint32_t link;
	memcpy( &link, p->results + index, sizeof link );
	return link;
}

static void set_link( const batch_part* p, uint32_t index, uint32_t link )
{
	memcpy( p->results + index, &link, sizeof link );
}

static uint32_t spread_bits( uint32_t x )
{
	x = ( x | x << 8 ) & 0x0300F00F;
	x = ( x | x << 4 ) & 0x030C30C3;
	return ( x | x << 2 ) & 0x09249249;
}

// @return the point's fine cell, as its place on the curve
static uint32_t cell_of( const batch_part* p, uint32_t index )
{
	static const double last_cell = ( 1 << grid_bits ) - 1;
	bv_vec3 at = vector_at( &p->points->point, p->first + index );
	const double x[3] = { at.x, at.y, at.z };
	uint32_t cell = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double c = p->scale[k] * ( x[k] - p->lower[k] );
		cell |= spread_bits( c < last_cell ? (uint32_t)c : (uint32_t)last_cell ) << k;
	}
	return cell;
}

static void set_grid( batch_part* p )
{
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	p->lower[0] = p->lower[1] = p->lower[2] = INFINITY;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		bv_vec3 at = vector_at( &p->points->point, p->first + i );
		const double x[3] = { at.x, at.y, at.z };
		for ( int k = 0; k < 3; ++k )
		{
			p->lower[k] = bvmath_min( p->lower[k], x[k] );
			upper[k] = bvmath_max( upper[k], x[k] );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		double extent = upper[k] - p->lower[k];
		p->scale[k] = extent > 0x1p-900 ? ( 1 << grid_bits ) / extent : 0;
	}
}

bv_vec3 bvtree_point_at( const bv_points* points, size_t index )
{
	return vector_at( &points->point, index );
}

double bvtree_limit_at( const bv_points* points, size_t index, double all )
{
	return bvmath_min( bvmath_limit_of( all ), bvmath_limit_of( number_at( &points->limit, index, 0 ) ) );
}

static void find_point( batch_part* p, uint32_t index )
{
	bv_vec3 point = vector_at( &p->points->point, p->first + index );
	double limit = bvtree_limit_at( p->points, p->first + index, p->limit );
	bv_closest_result* result = p->results + index;
	const uint32_t* near = p->last != no_link ? &p->results[p->last].at.triangle : NULL;
	bvtree_find_closest_point( p->batch, point, limit, near, result );
	p->last = result->found ? index : p->last;
}

// The link is read before the result takes its place.
static void find_list( batch_part* p, uint32_t head )
{
	while ( head != no_link )
	{
		uint32_t next = link_of( p, head );
		find_point( p, head );
		head = next;
	}
}

static void find_cell( batch_part* p, uint32_t head )
{
	uint32_t heads[fine_cells];
	uint32_t count = 0;
	for ( uint32_t i = head; i != no_link && count <= few_points; i = link_of( p, i ) )
	{
		count += 1;
	}
	if ( count <= few_points )
	{
		find_list( p, head );
		return;
	}
	memset( heads, 0xFF, sizeof heads );
	while ( head != no_link )
	{
		uint32_t next = link_of( p, head );
		uint32_t cell = cell_of( p, head ) % fine_cells;
		set_link( p, head, heads[cell] );
		heads[cell] = head;
		head = next;
	}
	for ( uint32_t i = 0; i < fine_cells; ++i )
	{
		find_list( p, heads[i] );
	}
}

static void find_part( batch_part* p )
{
	uint32_t heads[coarse_cells];
	if ( p->count <= few_points )
	{
		for ( uint32_t i = 0; i < p->count; ++i )
		{
			find_point( p, i );
		}
		return;
	}
	memset( heads, 0xFF, sizeof heads );
	set_grid( p );
	for ( uint32_t i = p->count; i-- > 0; )
	{
		uint32_t cell = cell_of( p, i ) / fine_cells;
		set_link( p, i, heads[cell] );
		heads[cell] = i;
	}
	for ( uint32_t i = 0; i < coarse_cells; ++i )
	{
		find_cell( p, heads[i] );
	}
}

bool bvtree_are_points( const bv_points* points, size_t* invalid )
{
	if ( !has_type( &points->point ) || !has_type( &points->limit ) ||
	     ( points->count > 0 && !points->point.data ) )
	{
		return false;
	}
	for ( size_t i = 0; i < points->count; ++i )
	{
		if ( !bvmath_is_in_range( vector_at( &points->point, i ) ) ||
		     !( number_at( &points->limit, i, 0 ) >= 0 ) )
		{
			*invalid = i;
			return false;
		}
	}
	return true;
}

bv_status bvtree_closest_points_in( const bvtree_lanes* lanes, bool in_order, const bv_file* file,
                                    const bv_transform* placement, const bv_points* points,
                                    const bv_closest_options* options, bv_closest_result* results,
                                    size_t* invalid )
{
	bvtree_batch batch;
	double all = options ? options->limit : 0;
	size_t ignored;
	invalid = invalid ? invalid : &ignored;
	*invalid = SIZE_MAX;
	if ( !points || ( points->count > 0 && !results ) || !( all >= 0 ) ||
	     !bvtree_batch_begin( lanes, file, placement, &batch ) || !bvtree_are_points( points, invalid ) )
	{
		return bv_error_argument;
	}
	for ( size_t i = 0; i < points->count && !in_order; ++i )
	{
		bv_vec3 point = vector_at( &points->point, i );
		double limit = bvtree_limit_at( points, i, all );
		bvtree_find_closest_point( &batch, point, limit, NULL, results + i );
	}
	for ( size_t first = 0; first < points->count && in_order; )
	{
		size_t left = points->count - first;
		batch_part p = {
			.batch = &batch,
			.points = points,
			.results = results + first,
			.limit = all,
			.first = first,
			.count = left < most_points ? (uint32_t)left : most_points,
			.last = no_link,
		};
		find_part( &p );
		first += p.count;
	}
	return bv_ok;
}

bv_status bv_mesh_closest_points( const bv_file* file, const bv_transform* placement, const bv_points* points,
                                  const bv_closest_options* options, bv_closest_result* results,
                                  size_t* invalid )
{
	bv_transform storage;
	return bvtree_closest_points_in( bvtree_lanes_best(), is_large( file ), file,
	                                 bvtree_place( NULL, file, placement, &storage ), points, options,
	                                 results, invalid );
}
