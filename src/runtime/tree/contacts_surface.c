// Which normals a surface has at a point of it. See contacts_surface.h.
//
// A point of a surface is a local minimum of the distance from a convex shape if no way from it within the surface leads nearer to
// the shape: if all triangles at the point are behind the plane through it that is normal to the direction to the shape. On an
// edge of two triangles these directions are the fan between both normals if the edge is convex, the normal if it is flat, and none if
// it is concave. This is the Voronoi region of the feature (Ericson 2005, section 9.5.2), found without any adjacency: triangles are at
// a point if they are no farther from it than a tolerance.
//
// A direction can also lead out of the back of the surface. Which side it is on is decided by the sum of all normals at the point,
// weighted by angles: J. A. Baerentzen, H. Aanaes, "Signed distance computation using the angle weighted pseudonormal", 2005.

#include "runtime/tree/contacts_surface.h"

#include "runtime/convex/manifold.h"
#include "runtime/math/angle.h"
#include "runtime/tree/surface.h"

static const double flat = BVTREE_FLAT_SINE;
static const double opposite = -0.9998; // cosine of normals that are opposite to each other
static const double turn = 6.283185307179586;

// Height of triangles that have a normal, as a part of their coordinates.
static const double thinnest = 0x1p-36;

static bv_vec3 normal_of( const bvtree_near_source* from, const bv_vec3 stored[3], const bvtree_near* t )
{
	double coordinates = 0;
	for ( int k = 0; k < 3; ++k )
	{
		coordinates = bvmath_max( coordinates, bvmath_norm1( stored[k] ) );
	}
	double height = bv_length( bvtree_normal_of( t->corner ) ) / t->size;
	bv_vec3 none = { 0, 0, 0 };
	bool is_thin = !( height > thinnest * from->placed.scale * coordinates );
	bv_vec3 front = is_thin ? none : bvtree_placed_normal_of( &from->placed, stored );
	double square = bv_dot( front, front );
	front = square > 0.5 && square < 2 ? front : none; // products of coordinates can overflow
	bool is_behind = bv_dot( front, bv_sub( from->middle, t->corner[0] ) ) < 0;
	return is_behind && from->is_two_sided ? bv_negate( front ) : front;
}

void bvtree_near_read( const bvtree_near_source* source, uint32_t triangle, bvtree_near* out )
{
	bv_vec3 stored[3];
	bvfile_triangle( &source->view, triangle, out->vertex );
	double square = 0;
	for ( int k = 0; k < 3; ++k )
	{
		stored[k] = bvfile_position( &source->view, out->vertex[k] );
		out->corner[k] = bvvol_similarity_apply( &source->placed, stored[k] );
	}
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 side = bv_sub( out->corner[( k + 1 ) % 3], out->corner[k] );
		square = bvmath_max( square, bv_dot( side, side ) );
	}
	out->size = sqrt( square );
	out->box.lower = bvmath_least( out->corner[0], bvmath_least( out->corner[1], out->corner[2] ) );
	out->box.upper = bvmath_greatest( out->corner[0], bvmath_greatest( out->corner[1], out->corner[2] ) );
	out->normal = normal_of( source, stored, out );
	out->winding = bv_dot( bvtree_normal_of( out->corner ), out->normal ) < 0 ? -1 : 1;
	out->separation = 0;
	out->triangle = triangle;
	out->mesh = source->mesh;
	out->state = 0;
}

uint32_t bvtree_near_identity( const bvtree_near* t, bv_feature feature )
{
	int k = (int)feature % 3;
	return feature == bv_feature_face ? bvconvex_identity_of_face( t->vertex, 3 )
	       : feature < bv_feature_edge_0
	           ? bvconvex_identity_of_corner( t->vertex[k] )
	           : bvconvex_identity_of_edge( t->vertex[k], t->vertex[( k + 1 ) % 3] );
}

// Corners and edges have no equals in a triangle.
bv_feature bvtree_near_feature( const bvtree_near* t, uint32_t identity )
{
	int feature = bv_feature_corner_0;
	while ( feature < bv_feature_face && bvtree_near_identity( t, (bv_feature)feature ) != identity )
	{
		++feature;
	}
	return (bv_feature)feature;
}

