// k-DOPs as meshes. See tessellate.h.
//
// The planes that meet in each corner are determined exactly, so the mesh is closed and convex even if planes
// coincide or more than three meet in a point. Normals have integer components, so the side of a plane on
// which three others meet is the sign of a sum of the four offsets times integers up to 4. For each pair of
// planes, their line is clipped by all others (Cyrus, Beck 1978); the rest is an edge. A corner is identified
// by the set of all planes through it.

#include "offline/fit/tessellate.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_planes = 2 * BV_KDOP_DIRECTIONS,
	most_corners = 2 * most_planes - 4,
	most_terms = 8,
};

// A vector of whole numbers.
typedef struct whole
{
	int x;
	int y;
	int z;
} whole;

static int dot( whole a, whole b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static whole cross( whole a, whole b )
{
	return ( whole ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static bool is_null( whole a )
{
	return a.x == 0 && a.y == 0 && a.z == 0;
}

// The half-spaces dot( normal, x ) <= offset, and the corners found so far.
typedef struct tessellate_kdop_body
{
	int planes;
	whole normal[most_planes];
	double offset[most_planes];
	uint32_t name[most_corners]; // of each corner the set of its planes, bit by bit
	uint32_t corners;
} tessellate_kdop_body;

// A sum of offsets times small whole numbers.
typedef struct tessellate_kdop_sum
{
	double term[most_terms];
	int count;
} tessellate_kdop_sum;

// Three times a number is not always one; twice and once are.
static void add_term( tessellate_kdop_sum* s, int factor, double value )
{
	int size = factor < 0 ? -factor : factor;
	for ( int bit = 1; bit <= size; bit *= 2 )
	{
		if ( size & bit )
		{
			s->term[s->count++] = factor < 0 ? -bit * value : bit * value;
		}
	}
}

// Exactly: the terms are added one by one to numbers that do not overlap and ascend (Shewchuk 1997, figure
// 6), so that the last of these that is not 0 decides.
static int sign_exactly( const tessellate_kdop_sum* s )
{
	double part[most_terms] = { 0 };
	for ( int i = 0; i < s->count; ++i )
	{
		double rest = s->term[i];
		for ( int k = 0; k < i; ++k )
		{
			double total = rest + part[k];
			double virtual = total - rest;
			part[k] = ( rest - ( total - virtual ) ) + ( part[k] - virtual );
			rest = total;
		}
		part[i] = rest;
	}
	int sign = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		sign = part[i] > 0 ? 1 : part[i] < 0 ? -1 : sign;
	}
	return sign;
}

static int sign_of( const tessellate_kdop_sum* s )
{
	double total = 0;
	double size = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		total += s->term[i];
		size += fabs( s->term[i] );
	}
	return total > 0x1p-48 * size ? 1 : total < -0x1p-48 * size ? -1 : sign_exactly( s );
}

// Where three planes meet, which must be a point. @return on which side of a fourth: 1 outside, 0 on it, -1
// inside
static int side_of_point( const tessellate_kdop_body* b, int p, int q, int r, int of )
{
	whole n = b->normal[of];
	whole pq = cross( b->normal[p], b->normal[q] );
	int determinant = dot( pq, b->normal[r] );
	tessellate_kdop_sum s = { .count = 0 };
	add_term( &s, dot( n, cross( b->normal[q], b->normal[r] ) ), b->offset[p] );
	add_term( &s, dot( n, cross( b->normal[r], b->normal[p] ) ), b->offset[q] );
	add_term( &s, dot( n, pq ), b->offset[r] );
	add_term( &s, -determinant, b->offset[of] );
	return determinant > 0 ? sign_of( &s ) : -sign_of( &s );
}

// The same of a line in which two planes meet, for a third that is parallel to it: its normal is made of
// theirs.
static int side_of_line( const tessellate_kdop_body* b, int p, int q, int of )
{
	whole pq = cross( b->normal[p], b->normal[q] );
	whole oq = cross( b->normal[of], b->normal[q] );
	whole po = cross( b->normal[p], b->normal[of] );
	int k = pq.x != 0 ? 0 : pq.y != 0 ? 1 : 2;
	int determinant = k == 0 ? pq.x : k == 1 ? pq.y : pq.z;
	tessellate_kdop_sum s = { .count = 0 };
	add_term( &s, k == 0 ? oq.x : k == 1 ? oq.y : oq.z, b->offset[p] );
	add_term( &s, k == 0 ? po.x : k == 1 ? po.y : po.z, b->offset[q] );
	add_term( &s, -determinant, b->offset[of] );
	return determinant > 0 ? sign_of( &s ) : -sign_of( &s );
}

// What is left of the line of two planes, from where it meets plane `*from` to where it meets `*to`. The line
// runs so that the first plane's face is on its left, seen from outside.
// @return whether it has a length
static bool cut_line( const tessellate_kdop_body* b, int p, int q, int* from, int* to )
{
	whole along = cross( b->normal[p], b->normal[q] );
	*from = -1;
	*to = -1;
	if ( is_null( along ) )
	{
		return false;
	}
	for ( int r = 0; r < b->planes; ++r )
	{
		int slope = dot( along, b->normal[r] );
		if ( slope == 0 )
		{
			if ( r != p && r != q && side_of_line( b, p, q, r ) > 0 )
			{
				return false;
			}
			continue;
		}
		int* end = slope > 0 ? to : from;
		if ( *end < 0 || side_of_point( b, p, q, *end, r ) > 0 )
		{
			*end = r;
		}
	}
	return side_of_point( b, p, q, *from, *to ) < 0;
}

// @return its number among the corners
static uint32_t find_corner( tessellate_kdop_body* b, int p, int q, int r )
{
	uint32_t name = 0;
	for ( int i = 0; i < b->planes; ++i )
	{
		bool on = i == p || i == q || i == r || side_of_point( b, p, q, r, i ) == 0;
		name |= on ? 1u << i : 0;
	}
	uint32_t found = 0;
	while ( found < b->corners && b->name[found] != name )
	{
		++found;
	}
	if ( found == b->corners && b->corners < most_corners )
	{
		b->name[b->corners++] = name;
	}
	return found;
}

// Where the first three of a corner's planes meet that meet in a point, by Cramer's rule.
static bv_vec3 locate( const tessellate_kdop_body* b, uint32_t name )
{
	for ( int p = 0; p < b->planes; ++p )
	{
		for ( int q = p + 1; q < b->planes; ++q )
		{
			for ( int r = q + 1; r < b->planes; ++r )
			{
				uint32_t three = 1u << p | 1u << q | 1u << r;
				whole pq = cross( b->normal[p], b->normal[q] );
				int determinant = dot( pq, b->normal[r] );
				if ( ( name & three ) == three && determinant != 0 )
				{
					whole qr = cross( b->normal[q], b->normal[r] );
					whole rp = cross( b->normal[r], b->normal[p] );
					double u = b->offset[p];
					double v = b->offset[q];
					double w = b->offset[r];
					return ( bv_vec3 ){ ( ( u * qr.x + v * rp.x ) + w * pq.x ) / determinant + 0.0,
						                ( ( u * qr.y + v * rp.y ) + w * pq.y ) / determinant + 0.0,
						                ( ( u * qr.z + v * rp.z ) + w * pq.z ) / determinant + 0.0 };
				}
			}
		}
	}
	return ( bv_vec3 ){ 0, 0, 0 };
}

static tessellate_kdop_body read_planes( const bv_kdop* kdop )
{
	tessellate_kdop_body b = { .planes = 0 };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kdop->k, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			whole n = { (int)d.x, (int)d.y, (int)d.z };
			b.normal[b.planes] = n;
			b.offset[b.planes++] = kdop->upper[i];
			b.normal[b.planes] = ( whole ){ -n.x, -n.y, -n.z };
			b.offset[b.planes++] = -kdop->lower[i];
		}
	}
	return b;
}

