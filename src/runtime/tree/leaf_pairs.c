// Tests of the triangle pairs of two leaves. See leaf_pairs.h.

#include "runtime/tree/leaf_pairs.h"

#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/pair.h"

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

// Returns false when the query is over.
static bool test_waiting( bvtree_leaf_pairs* p )
{
	uint32_t count = p->count;
	uint32_t certain = 0;
	uint32_t mask = 0;
	if ( count > 0 )
	{
		mask = p->approach->is_directed
		           ? p->lanes->moving_triangles( &p->near_a, &p->near_b, p->way, count, p->tolerance )
		           : p->lanes->triangles( &p->near_a, &p->near_b, count, p->tolerance, &certain );
	}
	const bv_collide_options* options = p->options;
	p->count = 0;
	p->tolerance = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !( mask >> i & 1 ) || ( !( certain >> i & 1 ) && p->approach->reach == 0 &&
		                             !intersect( p, p->index_a[i], p->index_b[i] ) ) )
		{
			continue;
		}
		p->result->pairs += 1;
		p->result->triangles[0] = p->index_a[i];
		p->result->triangles[1] = p->index_b[i];
		if ( ( options->callback && !options->callback( options->context, p->index_a[i], p->index_b[i] ) ) ||
		     options->first )
		{
			return false;
		}
	}
	return !bvtree_leaf_pairs_too_many( options, p->result );
}

// Sets one of the triangles relative to a point near by.
static void come_near( bvtree_near_triangles* out, uint32_t index, const bv_vec3 corner[3], bv_vec3 origin )
{
	float* to = out->corner[index];
	for ( int i = 0; i < 3; ++i, to += 3 )
	{
		bv_vec3 p = bv_sub( corner[i], origin );
		to[0] = (float)p.x;
		to[1] = (float)p.y;
		to[2] = (float)p.z;
		out->size = bvmath_max( out->size, bvmath_norm1( p ) );
	}
	to = out->corner[index];
	for ( int i = 0; i < 3; ++i )
	{
		float least = to[i] < to[3 + i] ? to[i] : to[3 + i];
		float most = to[i] > to[3 + i] ? to[i] : to[3 + i];
		out->bounds.lower[i][index] = least < to[6 + i] ? least : to[6 + i];
		out->bounds.upper[i][index] = most > to[6 + i] ? most : to[6 + i];
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

static bool add_pair( bvtree_leaf_pairs* p, uint32_t index_a, const float a[9], uint32_t index_b,
                      const float b[9], const float way[3], float tolerance )
{
	uint32_t lane = p->count++;
	float* to_a = &p->near_a.corner[0][0][lane];
	float* to_b = &p->near_b.corner[0][0][lane];
	for ( int i = 0; i < 9; ++i )
	{
		to_a[BVFILE_LANES * i] = a[i];
		to_b[BVFILE_LANES * i] = b[i];
	}
	for ( int i = 0; i < 3 && p->approach->is_directed; ++i )
	{
		p->way[i][lane] = way[i];
	}
	p->tolerance = p->tolerance > tolerance ? p->tolerance : tolerance;
	p->index_a[lane] = index_a;
	p->index_b[lane] = index_b;
	return p->count < BVFILE_LANES || test_waiting( p );
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
// Returns false when the query is over.
static bool add_blocks( bvtree_leaf_pairs* p, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                        uint32_t count_b )
{
	const bvtree_near_triangles* a = fixed_of( p, first_a, count_a );
	const bvtree_moved_triangle* moved = moved_of( p, first_b, count_b );
	bvtree_near_triangles b;
	const bvtree_approach* approach = p->approach;
	bv_vec3 origin = p->origin;
	bv_vec3 at = { 0, 0, 0 };
	float way[3] = { 0, 0, 0 };
	if ( approach->is_directed )
	{
		// Moving triangles are in the middle of their way.
		at = bvtree_approach_at( approach, p->origin );
		origin = bv_sub( origin, bv_scale( 0.5 * ( approach->until - 1 ), at ) );
		bvtree_lane_axis( bv_scale( 0.5 * ( approach->until + 1 ), at ), way );
	}
	double uncertainty = 0;
	b.size = 0;
	for ( uint32_t k = 0; k < count_b; ++k )
	{
		come_near( &b, k, moved[k].corner, origin );
		uncertainty = bvmath_max( uncertainty, moved[k].uncertainty );
	}
	if ( approach->is_directed )
	{
		move_bounds( way, count_b, &b.bounds );
		uncertainty += 0x1p-50 * ( bvmath_norm1( p->origin ) + bvmath_norm1( at ) );
	}
	double size = bvmath_max( a->size, b.size + bvmath_norm1( at ) );
	// Half of the rest for the corners of each triangle.
	uncertainty +=
		0.5 * bvtree_approach_rest( approach, p->origin, b.size + bvmath_norm1( at ) + uncertainty );
	float tolerance = (float)( ( 0x1p-24 * size + uncertainty ) * ( 1 + 0x1p-20 ) );
	uint8_t near[bvtree_leaf_block];
	p->lanes->bounds( &b.bounds, count_b, &a->bounds, count_a, tolerance, near );
	for ( uint32_t i = 0; i < count_a && !bvtree_leaf_pairs_too_many( p->options, p->result ); ++i )
	{
		p->result->triangle_tests += count_b;
		for ( uint32_t left = near[i]; left > 0; left &= left - 1 )
		{
			uint32_t k = bvsimd_lowest_bit( left );
			if ( !add_pair( p, first_a + i, a->corner[i], first_b + k, b.corner[k], way, tolerance ) )
			{
				return false;
			}
		}
	}
	return !bvtree_leaf_pairs_too_many( p->options, p->result );
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
	return add_blocks( p, c.first[0] + c.at[0], a, c.first[1] + c.at[1], b );
}

bool bvtree_leaf_pairs_first( bvtree_leaf_pairs* p, const bvtree_spot* a, const bvtree_spot* b,
                              bvtree_leaf_cursor* cursor )
{
	// Nearly all leaves are as small as that.
	if ( a->triangles <= bvtree_leaf_block && b->triangles <= bvtree_leaf_block )
	{
		return add_blocks( p, a->at, a->triangles, b->at, b->triangles );
	}
	*cursor = bvtree_leaf_cursor_begin( a, b );
	return bvtree_leaf_pairs_step( p, cursor );
}

void bvtree_leaf_pairs_end( bvtree_leaf_pairs* p )
{
	test_waiting( p );
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

	// All lanes are read, also those that no pair has come to.
	out->near_a = out->near_b = ( bvtree_lane_triangles ){ { { { 0 } } } };
	memset( out->way, 0, sizeof out->way );
}