double bvtree_surface_reach( const bvtree_surface* s, const bvtree_near* owner )
{
	return bvmath_max( bvmath_min( s->tolerance, owner->size / 128 ), s->slack );
}

bool bvtree_surface_meets( const bvtree_near* t, bv_vec3 point, double reach, bvtri_nearest* out )
{
	if ( bvtree_near_gap( t, point ) > reach )
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
static double border_of( const bvtree_surface* s, bool is_owner, double reach )
{
	return is_owner ? bvmath_max( reach, 0x1p-20 * s->size ) : 0x1p-20 * s->size + s->slack;
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

static bv_vec3 sum_normals( const bvtree_surface* s, double reach, bv_vec3 point, bv_vec3 normal )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( s, i );
		bvtri_nearest nearest;
		if ( bvtree_surface_meets( t, point, reach, &nearest ) )
		{
			border_place at = place_of( t, nearest.point, normal, border_of( s, false, reach ) );
			sum = bv_add( sum, bv_scale( angle_at( t, at ), t->normal ) );
		}
	}
	return sum;
}

// Whether a normal leads out of the front of the surface at a point that all triangles there are behind.
BVSIMD_NOINLINE bool leads_to_front( const bvtree_surface* s, double reach, bv_vec3 point, bv_vec3 normal )
{
	bv_vec3 sum = sum_normals( s, reach, point, normal );
	return bv_dot( sum, normal ) >= -flat * bv_length( sum );
}

bool bvtree_surface_allows( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point, bv_vec3 normal,
                            bool* faces )
{
	double reach = bvtree_surface_reach( s, owner );
	bool is_behind_any = false;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( s, i );
		bvtri_nearest nearest;
		if ( bvtree_surface_meets( t, point, reach, &nearest ) )
		{
			if ( !place_of( t, nearest.point, normal, border_of( s, t == owner, reach ) ).is_behind )
			{
				return false;
			}
			is_behind_any |= bv_dot( t->normal, normal ) < -flat;
		}
	}
	*faces = !is_behind_any || leads_to_front( s, reach, point, normal );
	return true;
}

bv_vec3 bvtree_surface_pseudonormal( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point )
{
	const bv_vec3 none = { 0, 0, 0 };
	return sum_normals( s, bvtree_surface_reach( s, owner ), point, none );
}

bool bvtree_surface_has_opposite( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point )
{
	double reach = bvtree_surface_reach( s, owner );
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( s, i );
		bvtri_nearest nearest;
		found = bv_dot( t->normal, owner->normal ) < opposite &&
		        bvtree_surface_meets( t, point, reach, &nearest );
	}
	return found;
}

static bool is_alone( const bvtree_surface* s, const bvtree_near* t, bv_vec3 point, double reach )
{
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		const bvtree_near* other = bvtree_surface_at( s, i );
		bvtri_nearest nearest;
		found = other != t && bvtree_surface_meets( other, point, reach, &nearest );
	}
	return !found;
}

// Whether an edge that a point is on ends the surface near the point, towards the end of the edge that is farther away.
static bool ends_at( const bvtree_surface* s, const bvtree_near* t, int edge, bv_vec3 point, double reach )
{
	bv_vec3 start = t->corner[edge];
	bv_vec3 along = bv_sub( t->corner[( edge + 1 ) % 3], start );
	double length = bv_length( along );
	double at = bv_dot( bv_sub( point, start ), along ) / ( length * length );
	bv_vec3 foot = bv_add( start, bv_scale( at, along ) );
	bv_vec3 aside = bv_sub( point, foot );
	bool is_on = length > 0 && at * length >= -reach && ( 1 - at ) * length >= -reach &&
	             bv_dot( aside, aside ) <= reach * reach;
	double way = bvmath_min( 4 * reach / length, 0.25 );
	return is_on &&
	       is_alone( s, t, bv_add( start, bv_scale( at < 0.5 ? at + way : at - way, along ) ), reach );
}

bool bvtree_surface_ends( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point )
{
	double reach = bvtree_surface_reach( s, owner );
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( s, i );
		bvtri_nearest nearest;
		if ( bvtree_surface_meets( t, point, reach, &nearest ) )
		{
			found = ends_at( s, t, 0, point, reach ) || ends_at( s, t, 1, point, reach ) ||
			        ends_at( s, t, 2, point, reach );
		}
	}
	return found;
}
