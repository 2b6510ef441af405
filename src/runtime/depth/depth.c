// How deep two meshes overlap. See bv/depth.h.
//
// First the deepest point that both meshes have in common, which proves a lower bound (climb.c), boxes around it (boxes.c), and translations in directions that
// it and the meshes suggest (upper.c). If that is not within the factor: all translations up to the length that is needed
// (search.c).

#include "bv/depth.h"

#include "runtime/depth/query.h"
#include "runtime/math/range.h"
#include "runtime/math/rounding.h"
#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/place.h"
#include "runtime/tree/walk.h"

static const double usual_factor = 1.5;

enum
{
	usual_translations = 4096,
	try_given = 0, // the directions that are tried, in this order
	try_boxes,
	try_covers,
	try_push = try_covers + 2,
	try_centers,
	try_axes,
	try_end = try_axes + 12,
	cell_share = 4, // of the memory beside the query itself: one part of so many is for balls
};

bv_mesh_depth_options bv_mesh_depth_options_default( void )
{
	return ( bv_mesh_depth_options ){ 0 };
}

static bool set_options( const bv_mesh_depth_options* options, bv_mesh_depth_options* out )
{
	*out = options ? *options : bv_mesh_depth_options_default();
	bool good = ( out->factor == 0 || ( out->factor >= 1 && out->factor < INFINITY ) ) &&
	            bvmath_is_length( out->absolute ) && bvmath_is_in_range( out->direction );
	out->factor = out->factor > 0 ? out->factor : usual_factor;
	out->most_translations = out->most_translations > 0 ? out->most_translations : usual_translations;
	return good;
}

static bool has_room( const void* scratch, size_t bytes )
{
	return scratch && (uintptr_t)scratch % 8 == 0 && bytes >= BV_MESH_DEPTH_SCRATCH_LEAST;
}

// Of the query, more than it needs on any machine: the rest is as large on all of them.
static const size_t head = 13312;
_Static_assert( sizeof( bvdepth_query ) <= 13312, "room for the query" );

static void divide_memory( bvdepth_query* q, size_t bytes )
{
	size_t rest = bytes - head;
	size_t covers = rest / cell_share / sizeof *q->covers;
	size_t cells = ( rest - covers * sizeof *q->covers ) / sizeof *q->cells;
	q->covers = (bvdepth_cover*)( (char*)q + head );
	q->cover_capacity = (uint32_t)bvmath_min( (double)covers, 1 << 12 );
	q->cells = (bvdepth_cell*)( q->covers + covers );
	q->cell_capacity = (uint32_t)bvmath_min( (double)cells, 1 << 24 );
	q->cover_count = 0;
	q->cover_next = 0;
}

static void place_box( bvdepth_query* q )
{
	const bvdepth_solid* b = q->solid + 1;
	q->lower = ( bv_vec3 ){ INFINITY, INFINITY, INFINITY };
	q->upper = ( bv_vec3 ){ -INFINITY, -INFINITY, -INFINITY };
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3 corner = { i & 1 ? b->upper.x : b->lower.x, i & 2 ? b->upper.y : b->lower.y,
			               i & 4 ? b->upper.z : b->lower.z };
		bv_vec3 at = bvvol_similarity_apply( &q->placed, corner );
		q->lower = bvmath_least( q->lower, at );
		q->upper = bvmath_greatest( q->upper, at );
	}
}

// Rounding of stored positions, of those that callers see, and of the sum of translations.
static double error_of( const bvdepth_query* q )
{
	double sum = q->solid[0].magnitude + q->solid[1].magnitude * q->placed.scale +
	             bvmath_norm1( q->placed.translation );
	double most = bvmath_max( bvmath_norm1( bv_sub( q->solid[0].upper, q->lower ) ),
	                          bvmath_norm1( bv_sub( q->upper, q->solid[0].lower ) ) );
	double far = bvmath_norm1( q->given.pose.translation );
	for ( int i = 0; i < 2; ++i )
	{
		const bv_vec3* offset = q->solid[i].batch.view.offset;
		far += offset ? bvmath_norm1( *offset ) * ( i == 0 ? 1 : q->placed.scale ) : 0;
	}
	return 0x1p-46 * ( sum + most ) + 0x1p-49 * far;
}

