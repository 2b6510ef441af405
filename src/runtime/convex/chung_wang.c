// A separating vector of two convex shapes.
//
// Based on: K. Chung, W. Wang, "Quick collision detection of polytopes in virtual environments", 1996, as printed by Huotari
// 2011, section 2.6, with repairs: the hemisphere is found in any orthonormal basis of the plane, by wedges of directions
// that are compared with signs alone; directions next to the normal of the plane are dropped; a number of rounds ends
// the search, as the proof in print that it converges does not hold.
//
// A vector separates the shapes if its slab has a width. If not, it is reflected at the plane between the two support
// points. All directions between support points together have a hemisphere unless the shapes meet.

#include "runtime/convex/proof.h"

#include <math.h>

enum
{
	most_rounds = 32,     // then GJK takes over
	most_reflections = 20 // then a repeated pair of points takes the hemisphere's pole
};

typedef struct hemisphere
{
	bv_vec3 way[most_rounds]; // unit vectors
	int count;
	bv_vec3 pole; // no way is on the other side of it
} hemisphere;

typedef struct wedge
{
	double right[2]; // unit vectors
	double left[2];
	bool empty;
	bool opposite; // both on a line, with the others on a side that is not known yet
} wedge;

static double turn_of( const double a[2], const double b[2] )
{
	return a[0] * b[1] - a[1] * b[0];
}

static void set( double to[2], const double from[2] )
{
	to[0] = from[0];
	to[1] = from[1];
}

// @return false if no half-plane has them all
static bool widen( wedge* w, const double x[2] )
{
	const double doubt = 0x1p-48;
	if ( w->empty )
	{
		set( w->right, x );
		set( w->left, x );
		w->empty = false;
		return true;
	}
	double from_right = turn_of( w->right, x );
	double to_left = turn_of( x, w->left );
	if ( w->opposite )
	{
		if ( from_right < -doubt )
		{
			double kept[2] = { w->right[0], w->right[1] };
			set( w->right, w->left );
			set( w->left, kept );
		}
		w->opposite = fabs( from_right ) <= doubt;
		return true;
	}
	bool along = w->right[0] * x[0] + w->right[1] * x[1] > 0 || w->left[0] * x[0] + w->left[1] * x[1] > 0;
	bool right_of = from_right < -doubt;
	bool left_of = to_left < -doubt;
	if ( right_of && left_of )
	{
		return false;
	}
	if ( !right_of && !left_of )
	{
		bool single = turn_of( w->right, w->left ) <= doubt;
		if ( single && !along )
		{
			set( w->left, x );
			w->opposite = true;
		}
		return true;
	}
	set( right_of ? w->right : w->left, x );
	return true;
}

// Adds a way, and turns the pole if it is on the other side.
// @return false if no pole has all ways on its side
static bool add_way( hemisphere* h, bv_vec3 way )
{
	h->way[h->count++] = way;
	if ( bv_dot( h->pole, way ) >= 0 && !bvmath_is_zero( h->pole ) )
	{
		return true;
	}
	bv_vec3 axis = { fabs( way.x ) < 0.5, fabs( way.x ) >= 0.5, 0 };
	bv_vec3 one = bv_normalize( bv_cross( way, axis ) );
	bv_vec3 two = bv_cross( way, one );
	wedge w = { .empty = true };
	for ( int i = 0; i < h->count - 1; ++i )
	{
		double x[2] = { bv_dot( h->way[i], one ), bv_dot( h->way[i], two ) };
		double length = sqrt( x[0] * x[0] + x[1] * x[1] );
		if ( length > 0x1p-40 )
		{
			const double unit[2] = { x[0] / length, x[1] / length };
			if ( !widen( &w, unit ) )
			{
				return false;
			}
		}
	}
	double pole[2] = { w.empty ? 1 : w.right[0] + w.left[0], w.empty ? 0 : w.right[1] + w.left[1] };
	if ( fabs( pole[0] ) + fabs( pole[1] ) < 0x1p-40 )
	{
		pole[0] = -w.right[1];
		pole[1] = w.right[0];
	}
	h->pole = bv_normalize( bv_add( bv_scale( pole[0], one ), bv_scale( pole[1], two ) ) );
	return true;
}

