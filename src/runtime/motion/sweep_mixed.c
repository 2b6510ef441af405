// When features that cross at the end of the range first touched (Eckstein 1998, figure 5.24). See sweep_mixed.h.
//
// For each pair of triangles that intersect at the end, and each edge of one that crosses the face of the other, both ends of the
// edge are followed against the face, and the edge against all three edges of the face. The first of these contacts counts.
// If the edge and the face were apart at the start, one of these pairs has touched, unless an object jumped. The first contact
// of the objects can be that of other features. Figure 5.24 does not exchange the objects in its second half, and has no
// contact if no features have one. Here, the contact of the end pose remains.
//
// Times come from certified advancement instead of a root finder. The triangles are followed first: their features do not touch
// earlier. Once a contact is known, triangles that touch later are skipped.

#include "runtime/motion/sweep_mixed.h"

#include "bv/mesh.h"

#include "runtime/math/vec.h"
#include "runtime/motion/motion.h"
#include "runtime/simd/bits.h"
#include "runtime/tree/levels.h"
#include "runtime/tree/walk.h"
#include "runtime/triangle/crossing.h"

#include <math.h>
#include <string.h>

enum
{
	most_known = 64,         // pairs of features that are remembered
	most_repeated = 1 << 25, // tests of further descents for pairs that had no room
};

// Triangles that intersect at the end: those that a descent found, from a number on.
typedef struct mixed_search
{
	bvmotion_mixed* m;
	double upper; // a contact at this time or before is proven
	double from;  // the triangles that are followed are apart before this time
	bool found;   // a contact of features
	uint32_t count;
	uint64_t seen;
	uint64_t skipped; // so many before the first one
	uint64_t repeated;
} mixed_search;

// A triangle of one of the meshes, in its coordinates.
typedef struct mixed_triangle
{
	uint32_t index;
	uint32_t vertex[3];
	bv_vec3 corner[3];
} mixed_triangle;

// So many of the corners of a triangle, from one on: a vertex, an edge or the face.
typedef struct mixed_feature
{
	uint32_t first;
	uint32_t count;
} mixed_feature;

static const mixed_feature whole_face = { 0, 3 };

// Pairs of features by their vertices; a face by its triangle. What is forgotten is followed again.
typedef struct known_features
{
	uint32_t vertex[most_known][2][2];
} known_features;

static bool add_crossing_pair( void* context, uint32_t a, uint32_t b )
{
	mixed_search* s = context;
	if ( s->seen++ < s->skipped )
	{
		return true;
	}
	if ( s->count == s->m->most_pairs )
	{
		return false;
	}
	s->m->room[s->count].triangle[0] = a;
	s->m->room[s->count].triangle[1] = b;
	++s->count;
	return true;
}

static bool is_over( const mixed_search* s )
{
	return s->repeated > most_repeated ||
	       ( s->m->most_tests > 0 &&
	         s->m->volume_tests + s->m->triangle_tests + s->m->steps > s->m->most_tests );
}

// @param all  receives whether there are no more pairs
static bv_status find_crossing_pairs( mixed_search* s, bool* all )
{
	bvmotion_mixed* m = s->m;
	uint64_t used = m->volume_tests + m->triangle_tests + m->steps;
	bv_collide_options options = { .callback = add_crossing_pair, .context = s };
	options.most_tests = bvmotion_tests_left( m->most_tests, used );
	bv_collide_result counts;
	s->seen = 0;
	s->count = 0;
	bv_status status =
		bvtree_collide_in( bvtree_lanes_best(), m->file[0], m->file[1], s->m->between, &options, &counts );
	uint64_t tests = counts.volume_tests + counts.triangle_tests;
	m->volume_tests += counts.volume_tests;
	m->triangle_tests += counts.triangle_tests;
	s->repeated += s->skipped > 0 ? tests : 0;
	bool ended = options.most_tests > 0 && tests > options.most_tests;
	*all = !ended && s->seen <= s->skipped + s->count;
	return status;
}

