// Makes a file of poses near contact, by the recipe of the recorded pose files (../shared/README.md). Both
// meshes are normalized in 64 bits (center of the axis-aligned box to 0, half its diagonal to 1). For each
// draw B gets a random rotation and moves in along a random direction from 2.05 by conservative advancement,
// until its distance from A is below 1e-5. It is then placed at +0.01, +0.001 and -0.01 along that
// direction. Pairs of intersecting triangles and distances are FCL's, for the triangles that remain without
// degenerate ones and duplicates.
//
//   make_poses [--draws N] [--seed N] A B POSES.csv
//
// A file has 3 N lines, of 100 draws by default. Draws in which B passes A, as through a ring, are drawn
// again. Random numbers are splitmix64's (Steele, Lea, Flood 2014), turned into directions by rejection
// (Marsaglia 1972). Only sqrt of libm is used, so that they are the same everywhere.
//
// Exit codes: 1 usage, 2 a file can't be read or written.

#include "tests/bench/peer_fcl.h"

#include <cmath>

namespace {

const double start_distance = 2.05;
const double touching = 1e-5;
const double offsets[] = { 0.01, 0.001, -0.01 };
const int most_steps = 10000; // of one approach

struct generator
{
	uint64_t state;

	uint64_t bits()
	{
		state += 0x9e3779b97f4a7c15;
		uint64_t z = state;
		z = ( z ^ ( z >> 30 ) ) * 0xbf58476d1ce4e5b9;
		z = ( z ^ ( z >> 27 ) ) * 0x94d049bb133111eb;
		return z ^ ( z >> 31 );
	}

	// In [-1, 1).
	double number()
	{
		return (double)(int64_t)( bits() >> 11 ) * 0x1p-52 - 1;
	}

	// Uniform on the sphere of n dimensions, as normal deviates that are divided by their norm are.
	void direction( double* x, int n )
	{
		for ( ;; )
		{
			double square = 0;
			for ( int i = 0; i < n; ++i )
			{
				x[i] = number();
				square += x[i] * x[i];
			}
			if ( square > 1e-4 && square <= 1 )
			{
				for ( int i = 0; i < n; ++i )
				{
					x[i] /= std::sqrt( square );
				}
				return;
			}
		}
	}
};

struct draw
{
	bv_pose pose;
	double direction[3];

	void move_to( double s )
	{
		pose.translation = { s * direction[0], s * direction[1], s * direction[2] };
	}
};

draw make_draw( generator& random )
{
	draw d;
	double q[4];
	random.direction( q, 4 );
	random.direction( d.direction, 3 );
	double w = q[0], x = q[1], y = q[2], z = q[3];
	double rows[3][3] = { { 1 - 2 * ( y * y + z * z ), 2 * ( x * y - w * z ), 2 * ( x * z + w * y ) },
		                  { 2 * ( x * y + w * z ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - w * x ) },
		                  { 2 * ( x * z - w * y ), 2 * ( y * z + w * x ), 1 - 2 * ( x * x + y * y ) } };
	memcpy( d.pose.rotation, rows, sizeof rows );
	return d;
}

// Moves B in until it touches A.
// @return false when it passes by
bool approach( const fcl_tree& a, const fcl_tree& b, draw& d, double& s )
{
	s = start_distance;
	for ( int i = 0; i < most_steps && s > -start_distance; ++i )
	{
		d.move_to( s );
		double distance = fcl_distance( a, b, d.pose );
		if ( distance < touching )
		{
			return true;
		}
		s -= distance;
	}
	return false;
}

void write_pose( FILE* file, const fcl_tree& a, const fcl_tree& b, const draw& d, double offset )
{
	fprintf( file, "%g", offset );
	for ( int i = 0; i < 9; ++i )
	{
		fprintf( file, ",%.17g", d.pose.rotation[i / 3][i % 3] );
	}
	const bv_vec3& t = d.pose.translation;
	fprintf( file, ",%.17g,%.17g,%.17g,%llu,%.9g\n", t.x, t.y, t.z,
	         (unsigned long long)fcl_collide( a, b, d.pose ).pairs, fcl_distance( a, b, d.pose ) );
}

int write_poses( const fcl_tree& a, const fcl_tree& b, int draws, uint64_t seed, FILE* file )
{
	generator random = { seed };
	int passed = 0;
	fprintf( file, "offset,r00,r01,r02,r10,r11,r12,r20,r21,r22,tx,ty,tz,triangle_pairs,distance\n" );
	for ( int i = 0; i < draws; )
	{
		draw d = make_draw( random );
		double s;
		if ( !approach( a, b, d, s ) )
		{
			passed += 1;
			continue;
		}
		for ( double offset : offsets )
		{
			d.move_to( s + offset );
			write_pose( file, a, b, d, offset );
		}
		i += 1;
	}
	return passed;
}

std::shared_ptr<fcl_tree> load( const char* path )
{
	judge_mesh mesh;
	bvb_error error;
	if ( judge_load( path, bvb_positions_float, &mesh, &error ) != bv_ok )
	{
		fprintf( stderr, "make_poses: %s\n", error.message );
		exit( 2 );
	}
	auto tree = make_fcl_tree( mesh, NULL );
	judge_unload( &mesh );
	return tree;
}

} // namespace

int main( int count, char** arguments )
{
	int draws = 100;
	uint64_t seed = 1;
	int first = 1;
	for ( ; first + 1 < count && strncmp( arguments[first], "--", 2 ) == 0; first += 2 )
	{
		if ( strcmp( arguments[first], "--draws" ) == 0 )
		{
			draws = atoi( arguments[first + 1] );
		}
		else if ( strcmp( arguments[first], "--seed" ) == 0 )
		{
			seed = strtoull( arguments[first + 1], NULL, 10 );
		}
		else
		{
			break;
		}
	}
	if ( count != first + 3 || draws < 1 )
	{
		fprintf( stderr, "usage: make_poses [--draws N] [--seed N] A B POSES.csv\n" );
		return 1;
	}
	auto a = load( arguments[first] );
	auto b = load( arguments[first + 1] );
	const char* path = arguments[first + 2];
	FILE* file = fopen( path, "w" );
	if ( !file )
	{
		perror( path );
		return 2;
	}
	int passed = write_poses( *a, *b, draws, seed, file );
	if ( fclose( file ) != 0 )
	{
		perror( path );
		remove( path );
		return 2;
	}
	printf( "%s: %d draws, %d more passed by\n", name_of( path ), draws, passed );
	return 0;
}