BVSIMD_NOINLINE bool begin_query( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                                  const bv_mesh_depth_options* options, bvdepth_query* q )
{
	bv_transform storage;
	q->given = b_in_a ? *b_in_a : bv_transform_identity();
	if ( !set_options( options, &q->options ) || !bv_transform_is_valid( &q->given ) ||
	     !bvmath_is_in_range( q->given.pose.translation ) || !bvdepth_solid_begin( a, q->solid ) ||
	     !bvdepth_solid_begin( b, q->solid + 1 ) )
	{
		return false;
	}
	bvvol_similarity_begin( bvtree_place( a, b, &q->given, &storage ), &q->placed );
	q->tests = ( bvdepth_tests ){ 0, 0 };
	q->best = ( bv_mesh_depth_result ){ .upper = INFINITY, .apart = q->given };
	q->last = ( bv_collide_result ){ 0 };
	q->triangle[0] = 0;
	q->triangle[1] = 0;
	q->cut_sweeps = 0;
	q->zonotope_count = 0;
	place_box( q );
	q->error = error_of( q );
	q->keep = q->placed.scale * bvmath_skew_of_length( q->placed.skew ) * ( 1 - 0x1p-48 );
	q->size = bvmath_min( bvmath_norm1( bv_sub( q->solid[0].upper, q->solid[0].lower ) ),
	                      bvmath_norm1( bv_sub( q->upper, q->lower ) ) );
	return true;
}

BVSIMD_NOINLINE void try_point( bvdepth_query* q, bv_vec3 from )
{
	bvdepth_cover found;
	const bv_vec3 none = { 0, 0, 0 };
	if ( bvdepth_climb( q, none, from, q->best.upper / q->options.factor, &found ) )
	{
		bvdepth_keep( q, &found );
	}
}

BVSIMD_NOINLINE void try_pair( bvdepth_query* q, const uint32_t pair[2] )
{
	bvdepth_cover found;
	const bv_vec3 none = { 0, 0, 0 };
	if ( bvdepth_climb_from_pair( q, none, pair, q->best.upper / q->options.factor, &found ) )
	{
		bvdepth_keep( q, &found );
	}
}

// Out of the nearest face of a, and into that of b.
BVSIMD_NOINLINE bv_vec3 direction_of( const bvdepth_query* q, const bvdepth_cover* c )
{
	bv_closest_result r;
	bv_vec3 out = { 0, 0, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		bvtree_find_closest_point( &q->solid[i].batch, c->point[i], INFINITY, q->triangle + i, &r );
		bv_vec3 way = bv_normalize( bv_sub( r.at.point, c->point[i] ) );
		out = i == 0 ? way : bv_sub( out, bvmath_times( &q->placed.turn, way ) );
	}
	return out;
}

static void try_pairs( bvdepth_query* q )
{
	uint64_t count = q->pair_count < bvdepth_pairs / 2 ? q->pair_count : bvdepth_pairs / 2;
	bool is_solid = q->solid[0].closed || q->solid[1].closed;
	for ( uint32_t i = 0; is_solid && i < count && !bvdepth_is_reached( q ) && !bvdepth_is_over( q ); ++i )
	{
		try_pair( q, q->pairs[i] );
	}
}

// Of the direction number i that is tried.
static bv_vec3 direction_at( bvdepth_query* q, uint32_t i )
{
	if ( i == try_given )
	{
		bool has = !bvmath_is_zero( q->options.direction );
		return has ? q->options.direction : q->cover_count > 0 ? direction_of( q, q->covers ) : q->best.way;
	}
	if ( i == try_boxes )
	{
		return q->best.touches ? ( bv_vec3 ){ 0, 0, 0 } : q->best.way;
	}
	if ( i < try_push )
	{
		uint32_t cover = i - try_covers;
		return cover < q->cover_count ? direction_of( q, q->covers + cover ) : ( bv_vec3 ){ 0, 0, 0 };
	}
	if ( i == try_push )
	{
		bvdepth_sum_push( q );
		try_pairs( q );
		return q->push;
	}
	if ( i == try_centers )
	{
		return bv_sub( bv_add( q->lower, q->upper ), bv_add( q->solid[0].lower, q->solid[0].upper ) );
	}
	uint32_t axis = i - try_axes;
	double sign = axis % 2 == 0 ? 1 : -1;
	uint32_t k = axis % 6 / 2;
	bv_vec3 along = { k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0 };
	return axis < 6 ? along : bvmath_times( &q->placed.turn, along );
}

