// Distances from the polytope of the last query. See resume.h.
//
// Nothing that is stored is believed. Names of vertices are those of points of both shapes, so that the polytope is in the difference
// wherever they are now. Of a closed surface that has the origin behind all faces, a ray from the origin goes through one
// of them, wherever it points: the projection of the surface on a sphere preserves its orientation, so that its degree is above 0.
// The difference then contains a ball around the origin whose radius is the least height of a face, whether the surface is
// convex or not. It remains closed when it grows. What is decided in binary64 therefore decides only how long a search
// takes.
//
// Vertices have rounding errors, and a face moves by less than the pair's rounding when they are corrected. It does not meet
// the origin on this way if it is higher than that, or if all of its corners are on one side of the origin along a
// direction, before and after. Degrees then are the same.

#include "runtime/convex/resume.h"

#include "runtime/convex/near.h"
#include "runtime/convex/resumed.h"

#include <math.h>

static bool is_corner( const bvconvex_resumed* p, uint32_t face, const bvconvex_gjk_vertex* v )
{
	bool found = false;
	for ( int k = 0; k < 3; ++k )
	{
		const uint32_t* name = p->name[p->corner[face][k]];
		found |= name[0] == v->name[0] && name[1] == v->name[1];
	}
	return found;
}

// The lowest face, and how far the difference extends along its normal.
typedef struct last_face
{
	uint32_t face;
	double length; // of the normal
	double height; // of the lowest corner
	double extent; // to rounding
} last_face;

// @return the greatest product of a vector and one of at least 4 points, in four columns because maxima depend on each other
static inline double greatest_product( const bv_vec3* points, uint32_t count, bv_vec3 along )
{
	double most[4];
	for ( int k = 0; k < 4; ++k )
	{
		most[k] = bv_dot( along, points[k] );
	}
	uint32_t i = 4;
	for ( ; i + 4 <= count; i += 4 )
	{
		most[0] = bvmath_max( bv_dot( along, points[i] ), most[0] );
		most[1] = bvmath_max( bv_dot( along, points[i + 1] ), most[1] );
		most[2] = bvmath_max( bv_dot( along, points[i + 2] ), most[2] );
		most[3] = bvmath_max( bv_dot( along, points[i + 3] ), most[3] );
	}
	for ( ; i < count; ++i )
	{
		most[0] = bvmath_max( bv_dot( along, points[i] ), most[0] );
	}
	return bvmath_max( bvmath_max( most[0], most[1] ), bvmath_max( most[2], most[3] ) );
}

// @return the greatest product of a vector and a point of a body, to rounding; infinite if a search for the point is faster
static double extent_of_body( const bvconvex_body* body, bv_vec3 along )
{
	enum
	{
		few = 48, // a climb takes as long
	};
	if ( body->own.convex->kind == bv_convex_of_box )
	{
		++*body->supports;
		return bv_dot( along, body->center ) +
		       ( ( fabs( bv_dot( along, body->half[0] ) ) + fabs( bv_dot( along, body->half[1] ) ) ) +
		         fabs( bv_dot( along, body->half[2] ) ) );
	}
	if ( !body->own.hull.points || body->own.corners < 4 || body->own.corners > few )
	{
		return INFINITY;
	}
	++*body->supports;
	bv_vec3 own = bvconvex_body_direction( body, along );
	own = body->placed ? bv_scale( body->placed->scale, own ) : own;
	return greatest_product( body->own.hull.points, body->own.corners, own ) + bv_dot( along, body->shift );
}

// @return false if it takes more rounds than it should
static bool expand( bvconvex_resumed* p, double relative, last_face* out )
{
	for ( int round = 0; round < bvconvex_resumed_rounds; ++round )
	{
		uint32_t face = bvconvex_resumed_lowest( p );
		bv_vec3 normal = p->normal[face];
		out->face = face;
		out->length = bv_length( normal );
		out->height = p->least[face] / out->length;
		double level = out->height + relative * fabs( out->height ) + 0x1p-5 * p->pair->rounding;
		out->extent = ( extent_of_body( p->pair->body, normal ) +
		                extent_of_body( p->pair->body + 1, bv_negate( normal ) ) ) /
		              out->length;
		if ( out->extent <= level )
		{
			return out->length > 0;
		}
		bvconvex_gjk_vertex next =
			bvconvex_gjk_support( &p->pair->search, bv_negate( normal ), p->name[p->corner[face][0]] );
		out->extent = bv_dot( normal, next.at ) / out->length;
		if ( out->extent <= level || is_corner( p, face, &next ) )
		{
			return out->length > 0;
		}
		if ( !bvconvex_resumed_insert( p, face, &next ) )
		{
			return false;
		}
	}
	return false;
}

