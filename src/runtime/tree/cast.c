// Casts of convex shapes against a mesh. Volumes are visited in the order of their first contact. Volumes
// with a later contact than the best hit so far are pruned.

#include "bv/mesh.h"

#include "runtime/convex/hull_gap.h"
#include "runtime/convex/shape.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/best.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/tree/sweep.h"

typedef struct cast_query
{
	bvtree_sweep sweep; // of the shape's box, with the tolerance, in the file's own coordinates
	bvtree_leaf_source source;
	bvvol_similarity placed;
	bvvol_rounded mover; // the box of the sweep
	bvvol_rounded box;   // the same box in the coordinates of the query
	const bvconvex_prepared* shape;
	bv_vec3 motion;
	double tolerance;
	float direction[3];    // the motion of the mover along its axes, divided by the next one
	double unit;           // a power of two
	double inverse_square; // of the mover's motion; 0 where there is none
	bool fits_lanes;       // the motion is none, or not too small for lanes
	bvtree_lane_triangles triangles;
	bvconvex_hull_cast hit;
	uint32_t triangle;
	bv_vec3 corner[3];     // as stored
	const bv_vec3* offset; // of the file; null for none
	bv_cast_result* result;
} cast_query;

// A little more time than there is, so that of two that are met at once both are found.
static void look_at_triangle( cast_query* q, uint32_t triangle, const bv_vec3 corner[3] )
{
	bv_vec3 placed[3];
	bvconvex_hull_cast hit;
	double limit = q->sweep.to * ( 1 + 0x1p-40 );
	double tolerance = q->tolerance + 2 * bvconvex_place_triangle( &q->placed, corner, placed );
	if ( !bvconvex_hull_meets_triangle( &q->shape->hull, q->shape->radius, q->motion, limit, tolerance,
	                                    placed, &hit ) ||
	     hit.time > q->sweep.to || !( hit.time < INFINITY ) )
	{
		return;
	}
	if ( !q->result->found || bvtree_takes_best( hit.time, triangle, q->sweep.to, q->triangle ) )
	{
		q->result->found = true;
		q->hit = hit;
		bvtree_sweep_until( &q->sweep, hit.time );
		q->triangle = triangle;
		memcpy( q->corner, corner, 3 * sizeof *corner );
	}
}

// Triangles of a leaf that the shape's box may meet.
typedef struct candidates
{
	uint32_t mask;
	float time[BVFILE_LANES]; // of each: a scaled time from the start
	double start;             // time
	double seconds;           // the time of a scaled time of 1
} candidates;

// A vector along the axes of the mover. Those of a ball are the file's own.
static inline bv_vec3 in_box( const cast_query* q, bv_vec3 v )
{
	const bv_vec3* axis = q->mover.axis;
	return q->sweep.is_round
	           ? v
	           : ( bv_vec3 ){ bv_dot( axis[0], v ), bv_dot( axis[1], v ), bv_dot( axis[2], v ) };
}