// Not part of its caller, whose stack sweeps need.
// @return false if there is no such direction
BVSIMD_NOINLINE bool set_candidate( bvdepth_query* q, uint32_t i )
{
	return bvdepth_leave_along( q, direction_at( q, i ), &q->candidate );
}

// The first two are tried even if the boxes are good enough: the way is shorter then, and it is known what touches.
static void try_directions( bvdepth_query* q )
{
	for ( uint32_t i = 0; i < try_end && !bvdepth_is_over( q ); ++i )
	{
		if ( ( i <= try_boxes || !bvdepth_is_reached( q ) ) && set_candidate( q, i ) )
		{
			bvdepth_improve( q );
		}
	}
}

// The ball of translations that proves most.
static const bvdepth_cover* best_at_zero( const bvdepth_query* q )
{
	const bvdepth_cover* best = q->covers;
	for ( uint32_t i = 1; i < q->cover_count; ++i )
	{
		const bvdepth_cover* c = q->covers + i;
		best =
			c->radius - bvmath_length( c->center ) > best->radius - bvmath_length( best->center ) ? c : best;
	}
	return best;
}

// A lower bound from the deepest points that are found easily.
// @return false if the meshes are apart
BVSIMD_NOINLINE bool begin_bounds( bvdepth_query* q )
{
	const bv_vec3 none = { 0, 0, 0 };
	bool is_solid = q->solid[0].closed || q->solid[1].closed;
	bvdepth_verdict verdict = bvdepth_judge( q, none );
	if ( verdict == bvdepth_apart )
	{
		q->best.upper = 0;
		q->best.reached = true;
		return false;
	}
	uint32_t pair[2] = { q->pair[0], q->pair[1] };
	bvdepth_separate_boxes( q );
	if ( is_solid && verdict == bvdepth_inside && !bvdepth_is_over( q ) )
	{
		try_point( q, q->shared );
	}
	if ( is_solid && verdict == bvdepth_meet && pair[0] != UINT32_MAX && !bvdepth_is_over( q ) )
	{
		try_pair( q, pair );
	}
	if ( is_solid && !bvdepth_is_over( q ) && !bvdepth_is_reached( q ) )
	{
		try_point( q, bv_scale( 0.5, bv_add( bvmath_greatest( q->lower, q->solid[0].lower ),
		                                     bvmath_least( q->upper, q->solid[0].upper ) ) ) );
	}
	if ( q->cover_count > 0 && !bvdepth_is_reached( q ) )
	{
		bvdepth_grow_boxes( q, best_at_zero( q ) );
	}
	return true;
}

static void find_depth( bvdepth_query* q )
{
	bool is_solid = q->solid[0].closed || q->solid[1].closed;
	if ( !begin_bounds( q ) )
	{
		return;
	}
	try_directions( q );
	if ( is_solid && q->best.upper < INFINITY && !bvdepth_is_over( q ) && !bvdepth_is_reached( q ) )
	{
		bvdepth_begin_search( q );
		while ( bvdepth_search( q ) )
		{
			bvdepth_improve( q );
		}
	}
	q->best.lower = bvmath_min( q->best.lower, q->best.upper );
	q->best.reached = bvdepth_is_reached( q );
}

bv_status bv_mesh_depth( const bv_file* a, const bv_file* b, const bv_transform* b_in_a,
                         const bv_mesh_depth_options* options, void* scratch, size_t scratch_bytes,
                         bv_mesh_depth_result* result )
{
	bvdepth_query* q = scratch;
	if ( !result || !has_room( scratch, scratch_bytes ) || !begin_query( a, b, b_in_a, options, q ) )
	{
		return bv_error_argument;
	}
	divide_memory( q, scratch_bytes );
	find_depth( q );
	q->best.volume_tests = q->tests.volumes;
	q->best.triangle_tests = q->tests.triangles;
	*result = q->best;
	return bv_ok;
}
