// GJK in exact arithmetic. See exact.h.
//
// Based on: Gilbert, Johnson, Keerthi 1988. The nearest point of a simplex is in the interior of one of its faces,
// and that face is the one whose barycentric coordinates are positive and beyond whose supporting plane no other
// vertex lies (the conditions of Karush, Kuhn and Tucker, which are sufficient for a convex function). All of these
// are signs of polynomials of degree 4 at most in the vertices. Every step makes the distance smaller, and there are
// finitely many faces: the iteration ends.
//
// A support point is searched in binary64. Only points that could be the farthest one are compared exactly.

#include "runtime/convex/exact.h"

#include "runtime/simd/bits.h"

#include <math.h>

enum
{
	most_steps = 1024, // for simplices that are far from the nearest points; a few are usual
};

typedef struct exact_search
{
	const bvconvex_pair* pair;
	const bv_vec3* from; // null for the origin
	int count;
	uint32_t name[4][2];
	bvmath_exact3 at[4];
	bvmath_exact gram[10]; // products of vertices: see product_of
	bvmath_exact3 along;   // from the origin to the nearest point, of any length
	bool lost;
	bool meets;
	bvconvex_exact_gap* out;
} exact_search;

static int sign_of( exact_search* s, const bvmath_exact* x )
{
	s->lost = s->lost || x->lost;
	return x->lost ? 0 : x->sign;
}

static bvmath_exact* product_of( exact_search* s, int i, int j )
{
	int high = i > j ? i : j;
	int low = i > j ? j : i;
	return s->gram + high * ( high + 1 ) / 2 + low;
}

static void append( exact_search* s, const uint32_t name[2] )
{
	int added = s->count++;
	s->name[added][0] = name[0];
	s->name[added][1] = name[1];
	bvconvex_pair_exact_vertex( s->pair, name, s->at + added );
	if ( s->from )
	{
		bvmath_exact3 vertex = s->at[added];
		bvmath_exact3 from;
		bvmath_exact3_set( *s->from, &from );
		bvmath_exact3_subtract( &vertex, &from, s->at + added );
	}
	for ( int i = 0; i <= added; ++i )
	{
		bvmath_exact3_dot( s->at + i, s->at + added, product_of( s, i, added ) );
	}
}

// Weights are proportional to exact numbers above 0.
static void set_weights( exact_search* s, const bvmath_exact* const part[], int count )
{
	double fraction[3];
	int exponent[3];
	int most = 0;
	double sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		fraction[i] = bvmath_exact_split( part[i], exponent + i );
		most = i == 0 || exponent[i] > most ? exponent[i] : most;
	}
	for ( int i = 0; i < count; ++i )
	{
		fraction[i] = bvmath_scale_by( fraction[i], exponent[i] - most );
		sum += fraction[i];
	}
	for ( int i = 0; i < count; ++i )
	{
		s->out->weight[i] = fraction[i] / sum;
	}
}

static bool solve_vertex( exact_search* s, int i )
{
	bvmath_exact rise;
	for ( int k = 0; k < s->count; ++k )
	{
		bvmath_exact_subtract( product_of( s, i, k ), product_of( s, i, i ), &rise );
		if ( k != i && sign_of( s, &rise ) < 0 )
		{
			return false;
		}
	}
	s->along = s->at[i];
	s->meets = sign_of( s, product_of( s, i, i ) ) == 0;
	s->out->weight[0] = 1;
	s->out->upper =
		bvmath_exact_root_of_ratio( product_of( s, i, i ), &( bvmath_exact ){ 1, false, 1, 0, { 1 } } );
	return true;
}

