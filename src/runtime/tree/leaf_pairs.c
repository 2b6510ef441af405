// Tests of the triangle pairs of two leaves. See leaf_pairs.h.

#include "runtime/tree/leaf_pairs.h"

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/pair.h"

#include <string.h>

// Each coordinate errs by less than 2^-50 of the magnitudes that it adds.
static void get_moved( const bvtree_leaf_pairs* p, uint32_t triangle, bvtree_moved_triangle* out )
{
	double largest = 0;
	bvtree_walk_corners( p->b, triangle, out->corner );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 corner = out->corner[i];
		out->corner[i] = bvvol_similarity_apply( p->to_a, corner );
		largest = bvmath_max( largest, p->to_a->scale * bvmath_norm1( corner ) +
		                                   bvmath_norm1( p->to_a->translation ) );
	}
	out->uncertainty = 0x1p-50 * largest;
}

static const bvtree_moved_triangle* moved_of( bvtree_leaf_pairs* p, uint32_t first, uint32_t count )
{
	if ( p->moved_count != count || p->moved_first != first )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			get_moved( p, first + i, p->moved + i );
		}
		p->moved_first = first;
		p->moved_count = count;
	}
	return p->moved;
}

static bool intersect( const bvtree_leaf_pairs* p, uint32_t index_a, uint32_t index_b )
{
	bv_vec3 a[3];
	bvtree_moved_triangle b;
	bvtree_walk_corners( p->a, index_a, a );
	get_moved( p, index_b, &b );
	return bvtri_triangles_intersect_within( a, b.corner, b.uncertainty );
}

// Reports pairs that intersect, up to the number for a step.
// @return false when the query is over
static bool report( bvtree_leaf_pairs* p )
{
	const bv_collide_options* options = p->options;
	for ( uint32_t left = p->hits_of_step; p->hits > 0; p->hits &= p->hits - 1, --left )
	{
		if ( left == 0 )
		{
			return true;
		}
		uint32_t i = bvsimd_lowest_bit( p->hits );
		if ( !( p->certain >> i & 1 ) && p->approach->reach == 0 &&
		     !intersect( p, p->index_a[i], p->index_b[i] ) )
		{
			continue;
		}
		p->result->pairs += 1;
		p->result->triangles[0] = p->index_a[i];
		p->result->triangles[1] = p->index_b[i];
		if ( ( options->callback && !options->callback( options->context, p->index_a[i], p->index_b[i] ) ) ||
		     options->first )
		{
			p->hits = 0;
			return false;
		}
	}
	return !bvtree_leaf_pairs_too_many( options, p->result );
}

bool bvtree_leaf_pairs_test_waiting( bvtree_leaf_pairs* p )
{
	uint32_t count = p->count;
	p->certain = 0;
	if ( count > 0 )
	{
		p->hits = p->approach->is_directed
		              ? p->lanes->moving_triangles( &p->near_a, &p->near_b, p->way, count, p->tolerance )
		              : p->lanes->triangles( &p->near_a, &p->near_b, count, p->tolerance, &p->certain );
		p->hits &= ( 1u << count ) - 1;
	}
	p->count = 0;
	p->tolerance = 0;
	return report( p );
}

// Sets one of the triangles relative to a point near by.
static void come_near( bvtree_near_triangles* out, uint32_t index, const bv_vec3 corner[3], bv_vec3 origin )
{
	float near[3][3];
	double size = out->size;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 p = bv_sub( corner[k], origin );
		near[k][0] = (float)p.x;
		near[k][1] = (float)p.y;
		near[k][2] = (float)p.z;
		size = bvmath_max( size, bvmath_norm1( p ) );
	}
	out->size = size;
	memcpy( out->corner[index], near, sizeof near );
	for ( int i = 0; i < 3; ++i )
	{
		float least = near[0][i] < near[1][i] ? near[0][i] : near[1][i];
		float most = near[0][i] > near[1][i] ? near[0][i] : near[1][i];
		out->bounds.lower[i][index] = least < near[2][i] ? least : near[2][i];
		out->bounds.upper[i][index] = most > near[2][i] ? most : near[2][i];
	}
}

