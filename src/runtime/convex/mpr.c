// Minkowski portal refinement.
//
// Based on: G. Snethen, "XenoCollide: complex collision made simple", 2008; Leemann 2017, chapter 10, with the end of
// refinement that its print lacks: a portal that a support point is not in front of does not move any more.
//
// A portal is a triangle of the difference that the ray from an interior point through the origin passes. It is moved
// outwards until the origin is behind it or a plane separates it from the difference. How deep shapes overlap is found
// along that ray only: for flat shapes that is far from the shortest way. Every portal's plane is a lower bound of the
// signed distance. Upper bounds are what the vertices that were found contain, and, between polytopes, exact arithmetic
// where only that can decide.

#include "runtime/convex/proof.h"

#include <math.h>

enum
{
	most_rounds = 100,
	axes = 6, // supports along the axes, whose mean is the interior point
};

typedef struct mpr_search
{
	const bvconvex_pair* pair;
	bvconvex_proof* proof;
	double decided;           // a slab wider than that ends the search
	bv_vec3 center;           // of the difference
	bvconvex_gjk_vertex v[4]; // the portal, 1 to 3
	bvconvex_gjk_vertex around[axes + 3];
	uint32_t count; // of these: all vertices that bounds are from
} mpr_search;

static bvconvex_gjk_vertex support( mpr_search* m, bv_vec3 along )
{
	return bvconvex_proof_slab( m->pair, along, m->v[1].name, m->proof );
}

static bool is_apart( const mpr_search* m )
{
	return m->proof->lower > m->decided;
}

// A point in the interior; where it is the origin, one next to it.
static void find_center( mpr_search* m )
{
	m->v[1].name[0] = m->v[1].name[1] = BVCONVEX_NO_POINT;
	bv_vec3 sum = { 0, 0, 0 };
	double size = 0;
	for ( int i = 0; i < axes; ++i )
	{
		double sign = i % 2 ? -1 : 1;
		bv_vec3 axis = { i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0 };
		m->around[m->count] = support( m, axis );
		sum = bv_add( sum, m->around[m->count].at );
		size += bv_dot( axis, m->around[m->count++].at );
	}
	m->center = bv_scale( 1.0 / axes, sum );
	if ( bvmath_norm1( m->center ) <= 8 * m->pair->rounding )
	{
		m->center = ( bv_vec3 ){ 1e-5 * size + 8 * m->pair->rounding, 0, 0 };
	}
}

static bv_vec3 across( bv_vec3 from, bv_vec3 a, bv_vec3 b )
{
	return bv_cross( bv_sub( a, from ), bv_sub( b, from ) );
}

// @return whether the ray passes the portal
static bool find_portal( mpr_search* m )
{
	bvconvex_gjk_vertex* v = m->v;
	bv_vec3 n = bv_negate( m->center );
	v[1] = support( m, n );
	if ( is_apart( m ) || bv_dot( v[1].at, n ) <= 0 )
	{
		return false;
	}
	n = bv_cross( m->center, v[1].at );
	if ( bv_length( n ) <= 0x1p-40 * bv_length( m->center ) * bv_length( v[1].at ) )
	{
		return false; // the ray meets a vertex
	}
	v[2] = support( m, n );
	if ( is_apart( m ) || bv_dot( v[2].at, n ) <= 0 )
	{
		return false;
	}
	n = across( m->center, v[1].at, v[2].at );
	if ( bv_dot( n, m->center ) > 0 )
	{
		bvconvex_gjk_vertex kept = v[1];
		v[1] = v[2];
		v[2] = kept;
		n = bv_negate( n );
	}
	for ( int round = 0; round < most_rounds && bvmath_norm1( n ) > 0; ++round )
	{
		v[3] = support( m, n );
		if ( is_apart( m ) || bv_dot( v[3].at, n ) <= 0 )
		{
			return false;
		}
		bool right = bv_dot( bv_cross( v[1].at, v[3].at ), m->center ) < 0;
		bool left = bv_dot( bv_cross( v[3].at, v[2].at ), m->center ) < 0;
		if ( !right && !left )
		{
			return true;
		}
		v[right ? 2 : 1] = v[3];
		n = across( m->center, v[1].at, v[2].at );
	}
	return false;
}

// Moves the portal outwards until nothing is in front of it.
// @param enough  stop as soon as the origin is behind it
static void refine( mpr_search* m, bool enough, double relative )
{
	bvconvex_gjk_vertex* v = m->v;
	for ( int round = 0; round < most_rounds; ++round )
	{
		bv_vec3 n = across( v[1].at, v[2].at, v[3].at );
		double length = bv_length( n );
		if ( !( length > 0 ) )
		{
			return;
		}
		n = bv_scale( 1 / length, n );
		double height = bv_dot( n, v[1].at );
		if ( enough && height > m->pair->rounding )
		{
			return;
		}
		bvconvex_gjk_vertex next = support( m, n );
		double rise = bv_dot( n, bv_sub( next.at, v[3].at ) );
		if ( is_apart( m ) || rise <= relative * fabs( height ) + 2 * m->pair->rounding )
		{
			return;
		}
		bv_vec3 turn = bv_cross( next.at, m->center );
		int replaced = bv_dot( v[1].at, turn ) > 0 ? ( bv_dot( v[2].at, turn ) > 0 ? 1 : 3 )
		                                           : ( bv_dot( v[3].at, turn ) > 0 ? 2 : 1 );
		v[replaced] = next;
	}
}

// @param start  receives the simplex of the vertices found that is nearest to the origin
static void search( const bvconvex_pair* pair, double decided, bool enough, double relative,
                    bvconvex_gjk_simplex* start, bvconvex_proof* proof )
{
	mpr_search m = { .pair = pair, .proof = proof, .decided = decided };
	bvconvex_proof_begin( proof );
	find_center( &m );
	if ( !is_apart( &m ) )
	{
		bool portal = find_portal( &m );
		if ( portal )
		{
			refine( &m, enough, relative );
		}
		m.around[m.count++] = m.v[1].name[0] != BVCONVEX_NO_POINT ? m.v[1] : m.around[0];
		for ( int i = 2; i <= 3 && portal; ++i )
		{
			m.around[m.count++] = m.v[i];
		}
	}
	bvconvex_proof_points( pair, m.around, m.count, start, proof );
	// The nearest point of the portal is one way more to look along.
	bv_vec3 along = bvconvex_gjk_direction( pair->rounding, start );
	if ( !proof->meets && start->square > pair->rounding * pair->rounding )
	{
		bvconvex_proof_slab( pair, bv_negate( along ), start->vertex[0].name, proof );
	}
}

void bvconvex_mpr_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_round_pair round;
	bvconvex_proof proof;
	bvconvex_gjk_simplex start;
	bvconvex_round( pair, pair->one_radius, &round );
	search( &round.pair, INFINITY, false, asked->relative, &start, &proof );
	if ( !( proof.lower > 0 ) )
	{
		bvconvex_proof_decide( &round.pair, &start, &proof );
	}
	bvconvex_proof_distance( &round.pair, &proof, out );
}

void bvconvex_mpr_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                           bv_convex_overlap_result* out )
{
	bvconvex_round_pair round;
	bvconvex_proof proof;
	bvconvex_gjk_simplex start;
	bvconvex_round( pair, pair->one_radius, &round );
	search( &round.pair, 0, true, asked->relative, &start, &proof );
	if ( !bvconvex_proof_overlap( &round.pair, &proof, out ) )
	{
		bvconvex_proof_decide( &round.pair, &start, &proof );
		bvconvex_proof_overlap( &round.pair, &proof, out );
	}
}