// @return whether all is said: a slab is found, or no hemisphere
static bool search( const bvconvex_pair* pair, bv_vec3 s, bvconvex_gjk_vertex* vertices, uint32_t* count,
                    bvconvex_proof* proof )
{
	hemisphere h = { .count = 0 };
	*count = 0;
	for ( int round = 0; round < most_rounds; ++round )
	{
		bvconvex_gjk_vertex far =
			bvconvex_proof_slab( pair, s, round > 0 ? vertices[round - 1].name : NULL, proof );
		vertices[( *count )++] = far;
		double length = bv_length( far.at );
		if ( proof->lower > 0 || length <= pair->rounding )
		{
			return true;
		}
		bv_vec3 way = bv_scale( -1 / length, far.at );
		bool repeated = false;
		for ( int i = 0; i < round; ++i )
		{
			repeated =
				repeated || ( vertices[i].name[0] == far.name[0] && vertices[i].name[1] == far.name[1] );
		}
		if ( !repeated && !add_way( &h, way ) )
		{
			return true;
		}
		bv_vec3 reflected = bv_sub( s, bv_scale( 2 * bv_dot( way, s ), way ) );
		s = bv_normalize( repeated && round >= most_reflections ? h.pole : reflected );
		if ( bvmath_is_zero( s ) )
		{
			return false;
		}
	}
	return false;
}

// @return whether the search has ended by itself
static bool begin( const bvconvex_pair* pair, const bvconvex_asked* asked, bvconvex_gjk_simplex* nearest,
                   bvconvex_proof* proof )
{
	bvconvex_gjk_vertex vertices[most_rounds];
	uint32_t count;
	bv_vec3 s = bvconvex_proof_remembered( asked->cache );
	bvconvex_proof_begin( proof );
	bool ended = search( pair, bvmath_is_zero( s ) ? ( bv_vec3 ){ 1, 0, 0 } : bv_normalize( s ), vertices,
	                     &count, proof );
	if ( ended )
	{
		bvconvex_proof_points( pair, vertices, count, nearest, proof );
	}
	return ended;
}

// GJK takes over outside of these functions, whose memory is not needed any more.
BVSIMD_NOINLINE bool find_distance( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                    bv_convex_result* out )
{
	bvconvex_round_pair round;
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	bvconvex_round( pair, pair->one_radius, &round );
	bool ended = begin( &round.pair, asked, &nearest, &proof );
	if ( ended && !( proof.lower > 0 ) )
	{
		bvconvex_proof_decide( &round.pair, &nearest, &proof );
	}
	bvconvex_proof_distance( &round.pair, &proof, out );
	bvconvex_proof_remember( asked->cache, proof.normal );
	return ended;
}

BVSIMD_NOINLINE bool find_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                   bv_convex_overlap_result* out )
{
	bvconvex_round_pair round;
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	bvconvex_round( pair, pair->one_radius, &round );
	bool ended = begin( &round.pair, asked, &nearest, &proof );
	if ( !bvconvex_proof_overlap( &round.pair, &proof, out ) && ended )
	{
		bvconvex_proof_decide( &round.pair, &nearest, &proof );
		bvconvex_proof_overlap( &round.pair, &proof, out );
	}
	bvconvex_proof_remember( asked->cache, proof.normal );
	return ended;
}

void bvconvex_chung_wang_distance( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                   bv_convex_result* out )
{
	if ( !find_distance( pair, asked, out ) )
	{
		uint32_t supports = out->supports;
		bvconvex_gjk_epa_distance( pair, asked, out );
		out->supports += supports;
	}
}

void bvconvex_chung_wang_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                                  bv_convex_overlap_result* out )
{
	if ( !find_overlap( pair, asked, out ) )
	{
		uint32_t supports = out->supports;
		bvconvex_gjk_epa_overlap( pair, asked, out );
		out->supports += supports;
	}
}
