// What takes part in bench_battery: one way to ask one library about one pair of convex shapes, or about one cast. In C++.

#pragma once

extern "C" {
#include "tests/reference/battery.h"
}

#include "bvbuild/hull.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

static const bv_vec3 unknown_point = { NAN, NAN, NAN };

struct battery_answer
{
	bool is_given = false;                               // otherwise the library has no such query or shape
	std::string failure;                                 // one word, if it reports an error or throws
	int meets = -1;                                      // whether the shapes meet; -1 if it does not say
	double value = NAN;                                  // a signed distance, or the time of a cast
	bv_vec3 normal = unknown_point;                      // from the first shape to the second one
	bv_vec3 point[2] = { unknown_point, unknown_point }; // on each
	bv_vec3 contact = unknown_point;                     // the only one, where there are not two
};

struct battery_peer
{
	const char* name;

	explicit battery_peer( const char* called ) : name( called )
	{
	}
	battery_peer( const battery_peer& ) = delete;
	virtual ~battery_peer() = default;
	virtual void ask( const battery_pair& pair, battery_answer* answer ) = 0;
};

// The corners of a hull in its own coordinates, and triangles over them, counterclockwise as seen from outside. Flat ones have
// both sides.
struct battery_faces
{
	std::vector<bv_vec3> corners;
	std::vector<bvb_triangle> triangles;

	explicit battery_faces( const battery_shape& shape )
	{
		bvb_arena* arena = bvb_arena_create();
		bvb_hull hull;
		if ( bvb_hull_compute( shape.points, shape.count, arena, &hull, nullptr ) == bv_ok )
		{
			for ( uint32_t i = 0; i < hull.vertex_count; ++i )
			{
				corners.push_back( shape.points[hull.vertices[i]] );
			}
			triangles.assign( hull.faces, hull.faces + hull.face_count );
		}
		bvb_arena_destroy( arena );
		for ( uint32_t i = 2; triangles.empty() && i < corners.size(); ++i )
		{
			is_flat = true;
		}
		for ( uint32_t i = 2; is_flat && i < corners.size(); ++i )
		{
			triangles.push_back( { { 0, i - 1, i } } );
			triangles.push_back( { { 0, i, i - 1 } } );
		}
	}

	bool is_flat = false;
};

static inline bv_vec3 moved_by( const battery_pair& pair, int which )
{
	const bv_vec3& p = pair.shape[which].position;
	return bv_add( p, bv_scale( pair.limit, pair.motion[which] ) );
}

// One line per answer, which battery_read reads.
static inline void battery_print( FILE* out, size_t item, const battery_answer& a )
{
	fprintf( out, "%zu %s %d %.17g", item,
	         !a.failure.empty() ? a.failure.c_str()
	         : a.is_given       ? "ok"
	                            : "none",
	         a.meets, a.value );
	for ( const bv_vec3& v : { a.normal, a.point[0], a.point[1], a.contact } )
	{
		fprintf( out, " %.17g %.17g %.17g", v.x, v.y, v.z );
	}
	fprintf( out, "\n" );
	fflush( out );
}

// All pairs of all cases, in order. `from` skips the first ones.
static inline void battery_ask_all( battery_peer* peer, size_t from )
{
	size_t item = 0;
	for ( uint32_t c = 0; c < battery_case_count; ++c )
	{
		for ( uint32_t i = 0; i < battery_cases[c].count; ++i, ++item )
		{
			if ( item >= from )
			{
				battery_pair pair;
				battery_answer answer;
				battery_make( &battery_cases[c], i, &pair );
				peer->ask( pair, &answer );
				battery_print( stdout, item, answer );
			}
		}
	}
}