// The nearest point of the line is ( u a + t b ) / ( t + u ), where t = a * ( a - b ) and u = b * ( b - a ).
static bool solve_edge( exact_search* s, int i, int j )
{
	bvmath_exact t;
	bvmath_exact u;
	bvmath_exact from;
	bvmath_exact to;
	bvmath_exact part;
	bvmath_exact_subtract( product_of( s, i, i ), product_of( s, i, j ), &t );
	bvmath_exact_subtract( product_of( s, j, j ), product_of( s, i, j ), &u );
	if ( sign_of( s, &t ) <= 0 || sign_of( s, &u ) <= 0 )
	{
		return false;
	}
	bvmath_exact_multiply( &u, product_of( s, i, i ), &from );
	bvmath_exact_multiply( &t, product_of( s, i, j ), &part );
	bvmath_exact_add( &from, &part, &from );
	for ( int k = 0; k < s->count; ++k )
	{
		bvmath_exact_multiply( &u, product_of( s, i, k ), &to );
		bvmath_exact_multiply( &t, product_of( s, j, k ), &part );
		bvmath_exact_add( &to, &part, &to );
		bvmath_exact_subtract( &to, &from, &to );
		if ( k != i && k != j && sign_of( s, &to ) < 0 )
		{
			return false;
		}
	}
	s->meets = sign_of( s, &from ) == 0;
	set_weights( s, ( const bvmath_exact* const[] ){ &u, &t }, 2 );
	for ( int k = 0; k < 3; ++k )
	{
		bvmath_exact_multiply( &u, s->at[i].x + k, s->along.x + k );
		bvmath_exact_multiply( &t, s->at[j].x + k, &part );
		bvmath_exact_add( s->along.x + k, &part, s->along.x + k );
	}
	bvmath_exact_add( &t, &u, &part );
	s->out->upper = bvmath_exact_root_of_ratio( &from, &part );
	return true;
}

// @param out  receives along * ( b x c )
static void triple( const bvmath_exact3* along, const bvmath_exact3* b, const bvmath_exact3* c,
                    bvmath_exact* out )
{
	bvmath_exact3 across;
	bvmath_exact3_cross( b, c, &across );
	bvmath_exact3_dot( along, &across, out );
}

static void normal_of( const bvmath_exact3* a, const bvmath_exact3* b, const bvmath_exact3* c,
                       bvmath_exact3* out )
{
	bvmath_exact3 ab;
	bvmath_exact3 ac;
	bvmath_exact3_subtract( b, a, &ab );
	bvmath_exact3_subtract( c, a, &ac );
	bvmath_exact3_cross( &ab, &ac, out );
}

static bool has_inside( exact_search* s, const int corner[3] )
{
	bvmath_exact weight[3];
	for ( int i = 0; i < 3; ++i )
	{
		triple( &s->along, s->at + corner[( i + 1 ) % 3], s->at + corner[( i + 2 ) % 3], weight + i );
		if ( sign_of( s, weight + i ) <= 0 )
		{
			return false;
		}
	}
	set_weights( s, ( const bvmath_exact* const[] ){ weight, weight + 1, weight + 2 }, 3 );
	return true;
}

// With the normal n of a, b and c, n * ( b x c ) and so on are proportional to the barycentric coordinates of the foot
// of the perpendicular.
static bool solve_face( exact_search* s, int i, int j, int k )
{
	bvmath_exact height;
	bvmath_exact other;
	normal_of( s->at + i, s->at + j, s->at + k, &s->along );
	if ( !has_inside( s, ( const int[] ){ i, j, k } ) )
	{
		return false;
	}
	bvmath_exact3_dot( &s->along, s->at + i, &height );
	int side = sign_of( s, &height );
	for ( int l = 0; l < s->count; ++l )
	{
		bvmath_exact3_dot( &s->along, s->at + l, &other );
		bvmath_exact_subtract( &other, &height, &other );
		if ( side != 0 && l != i && l != j && l != k && side * sign_of( s, &other ) < 0 )
		{
			return false;
		}
	}
	s->meets = side == 0;
	for ( int l = 0; l < 3; ++l )
	{
		s->along.x[l].sign = (int8_t)( side < 0 ? -s->along.x[l].sign : s->along.x[l].sign );
	}
	bvmath_exact3_dot( &s->along, &s->along, &other );
	s->out->upper = fabs( bvmath_exact_over_root( &height, &other ) );
	return true;
}

static void keep( exact_search* s, const int kept[], int count )
{
	for ( int i = 0; i < count; ++i )
	{
		s->name[i][0] = s->name[kept[i]][0];
		s->name[i][1] = s->name[kept[i]][1];
		s->at[i] = s->at[kept[i]];
		for ( int j = 0; j <= i; ++j )
		{
			*product_of( s, j, i ) = *product_of( s, kept[j], kept[i] );
		}
	}
	s->count = count;
}