// @return a lower bound of the height of a face whose corners are above the origin
static double height_of( const bvconvex_resumed* p, uint32_t face )
{
	return sqrt( p->square[face] ) * ( 1 - 0x1p-50 ) - p->pair->rounding;
}

// @return whether the origin is behind all faces, beyond doubt
static bool is_inside( const bvconvex_resumed* p )
{
	double doubt = bvconvex_resumed_doubt( p );
	bool inside = true;
	for ( uint32_t i = 0; i < p->faces; ++i )
	{
		inside &= p->least[i] > doubt;
	}
	return inside;
}

// @return whether all corners of a face are above the origin along a vector, in binary64
static bool is_above( const bvconvex_resumed* p, uint32_t face, bv_vec3 along )
{
	bool above = true;
	for ( int k = 0; k < 3; ++k )
	{
		above &= bv_dot( along, bvconvex_resumed_vertex( p, p->corner[face][k] ) ) > 0;
	}
	return above;
}

// @return the height of the lowest corner of a face along the normal of a plane, in twice the precision; 0 if in binary64 it is not
//         above the origin
static double height_along( const bvconvex_resumed* p, const bvconvex_near_plane* plane, uint32_t face )
{
	double least = is_above( p, face, plane->along ) ? INFINITY : 0;
	for ( int k = 0; k < 3 && least > 0; ++k )
	{
		least = bvmath_min( least, bvconvex_near_plane_height( plane, p->name[p->corner[face][k]] ) );
	}
	return least;
}

static bool find_level( const bvconvex_resumed* p, uint32_t face, double enough, bvconvex_near_plane* plane,
                        bvconvex_near_level* out )
{
	const uint8_t* corner = p->corner[face];
	const uint32_t* const name[3] = { p->name[corner[0]], p->name[corner[1]], p->name[corner[2]] };
	return bvconvex_near_plane_of( p->pair, name, enough, plane, out );
}

// Bounds of a depth in twice the precision.
// @return false if it is not certain that the shapes overlap
static bool narrow_depth( const bvconvex_resumed* p, const last_face* last, double enough,
                          bv_convex_result* out )
{
	bvconvex_near_plane plane;
	bvconvex_near_level level;
	if ( !find_level( p, last->face, enough, &plane, &level ) || !is_above( p, last->face, plane.along ) )
	{
		return false;
	}
	double lower = level.lower;
	for ( uint32_t i = 0; i < p->faces; ++i )
	{
		bool is_clear = i == last->face || height_of( p, i ) >= level.upper;
		lower = is_clear ? lower : bvmath_min( lower, height_along( p, &plane, i ) );
	}
	out->lower = -level.upper;
	out->upper = -bvmath_min( lower, level.upper );
	out->normal = bv_normalize( plane.along );
	return lower > 0;
}

// Corners of a face, and the point of its plane that is nearest to the origin.
// @return the least of the weights of the corners: below 0 if the point is outside
static double foot_of( const bvconvex_resumed* p, uint32_t face, bvconvex_gjk_simplex* out )
{
	const uint8_t* corner = p->corner[face];
	for ( int k = 0; k < 3; ++k )
	{
		out->vertex[k].at = bvconvex_resumed_vertex( p, corner[k] );
	}
	bv_vec3 a = out->vertex[0].at;
	bv_vec3 b = out->vertex[1].at;
	bv_vec3 c = out->vertex[2].at;
	bv_vec3 n = p->normal[face];
	double weight[3] = { bv_dot( n, bv_cross( b, c ) ), bv_dot( n, bv_cross( c, a ) ),
		                 bv_dot( n, bv_cross( a, b ) ) };
	double sum = ( weight[0] + weight[1] ) + weight[2];
	out->nearest = ( bv_vec3 ){ 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		out->weight[k] = weight[k] / sum;
		out->nearest = bv_add( out->nearest, bv_scale( out->weight[k], out->vertex[k].at ) );
	}
	out->count = 3;
	out->square = bv_dot( out->nearest, out->nearest );
	return bvmath_min( out->weight[0], bvmath_min( out->weight[1], out->weight[2] ) );
}

