// Which normals a surface has at a point of it. See contacts.h.
//
// A point of a surface is a local minimum of the distance from a convex shape if no way from it within the surface leads nearer to
// the shape: if all triangles at the point are behind the plane through it that is normal to the direction to the shape. On an
// edge of two triangles these directions are the fan between both normals if the edge is convex, the normal if it is flat, and none if
// it is concave. This is the Voronoi region of the feature (Ericson 2005, section 9.5.2), found without any adjacency: triangles are at
// a point if they are no farther from it than a tolerance.
//
// A direction can also lead out of the back of the surface. Which side it is on is decided by the sum of all normals at the point,
// weighted by angles: J. A. Baerentzen, H. Aanaes, "Signed distance computation using the angle weighted pseudonormal", 2005.

#include "runtime/tree/contacts.h"

#include "runtime/math/angle.h"
#include "runtime/triangle/nearest.h"

// Sines: of what counts as flat, as bv_edge_flat; and of normals that are opposite to each other.
static const double flat = 0x1p-12;
static const double opposite = -0.9998;

static const double turn = 6.283185307179586;

static double reach_of( const bvtree_contacts* q, const bvtree_near* owner )
{
	return bvmath_max( bvmath_min( q->tolerance, owner->size / 128 ), q->slack );
}

// @return whether a triangle is at a point
static bool meets( const bvtree_near* t, bv_vec3 point, double reach, bvtri_nearest* out )
{
	const bv_aabb* box = &t->box;
	bool is_far = point.x < box->lower.x - reach || point.x > box->upper.x + reach ||
	              point.y < box->lower.y - reach || point.y > box->upper.y + reach ||
	              point.z < box->lower.z - reach || point.z > box->upper.z + reach;
	if ( is_far )
	{
		return false;
	}
	// Beside the plane, or beside a side of it. A triangle without a normal has no sides.
	bool is_beside = fabs( bv_dot( t->normal, bv_sub( point, t->corner[0] ) ) ) > reach;
	for ( int k = 0; k < 3 && !is_beside; ++k )
	{
		bv_vec3 side = bv_sub( t->corner[( k + 1 ) % 3], t->corner[k] );
		bv_vec3 inwards = bv_cross( t->normal, side );
		is_beside = t->winding * bv_dot( inwards, bv_sub( point, t->corner[k] ) ) < -reach * t->size;
	}
	if ( is_beside )
	{
		return false;
	}
	bvtri_nearest_on_triangle( point, t->corner, out );
	return out->square <= reach * reach;
}

// What the owner of the contact and others count as on the border: other triangles may overlap by less than that. It is far below
// the tolerance, so that needles which are not as wide do not hide the triangles behind them.
static double border_of( const bvtree_contacts* q, bool is_owner, double reach )
{
	return is_owner ? bvmath_max( reach, 0x1p-20 * q->shape_size ) : 0x1p-20 * q->shape_size + q->slack;
}

// Where a point of a triangle is, and whether the triangle is behind a plane through it.
typedef struct border_place
{
	uint32_t corner; // 3 for none
	uint32_t sides;  // that it is on, where it is at no corner
	bool is_behind;
} border_place;

static bool is_inside( const bvtree_near* t, bv_vec3 a, bv_vec3 b, bv_vec3 way )
{
	bv_vec3 up = bv_cross( a, b );
	bv_vec3 flat_way = bv_sub( way, bv_scale( bv_dot( way, t->normal ), t->normal ) );
	return bv_length( flat_way ) > flat && bv_dot( bv_cross( a, way ), up ) >= 0 &&
	       bv_dot( bv_cross( way, b ), up ) >= 0;
}

// The steepest way up is inside of the corner's angle, or it is one of both sides. Sides that end near the point lead nowhere.
static border_place place_at_corner( const bvtree_near* t, uint32_t corner, bv_vec3 normal, double border )
{
	bv_vec3 side[2] = { bv_sub( t->corner[( corner + 1 ) % 3], t->corner[corner] ),
		                bv_sub( t->corner[( corner + 2 ) % 3], t->corner[corner] ) };
	border_place out = { .corner = corner, .is_behind = true };
	bool is_short = false;
	for ( int i = 0; i < 2; ++i )
	{
		double length = bv_length( side[i] );
		is_short |= length <= border;
		out.is_behind &= length <= border || bv_dot( normal, side[i] ) <= flat * length;
	}
	out.is_behind &= is_short || !is_inside( t, side[0], side[1], normal );
	return out;
}