// Finds the face with the nearest point, and drops the other vertices.
static void solve( exact_search* s )
{
	s->meets = false;
	for ( int i = 0; i < s->count; ++i )
	{
		if ( solve_vertex( s, i ) )
		{
			keep( s, ( const int[] ){ i }, 1 );
			return;
		}
	}
	for ( int i = 0; i < s->count; ++i )
	{
		for ( int j = i + 1; j < s->count; ++j )
		{
			if ( solve_edge( s, i, j ) )
			{
				keep( s, ( const int[] ){ i, j }, 2 );
				return;
			}
		}
	}
	for ( int i = 0; i < s->count; ++i )
	{
		for ( int j = i + 1; j < s->count; ++j )
		{
			for ( int k = j + 1; k < s->count; ++k )
			{
				if ( solve_face( s, i, j, k ) )
				{
					keep( s, ( const int[] ){ i, j, k }, 3 );
					return;
				}
			}
		}
	}
	// In none of the faces: in the interior.
	s->meets = true;
	s->count = 0;
}

BVSIMD_NOINLINE void find_height( const bvconvex_pair* pair, int which, uint32_t name,
                                  const bvmath_exact3* along, bvmath_exact* out )
{
	bvmath_exact3 corner;
	bvconvex_pair_exact_corner( pair, which, name, &corner );
	bvmath_exact3_dot( along, &corner, out );
}

BVSIMD_NOINLINE int compare_heights( const bvmath_exact* a, const bvmath_exact* b )
{
	bvmath_exact difference;
	bvmath_exact_subtract( a, b, &difference );
	return difference.lost ? 0 : difference.sign;
}

// @param sign    0 if any corner is farther
// @param height  that of the farthest corner so far; receives that of this one if it is farther
BVSIMD_NOINLINE bool is_farther( const bvconvex_pair* pair, int which, uint32_t name,
                                 const bvmath_exact3* along, int sign, bvmath_exact* height )
{
	bvmath_exact other;
	find_height( pair, which, name, along, &other );
	bool is = sign == 0 || other.lost || compare_heights( &other, height ) * sign > 0;
	if ( is )
	{
		*height = other;
	}
	return is;
}

// @return the corner of a body that is farthest along a direction, or against it
static uint32_t farthest( const bvconvex_pair* pair, int which, const bvmath_exact3* along, int sign )
{
	enum
	{
		most = 16,
	};
	const bvconvex_body* body = pair->body + which;
	uint32_t name[most];
	bv_vec3 direction = bv_scale( sign, bvmath_exact3_direction( along ) );
	double doubt = 2 * pair->rounding * bvmath_norm1( direction );
	uint32_t count = bvconvex_body_highest( body, direction, BVCONVEX_NO_POINT, doubt, name, most );
	if ( count == 1 )
	{
		return bvconvex_pair_exact_place( pair, which, name[0], along, sign );
	}
	bool all = count > most;
	uint32_t best = UINT32_MAX;
	bvmath_exact height;
	for ( uint32_t i = 0; i < ( all ? body->own.corners : count ); ++i )
	{
		uint32_t at = all ? i : name[i];
		if ( is_farther( pair, which, at, along, best == UINT32_MAX ? 0 : sign, &height ) )
		{
			best = at;
		}
	}
	return bvconvex_pair_exact_place( pair, which, best, along, sign );
}

// @return whether a vertex is nearer to the origin along the direction than the simplex: then it is in it
static bool advance( exact_search* s )
{
	const uint32_t name[2] = { farthest( s->pair, 0, &s->along, -1 ), farthest( s->pair, 1, &s->along, 1 ) };
	bvmath_exact3 down;
	bvmath_exact step;
	append( s, name );
	bvmath_exact3_subtract( s->at, s->at + s->count - 1, &down );
	bvmath_exact3_dot( &s->along, &down, &step );
	bool nearer = sign_of( s, &step ) > 0;
	s->count -= !nearer;
	return nearer;
}