// @return whether the pair is known already
static bool is_known( known_features* known, const mixed_triangle triangle[2],
                      const mixed_feature feature[2] )
{
	uint32_t name[2][2];
	uint32_t hash = 0;
	for ( int i = 0; i < 2; ++i )
	{
		const mixed_triangle* t = triangle + i;
		uint32_t from = t->vertex[feature[i].first];
		uint32_t to = t->vertex[( feature[i].first + 1 ) % 3];
		bool is_edge = feature[i].count == 2;
		name[i][0] = feature[i].count == 3 ? UINT32_MAX : is_edge && to < from ? to : from;
		name[i][1] = feature[i].count == 3 ? t->index : !is_edge ? UINT32_MAX : to < from ? from : to;
		hash = ( hash ^ name[i][0] ) * 0x9e3779b1u;
		hash = ( ( hash ^ hash >> 15 ) ^ name[i][1] ) * 0x85ebca6bu;
	}
	uint32_t* place = known->vertex[( hash ^ hash >> 16 ) % most_known][0];
	bool is_same = memcmp( place, name, sizeof name ) == 0;
	memcpy( place, name, sizeof name );
	return is_same;
}

static void get_shape( const mixed_triangle* t, const mixed_feature* f, bv_convex* out )
{
	bv_vec3 from = t->corner[f->first];
	bv_vec3 to = t->corner[( f->first + 1 ) % 3];
	*out = f->count == 1   ? bv_convex_point( from )
	       : f->count == 2 ? bv_convex_segment( from, to )
	                       : bv_convex_triangle( from, to, t->corner[( f->first + 2 ) % 3] );
}

// Finds when two features first touch, if that is before the contact that is known.
BVSIMD_NOINLINE bv_status follow_features( mixed_search* s, const mixed_triangle triangle[2],
                                           const mixed_feature feature[2], bvmotion_contact* out )
{
	bv_convex shape[2];
	bvmotion_shapes pair = { .width = s->m->width, .from = s->from };
	pair.to = pair.proof = bvmath_min( s->m->limit, s->upper );
	for ( int i = 0; i < 2; ++i )
	{
		get_shape( triangle + i, feature + i, shape + i );
		bvmotion_ball_of( shape + i, pair.ball + i );
		pair.shape[i] = shape + i;
		pair.motion[i] = s->m->motion[i];
	}
	s->m->triangle_tests += 1;
	uint64_t used = s->m->volume_tests + s->m->triangle_tests + s->m->steps;
	pair.most_steps = bvmotion_steps_left( s->m->most_tests, used );
	bv_status status = bvmotion_advance( &pair, out );
	s->m->steps += out->steps;
	return status;
}

// @return the bits of a feature's corners as bits of the triangle's
static uint32_t corners_of( uint32_t bits, const mixed_feature* f )
{
	uint32_t out = 0;
	for ( uint32_t k = 0; k < f->count; ++k )
	{
		out |= ( bits >> k & 1 ) << ( f->first + k ) % 3;
	}
	return out;
}

static bv_status try_features( mixed_search* s, known_features* known, const mixed_triangle triangle[2],
                               const mixed_feature feature[2] )
{
	bvmotion_contact contact;
	if ( is_known( known, triangle, feature ) )
	{
		return bv_ok;
	}
	bv_status status = follow_features( s, triangle, feature, &contact );
	if ( status != bv_ok || !contact.found )
	{
		return status;
	}
	if ( !s->found || contact.lower < s->m->contact->lower )
	{
		s->found = true;
		for ( int i = 0; i < 2; ++i )
		{
			contact.corners[i] = corners_of( contact.corners[i], feature + i );
			s->m->triangle[i] = triangle[i].index;
		}
		*s->m->contact = contact;
	}
	s->upper = contact.certain ? bvmath_min( s->upper, contact.upper ) : s->upper;
	return bv_ok;
}

