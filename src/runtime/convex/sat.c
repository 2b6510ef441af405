// The separating axis test of two polytopes. See sat.h.
//
// Based on: S. Gottschalk, "Separating axis theorem", 1996; D. Gregorius, "The separating axis test between convex
// polyhedra", 2013, for the test which pairs of edges form a face of the difference: those whose arcs between the normals
// of their faces cross on the sphere, one of them mirrored at its center. An arc whose side is in doubt is not skipped.
//
// What is found are directions, each of which is a lower bound of the signed distance by support points, whatever errors
// the faces have. That there is no better one is not proven by the search: the upper bound is from a polytope in the
// difference, and of shapes that are apart from the support points only.

#include "runtime/convex/sat.h"

#include "runtime/convex/topology.h"

#include <math.h>

enum
{
	block_arcs = 32,
};

// An edge, and the arc between the normals of its faces on the unit sphere.
typedef struct sat_arc
{
	bv_vec3 along; // of the edge, unit length
	bv_vec3 from;  // unit normals
	bv_vec3 to;
	bv_vec3 corner;
	bool open; // the normals are not known
} sat_arc;

typedef struct sat_search
{
	const bvconvex_pair* pair;
	double enough;
	bvconvex_proof* proof;
	bvconvex_gjk_vertex best;
} sat_search;

static void try_axis( sat_search* s, bv_vec3 axis )
{
	double before = s->proof->lower;
	bvconvex_gjk_vertex far = bvconvex_proof_slab( s->pair, axis, s->best.name, s->proof );
	s->best = s->proof->lower > before ? far : s->best;
}

static bool is_done( const sat_search* s )
{
	return s->proof->lower > s->enough;
}

static void try_faces( sat_search* s, const bvconvex_polyhedron* p )
{
	for ( uint32_t i = p->begin; i < p->count && !is_done( s ); ++i )
	{
		bvconvex_half_edge e = bvconvex_half_edge_at( p, i );
		if ( e.id != BVCONVEX_NO_EDGE && bvconvex_half_edge_leads( p, e ) )
		{
			bv_vec3 normal = bvconvex_face_normal( p, e );
			if ( !bvmath_is_zero( normal ) )
			{
				try_axis( s, p->which == 0 ? normal : bv_negate( normal ) );
			}
		}
	}
}

// The arcs of an edge: two if its faces are back to back, because then their normals do not determine one.
// @return how many
static int arcs_of( const bvconvex_polyhedron* p, uint32_t id, sat_arc out[2] )
{
	bvconvex_half_edge e = bvconvex_half_edge_at( p, id );
	bvconvex_half_edge back = e.id == BVCONVEX_NO_EDGE ? e : bvconvex_half_edge_twin( p, e );
	bv_vec3 along = { 0, 0, 0 };
	if ( e.id != BVCONVEX_NO_EDGE && back.id != BVCONVEX_NO_EDGE && e.id < back.id )
	{
		along = bv_normalize( bvconvex_half_edge_direction( p, e ) );
	}
	if ( bvmath_is_zero( along ) )
	{
		return 0;
	}
	double sign = p->which == 0 ? 1 : -1;
	sat_arc arc = {
		.along = along,
		.from = bv_scale( sign, bvconvex_face_normal( p, e ) ),
		.to = bv_scale( sign, bvconvex_face_normal( p, back ) ),
		.corner = bvconvex_polyhedron_corner( p, e.from ),
	};
	arc.open = bvmath_is_zero( arc.from ) || bvmath_is_zero( arc.to );
	out[0] = out[1] = arc;
	if ( arc.open || bv_dot( arc.from, arc.to ) > -0.999 )
	{
		return 1;
	}
	// To the right of an edge is what is outside of its left face.
	bv_vec3 middle = bv_normalize( bv_scale( p->turned, bv_cross( along, arc.from ) ) );
	out[0].to = middle;
	out[1].from = middle;
	return 2;
}

static int sign_beyond( double x, double doubt )
{
	return x > doubt ? 1 : x < -doubt ? -1 : 0;
}

// Whether two arcs cross, as far as is certain.
static bool may_cross( const sat_arc* a, const sat_arc* b )
{
	const double doubt = 0x1p-30;
	if ( a->open || b->open )
	{
		return true;
	}
	bv_vec3 across_a = bv_cross( a->from, a->to );
	int from = sign_beyond( bv_dot( across_a, b->from ), doubt );
	int to = sign_beyond( bv_dot( across_a, b->to ), doubt );
	if ( from * to > 0 )
	{
		return false;
	}
	bv_vec3 across_b = bv_cross( b->from, b->to );
	int other_from = sign_beyond( bv_dot( across_b, a->from ), doubt );
	int other_to = sign_beyond( bv_dot( across_b, a->to ), doubt );
	if ( other_from * other_to > 0 )
	{
		return false;
	}
	// Both great circles are crossed. On the same half of the sphere b passes a from right to left where a passes b from left
	// to right.
	int one = from != 0 ? from : -to;
	int other = other_from != 0 ? other_from : -other_to;
	return one * other <= 0;
}

static void try_arcs( sat_search* s, const sat_arc* a, const sat_arc* b )
{
	bv_vec3 axis = bv_cross( a->along, b->along );
	double length = bv_length( axis );
	// Arcs of parallel edges are on one circle, and where they have a point in common one of them has an end: a face.
	if ( length < 0x1p-40 || !may_cross( a, b ) )
	{
		return;
	}
	axis = bv_scale( 1 / length, axis );
	double side = bv_dot( axis, bv_add( bv_add( a->from, a->to ), bv_add( b->from, b->to ) ) );
	double width = bv_dot( axis, bv_sub( b->corner, a->corner ) );
	bool both = a->open || b->open || fabs( side ) < 0x1p-20;
	if ( ( both || side > 0 ) && width > s->proof->lower )
	{
		try_axis( s, axis );
	}
	if ( ( both || side < 0 ) && -width > s->proof->lower )
	{
		try_axis( s, bv_negate( axis ) );
	}
}

