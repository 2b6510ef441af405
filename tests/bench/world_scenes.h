// Scenes of bench_world: many boxes, some of which move in each step. A scene follows from its kind, its number of boxes, the
// share that moves, and its seed. The kinds Brownian, free fall and gravity are from Broadmark (Serpa, Rodrigues 2019).
// In C++.
//
// All coordinates are multiples of 2^-16 and below 2^32, so that centers and sides of boxes, which FCL and ODE take, give the same
// boxes as their corners, which others take: each library has to find exactly the same pairs.

#pragma once

#include "bvworld/broadphase.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

[[noreturn]] inline void world_fail( const char* what )
{
	fprintf( stderr, "bench_world: %s\n", what );
	fflush( stderr );
	abort();
}

enum world_kind
{
	world_brownian,  // unit boxes in a cube, each of which touches one other on average, move at random
	world_free_fall, // the same boxes fall with speeds of their own, and begin again at the top
	world_gravity,   // they swing through the center, where they are dense
	world_sizes, // sides from 1 to 10,000, the number above s is proportional to 1/s; they move by a tenth of their size
	world_line, // unit boxes along a line: all of them overlap in two axes
	world_spot, // all touch all
	world_kinds,
};

const char* const world_names[world_kinds] = { "Brownian",     "free fall", "gravity",
	                                           "sizes 1:10^4", "one line",  "one spot" };

// Splitmix64 (Steele, Lea, Flood 2014).
struct world_random
{
	uint64_t state;

	uint64_t next()
	{
		uint64_t z = state += UINT64_C( 0x9e3779b97f4a7c15 );
		z = ( z ^ ( z >> 30 ) ) * UINT64_C( 0xbf58476d1ce4e5b9 );
		z = ( z ^ ( z >> 27 ) ) * UINT64_C( 0x94d049bb133111eb );
		return z ^ ( z >> 31 );
	}

	double unit()
	{
		return (double)( next() >> 11 ) * 0x1p-53;
	}

	double between( double low, double high )
	{
		return low + ( high - low ) * unit();
	}
};

struct world_scene
{
	world_kind kind;
	uint32_t count;
	double high;  // centers are in [0, high]^3, or in [-high, high]^3
	double low;   // lower end of centers
	double reach; // greatest half side
	std::vector<bv_vec3> centers;
	std::vector<bv_vec3> velocities; // of those that keep one
	std::vector<double> halves;      // half sides
	std::vector<bv_aabb> boxes;
	std::vector<uint32_t> movers;
	world_random random;