enum
{
	nowhere = most_corners, // in place of a corner
};

// The corner that follows each on each plane's face, counter-clockwise seen from outside. Nowhere is followed
// by nowhere.
typedef struct faces
{
	uint8_t next[most_planes][most_corners + 1];
} faces;

static void find_edges( tessellate_kdop_body* b, faces* f )
{
	for ( int p = 0; p < most_planes; ++p )
	{
		for ( int i = 0; i <= most_corners; ++i )
		{
			f->next[p][i] = nowhere;
		}
	}
	for ( int p = 0; p < b->planes; ++p )
	{
		for ( int q = p + 1; q < b->planes; ++q )
		{
			int from;
			int to;
			if ( cut_line( b, p, q, &from, &to ) )
			{
				uint32_t first = find_corner( b, p, q, from );
				uint32_t last = find_corner( b, p, q, to );
				if ( first < most_corners && last < most_corners )
				{
					f->next[p][first] = (uint8_t)last;
					f->next[q][last] = (uint8_t)first;
				}
			}
		}
	}
}

// The face of a plane that touches an edge only leads to and fro. The two sides of a flat volume are cut into
// triangles from two different corners, so that no edge belongs to both.
// @return how many triangles there are
static uint32_t fill_face( const uint8_t next[most_corners + 1], bool shifted, bvb_triangle* out )
{
	uint32_t count = 0;
	uint32_t first = 0;
	while ( first < most_corners && next[first] == nowhere )
	{
		++first;
	}
	if ( first == most_corners || next[first] == nowhere )
	{
		return 0;
	}
	first = shifted ? next[first] : first;
	uint32_t corner = next[first];
	for ( int i = 0; i < most_corners && next[corner] != nowhere && next[corner] != first; ++i )
	{
		out[count++] = ( bvb_triangle ){ { first, corner, next[corner] } };
		corner = next[corner];
	}
	return count;
}

bool bvfit_tessellate_kdop( const bv_kdop* kdop, bvb_arena* arena, bvb_tessellation* out )
{
	bvb_triangle triangles[2 * most_corners];
	uint32_t count = 0;
	tessellate_kdop_body b = read_planes( kdop );
	faces f;
	find_edges( &b, &f );
	for ( int p = 0; p < b.planes; ++p )
	{
		bvb_triangle face[most_corners];
		uint32_t added = fill_face( f.next[p], p % 2 == 1, face );
		for ( uint32_t i = 0; i < added && count < 2 * most_corners; ++i )
		{
			triangles[count++] = face[i];
		}
	}
	if ( !bvfit_tessellation_begin( out, b.corners, count, arena ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b.corners; ++i )
	{
		out->mesh.positions[i] = locate( &b, b.name[i] );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->mesh.triangles[i] = triangles[i];
	}
	return true;
}
