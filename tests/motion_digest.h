// Digests of rotations, motions, their bounds, swept volumes and first contacts, which must be the same from each compiler and on each machine.

#pragma once

#include "bv/motion.h"

#include "tests/convex_digest.h"

enum
{
	digest_motions = 10000,
	digest_mesh_motions = 100,
};

static bv_vec3 digest_place( uint64_t* seed, double size )
{
	double x = size * random_coordinate( seed );
	double y = size * random_coordinate( seed );
	return ( bv_vec3 ){ x, y, size * random_coordinate( seed ) };
}

static void digest_transform( digest* d, const bv_transform* t )
{
	digest_numbers( d, &t->pose.rotation[0][0], 9 );
	digest_vector( d, t->pose.translation );
	digest_numbers( d, &t->scale, 1 );
}

// Angles of all sizes, and next to those of singular cases.
static double digest_angle( uint64_t* seed, int index )
{
	double angle = 4 * random_coordinate( seed );
	for ( int i = index % 12; i > 0; --i )
	{
		angle *= 0.0625;
	}
	return index % 5 * 0.78539816339744830962 + angle;
}

static bv_transform digest_rotations( uint64_t* seed, int index, digest* d )
{
	bv_vec3 angles = { digest_angle( seed, index ), digest_angle( seed, index / 7 ),
		               digest_angle( seed, index / 3 ) };
	bv_vec3 axis = random_direction( seed );
	bv_transform t = bv_transform_identity();
	double angle = 0;
	bv_quaternion q = bv_quaternion_identity();
	bv_quaternion between = q;
	d->refused += bv_transform_from_xyz( angles, digest_place( seed, 10 ), &t ) != bv_ok;
	d->refused += bv_transform_to_xyz( &t, &angles ) != bv_ok;
	d->refused += bv_quaternion_from_axis_angle( axis, digest_angle( seed, index ), &q ) != bv_ok;
	d->refused += bv_quaternion_slerp( q, bv_transform_to_quaternion( &t ), 0.3, &between ) != bv_ok;
	d->refused += bv_quaternion_to_axis_angle( between, &axis, &angle ) != bv_ok;
	digest_transform( d, &t );
	digest_vector( d, angles );
	digest_vector( d, axis );
	digest_numbers( d, &angle, 1 );
	digest_numbers( d, &q.x, 4 );
	digest_numbers( d, &between.x, 4 );
	return t;
}

static void digest_volume( digest* d, const bv_volume* v )
{
	switch ( v->type )
	{
	case bv_volume_sphere:
		digest_vector( d, v->sphere.center );
		digest_numbers( d, &v->sphere.radius, 1 );
		break;
	case bv_volume_obb:
		digest_vector( d, v->obb.center );
		digest_numbers( d, v->obb.half_extents, 3 );
		digest_numbers( d, &v->obb.axis[0].x, 9 );
		break;
	default:
		digest_numbers( d, v->kdop.lower, BV_KDOP_DIRECTIONS );
		digest_numbers( d, v->kdop.upper, BV_KDOP_DIRECTIONS );
	}
}

// Of a capsule and twelve points, or a box.
static void digest_sweep( uint64_t* seed, int index, const bv_motion motion[2], digest* d )
{
	bv_vec3 points[12];
	for ( int i = 0; i < 12; ++i )
	{
		points[i] = digest_place( seed, 4 );
	}
	bv_convex a =
		index % 3 == 0 ? bv_convex_capsule( points[0], points[1], 0.5 ) : bv_convex_points( points, 12, 0 );
	bv_convex b = bv_convex_box( points[2], ( bv_vec3 ){ 3, 2, 1 } );
	bv_sweep_result r = { .found = false };
	d->refused += bv_sweep_convexes( &a, motion, &b, motion + 1, NULL, &r ) != bv_ok;
	const double numbers[3] = { r.lower, r.upper, ( r.found ? 1 : 0 ) + ( r.certain ? 2 : 0 ) };
	digest_numbers( d, numbers, 3 );
	digest_vector( d, r.point[0] );
	digest_vector( d, r.point[1] );
	digest_vector( d, r.normal );
}