// The features of which one could have been the first contact of an edge and a face that cross.
// @param of  triangle that the edge is of
static bv_status try_edge( mixed_search* s, known_features* known, const mixed_triangle triangle[2], int of,
                           uint32_t edge )
{
	bv_status status = bv_ok;
	mixed_feature feature[2];
	feature[1 - of] = whole_face;
	for ( uint32_t k = 0; k < 2 && status == bv_ok; ++k )
	{
		feature[of] = ( mixed_feature ){ ( edge + k ) % 3, 1 };
		status = try_features( s, known, triangle, feature );
	}
	feature[of] = ( mixed_feature ){ edge, 2 };
	for ( uint32_t k = 0; k < 3 && status == bv_ok; ++k )
	{
		feature[1 - of] = ( mixed_feature ){ k, 2 };
		status = try_features( s, known, triangle, feature );
	}
	return status;
}

BVSIMD_NOINLINE void get_crossing( const mixed_search* s, const mixed_triangle triangle[2],
                                   bvtri_crossing* out )
{
	bv_vec3 corner[2][3];
	for ( int i = 0; i < 2; ++i )
	{
		bvfile_view view;
		bvtree_walk_begin( s->m->file[i], &view );
		bvtree_walk_corners( &view, triangle[i].index, corner[i] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		corner[1][k] = bv_transform_point( s->m->between, corner[1][k] );
	}
	bvtri_triangles_cross( corner[0], corner[1], out );
}

static bv_status try_triangles( mixed_search* s, known_features* known, const uint32_t index[2] )
{
	mixed_triangle triangle[2];
	for ( int i = 0; i < 2; ++i )
	{
		triangle[i].index = index[i];
		bv_file_get_triangle( s->m->file[i], index[i], triangle[i].vertex );
		for ( int k = 0; k < 3; ++k )
		{
			triangle[i].corner[k] = bv_file_get_vertex( s->m->file[i], triangle[i].vertex[k] );
		}
	}
	// None of their features touch earlier than the triangles do. Proofs of a contact begin a little earlier.
	const mixed_feature faces[2] = { whole_face, whole_face };
	bvmotion_contact contact;
	s->from = s->m->from;
	bv_status status = follow_features( s, triangle, faces, &contact );
	if ( status != bv_ok || !contact.found )
	{
		return status;
	}
	s->from = bvmath_max( contact.lower - s->m->width, s->m->from );
	bvtri_crossing crossing;
	get_crossing( s, triangle, &crossing );
	for ( uint32_t i = 0; i < 6 && status == bv_ok; ++i )
	{
		if ( crossing.edges[i / 3] >> i % 3 & 1 )
		{
			status = try_edge( s, known, triangle, (int)i / 3, i % 3 );
		}
	}
	return status;
}

// Not part of its caller, whose stack descents need.
// @param all  receives false if tests end before the last pair
BVSIMD_NOINLINE bv_status try_all( mixed_search* s, bool* all )
{
	known_features known;
	bv_status status = bv_ok;
	memset( &known, 0xff, sizeof known );
	for ( uint32_t i = 0; i < s->count && status == bv_ok && *all; ++i )
	{
		*all = !is_over( s );
		status = *all ? try_triangles( s, &known, s->m->room[i].triangle ) : bv_ok;
	}
	return status;
}

bv_status bvmotion_look_mixed( bvmotion_mixed* m )
{
	mixed_search s = { .m = m, .upper = m->contact->upper };
	bool all = false;
	bv_status status = bv_ok;
	while ( status == bv_ok && !all && !is_over( &s ) )
	{
		bool tried = true;
		status = find_crossing_pairs( &s, &all );
		status = status == bv_ok ? try_all( &s, &tried ) : status;
		all = all && tried;
		s.skipped += s.count;
	}
	m->complete = m->complete && all;
	m->contact->upper = s.upper;
	m->contact->certain = false;
	return status;
}