// In the axes of the mover. Everything is scaled so that no coordinate is above 1, and begins where the mover
// is nearest to the first corner. Corners, motion and mover have gone through one linear map, so that a
// placement that is not quite rigid only makes the axes less than orthonormal. With these as the rows of M,
// (M M^T - 1) h is at most 3 times the skew and the extents; the slack of the mover has more than that.
// Not inlined, so that its corners have left the stack when a triangle is compared.
BVSIMD_NOINLINE void bound_triangles( cast_query* q, const bvtree_leaf_corners* corners, uint32_t count,
                                      candidates* out )
{
	const bvvol_rounded* mover = &q->mover;
	bv_vec3 motion = q->sweep.motion;
	bvtree_leaf_corners apart;
	double way = bv_dot( bv_sub( corners->of[0][0], mover->center ), motion ) * q->inverse_square;
	out->start = bvmath_max( way, 0 );
	bv_vec3 origin = bv_add( mover->center, bv_scale( out->start, motion ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			apart.of[i][k] = in_box( q, bv_sub( corners->of[i][k], origin ) );
		}
	}
	double length = bvtree_leaf_lanes( &apart, count, bvvol_rounded_extent( mover ), &q->triangles );
	if ( !q->fits_lanes || !( length > 0 ) )
	{
		*out = ( candidates ){ .mask = ( 1u << count ) - 1, .seconds = 0 };
		return;
	}
	double unit = q->unit / length;
	out->seconds = 1 / unit;
	bvtree_lane_ray ray = {
		.direction = { q->direction[0], q->direction[1], q->direction[2] },
		.from = bvtree_time_down( -out->start * unit ),
		.to = q->inverse_square > 0 ? bvtree_time_up( ( q->sweep.to * ( 1 + 0x1p-40 ) - out->start ) * unit )
		                            : 0,
	};
	double slack =
		mover->radius + mover->slack + 0x1p-44 * ( bvmath_norm1( mover->center ) + bvmath_norm1( origin ) );
	ray.slack = (float)( slack / length * ( 1 + 0x1p-20 ) ) + 0x1p-17f;
	float half[3];
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = (float)( mover->half_extents[i] / length );
	}
	out->mask = q->sweep.lanes->moved_triangles( &q->triangles, count, half, &ray, out->time );
}

// @return the candidate with the least time, which is taken from the mask
static uint32_t next_of( candidates* near )
{
	uint32_t best = bvsimd_lowest_bit( near->mask );
	for ( uint32_t left = near->mask & ( near->mask - 1 ); left > 0; left &= left - 1 )
	{
		uint32_t i = bvsimd_lowest_bit( left );
		best = near->time[i] < near->time[best] ? i : best;
	}
	near->mask &= ~( 1u << best );
	return best;
}

// Whether a triangle that is met no earlier than the bound can't be the first one. At the start no
// triangle is met earlier than another, and the one with the least index is the first.
static bool is_too_late( const cast_query* q, uint32_t triangle, double bound )
{
	double limit = q->sweep.to * ( 1 + 0x1p-40 );
	return bound > limit || ( q->result->found && !( limit > 0 ) && triangle > q->triangle );
}

static void look_at_block( cast_query* q, uint32_t first, uint32_t count )
{
	bvtree_leaf_corners block;
	candidates near;
	q->result->triangle_tests += count;
	if ( is_too_late( q, first, 0 ) )
	{
		return;
	}
	bvtree_leaf_decode( &q->source, first, count, &block );
	bound_triangles( q, &block, count, &near );
	while ( near.mask > 0 )
	{
		uint32_t i = next_of( &near );
		if ( !is_too_late( q, first + i, near.start + near.time[i] * near.seconds ) )
		{
			look_at_triangle( q, first + i, block.of[i] );
		}
	}
}

static bool look_at_leaf( void* sweep, uint32_t first, uint32_t count )
{
	for ( uint32_t end = first + count; first < end; first += bvtree_leaf_block )
	{
		look_at_block( sweep, first, end - first < bvtree_leaf_block ? end - first : bvtree_leaf_block );
	}
	return true;
}

// No triangle is compared with a greater tolerance than what was asked for and this, whichever volume is
// round it: see bvconvex_hull_meets_triangle.
static double reach_of( const cast_query* q, const bvfile_view* view )
{
	bvvol_bound bound;
	bv_volume root = bvfile_root_volume( view );
	bvvol_bound_of( &root, &bound );
	bv_vec3 apart = bv_sub( bvvol_similarity_apply( &q->placed, bound.box.center ), q->box.center );
	double extent = q->placed.scale * bvvol_rounded_extent( &bound.box ) + bvvol_rounded_extent( &q->box );
	return 0x1p-40 * ( extent + bvmath_norm1( apart ) );
}