static void try_block( sat_search* s, const sat_arc* block, int count, const bvconvex_polyhedron* b )
{
	for ( uint32_t i = b->begin; i < b->count && !is_done( s ); ++i )
	{
		sat_arc arc[2];
		int arcs = arcs_of( b, i, arc );
		for ( int k = 0; k < arcs; ++k )
		{
			for ( int j = 0; j < count; ++j )
			{
				try_arcs( s, block + j, arc + k );
			}
		}
	}
}

static void try_edges( sat_search* s, const bvconvex_polyhedron* a, const bvconvex_polyhedron* b )
{
	sat_arc block[block_arcs];
	int count = 0;
	for ( uint32_t i = a->begin; i < a->count && !is_done( s ); ++i )
	{
		count += arcs_of( a, i, block + count );
		if ( count > block_arcs - 2 )
		{
			try_block( s, block, count, b );
			count = 0;
		}
	}
	try_block( s, block, count, b );
}

// Points, segments and triangles can be in one plane with the other shape. Then what separates them is in that plane, too:
// along the difference of two corners, at right angles to an edge or along it.
static void try_flat( sat_search* s, const bvconvex_polyhedron* p, bv_vec3 between )
{
	if ( p->pair->body[p->which].own.convex->kind != bv_convex_of_corners )
	{
		return;
	}
	bv_vec3 axis[3] = { between };
	for ( uint32_t i = p->begin; i <= p->count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			if ( bvmath_norm1( axis[k] ) > 0 )
			{
				try_axis( s, axis[k] );
				try_axis( s, bv_negate( axis[k] ) );
			}
		}
		if ( i < p->count )
		{
			bvconvex_half_edge e = bvconvex_half_edge_at( p, i );
			bv_vec3 along = bv_normalize( bvconvex_half_edge_direction( p, e ) );
			axis[0] = along;
			axis[1] = bv_cross( along, bvconvex_face_normal( p, e ) );
			axis[2] = bv_sub( between, bv_scale( bv_dot( between, along ), along ) );
		}
	}
}

bvconvex_gjk_vertex bvconvex_sat_search( const bvconvex_pair* pair, double enough, bvconvex_proof* proof )
{
	bvconvex_polyhedron a;
	bvconvex_polyhedron b;
	bvconvex_polyhedron_begin( pair, 0, &a );
	bvconvex_polyhedron_begin( pair, 1, &b );
	sat_search s = { .pair = pair, .enough = enough, .proof = proof };
	s.best.name[0] = s.best.name[1] = BVCONVEX_NO_POINT;
	// Of shapes without faces any direction is a beginning.
	try_axis( &s, ( bv_vec3 ){ 1, 0, 0 } );
	try_faces( &s, &a );
	try_faces( &s, &b );
	try_edges( &s, &a, &b );
	if ( !is_done( &s ) )
	{
		bv_vec3 between = bv_sub( bvconvex_polyhedron_corner( &b, 0 ), bvconvex_polyhedron_corner( &a, 0 ) );
		try_flat( &s, &a, between );
		try_flat( &s, &b, between );
	}
	if ( s.best.name[0] == BVCONVEX_NO_POINT )
	{
		// No axis was better than one that was known before.
		s.best = bvconvex_proof_slab( pair, proof->normal, NULL, proof );
	}
	return s.best;
}

// What to go on with when no slab is enough.
static void begin( const bvconvex_pair* pair, const bvconvex_gjk_vertex* best, bvconvex_gjk_simplex* start,
                   bvconvex_proof* proof )
{
	start->count = 1;
	start->vertex[0] = *best;
	bvconvex_gjk_solve( start );
	bvconvex_proof_simplex( pair, start, proof );
}

void bvconvex_sat_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex start;
	bvconvex_proof_begin( &proof );
	bvconvex_gjk_vertex best = bvconvex_sat_search( pair, INFINITY, &proof );
	begin( pair, &best, &start, &proof );
	if ( !( proof.lower > 0 ) )
	{
		bvconvex_proof_depth( pair, &start, asked->relative, false, &proof );
		bvconvex_proof_decide( pair, &start, &proof );
	}
	bvconvex_proof_distance( pair, &proof, out );
	bvconvex_proof_remember( asked->cache, proof.normal );
}

void bvconvex_sat_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                           bv_convex_overlap_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex start;
	bvconvex_proof_begin( &proof );
	bv_vec3 axis = bvconvex_proof_remembered( asked->cache );
	if ( !bvmath_is_zero( axis ) )
	{
		bvconvex_proof_slab( pair, axis, NULL, &proof );
	}
	double enough = pair->radius * ( 1 + 0x1p-51 );
	if ( !( proof.lower > enough ) )
	{
		bvconvex_gjk_vertex best = bvconvex_sat_search( pair, enough, &proof );
		begin( pair, &best, &start, &proof );
	}
	if ( !bvconvex_proof_overlap( pair, &proof, out ) )
	{
		bvconvex_proof_depth( pair, &start, 1, false, &proof );
		bvconvex_proof_decide( pair, &start, &proof );
		bvconvex_proof_overlap( pair, &proof, out );
	}
	bvconvex_proof_remember( asked->cache, proof.normal );
}