// Compares the distance with the sum of the radii of both shapes. With the nearest point p, `along` is p of one vertex, and
// p * |a - b|^2 of two. Of three, it is normal to their plane.
static void compare_radius( exact_search* s )
{
	const bvconvex_body* body = s->pair->body;
	bvmath_exact top; // the square of the distance is top / bottom
	bvmath_exact bottom;
	bvmath_exact radius;
	bvmath_exact factor;
	bvmath_exact scaled;
	bvmath_exact3_dot( &s->along, s->at, &top );
	bvmath_exact_set( 1, &bottom );
	if ( s->count == 2 )
	{
		bvmath_exact_add( product_of( s, 0, 0 ), product_of( s, 1, 1 ), &bottom );
		bvmath_exact_subtract( &bottom, product_of( s, 0, 1 ), &bottom );
		bvmath_exact_subtract( &bottom, product_of( s, 0, 1 ), &bottom );
	}
	else if ( s->count == 3 )
	{
		factor = top;
		bvmath_exact_multiply( &factor, &factor, &top );
		bvmath_exact3_dot( &s->along, &s->along, &bottom );
	}
	bvmath_exact_set( body[1].own.radius, &radius );
	bvmath_exact_set( body[1].placed ? body[1].placed->scale : 1, &factor );
	bvmath_exact_multiply( &radius, &factor, &scaled );
	bvmath_exact_set( body[0].own.radius, &radius );
	bvmath_exact_add( &radius, &scaled, &radius );
	bvmath_exact_multiply( &radius, &radius, &factor );
	bvmath_exact_multiply( &factor, &bottom, &scaled );
	bvmath_exact_subtract( &top, &scaled, &top );
	s->out->radius_known = !top.lost;
	s->out->meets_round = top.sign <= 0;
}

void bvconvex_exact_distance( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start,
                              const bv_vec3* from, bvconvex_exact_gap* out )
{
	exact_search s = { .pair = pair, .from = from, .out = out };
	for ( int i = 0; i < start->count; ++i )
	{
		append( &s, start->vertex[i].name );
	}
	int steps = 0;
	do
	{
		solve( &s );
	} while ( !s.lost && !s.meets && ++steps < most_steps && advance( &s ) );
	out->known = !s.lost && steps < most_steps;
	out->meets = s.meets;
	out->radius_known = out->known;
	out->meets_round = out->meets;
	if ( pair->radius > 0 && out->known && !out->meets )
	{
		compare_radius( &s );
	}
	out->count = s.count;
	memcpy( out->name, s.name, sizeof out->name );
	out->lower = s.meets ? 0 : out->upper * ( 1 - 0x1p-50 );
	out->upper = s.meets ? 0 : out->upper * ( 1 + 0x1p-50 ) + 0x1p-1000;
	out->along =
		s.meets ? ( bv_vec3 ){ 0, 0, 0 } : bv_negate( bv_normalize( bvmath_exact3_direction( &s.along ) ) );
}

void bvconvex_exact_describe( const bvconvex_pair* pair, const bvconvex_exact_gap* gap, bv_vec3 point[2] )
{
	point[0] = point[1] = ( bv_vec3 ){ 0, 0, 0 };
	for ( int i = 0; i < gap->count; ++i )
	{
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 corner = bvconvex_pair_corner( pair, k, gap->name[i][k] );
			point[k] = bv_add( point[k], bv_scale( gap->weight[i], corner ) );
		}
	}
}

static double rounded( const bvmath_exact* x )
{
	int exponent;
	double fraction = bvmath_exact_split( x, &exponent );
	return bvmath_scale_by( fraction, exponent );
}

BVSIMD_NOINLINE bv_vec3 rounded_vertex( const bvconvex_pair* pair, const uint32_t name[2] )
{
	bvmath_exact3 at;
	bvconvex_pair_exact_vertex( pair, name, &at );
	return ( bv_vec3 ){ rounded( at.x ), rounded( at.x + 1 ), rounded( at.x + 2 ) };
}

bvconvex_gjk_vertex bvconvex_exact_support( const bvconvex_pair* pair, const bvmath_exact3* along )
{
	bvconvex_gjk_vertex out = { .name = { farthest( pair, 0, along, 1 ), farthest( pair, 1, along, -1 ) } };
	out.at = rounded_vertex( pair, out.name );
	out.first = bvconvex_pair_corner( pair, 0, out.name[0] );
	return out;
}