// A point on two sides and on no corner is in a needle, where no way across leads anywhere.
static border_place place_on_sides( const bvtree_near* t, bv_vec3 point, bv_vec3 normal, double border )
{
	border_place out = { .corner = 3, .is_behind = true };
	bv_vec3 inwards = { 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 along = bv_normalize( bv_sub( t->corner[( k + 1 ) % 3], t->corner[k] ) );
		bv_vec3 across = bv_sub( t->corner[( k + 2 ) % 3], t->corner[k] );
		bv_vec3 from = bv_sub( point, t->corner[k] );
		across = bv_normalize( bv_sub( across, bv_scale( bv_dot( across, along ), along ) ) );
		if ( bv_dot( from, across ) <= border )
		{
			out.is_behind &= fabs( bv_dot( normal, along ) ) <= flat;
			inwards = across;
			++out.sides;
		}
	}
	if ( out.sides == 0 )
	{
		bv_vec3 aside = bv_sub( normal, bv_scale( bv_dot( normal, t->normal ), t->normal ) );
		out.is_behind = bv_length( aside ) <= flat;
	}
	out.is_behind &= out.sides != 1 || bv_dot( normal, inwards ) <= flat;
	return out;
}

static border_place place_of( const bvtree_near* t, bv_vec3 point, bv_vec3 normal, double border )
{
	uint32_t corner = 0;
	double square[3];
	for ( uint32_t k = 0; k < 3; ++k )
	{
		bv_vec3 way = bv_sub( t->corner[k], point );
		square[k] = bv_dot( way, way );
		corner = square[k] < square[corner] ? k : corner;
	}
	return square[corner] <= border * border ? place_at_corner( t, corner, normal, border )
	                                         : place_on_sides( t, point, normal, border );
}

// The angle that a triangle has at a point, as a part of a turn.
static double angle_at( const bvtree_near* t, border_place at )
{
	if ( at.corner == 3 )
	{
		return at.sides == 0 ? 1 : 0.5;
	}
	bv_vec3 u = bv_sub( t->corner[( at.corner + 1 ) % 3], t->corner[at.corner] );
	bv_vec3 v = bv_sub( t->corner[( at.corner + 2 ) % 3], t->corner[at.corner] );
	return bvmath_atan2( bv_length( bv_cross( u, v ) ), bv_dot( u, v ) ) / turn;
}

// Whether a normal leads out of the front of the surface at a point that all triangles there are behind.
BVSIMD_NOINLINE bool leads_to_front( const bvtree_contacts* q, double reach, bv_vec3 point, bv_vec3 normal )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < q->near_count; ++i )
	{
		const bvtree_near* t = q->near + i;
		bvtri_nearest nearest;
		if ( meets( t, point, reach, &nearest ) )
		{
			border_place at = place_of( t, nearest.point, normal, border_of( q, false, reach ) );
			sum = bv_add( sum, bv_scale( angle_at( t, at ), t->normal ) );
		}
	}
	return bv_dot( sum, normal ) >= -flat * bv_length( sum );
}

bool bvtree_contacts_allow( const bvtree_contacts* q, const bvtree_near* owner, bv_vec3 point, bv_vec3 normal,
                            bool* faces )
{
	double reach = reach_of( q, owner );
	bool is_behind_any = false;
	for ( uint32_t i = 0; i < q->near_count; ++i )
	{
		const bvtree_near* t = q->near + i;
		bvtri_nearest nearest;
		if ( meets( t, point, reach, &nearest ) )
		{
			if ( !place_of( t, nearest.point, normal, border_of( q, t == owner, reach ) ).is_behind )
			{
				return false;
			}
			is_behind_any |= bv_dot( t->normal, normal ) < -flat;
		}
	}
	// A contact behind its owner is that of another triangle as well, or it is within a seam, where the normals cancel.
	*faces = q->sides == bv_mesh_both || !is_behind_any ||
	         ( bv_dot( owner->normal, normal ) >= -flat && leads_to_front( q, reach, point, normal ) );
	return true;
}

bool bvtree_contacts_meet_opposite( const bvtree_contacts* q, const bvtree_near* owner, bv_vec3 point )
{
	double reach = reach_of( q, owner );
	bool found = false;
	for ( uint32_t i = 0; i < q->near_count && !found; ++i )
	{
		const bvtree_near* t = q->near + i;
		bvtri_nearest nearest;
		found = bv_dot( t->normal, owner->normal ) < opposite && meets( t, point, reach, &nearest );
	}
	return found;
}
