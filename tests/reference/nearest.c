// Distances of points to triangles, one triangle at a time. See nearest.h.

#include "tests/reference/nearest.h"

#include "tests/reference/vectors.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef __float128 quad;

// Of triangles less than this part as high as long the interior is not trusted by itself.
static const double thinnest = 1e-3;

nearest_face nearest_face_of( const bv_vec3 corner[3] )
{
	nearest_face face;
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		face.corner[k] = corner[k];
		face.side[k] = sub( corner[( k + 1 ) % 3], corner[k] );
		double squared = dot( face.side[k], face.side[k] );
		face.inverse[k] = squared > 0 ? 1 / squared : 0;
		longest = fmax( longest, squared );
	}
	bv_vec3 normal = cross( face.side[0], face.side[1] );
	for ( int k = 0; k < 3; ++k )
	{
		face.inwards[k] = cross( normal, face.side[k] );
	}
	face.thin = sqrt( dot( normal, normal ) ) < thinnest * longest;
	return face;
}

bool nearest_prepare( const bvb_mesh* mesh, uint32_t first, uint32_t count, nearest_faces* out )
{
	*out = ( nearest_faces ){ .face = malloc( (size_t)count * sizeof *out->face ), .count = count };
	if ( !out->face || count == 0 )
	{
		nearest_free( out );
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* c = mesh->triangles[first + i].corner;
		out->face[i] = nearest_face_of(
			( bv_vec3[3] ){ mesh->positions[c[0]], mesh->positions[c[1]], mesh->positions[c[2]] } );
	}
	return true;
}

void nearest_free( nearest_faces* faces )
{
	free( faces->face );
	*faces = ( nearest_faces ){ .face = NULL };
}

static double squared_distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = sub( a, b );
	return dot( d, d );
}

static double nearest_on_sides( const nearest_face* face, bv_vec3 x, bv_vec3* point )
{
	double least = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double t = dot( face->side[k], sub( x, face->corner[k] ) ) * face->inverse[k];
		t = t < 0 ? 0 : t;
		bv_vec3 foot = t < 1 ? along( face->corner[k], t, face->side[k] ) : face->corner[( k + 1 ) % 3];
		double squared = squared_distance( x, foot );
		*point = squared < least ? foot : *point;
		least = squared < least ? squared : least;
	}
	return least;
}

double nearest_on_face( const nearest_face* face, bv_vec3 x, bv_vec3* point )
{
	// Each corner's weight in the foot of the perpendicular is in proportion to the foot's height over the side opposite.
	double height[3];
	for ( int k = 0; k < 3; ++k )
	{
		height[k] = dot( face->inwards[k], sub( x, face->corner[k] ) );
	}
	double sum = height[0] + height[1] + height[2];
	bool inside = height[0] >= 0 && height[1] >= 0 && height[2] >= 0 && sum > 0;
	bv_vec3 nearest = face->corner[0];
	double squared = INFINITY;
	if ( inside )
	{
		nearest = along( nearest, height[2] / sum, face->side[0] );
		nearest = along( nearest, -height[0] / sum, face->side[2] );
		squared = squared_distance( x, nearest );
	}
	if ( !inside || face->thin )
	{
		bv_vec3 other = face->corner[0];
		double on_sides = nearest_on_sides( face, x, &other );
		nearest = on_sides < squared ? other : nearest;
		squared = on_sides < squared ? on_sides : squared;
	}
	if ( point )
	{
		*point = nearest;
	}
	return squared;
}

double nearest_distance( const nearest_faces* faces, bv_vec3 x, bv_vec3* point )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < faces->count; ++i )
	{
		bv_vec3 nearest;
		double squared = nearest_on_face( &faces->face[i], x, &nearest );
		if ( squared < least )
		{
			least = squared;
			if ( point )
			{
				*point = nearest;
			}
		}
	}
	return sqrt( least );
}

typedef struct quad3
{
	quad x;
	quad y;
	quad z;
} quad3;