static const bvtree_near_triangles* fixed_of( bvtree_leaf_pairs* p, uint32_t first, uint32_t count )
{
	if ( p->fixed_count != count || p->fixed_first != first )
	{
		p->fixed.size = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 corner[3];
			bvtree_walk_corners( p->a, first + i, corner );
			p->origin = i == 0 ? corner[0] : p->origin;
			come_near( &p->fixed, i, corner, p->origin );
		}
		p->fixed_first = first;
		p->fixed_count = count;
	}
	return &p->fixed;
}

static void add_pair( bvtree_leaf_pairs* p, uint32_t a, uint32_t b )
{
	const bvtree_leaf_blocks* blocks = &p->blocks;
	uint32_t lane = p->count++;
	const float* of_a = p->fixed.corner[a];
	const float* of_b = blocks->b.corner[b];
	float* to_a = &p->near_a.corner[0][0][lane];
	float* to_b = &p->near_b.corner[0][0][lane];
	for ( int i = 0; i < 9; ++i )
	{
		to_a[BVFILE_LANES * i] = of_a[i];
		to_b[BVFILE_LANES * i] = of_b[i];
	}
	for ( int i = 0; i < 3 && p->approach->is_directed; ++i )
	{
		p->way[i][lane] = blocks->way[i];
	}
	p->tolerance = p->tolerance > blocks->tolerance ? p->tolerance : blocks->tolerance;
	p->index_a[lane] = blocks->first[0] + a;
	p->index_b[lane] = blocks->first[1] + b;
}

// Bounds of triangles wherever they move to. Roundings are below 2^-24 of coordinates and the way.
static void move_bounds( const float way[3], uint32_t count, bvtree_lane_bounds* bounds )
{
	for ( int i = 0; i < 3; ++i )
	{
		float size = fabsf( way[i] );
		for ( uint32_t k = 0; k < count; ++k )
		{
			bounds->lower[i][k] -= size;
			bounds->upper[i][k] += size;
		}
	}
}

// No more than bvtree_leaf_block triangles of each. Only pairs whose bounds meet are compared any further.
static void begin_blocks( bvtree_leaf_pairs* p, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                          uint32_t count_b )
{
	const bvtree_near_triangles* a = fixed_of( p, first_a, count_a );
	const bvtree_moved_triangle* moved = moved_of( p, first_b, count_b );
	const bvtree_approach* approach = p->approach;
	bvtree_leaf_blocks* blocks = &p->blocks;
	bvtree_near_triangles* b = &blocks->b;
	bv_vec3 origin = p->origin;
	bv_vec3 at = { 0, 0, 0 };
	if ( approach->is_directed )
	{
		// Moving triangles are in the middle of their way.
		at = bvtree_approach_at( approach, p->origin );
		origin = bv_sub( origin, bv_scale( 0.5 * ( approach->until - 1 ), at ) );
		bvtree_lane_axis( bv_scale( 0.5 * ( approach->until + 1 ), at ), blocks->way );
	}
	double uncertainty = 0;
	b->size = 0;
	for ( uint32_t k = 0; k < count_b; ++k )
	{
		come_near( b, k, moved[k].corner, origin );
		uncertainty = bvmath_max( uncertainty, moved[k].uncertainty );
	}
	if ( approach->is_directed )
	{
		move_bounds( blocks->way, count_b, &b->bounds );
		uncertainty += 0x1p-50 * ( bvmath_norm1( p->origin ) + bvmath_norm1( at ) );
	}
	double size = bvmath_max( a->size, b->size + bvmath_norm1( at ) );
	// Half of the rest for the corners of each triangle.
	uncertainty +=
		0.5 * bvtree_approach_rest( approach, p->origin, b->size + bvmath_norm1( at ) + uncertainty );
	float tolerance = (float)( ( 0x1p-24 * size + uncertainty ) * ( 1 + 0x1p-20 ) );
	p->lanes->bounds( &b->bounds, count_b, &a->bounds, count_a, tolerance, blocks->near );
	blocks->first[0] = first_a;
	blocks->first[1] = first_b;
	blocks->count[0] = count_a;
	blocks->count[1] = count_b;
	blocks->next = 0;
	blocks->left = 0;
	blocks->tolerance = tolerance;
}

