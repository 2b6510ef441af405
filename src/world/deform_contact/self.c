// Pairs of triangles of one mesh that intersect, or are near each other. See bvworld/deform_contact.h.
//
// Triangles are compared as those of two meshes are. Distances are right to 2^-46 of the sum of what the corners are apart (bvtri_triangles_gap).
// No square underflows: positions are binary32 numbers.

#include "runtime/math/range.h"
#include "runtime/math/vec.h"
#include "runtime/tree/surface.h"
#include "runtime/triangle/gap.h"
#include "runtime/triangle/pair.h"
#include "world/deform_contact/contact.h"

#include <math.h>

bvw_self_collide_options bvw_self_collide_options_default( void )
{
	return ( bvw_self_collide_options ){ .separation = 0 };
}

typedef struct self_query
{
	bvwtouch_side side;
	bvw_self_collide_options options;
	bvsimd_floats reach;
	bvw_self_collide_result result;
} self_query;

static bool share_vertex( const uint32_t a[3], const uint32_t b[3] )
{
	bool shares = false;
	for ( int i = 0; i < 9; ++i )
	{
		shares |= a[i / 3] == b[i % 3];
	}
	return shares;
}

static void get_corners( const bvwtouch_side* s, const bvwtouch_triangle* t, bv_vec3 corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvwtouch_position( s, t->vertex[k], false );
	}
}

// By how much a distance errs at most.
static double error_of( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	double sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		sum += bvmath_norm1( bv_sub( a[k], a[0] ) ) + bvmath_norm1( bv_sub( b[k], a[0] ) );
	}
	return 0x1p-45 * sum;
}

// @return whether they intersect, or are no farther apart than the separation
static bool measure( const self_query* q, const bv_vec3 a[3], const bv_vec3 b[3], bvw_self_pair* pair )
{
	bvtri_gap gap;
	double separation = q->options.separation;
	pair->meets = bvtri_triangles_intersect( a, b );
	if ( separation == 0 )
	{
		return pair->meets;
	}
	double error = error_of( a, b );
	double limit = pair->meets ? INFINITY : separation * ( 1 + 0x1p-50 ) + 2 * error;
	if ( !bvtri_triangles_gap( a, b, limit, &gap ) )
	{
		return false;
	}
	double distance = sqrt( gap.square );
	pair->distance.lower = pair->meets ? 0 : bvmath_max( distance - error, 0 );
	pair->distance.upper = distance + error;
	for ( int k = 0; k < 2; ++k )
	{
		bv_surface_point point = bvtree_surface_point_of( &bvvol_similarity_identity, q->side.view.offset,
		                                                  pair->triangle[k], k == 0 ? a : b, gap.weight[k] );
		pair->point[k] = point.local;
		pair->feature[k] = point.feature;
	}
	return true;
}

// @return false to end the query
static bool test_pair( self_query* q, const bvwtouch_triangle* a, const bvwtouch_triangle* b )
{
	bv_vec3 corner[2][3];
	bool swaps = a->number > b->number;
	const bvwtouch_triangle* t[2] = { swaps ? b : a, swaps ? a : b };
	bvw_self_pair pair = { .triangle = { t[0]->number, t[1]->number } };
	get_corners( &q->side, t[0], corner[0] );
	get_corners( &q->side, t[1], corner[1] );
	q->result.exact_tests += 1;
	if ( !measure( q, corner[0], corner[1], &pair ) )
	{
		return true;
	}
	q->result.pairs += 1;
	return !q->options.callback || q->options.callback( q->options.context, &pair );
}

static bool test_leaves( void* data, const uint32_t first[2], const uint32_t count[2], bool is_one )
{
	self_query* q = data;
	for ( uint32_t i = 0; i < count[0]; ++i )
	{
		bvwtouch_triangle a;
		bvwtouch_load_triangle( &q->side, first[0] + i, &a );
		for ( uint32_t j = is_one ? i + 1 : 0; j < count[1]; ++j )
		{
			bvwtouch_triangle b;
			bvwtouch_load_triangle( &q->side, first[1] + j, &b );
			q->result.triangle_tests += 1;
			if ( bvwtouch_are_near( &a.box, &b.box, q->reach ) && !share_vertex( a.vertex, b.vertex ) &&
			     !test_pair( q, &a, &b ) )
			{
				return false;
			}
		}
	}
	return true;
}

bv_status bvw_deform_self_collide( const bvw_deform* deform, const bvw_self_collide_options* options,
                                   bvw_self_collide_result* result )
{
	self_query q = { .options = options ? *options : bvw_self_collide_options_default() };
	if ( !bvwdeform_is_valid( deform ) || deform->refit.by_boxes || !result ||
	     !bvmath_is_length( q.options.separation ) )
	{
		return bv_error_argument;
	}
	bvwtouch_side_of( deform, NULL, false, &q.side );
	float reach = bvwtouch_reach( q.options.separation );
	q.reach = bvsimd_floats_all( reach );
	q.result.complete = bvwtouch_descend( &q.side, NULL, reach, test_leaves, &q, &q.result.volume_tests );
	*result = q.result;
	return bv_ok;
}
