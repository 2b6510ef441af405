// Pairs of convex shapes along paths, for bench_convex: boxes, hulls of random points on ellipsoids, and balls. Along a path
// the second shape turns by 1 degree and moves by 1 % of its size a step, while the signed distance stays in a range.
// In C++.

#pragma once

#include "tests/bench/measure.h"

#include "bv/convex.h"
#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

// A shape around the origin, about 2 wide.
struct convex_shape
{
	double ball = 0; // the radius of a ball; 0 for a polytope
	bool box = false;
	bv_vec3 half = {}; // of a box
	std::vector<bv_vec3> points;
	std::vector<bvb_triangle> faces;
	std::vector<uint32_t> first_neighbor; // the neighbors of point i are neighbors[first_neighbor[i]] and on
	std::vector<uint32_t> neighbors;
	bv_convex ours;
};

struct convex_pair
{
	convex_shape shape[2];
	std::vector<bv_transform> poses; // from coordinates of the second to those of the first

	/// What bv_convex_distance says of each pose.
	std::vector<bv_convex_result> answers;
};

// Which signed distances the poses have.
enum convex_regime
{
	regime_apart,    // 0.05 to 0.5
	regime_touching, // -1e-9 to 1e-9
	regime_deep,     // -0.25 to -0.05
	regimes,
};

static const char* const regime_names[regimes] = { "apart", "touching", "deep" };

struct convex_scene
{
	std::string shape;
	convex_regime regime = regime_apart;
	std::vector<std::unique_ptr<convex_pair>> pairs;
	size_t frames = 0; // the poses of each pair
};

[[noreturn]] static inline void give_up( const char* message )
{
	fprintf( stderr, "bench_convex: %s\n", message );
	exit( 2 );
}

static inline double random_between( uint64_t* seed, double from, double to )
{
	return from + ( to - from ) * 0.5 * ( random_coordinate( seed ) + 1 );
}

static inline bv_vec3 random_half_extents( uint64_t* seed )
{
	double x = random_between( seed, 0.5, 1 );
	double y = random_between( seed, 0.5, 1 );
	return bv_vec3_make( x, y, random_between( seed, 0.5, 1 ) );
}

// The neighbors of each point counterclockwise: after one corner of a face comes the next one.
static inline void join_neighbors( convex_shape* out )
{
	std::vector<std::map<uint32_t, uint32_t>> next( out->points.size() );
	for ( const bvb_triangle& face : out->faces )
	{
		for ( int k = 0; k < 3; ++k )
		{
			next[face.corner[k]][face.corner[( k + 1 ) % 3]] = face.corner[( k + 2 ) % 3];
		}
	}
	for ( const auto& around : next )
	{
		out->first_neighbor.push_back( (uint32_t)out->neighbors.size() );
		uint32_t at = around.begin()->first;
		for ( size_t i = 0; i < around.size(); ++i )
		{
			out->neighbors.push_back( at );
			at = around.at( at );
		}
	}
	out->first_neighbor.push_back( (uint32_t)out->neighbors.size() );
}

static inline void make_hull( uint64_t* seed, int corners, convex_shape* out )
{
	bv_vec3 axes = random_half_extents( seed );
	std::vector<bv_vec3> points;
	for ( int i = 0; i < corners; ++i )
	{
		bv_vec3 d = random_direction( seed );
		points.push_back( bv_vec3_make( axes.x * d.x, axes.y * d.y, axes.z * d.z ) );
	}
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_error error;
	if ( !arena || bvb_hull_compute( points.data(), (uint32_t)corners, arena, &hull, &error ) != bv_ok )
	{
		give_up( arena ? error.message : "out of memory" );
	}
	if ( hull.vertex_count != (uint32_t)corners )
	{
		give_up( "a point on an ellipsoid is no corner" );
	}
	out->points = points;
	out->faces.assign( hull.faces, hull.faces + hull.face_count );
	join_neighbors( out );
	out->ours = bv_convex_graph( out->points.data(), (uint32_t)corners, out->first_neighbor.data(),
	                             out->neighbors.data() );
	for ( const bv_vec3& p : points )
	{
		out->ours.reach =
			std::max( { out->ours.reach, std::fabs( p.x ), std::fabs( p.y ), std::fabs( p.z ) } );
	}
	bvb_arena_destroy( arena );
}

static inline void make_box( uint64_t* seed, convex_shape* out )
{
	out->box = true;
	out->half = random_half_extents( seed );
	for ( int i = 0; i < 8; ++i )
	{
		out->points.push_back( bv_vec3_make( i & 1 ? out->half.x : -out->half.x,
		                                     i & 2 ? out->half.y : -out->half.y,
		                                     i & 4 ? out->half.z : -out->half.z ) );
	}
	out->ours = bv_convex_box( bv_vec3_make( 0, 0, 0 ), out->half );
}