bool bvtree_leaf_pairs_continue( bvtree_leaf_pairs* p )
{
	// A query that is over has no more hits.
	if ( p->hits > 0 && ( !report( p ) || p->hits > 0 ) )
	{
		return p->hits > 0;
	}
	bvtree_leaf_blocks* blocks = &p->blocks;
	const bv_collide_options* options = p->options;
	bv_collide_result* result = p->result;
	const uint32_t rows = blocks->count[0];
	uint32_t next = blocks->next;
	uint32_t left = blocks->left;
	while ( true )
	{
		for ( ; left > 0; left &= left - 1 )
		{
			add_pair( p, next - 1, bvsimd_lowest_bit( left ) );
			if ( p->count == BVFILE_LANES && ( !bvtree_leaf_pairs_test_waiting( p ) || p->hits > 0 ) )
			{
				blocks->next = next;
				blocks->left = left & ( left - 1 );
				return p->hits > 0;
			}
		}
		if ( next == rows || bvtree_leaf_pairs_too_many( options, result ) )
		{
			blocks->next = rows;
			blocks->left = 0;
			return !bvtree_leaf_pairs_too_many( options, result );
		}
		result->triangle_tests += blocks->count[1];
		left = blocks->near[next++];
	}
}

static uint32_t block_of( const bvtree_leaf_cursor* c, int side )
{
	uint32_t left = c->count[side] - c->at[side];
	return left < bvtree_leaf_block ? left : bvtree_leaf_block;
}

bool bvtree_leaf_pairs_step( bvtree_leaf_pairs* p, bvtree_leaf_cursor* cursor )
{
	const bvtree_leaf_cursor c = *cursor;
	uint32_t a = block_of( &c, 0 );
	uint32_t b = block_of( &c, 1 );
	bool is_last = c.at[0] + a == c.count[0];
	cursor->at[0] = is_last ? 0 : c.at[0] + a;
	cursor->at[1] = is_last ? c.at[1] + b : c.at[1];
	begin_blocks( p, c.first[0] + c.at[0], a, c.first[1] + c.at[1], b );
	return bvtree_leaf_pairs_continue( p );
}

bool bvtree_leaf_pairs_first( bvtree_leaf_pairs* p, const bvtree_spot* a, const bvtree_spot* b,
                              bvtree_leaf_cursor* cursor )
{
	// Nearly all leaves are as small as that.
	if ( a->triangles <= bvtree_leaf_block && b->triangles <= bvtree_leaf_block )
	{
		begin_blocks( p, a->at, a->triangles, b->at, b->triangles );
		return bvtree_leaf_pairs_continue( p );
	}
	*cursor = bvtree_leaf_cursor_begin( a, b );
	return bvtree_leaf_pairs_step( p, cursor );
}

void bvtree_leaf_pairs_end( bvtree_leaf_pairs* p )
{
	p->hits_of_step = BVFILE_LANES;
	if ( p->hits == 0 || report( p ) )
	{
		(void)bvtree_leaf_pairs_test_waiting( p );
	}
}

void bvtree_leaf_pairs_begin( const bvtree_lanes* lanes, const bvfile_view* a, const bvfile_view* b,
                              const bvvol_similarity* to_a, const bvtree_approach* approach,
                              const bv_collide_options* options, bv_collide_result* result,
                              bvtree_leaf_pairs* out )
{
	out->lanes = lanes;
	out->a = a;
	out->b = b;
	out->to_a = to_a;
	out->options = options;
	out->result = result;
	out->approach = approach;
	out->fixed_count = 0;
	out->moved_count = 0;
	out->count = 0;
	out->tolerance = 0;
	out->hits = 0;
	out->hits_of_step = BVFILE_LANES;
	out->blocks.next = out->blocks.left = out->blocks.count[0] = 0;

	// All lanes are read, also those that no pair has come to.
	out->near_a = out->near_b = ( bvtree_lane_triangles ){ { { { 0 } } } };
	memset( out->way, 0, sizeof out->way );
}
