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
	uint32_t mask =
		count > 0 ? p->lanes->triangles( &p->near_a, &p->near_b, count, p->tolerance, &certain ) : 0;
	const bv_collide_options* options = p->options;
	p->count = 0;
	p->tolerance = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( !( mask >> i & 1 ) ||
		     ( !( certain >> i & 1 ) && p->reach == 0 && !intersect( p, p->index_a[i], p->index_b[i] ) ) )
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
                      const float b[9], float tolerance )
{
	uint32_t lane = p->count++;
	float* to_a = &p->near_a.corner[0][0][lane];
	float* to_b = &p->near_b.corner[0][0][lane];
	for ( int i = 0; i < 9; ++i )
	{
		to_a[BVFILE_LANES * i] = a[i];
		to_b[BVFILE_LANES * i] = b[i];
	}
	p->tolerance = p->tolerance > tolerance ? p->tolerance : tolerance;
	p->index_a[lane] = index_a;
	p->index_b[lane] = index_b;
	return p->count < BVFILE_LANES || test_waiting( p );
}

// No more than bvtree_leaf_block triangles of each. Only pairs whose bounds meet are compared any further.
// Returns false when the query is over.
static bool add_blocks( bvtree_leaf_pairs* p, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                        uint32_t count_b )
{
	const bvtree_near_triangles* a = fixed_of( p, first_a, count_a );
	const bvtree_moved_triangle* moved = moved_of( p, first_b, count_b );
	bvtree_near_triangles b;
	// Half of it for the corners of each triangle.
	double uncertainty = 0.5 * p->reach;
	double moving = 0;
	b.size = 0;
	for ( uint32_t k = 0; k < count_b; ++k )
	{
		come_near( &b, k, moved[k].corner, p->origin );
		moving = bvmath_max( moving, moved[k].uncertainty );
	}
	uncertainty += moving;
	float tolerance = (float)( ( 0x1p-24 * bvmath_max( a->size, b.size ) + uncertainty ) * ( 1 + 0x1p-20 ) );
	uint8_t near[bvtree_leaf_block];
	p->lanes->bounds( &b.bounds, count_b, &a->bounds, count_a, tolerance, near );
	for ( uint32_t i = 0; i < count_a && !bvtree_leaf_pairs_too_many( p->options, p->result ); ++i )
	{
		p->result->triangle_tests += count_b;
		for ( uint32_t left = near[i]; left > 0; left &= left - 1 )
		{
			uint32_t k = bvsimd_lowest_bit( left );
			if ( !add_pair( p, first_a + i, a->corner[i], first_b + k, b.corner[k], tolerance ) )
			{
				return false;
			}
		}
	}
	return !bvtree_leaf_pairs_too_many( p->options, p->result );
}

static uint32_t block_of( uint32_t triangles, uint32_t first )
{
	return triangles - first < bvtree_leaf_block ? triangles - first : bvtree_leaf_block;
}

bool bvtree_leaf_pairs_add( bvtree_leaf_pairs* p, const bvtree_spot* a, const bvtree_spot* b )
{
	for ( uint32_t j = 0; j < b->triangles; j += bvtree_leaf_block )
	{
		for ( uint32_t i = 0; i < a->triangles; i += bvtree_leaf_block )
		{
			if ( !add_blocks( p, a->at + i, block_of( a->triangles, i ), b->at + j,
			                  block_of( b->triangles, j ) ) )
			{
				return false;
			}
		}
	}
	return true;
}

void bvtree_leaf_pairs_end( bvtree_leaf_pairs* p )
{
	test_waiting( p );
}

void bvtree_leaf_pairs_begin( const bvtree_lanes* lanes, const bvfile_view* a, const bvfile_view* b,
                              const bvvol_similarity* to_a, double reach, const bv_collide_options* options,
                              bv_collide_result* result, bvtree_leaf_pairs* out )
{
	out->lanes = lanes;
	out->a = a;
	out->b = b;
	out->to_a = to_a;
	out->options = options;
	out->result = result;
	out->reach = reach;
	out->fixed_count = 0;
	out->moved_count = 0;
	out->count = 0;
	out->tolerance = 0;

	// All lanes are read, also those that no pair has come to.
	out->near_a = out->near_b = ( bvtree_lane_triangles ){ { { { 0 } } } };
}