// The face of the difference can be larger than that of the polytope: of triangles in one plane, the one with the foot counts.
// @param has   receives that face
// @return false if none has it
static bool find_foot( const bvconvex_resumed* p, const last_face* last, bvconvex_gjk_simplex* out,
                       uint32_t* has )
{
	uint32_t best = last->face;
	double most = foot_of( p, best, out );
	double level = fabs( last->height ) * 0x1p-30 + 2 * p->pair->rounding;
	for ( uint32_t i = 0; i < p->faces && !( most >= 0 ); ++i )
	{
		bool is_level = i != best && bv_dot( p->normal[i], p->normal[last->face] ) > 0 &&
		                fabs( p->least[i] / bv_length( p->normal[i] ) - last->height ) <= level;
		bvconvex_gjk_simplex s;
		double least = is_level ? foot_of( p, i, &s ) : -1;
		if ( least > most )
		{
			best = i;
			most = least;
			*out = s;
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		const uint32_t* name = p->name[p->corner[best][k]];
		out->vertex[k].name[0] = name[0];
		out->vertex[k].name[1] = name[1];
		out->vertex[k].first = bvconvex_resumed_corner( p->pair, 0, name[0] );
	}
	*has = best;
	return most >= 0;
}

// Of shapes that overlap.
static bool prove_depth( const bvconvex_resumed* p, double relative, const last_face* last,
                         bv_convex_result* out )
{
	double rounding = p->pair->rounding;
	bvconvex_gjk_simplex foot;
	uint32_t face;
	if ( !is_inside( p ) || !find_foot( p, last, &foot, &face ) )
	{
		return false;
	}
	double enough = 2 * relative * last->extent + 0x1p-8 * rounding;
	out->lower = -( last->extent + rounding );
	out->upper = -height_of( p, last->face );
	if ( !( out->upper < 0 && out->upper - out->lower <= enough ) )
	{
		if ( !narrow_depth( p, last, enough, out ) || !( out->upper - out->lower <= enough ) )
		{
			return false;
		}
	}
	else
	{
		out->normal = bv_scale( 1 / last->length, p->normal[last->face] );
	}
	bvconvex_gjk_describe( &foot, out->point );
	// What is sideways hardly counts unless the depth is as small.
	bv_vec3 between = bv_sub( out->point[0], out->point[1] );
	bv_vec3 rest = bv_sub( between, bv_scale( last->extent, out->normal ) );
	double off = fabs( bv_length( between ) - last->extent );
	return bvmath_norm1( rest ) <= 4 * rounding + relative * last->extent &&
	       off <= 0x1p-5 * rounding + relative * last->extent;
}

// Bounds of a distance in twice the precision.
// @param face  with the foot, which is known to rounding. What it is off sideways hardly counts unless the distance is as small
static bool narrow_gap( const bvconvex_resumed* p, uint32_t face, const bvconvex_gjk_simplex* foot,
                        double enough, bv_convex_result* out )
{
	bvconvex_near_plane plane;
	bvconvex_near_level level;
	if ( !find_level( p, face, enough, &plane, &level ) || !( level.upper < 0 ) )
	{
		return false;
	}
	out->normal = bv_normalize( plane.along );
	bv_vec3 aside = bv_sub( foot->nearest, bv_scale( bv_dot( foot->nearest, out->normal ), out->normal ) );
	double off = bvmath_norm1( aside ) + 2 * p->pair->rounding;
	double height = -level.lower;
	out->lower = -level.upper;
	out->upper = ( height + 0.5 * off * off / height ) * ( 1 + 0x1p-50 );
	return true;
}

// Of shapes that are apart, next to each other where this face is nearest.
static bool prove_distance( const bvconvex_resumed* p, double relative, const last_face* last,
                            bv_convex_result* out )
{
	double rounding = p->pair->rounding;
	bvconvex_gjk_simplex foot;
	uint32_t face;
	if ( !find_foot( p, last, &foot, &face ) )
	{
		return false;
	}
	out->lower = -last->extent - rounding;
	out->upper = sqrt( foot.square ) + rounding;
	out->normal = bv_scale( 1 / last->length, p->normal[last->face] );
	double enough = relative * fabs( out->lower - p->pair->radius ) + 0x1p-8 * rounding;
	if ( !( out->lower > 0 && out->upper - out->lower <= enough ) &&
	     !( narrow_gap( p, face, &foot, enough, out ) && out->upper - out->lower <= enough ) )
	{
		return false;
	}
	bvconvex_gjk_describe( &foot, out->point );
	return true;
}

bool bvconvex_resume_distance( const bvconvex_pair* pair, double relative, bv_convex_cache* cache,
                               bv_convex_result* out )
{
	bvconvex_resumed p;
	last_face last;
	bv_convex_result found = { .lower = 0 };
	if ( !cache || !pair->polytopes || !bvconvex_resumed_restore( pair, cache, &p ) ||
	     !( p.size > 0x1p-100 && p.size < 0x1p100 ) || !expand( &p, relative, &last ) ||
	     !( last.height > 0 ? prove_depth( &p, relative, &last, &found )
	                        : prove_distance( &p, relative, &last, &found ) ) )
	{
		return false;
	}
	if ( p.grown || last.face != 0 )
	{
		bvconvex_resumed_store( &p, last.face, cache );
	}
	out->lower = found.lower;
	out->upper = found.upper;
	out->normal = found.normal;
	out->point[0] = found.point[0];
	out->point[1] = found.point[1];
	return true;
}