static quad3 exact_difference( bv_vec3 a, bv_vec3 b )
{
	return ( quad3 ){ (quad)a.x - b.x, (quad)a.y - b.y, (quad)a.z - b.z };
}

static quad exact_dot( quad3 a, quad3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static quad exact_square_on_side( quad3 from_corner, quad3 side )
{
	quad squared = exact_dot( side, side );
	quad t = squared > 0 ? exact_dot( from_corner, side ) / squared : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	quad3 rest = { from_corner.x - t * side.x, from_corner.y - t * side.y, from_corner.z - t * side.z };
	return exact_dot( rest, rest );
}

static quad3 exact_cross( quad3 a, quad3 b )
{
	return ( quad3 ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// From the plane if the foot is on the inner side of all sides, else from the nearest side.
static quad exact_square_on_face( const nearest_face* face, bv_vec3 x )
{
	quad3 d[3];
	quad3 side[3];
	for ( int k = 0; k < 3; ++k )
	{
		d[k] = exact_difference( x, face->corner[k] );
		side[k] = exact_difference( face->corner[( k + 1 ) % 3], face->corner[k] );
	}
	quad3 normal = exact_cross( side[0], side[1] );
	quad normal_squared = exact_dot( normal, normal );
	bool inside = normal_squared > 0;
	for ( int k = 0; k < 3; ++k )
	{
		inside = inside && exact_dot( exact_cross( normal, side[k] ), d[k] ) >= 0;
	}
	if ( inside )
	{
		quad height = exact_dot( normal, d[0] );
		return height * height / normal_squared;
	}
	quad least = exact_square_on_side( d[0], side[0] );
	for ( int k = 1; k < 3; ++k )
	{
		quad squared = exact_square_on_side( d[k], side[k] );
		least = squared < least ? squared : least;
	}
	return least;
}

// Squares of binary64 distances never leave the range of quad, but may leave that of binary64.
static double root( quad squared )
{
	double scale = 1;
	while ( squared > 0 && squared < 0x1p-200 )
	{
		squared *= 0x1p200;
		scale *= 0x1p-100;
	}
	return scale * sqrt( (double)squared );
}

double nearest_distance_exact( const nearest_faces* faces, bv_vec3 x )
{
	// Rounding moves a foot by no more than a needle's width, or by some 1e-13 of the triangle's size; the limit is far above.
	double near = nearest_distance( faces, x, NULL );
	quad least = -1;
	for ( uint32_t i = 0; i < faces->count; ++i )
	{
		const nearest_face* face = &faces->face[i];
		double size = 0;
		for ( int k = 0; k < 3; ++k )
		{
			size = fmax( size, fabs( face->side[k].x ) + fabs( face->side[k].y ) + fabs( face->side[k].z ) );
		}
		double limit = near * ( 1 + 1e-9 ) + ( face->thin ? 2 * thinnest : 1e-9 ) * size;
		if ( sqrt( nearest_on_face( face, x, NULL ) ) <= limit )
		{
			quad squared = exact_square_on_face( face, x );
			least = least < 0 || squared < least ? squared : least;
		}
	}
	return root( least );
}

double nearest_winding( const nearest_faces* faces, bv_vec3 x )
{
	double sum = 0;
	for ( uint32_t i = 0; i < faces->count; ++i )
	{
		bv_vec3 r[3];
		double length[3];
		for ( int k = 0; k < 3; ++k )
		{
			r[k] = sub( faces->face[i].corner[k], x );
			length[k] = sqrt( dot( r[k], r[k] ) );
		}
		sum += 2 * atan2( dot( r[0], cross( r[1], r[2] ) ),
		                  length[0] * length[1] * length[2] + dot( r[1], r[2] ) * length[0] +
		                      dot( r[2], r[0] ) * length[1] + dot( r[0], r[1] ) * length[2] );
	}
	return sum / ( 4 * 3.14159265358979323846 );
}