static void describe( const cast_query* q )
{
	bv_cast_result* result = q->result;
	const bvconvex_hull_gap* gap = &q->hit.gap;
	result->time = q->hit.time;
	result->at_start = !( q->hit.time > 0 );
	result->at = bvtree_surface_point_of( &q->placed, q->offset, q->triangle, q->corner, gap->weight );
	result->normal = bv_negate( gap->along );
	result->back = bv_dot( bvtree_normal_of( q->corner ), q->sweep.motion ) > 0;
}

// A shape that does not move is compared where it is. Lanes don't take one that moves by less than 2^-500 in
// a unit of time, which may be far in a long time.
static void begin_triangles( cast_query* q )
{
	bv_vec3 motion = q->sweep.motion;
	double largest = bvmath_largest( motion );
	bool moves = largest > 0;
	q->fits_lanes = largest >= 0x1p-500 || !( bvmath_norm1( q->motion ) > 0 );
	q->unit = moves ? bvfile_power_of_two( bvfile_exponent_above( 2 * largest ) ) : 1;
	q->inverse_square = moves ? 1 / bv_dot( motion, motion ) : 0;
	bv_vec3 along = in_box( q, motion );
	for ( int i = 0; i < 3; ++i )
	{
		q->direction[i] = (float)( bvmath_component( along, i ) / q->unit );
	}
}

bv_cast_options bv_cast_options_default( void )
{
	return ( bv_cast_options ){ 0 };
}

bv_status bvtree_cast_shape_in( const bvtree_lanes* lanes, const bv_file* file, const bv_transform* placement,
                                const bv_convex* shape, bv_vec3 motion, const bv_cast_options* options,
                                bv_cast_result* result )
{
	bv_cast_options asked = options ? *options : bv_cast_options_default();
	bvfile_view view;
	bvconvex_prepared prepared;
	if ( !file || !result || !bvtree_is_placement( placement ) ||
	     !bvconvex_shape_prepare( shape, &prepared ) || !bvmath_is_in_range( motion ) ||
	     !( asked.limit >= 0 ) || !bvmath_is_length( asked.tolerance ) || !bvtree_walk_begin( file, &view ) )
	{
		return bv_error_argument;
	}
	*result = ( bv_cast_result ){ .time = INFINITY };
	cast_query q = { .source = bvtree_leaf_source_of( &view ),
		             .shape = &prepared,
		             .motion = motion,
		             .tolerance = asked.tolerance,
		             .offset = view.offset,
		             .result = result };
	bvvol_similarity_begin( placement, &q.placed );
	bvvol_similarity back = bvvol_similarity_reverse( &q.placed );
	q.box = bvconvex_shape_oriented_box( &prepared );
	q.box.radius += asked.tolerance + reach_of( &q, &view );
	bvvol_similarity_move( &back, &q.box, &q.mover );
	q.sweep.mover = &q.mover;
	q.sweep.center = q.mover.center;
	q.sweep.lanes = lanes;
	q.sweep.grid = &view.hierarchy->grid;
	q.sweep.motion = bvmath_times( &q.placed.back, motion );
	bvtree_sweep_begin( &q.sweep, bvtree_sweep_middle( q.sweep.grid ), bvtree_sweep_set_box( &q.sweep ) );
	begin_triangles( &q );
	bvtree_sweep_until( &q.sweep, asked.limit > 0 ? asked.limit : 1 );
	bvtree_sweep_visit( &q.sweep, &view, look_at_leaf );
	result->volume_tests = q.sweep.volume_tests;
	if ( result->found )
	{
		describe( &q );
	}
	return bv_ok;
}

bv_status bv_mesh_cast_convex( const bv_file* file, const bv_transform* placement, const bv_convex* shape,
                               bv_vec3 motion, const bv_cast_options* options, bv_cast_result* result )
{
	bv_transform storage;
	return bvtree_cast_shape_in( bvtree_lanes_best(), file, bvtree_place( NULL, file, placement, &storage ),
	                             shape, motion, options, result );
}
