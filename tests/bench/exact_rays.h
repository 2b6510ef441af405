// Answers to judge by where entrants differ. Shares nothing with the queries of libbv.
//
// Rays: rational arithmetic, with the numbers that the ray and the triangles of the file have, so that neither
// rounding nor a tolerance takes part. A triangle is met if the volumes that the ray's direction spans with
// its sides are not of different signs; one that the ray runs along is not met, as in bv_mesh_cast_ray. Triangles
// that are certainly away from the ray's line are left out beforehand in binary64.
//
// Distances and balls: all triangles by brute force, distances in arithmetic of 113 bits. Boxes: the gaps of
// their sides, in the same arithmetic. Casts: conservative advancement by these, see reference_cast.

#pragma once

#include "tests/bench/rays.h"
#include "tests/reference/gaps.h"
#include "tests/reference/nearest.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>

struct exact_vector
{
	mpq_class x;
	mpq_class y;
	mpq_class z;

	exact_vector( const mpq_class& a, const mpq_class& b, const mpq_class& c ) : x( a ), y( b ), z( c )
	{
	}

	explicit exact_vector( bv_vec3 v ) : x( v.x ), y( v.y ), z( v.z )
	{
	}
};

static inline exact_vector operator-( const exact_vector& a, const exact_vector& b )
{
	return { a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline exact_vector exact_cross( const exact_vector& a, const exact_vector& b )
{
	return { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline mpq_class exact_dot( const exact_vector& a, const exact_vector& b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// @param corner  three
// @param time    receives that of the hit
// @return whether the ray meets the triangle
static inline bool exact_hit( bv_vec3 from, bv_vec3 way, const bv_vec3* corner, mpq_class* time )
{
	exact_vector o( from );
	exact_vector d( way );
	exact_vector c[3] = { exact_vector( corner[0] ) - o, exact_vector( corner[1] ) - o,
		                  exact_vector( corner[2] ) - o };
	mpq_class sum = 0;
	bool positive = false;
	bool negative = false;
	for ( int k = 0; k < 3; ++k )
	{
		mpq_class volume = exact_dot( d, exact_cross( c[k], c[( k + 1 ) % 3] ) );
		positive = positive || volume > 0;
		negative = negative || volume < 0;
		sum += volume;
	}
	if ( ( positive && negative ) || sum == 0 )
	{
		return false;
	}
	exact_vector n = exact_cross( c[1] - c[0], c[2] - c[0] );
	*time = exact_dot( n, c[0] ) / exact_dot( n, d );
	return *time >= 0;
}

// Whether the triangle's bounding ball is certainly farther from the line than some distance.
static inline bool is_away_from_line( bv_vec3 from, bv_vec3 way, const bv_vec3* corner, double than )
{
	double square = way.x * way.x + way.y * way.y + way.z * way.z;
	double radius = 0;
	bv_vec3 to[3];
	for ( int k = 0; k < 3; ++k )
	{
		to[k] = { corner[k].x - from.x, corner[k].y - from.y, corner[k].z - from.z };
		radius = std::max( radius, std::hypot( to[k].x - to[0].x, to[k].y - to[0].y, to[k].z - to[0].z ) );
	}
	double along = ( to[0].x * way.x + to[0].y * way.y + to[0].z * way.z ) / square;
	double distance = std::hypot( to[0].x - along * way.x, to[0].y - along * way.y, to[0].z - along * way.z );
	return distance > 1.001 * radius + than + 1e-6;
}

static inline double exact_first_hit( const rays_mesh& mesh, const rays_query& q )
{
	bool found = false;
	mpq_class best;
	for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
	{
		mpq_class time;
		if ( !is_away_from_line( q.from, q.way, &mesh.corner[i], 0 ) &&
		     exact_hit( q.from, q.way, &mesh.corner[i], &time ) && ( !found || time < best ) )
		{
			found = true;
			best = time;
		}
	}
	return found ? best.get_d() : INFINITY;
}

// The distance of a triangle to a point, by brute force.
static inline double reference_distance( const bv_vec3* corner, bv_vec3 point )
{
	nearest_face face = nearest_face_of( corner );
	nearest_faces one = { &face, 1 };
	return nearest_distance_exact( &one, point );
}

static inline double reference_closest_point( const rays_mesh& mesh, const rays_query& q )
{
	double best = INFINITY;
	for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
	{
		best = std::min( best, reference_distance( &mesh.corner[i], q.from ) );
	}
	return best;
}

static inline double reference_ball( const rays_mesh& mesh, const rays_query& q )
{
	double count = 0;
	for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
	{
		count += reference_distance( &mesh.corner[i], q.from ) <= q.size;
	}
	return count;
}

// Corners of a box about a point.
static inline void box_corners( bv_vec3 center, double size, const bv_vec3 axis[3], bv_vec3 out[8] )
{
	for ( int i = 0; i < 8; ++i )
	{
		out[i] = center;
		for ( int k = 0; k < 3; ++k )
		{
			double s = i >> k & 1 ? size : -size;
			out[i].x += s * axis[k].x;
			out[i].y += s * axis[k].y;
			out[i].z += s * axis[k].z;
		}
	}
}

// How far a triangle is from a box along the axis that separates them most, of the box's own; at most the gap.
static inline double gap_along_axes( bv_vec3 center, double size, const bv_vec3 axis[3],
                                     const bv_vec3* corner )
{
	double gap = 0;
	for ( int k = 0; k < 3; ++k )
	{
		double least = INFINITY;
		double most = -INFINITY;
		for ( int i = 0; i < 3; ++i )
		{
			double at = axis[k].x * ( corner[i].x - center.x ) + axis[k].y * ( corner[i].y - center.y ) +
			            axis[k].z * ( corner[i].z - center.z );
			least = std::min( least, at );
			most = std::max( most, at );
		}
		gap = std::max( gap, std::max( least - size, -size - most ) );
	}
	return gap;
}

// By two triangles on each side of the box, unless a corner is inside.
static inline double gap_of_box( bv_vec3 center, double size, const bv_vec3 axis[3], const bv_vec3* corner )
{
	bv_vec3 points[8];
	box_corners( center, size, axis, points );
	double gap = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		const bv_vec3 point[3] = { corner[i], corner[i], corner[i] };
		gap = gap_along_axes( center, size, axis, point ) <= 0 ? 0 : gap;
	}
	for ( int side = 0; side < 6 && gap > 0; ++side )
	{
		int k = side % 3;
		int at = side / 3 << k;
		int u = 1 << ( k + 1 ) % 3;
		int v = 1 << ( k + 2 ) % 3;
		const bv_vec3 first[3] = { points[at], points[at + u], points[at + u + v] };
		const bv_vec3 second[3] = { points[at], points[at + u + v], points[at + v] };
		gap = std::min( { gap, gap_of_triangles( first, corner ), gap_of_triangles( second, corner ) } );
	}
	return gap;
}

static inline double reference_box( const rays_mesh& mesh, const rays_query& q, const bv_vec3 axis[3] )
{
	double count = 0;
	for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
	{
		const bv_vec3* c = &mesh.corner[i];
		count +=
			gap_along_axes( q.from, q.size, axis, c ) < 1e-9 && gap_of_box( q.from, q.size, axis, c ) <= 0;
	}
	return count;
}

// The gap of a ball, or of a box turned as the query says, to some triangles.
// @param beyond  no gap beyond this matters
static inline double reference_gap( const std::vector<const bv_vec3*>& near, const rays_query& q, bv_vec3 at,
                                    bool box, double beyond )
{
	double around = box ? q.size * std::sqrt( 3 ) : q.size;
	double gap = beyond;
	std::vector<std::pair<double, const bv_vec3*>> order;
	for ( const bv_vec3* corner : near )
	{
		nearest_face face = nearest_face_of( corner );
		double least = std::sqrt( nearest_on_face( &face, at, nullptr ) ) - around;
		least = box ? std::max( least, gap_along_axes( at, q.size, q.box.axis, corner ) - 1e-12 ) : least;
		order.push_back( { least, corner } );
	}
	std::sort( order.begin(), order.end() );
	for ( const auto& next : order )
	{
		if ( next.first >= gap || gap <= 0 )
		{
			break;
		}
		gap = std::min( gap, box ? gap_of_box( at, q.size, q.box.axis, next.second )
		                         : std::max( next.first, 0.0 ) );
	}
	return gap;
}

// When a ball or a box first comes nearer than 1e-7 to a triangle: in the time that a gap measures, as the way has length 1, no
// contact is possible.
static inline double reference_cast( const rays_mesh& mesh, const rays_query& q, bool box )
{
	double around = box ? q.size * std::sqrt( 3 ) : q.size;
	std::vector<const bv_vec3*> near;
	for ( size_t i = 0; i < mesh.corner.size(); i += 3 )
	{
		if ( !is_away_from_line( q.from, q.way, &mesh.corner[i], around ) )
		{
			near.push_back( &mesh.corner[i] );
		}
	}
	double time = 0;
	while ( time < rays_reach )
	{
		bv_vec3 at = { q.from.x + time * q.way.x, q.from.y + time * q.way.y, q.from.z + time * q.way.z };
		double gap = reference_gap( near, q, at, box, rays_reach );
		if ( gap < 1e-7 )
		{
			return time;
		}
		time += gap;
	}
	return INFINITY;
}