static inline bv_convex_result signed_distance( const convex_pair& pair, const bv_transform& at )
{
	bv_convex_result result;
	if ( bv_convex_distance( &pair.shape[0].ours, &pair.shape[1].ours, &at, nullptr, &result ) != bv_ok )
	{
		give_up( "bv_convex_distance failed" );
	}
	return result;
}

// Moves the second shape along the normal until the signed distance is as it should be. Where the nearest features
// change, a step misses it, but the next one begins nearer.
// @return false if it does not get there
static inline bool bring_to( const convex_pair& pair, double target, bv_transform* at )
{
	for ( int i = 0; i < 100; ++i )
	{
		bv_convex_result result = signed_distance( pair, *at );
		double miss = 0.5 * ( result.lower + result.upper ) - target;
		if ( std::fabs( miss ) <= 1e-13 )
		{
			return true;
		}
		bv_vec3& t = at->pose.translation;
		t = bv_sub( t, bv_scale( miss, result.normal ) );
	}
	return false;
}

static inline double target_of( convex_regime regime, uint64_t* seed, double phase )
{
	switch ( regime )
	{
	case regime_apart: return 0.275 + 0.225 * std::sin( phase );
	case regime_touching: return random_between( seed, -1e-9, 1e-9 );
	default: return -0.15 + 0.1 * std::sin( phase );
	}
}

static inline bv_transform turned( const bv_transform& at, bv_vec3 axis, double angle )
{
	bv_quaternion q = { axis.x * std::sin( angle / 2 ), axis.y * std::sin( angle / 2 ),
		                axis.z * std::sin( angle / 2 ), std::cos( angle / 2 ) };
	bv_transform turn;
	bv_vec3 center = at.pose.translation;
	if ( bv_transform_from_quaternion( q, bv_vec3_make( 0, 0, 0 ), &turn ) != bv_ok )
	{
		give_up( "no rotation" );
	}
	bv_transform out = bv_transform_compose( &turn, &at );
	out.pose.translation = center;
	return out;
}

// A path around the first shape. Each step turns the second one by 1 degree and moves it by 1 % of its size in a
// direction along the contact, and then to where the signed distance is right.
static inline void make_path( convex_pair* pair, convex_regime regime, size_t frames, uint64_t* seed )
{
	bv_vec3 from = random_direction( seed );
	bv_vec3 axis = random_direction( seed );
	bv_vec3 heading = random_direction( seed );
	double phase = random_between( seed, 0, 6 );
	bv_transform at = bv_transform_translation( 1.5 * from.x, 1.5 * from.y, 1.5 * from.z );
	at = turned( at, random_direction( seed ), random_between( seed, 0, 3 ) );
	for ( size_t i = 0; i < frames; ++i )
	{
		double target = target_of( regime, seed, phase );
		for ( int trial = 0; !bring_to( *pair, target, &at ); ++trial )
		{
			// Steps along normals can go back and forth between two features: the path goes on elsewhere.
			if ( trial == 100 )
			{
				give_up( "no pose with the distance wanted" );
			}
			at.pose.translation = bv_scale( 1.5, random_direction( seed ) );
		}
		pair->poses.push_back( at );
		phase += 0.05;
		bv_vec3 away = bv_normalize( at.pose.translation );
		heading = bv_normalize( bv_sub( heading, bv_scale( bv_dot( heading, away ), away ) ) );
		at = turned( at, axis, 3.14159265358979 / 180 );
		at.pose.translation = bv_add( at.pose.translation, bv_scale( 0.02, heading ) );
	}
}

static inline void make_ball( uint64_t* seed, convex_shape* out )
{
	out->ball = random_between( seed, 0.5, 1 );
	out->ours = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), out->ball );
}

// Of shapes of two kinds: balls, boxes, or hulls by the number of their corners.
enum
{
	kind_ball = 1,
	kind_box = 2,
};

static inline void make_shape( int kind, uint64_t* seed, convex_shape* out )
{
	switch ( kind )
	{
	case kind_ball: make_ball( seed, out ); break;
	case kind_box: make_box( seed, out ); break;
	default: make_hull( seed, kind, out ); break;
	}
}

static inline convex_scene make_scene( const std::string& name, int kind_a, int kind_b, convex_regime regime,
                                       size_t pairs, size_t frames )
{
	convex_scene scene;
	uint64_t seed = 1 + (uint64_t)( ( kind_a * 1001 + kind_b ) * regimes + regime );
	scene.shape = name;
	scene.regime = regime;
	scene.frames = frames;
	for ( size_t i = 0; i < pairs; ++i )
	{
		auto pair = std::make_unique<convex_pair>();
		make_shape( kind_a, &seed, pair->shape );
		make_shape( kind_b, &seed, pair->shape + 1 );
		make_path( pair.get(), regime, frames, &seed );
		for ( const bv_transform& at : pair->poses )
		{
			pair->answers.push_back( signed_distance( *pair, at ) );
		}
		scene.pairs.push_back( std::move( pair ) );
	}
	return scene;
}
