// The mean and the principal axes of a surface of triangles, integrated in closed form: S. Gottschalk, M. C.
// Lin, D. Manocha, "OBBTree", 1996, section 4. Two passes over the same triangles: first the mean, then the
// moments about it, so that a small surface far from the origin keeps its digits.

#pragma once

#include "runtime/math/vec.h"

/// A triangle with what is asked of it again and again.
typedef struct bvfit_face
{
	bv_vec3 corner[3]; ///< mesh units
	bv_vec3 midpoint;  ///< mean of the corners
	double area;       ///< square mesh units; as a weight never 0 unless the corners coincide
} bvfit_face;

/// @return the face of three corners
bvfit_face bvfit_face_of( const bv_vec3 corner[3] );

/// Sums over a surface.
typedef struct bvfit_surface
{
	bv_vec3 origin;    ///< a point of the surface
	bv_vec3 mean;      ///< after the first pass
	bv_vec3 sum;       ///< area times midpoint, relative to origin
	double area;       ///< of all faces
	double moments[6]; ///< xx, xy, xz, yy, yz, zz about the mean
} bvfit_surface;

/// Begins the first pass.
static inline bvfit_surface bvfit_surface_begin( bv_vec3 origin )
{
	return ( bvfit_surface ){ .origin = origin, .mean = origin };
}

/// First pass: a face's share of the mean.
static inline void bvfit_surface_add_mean( bvfit_surface* s, const bvfit_face* face )
{
	s->sum = bv_add( s->sum, bv_scale( face->area, bv_sub( face->midpoint, s->origin ) ) );
	s->area += face->area;
}

/// Ends the first pass.
static inline void bvfit_surface_end_mean( bvfit_surface* s )
{
	s->mean = s->area > 0 ? bv_add( s->origin, bv_scale( 1 / s->area, s->sum ) ) : s->origin;
}

/// Second pass: with the mean M, and a face's area A, its midpoint m and corners p, its share of the
/// covariance is A ((m - M)(m - M)^T + sum (p - m)(p - m)^T / 12).
static inline void bvfit_surface_add_moments( bvfit_surface* s, const bvfit_face* face )
{
	bv_vec3 m = bv_sub( face->midpoint, s->mean );
	bv_vec3 p = bv_sub( face->corner[0], face->midpoint );
	bv_vec3 q = bv_sub( face->corner[1], face->midpoint );
	bv_vec3 r = bv_sub( face->corner[2], face->midpoint );
	double area = face->area;
	double twelfth = face->area / 12;
	s->moments[0] += area * ( m.x * m.x ) + twelfth * ( ( p.x * p.x + q.x * q.x ) + r.x * r.x );
	s->moments[1] += area * ( m.x * m.y ) + twelfth * ( ( p.x * p.y + q.x * q.y ) + r.x * r.y );
	s->moments[2] += area * ( m.x * m.z ) + twelfth * ( ( p.x * p.z + q.x * q.z ) + r.x * r.z );
	s->moments[3] += area * ( m.y * m.y ) + twelfth * ( ( p.y * p.y + q.y * q.y ) + r.y * r.y );
	s->moments[4] += area * ( m.y * m.z ) + twelfth * ( ( p.y * p.z + q.y * q.z ) + r.y * r.z );
	s->moments[5] += area * ( m.z * m.z ) + twelfth * ( ( p.z * p.z + q.z * q.z ) + r.z * r.z );
}

/// @param axis  receives the principal axes, an orthonormal right-handed frame, largest moment first
void bvfit_surface_axes( const bvfit_surface* s, bv_vec3 axis[3] );