static void digest_motion( uint64_t* seed, int index, digest* d )
{
	bv_transform start = digest_rotations( seed, index, d );
	bv_transform end = digest_rotations( seed, index / 2, d );
	bv_vec3 pivot = digest_place( seed, 3 );
	bv_motion m = { .kind = bv_motion_of_pose };
	start.scale = end.scale = index % 3 + 0.5;
	start.mirror = end.mirror = index % 2;
	bv_status status =
		index % 4 == 0   ? bv_motion_slerp( &start, &end, pivot, &m )
		: index % 4 == 1 ? bv_motion_nlerp( &start, &end, pivot, &m )
		: index % 4 == 2 ? bv_motion_screw_between( &start, &end, &m )
						 : bv_motion_screw( &start, pivot, end.pose.translation, 100 * pivot.x, pivot.y, &m );
	d->refused += status != bv_ok;
	const bv_motion parts[2] = { m, m };
	const double ends[2] = { 0.375, 1 };
	bv_motion both = bv_motion_sequence( parts, ends, 2 );
	const bv_motion* motion = index % 5 == 0 ? &both : &m;
	bv_sphere ball = { digest_place( seed, 5 ), 0.25 };
	double time = 0.5 + 0.4 * random_coordinate( seed );
	double numbers[2] = { 0, 0 };
	d->refused += bv_motion_at( motion, time, &end ) != bv_ok;
	d->refused += bv_motion_reach( motion, time / 2, 1, time, &ball, numbers ) != bv_ok;
	d->refused += bv_motion_speed( motion, time / 2, time, &ball, numbers + 1 ) != bv_ok;
	digest_transform( d, &end );
	digest_numbers( d, numbers, 2 );
	const bv_volume_type types[3] = { bv_volume_sphere, bv_volume_obb, bv_volume_kdop26 };
	const bv_volume volume = { .type = bv_volume_sphere, .sphere = ball };
	bv_volume swept = volume;
	d->refused += bv_motion_swept_volume( motion, 0.25, time / 2 + 0.5, &volume, types[index % 3],
	                                      (bv_swept_rule)( index / 3 % 2 ), &swept ) != bv_ok;
	digest_volume( d, &swept );
	bv_motion two[2] = { *motion, m };
	d->refused += bv_motion_still( &start, two + 1 ) != bv_ok;
	digest_sweep( seed, index, two, d );
}

// A file against itself, in a mode. Motions end where the other one starts, or near it.
static void digest_mesh_sweep( const bv_file* file, uint64_t* seed, bv_sweep_mode mode, digest* d )
{
	bv_file_bounds bounds;
	if ( !bv_file_get_bounds( file, &bounds ) )
	{
		return;
	}
	double size = bv_length( bv_sub( bounds.aabb.upper, bounds.aabb.lower ) );
	bv_transform pose[3] = { bv_transform_identity() };
	bv_motion motion[2];
	for ( int i = 1; i < 3; ++i )
	{
		bv_vec3 angles = digest_place( seed, 3 );
		d->refused += bv_transform_from_xyz( angles, digest_place( seed, size / i ), pose + i ) != bv_ok;
	}
	d->refused += bv_motion_still( pose, motion ) != bv_ok;
	d->refused += bv_motion_slerp( pose + 1, pose + 2, digest_place( seed, size ), motion + 1 ) != bv_ok;
	const bv_sweep_options options = { .mode = mode };
	bv_sweep_result r = { .found = false };
	d->refused += bv_sweep_meshes( file, motion, file, motion + 1, &options, &r ) != bv_ok;
	const double numbers[7] = { r.lower,        r.upper,       ( r.found ? 1 : 0 ) + ( r.certain ? 2 : 0 ),
		                        r.triangle[0],  r.triangle[1], (double)( r.volume_tests + r.triangle_tests ),
		                        (double)r.steps };
	digest_numbers( d, numbers, 7 );
	digest_vector( d, r.point[0] );
	digest_vector( d, r.point[1] );
	digest_vector( d, r.normal );
}

static void print_mesh_motion_digests( const bv_file* file )
{
	for ( int mode = 0; mode < bv_sweep_modes; ++mode )
	{
		digest d = { .hash = 0 };
		uint64_t seed = 1;
		for ( int i = 0; i < digest_mesh_motions; ++i )
		{
			digest_mesh_sweep( file, &seed, (bv_sweep_mode)mode, &d );
		}
		printf( "sweeps of the file, mode %d: %016" PRIx64 ", %d refused\n", mode, d.hash, d.refused );
	}
}

static void print_motion_digests( void )
{
	digest d = { .hash = 0 };
	uint64_t seed = 1;
	for ( int i = 0; i < digest_motions; ++i )
	{
		digest_motion( &seed, i, &d );
	}
	printf( "motions: %016" PRIx64 ", %d refused\n", d.hash, d.refused );
}