	// @param percent  of the boxes that move
	world_scene( world_kind of, uint32_t boxes_of_it, unsigned percent, uint64_t seed )
		: kind( of ), count( boxes_of_it ), low( 0 ), random{ seed + 1000 * of }
	{
		centers.resize( count );
		velocities.resize( count );
		halves.resize( count );
		boxes.resize( count );
		high = span();
		low = kind == world_gravity ? -high : 0;
		reach = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			place( i );
			reach = std::fmax( reach, halves[i] );
			if ( i % 100 < percent )
			{
				movers.push_back( i );
			}
			enter( i );
		}
	}

	// The next step: new boxes for the movers.
	void advance()
	{
		for ( uint32_t i : movers )
		{
			go( i );
			enter( i );
		}
	}

	double lowest() const
	{
		return low - reach - 1;
	}

	double highest() const
	{
		return high + reach + 1;
	}

  private:
	// The cube in which boxes touch one other on average: count * mean of ( side + other side )^3 / span^3 = 1.
	double span() const
	{
		const double n = count;
		switch ( kind )
		{
		case world_sizes: return 464.2 * std::cbrt( n ); // 2 E( s^3 ) = 10^8
		case world_gravity: return 3 * std::cbrt( n );
		case world_line: return 2 * n;
		case world_spot: return 0.25;
		default: return 2 * std::cbrt( n );
		}
	}

	void place( uint32_t i )
	{
		halves[i] = 0.5;
		bv_vec3& c = centers[i];
		if ( kind == world_line )
		{
			c = { 0, 0, random.between( 0, high ) };
			return;
		}
		c = { random.between( low, high ), random.between( low, high ), random.between( low, high ) };
		if ( kind == world_free_fall )
		{
			velocities[i] = { 0, 0, -random.between( 0.05, 0.3 ) };
		}
		else if ( kind == world_sizes )
		{
			// The greatest and the least size are always there.
			double u = i == 0 ? 0 : i == 1 ? 1 : random.unit();
			halves[i] = std::ceil( 0.5 / ( 1e-4 + ( 1 - 1e-4 ) * u ) * 0x1p16 - 1e-6 ) * 0x1p-16;
		}
		else if ( kind == world_gravity )
		{
			swing( i );
		}
	}

	// A harmonic orbit around the center at a uniform distance: the density falls with the square of the distance.
	void swing( uint32_t i )
	{
		bv_vec3& c = centers[i];
		double length = std::sqrt( c.x * c.x + c.y * c.y + c.z * c.z ) + 1e-9;
		double distance = random.between( 0, high );
		c = { c.x / length * distance, c.y / length * distance, c.z / length * distance };
		double speed = 0.2 / high; // at most 0.35 a step
		velocities[i] = { speed * random.between( -distance, distance ),
			              speed * random.between( -distance, distance ),
			              speed * random.between( -distance, distance ) };
	}

	// A step that stays within, or goes back.
	double wander( double at, double most )
	{
		double by = random.between( -most, most );
		return at + by < low || at + by > high ? at - by : at + by;
	}

	void go( uint32_t i )
	{
		bv_vec3& c = centers[i];
		bv_vec3& v = velocities[i];
		const double most = 0.2 * halves[i];
		switch ( kind )
		{
		case world_free_fall:
			c.z += v.z;
			c.z += c.z < low ? high - low : 0;
			break;
		case world_gravity:
		{
			double pull = 0.04 / ( high * high );
			v = { v.x - pull * c.x, v.y - pull * c.y, v.z - pull * c.z };
			c = { c.x + v.x, c.y + v.y, c.z + v.z };
			break;
		}
		case world_line: c.z = wander( c.z, most ); break;
		default: c = { wander( c.x, most ), wander( c.y, most ), wander( c.z, most ) }; break;
		}
	}

	void enter( uint32_t i )
	{
		bv_vec3& c = centers[i];
		c = { std::nearbyint( c.x * 0x1p16 ) * 0x1p-16, std::nearbyint( c.y * 0x1p16 ) * 0x1p-16,
			  std::nearbyint( c.z * 0x1p16 ) * 0x1p-16 };
		double h = halves[i];
		boxes[i] = { { c.x - h, c.y - h, c.z - h }, { c.x + h, c.y + h, c.z + h } };
	}
};

inline bool world_touch( const bv_aabb& a, const bv_aabb& b )
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
	       b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

// A set of pairs in any order: their number, and a sum of hashes that tells sets apart.
struct world_pairs
{
	uint64_t count = 0;
	uint64_t sum = 0;

	void add( uint32_t a, uint32_t b )
	{
		world_random hash = { ( (uint64_t)( a < b ? a : b ) << 32 ) | ( a < b ? b : a ) };
		++count;
		sum += hash.next();
	}

	bool operator==( const world_pairs& other ) const
	{
		return count == other.count && sum == other.sum;
	}
};

// What takes part.
struct world_entrant
{
	virtual ~world_entrant() = default;

	// Makes the world of a scene, with pairs.
	virtual void begin( const world_scene& scene ) = 0;

	virtual void move( uint32_t number, const bv_aabb& box ) = 0;

	// Finds all pairs, or keeps track of them.
	virtual void update() = 0;

	// Lists the pairs of the last update whose boxes touch.
	virtual void list( const world_scene& scene, world_pairs& pairs ) = 0;
};

// For libraries that call back for each pair of boxes, and keep none.
struct world_collector
{
	const std::vector<bv_aabb>* boxes = nullptr;
	uint64_t found = 0; // so that the compiler does not leave the call out
	std::vector<bvw_pair>* keep = nullptr;

	void take( uint32_t a, uint32_t b )
	{
		++found;
		if ( keep )
		{
			keep->push_back( { a, b } );
		}
	}

	// The pairs that a search calls back for.
	template <typename search> std::vector<bvw_pair> list( search find )
	{
		std::vector<bvw_pair> all;
		keep = &all;
		find();
		keep = nullptr;
		return all;
	}
};

// Reads numbers that commas separate, as options have them.
// @return false if one is not a number from 1 to 10 million
template <typename value> inline bool read_list( const char* text, std::vector<value>& out )
{
	out.clear();
	while ( *text )
	{
		char* end = nullptr;
		unsigned long one = strtoul( text, &end, 10 );
		if ( end == text || one == 0 || one > 10000000 )
		{
			return false;
		}
		out.push_back( (value)one );
		text = *end == ',' ? end + 1 : end;
	}
	return !out.empty();
}

} // namespace
