// Are two meshes apart in a placement? Their triangles do not meet, and no point of one is inside of the other.
//
// Let no triangles of the two surfaces meet. A connected piece of one surface is then on one side of the other surface. If no piece
// is inside, the solids have no point in common: the set of common points is bounded, and a point of its border is on
// one of the surfaces and inside of the other. So one point of each piece is enough. Triangles that have a corner in common with the one
// before, or a corner in a ball that is known to be free, need no test.

#include "runtime/depth/query.h"

#include "runtime/math/vec.h"
#include "runtime/tree/walk.h"

// What is known of one mesh's points beside the other mesh.
typedef struct outside
{
	bv_vec3 center; // no point of the surface is within this ball, whose points are outside
	double radius;
	uint32_t before[3]; // the vertices of the last triangle
} outside;

static bool has_common( const uint32_t a[3], const uint32_t b[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( a[i] == b[0] || a[i] == b[1] || a[i] == b[2] )
		{
			return true;
		}
	}
	return false;
}

static bool is_off_box( const bvdepth_solid* s, bv_vec3 p, double error )
{
	return p.x < s->lower.x - error || p.y < s->lower.y - error || p.z < s->lower.z - error ||
	       p.x > s->upper.x + error || p.y > s->upper.y + error || p.z > s->upper.z + error;
}

// @param which  the mesh that the point is of
// @param p      in stored coordinates of it
static bv_side side_of( bvdepth_query* q, int which, bv_vec3 by, bv_vec3 p, outside* known )
{
	const bvdepth_solid* other = q->solid + ( 1 - which );
	bv_vec3 x = bvdepth_from_own( q, which, by, p );
	bv_vec3 at = bvdepth_to_own( q, 1 - which, by, x );
	double error = bvdepth_own_error( q, 1 - which );
	if ( bvmath_length_up( bv_sub( at, known->center ) ) < known->radius || is_off_box( other, at, error ) )
	{
		return bv_side_outside;
	}
	bvdepth_look look;
	bvdepth_measure( other, at, q->triangle[1 - which], error, &look, &q->tests );
	q->triangle[1 - which] = look.triangle;
	bvdepth_find_side( other, at, &look, &q->tests );
	if ( look.side == bv_side_outside )
	{
		known->center = at;
		known->radius = look.distance - 2 * look.error;
	}
	q->shared = look.side == bv_side_inside ? x : q->shared;
	return look.side;
}

static bvdepth_verdict judge_pieces( bvdepth_query* q, int which, bv_vec3 by )
{
	const bvfile_view* view = &q->solid[which].batch.view;
	outside known = { .radius = 0, .before = { UINT32_MAX, UINT32_MAX, UINT32_MAX } };
	uint32_t count = view->mesh->components == 1 ? 1 : view->mesh->triangles;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t vertex[3];
		bvfile_triangle( view, i, vertex );
		bool is_done = has_common( vertex, known.before );
		for ( int k = 0; k < 3 && !is_done; ++k )
		{
			bv_side side = side_of( q, which, by, bvfile_position( view, vertex[k] ), &known );
			if ( side == bv_side_inside || bvdepth_is_over( q ) )
			{
				return side == bv_side_inside ? bvdepth_inside : bvdepth_meet;
			}
			is_done = side == bv_side_outside;
		}
		if ( !is_done )
		{
			return bvdepth_meet;
		}
		memcpy( known.before, vertex, sizeof vertex );
	}
	return bvdepth_apart;
}

bvdepth_verdict bvdepth_judge( bvdepth_query* q, bv_vec3 by )
{
	const bv_transform at = bvdepth_moved( q, by );
	const bv_collide_options options = { .first = true,
		                                 .most_tests = bvdepth_tests_left( q ),
		                                 .last = &q->last };
	q->pair[0] = UINT32_MAX;
	if ( bv_mesh_collide( q->solid[0].file, q->solid[1].file, &at, &options, &q->last ) != bv_ok )
	{
		return bvdepth_meet;
	}
	q->tests.volumes += q->last.volume_tests;
	q->tests.triangles += q->last.triangle_tests;
	if ( q->last.pairs > 0 )
	{
		memcpy( q->pair, q->last.triangles, sizeof q->pair );
		return bvdepth_meet;
	}
	if ( options.most_tests > 0 && q->last.volume_tests + q->last.triangle_tests > options.most_tests )
	{
		return bvdepth_meet;
	}
	bvdepth_verdict verdict = q->solid[1].closed ? judge_pieces( q, 0, by ) : bvdepth_apart;
	return verdict == bvdepth_apart && q->solid[0].closed ? judge_pieces( q, 1, by ) : verdict;
}

// Those with the numbers 0, s, 2 s and so on, where s is the power of 2 for which there are places for all of them.
static void keep_pair( bvdepth_query* q, uint32_t a, uint32_t b )
{
	uint64_t step = 1;
	for ( ; q->pair_count / step >= bvdepth_pairs; step *= 2 )
	{
	}
	if ( q->pair_count % step == 0 )
	{
		uint64_t at = q->pair_count / step;
		for ( uint32_t i = 1; at == bvdepth_pairs / 2 && step > 1 && 2 * i < bvdepth_pairs; ++i )
		{
			memcpy( q->pairs[i], q->pairs[2 * i], sizeof q->pairs[i] );
		}
		q->pairs[at][0] = a;
		q->pairs[at][1] = b;
	}
	q->pair_count += 1;
}

// The front of a pushes b along its normal, and the front of b pushes b back along its own.
static bool add_push( void* context, uint32_t triangle_a, uint32_t triangle_b )
{
	bvdepth_query* q = context;
	bv_vec3 corner[3];
	bvtree_walk_corners( &q->solid[0].batch.view, triangle_a, corner );
	q->push = bv_add( q->push, bvtree_normal_of( corner ) );
	bvtree_walk_corners( &q->solid[1].batch.view, triangle_b, corner );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bvdepth_from_own( q, 1, ( bv_vec3 ){ 0, 0, 0 }, corner[k] );
	}
	bv_vec3 normal = bvtree_normal_of( corner );
	q->push = q->given.mirror ? bv_add( q->push, normal ) : bv_sub( q->push, normal );
	keep_pair( q, triangle_a, triangle_b );
	return true;
}

void bvdepth_sum_push( bvdepth_query* q )
{
	const bv_collide_options options = { .callback = add_push,
		                                 .context = q,
		                                 .most_tests = bvdepth_tests_left( q ) };
	bv_collide_result result;
	q->push = ( bv_vec3 ){ 0, 0, 0 };
	q->pair_count = 0;
	if ( bv_mesh_collide( q->solid[0].file, q->solid[1].file, &q->given, &options, &result ) == bv_ok )
	{
		q->tests.volumes += result.volume_tests;
		q->tests.triangles += result.triangle_tests;
	}
}
