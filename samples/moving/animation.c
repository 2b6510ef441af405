// Writes an animation as one .glb file: two meshes, an arrow, and keys of both poses from the start to the contact. The arrow gets a
// size at the contact.
//
// Based on: Khronos Group, "glTF 2.0 Specification", 2021.

#include "animation.h"

#include "glb.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	sides = 12, // of the arrow
};

static void put_vec3( float* out, bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

// An arrow of length 1 along z that begins with a small double cone around the origin.
static void add_arrow( glb* g )
{
	static const float profile[][2] = { { 0, -0.1f },     { 0.1f, 0 },    { 0.025f, 0.075f },
		                                { 0.025f, 0.7f }, { 0.1f, 0.7f }, { 0, 1 } };
	enum
	{
		rings = sizeof profile / sizeof *profile,
	};
	float position[rings * sides][3];
	uint32_t corner[( rings - 1 ) * sides][2][3];
	for ( int r = 0; r < rings; ++r )
	{
		for ( int i = 0; i < sides; ++i )
		{
			double angle = 2 * 3.14159265358979323846 * i / sides, radius = (double)profile[r][0];
			put_vec3( position[r * sides + i],
			          bv_vec3_make( radius * cos( angle ), radius * sin( angle ), (double)profile[r][1] ) );
			if ( r + 1 < rings )
			{
				uint32_t a = (uint32_t)( r * sides + i ), b = (uint32_t)( r * sides + ( i + 1 ) % sides );
				uint32_t quad[2][3] = { { a, b, b + sides }, { a, b + sides, a + sides } };
				memcpy( corner[r * sides + i], quad, sizeof quad );
			}
		}
	}
	glb_add( g, glb_positions, position, rings * sides, 3 );
	glb_add( g, glb_indices, corner, ( rings - 1 ) * sides * 6, 1 );
}

// The poses at `count` times up to the contact. Translations and rotations get two numbers in a row. Between two keys viewers
// turn the shorter way, so that quaternions change signs where the way would be the longer one.
static void add_poses( glb* g, const bv_motion* motion, double end, int count )
{
	float( *translation )[3] = glb_allocate( (size_t)count, sizeof *translation );
	float( *rotation )[4] = glb_allocate( (size_t)count, sizeof *rotation );
	bv_quaternion before = bv_quaternion_identity();
	for ( int i = 0; i < count; ++i )
	{
		bv_transform at = bv_transform_identity();
		if ( bv_motion_at( motion, end * i / ( count - 1 ), &at ) != bv_ok )
		{
			fprintf( stderr, "moving: there is no pose at a time of a motion\n" );
			exit( 1 );
		}
		bv_quaternion q = bv_transform_to_quaternion( &at );
		double sign = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w < 0 ? -1 : 1;
		q = ( bv_quaternion ){ sign * q.x, sign * q.y, sign * q.z, sign * q.w };
		before = q;
		put_vec3( translation[i], at.pose.translation );
		float values[4] = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		memcpy( rotation[i], values, sizeof values );
	}
	glb_add( g, glb_values, translation, (size_t)count, 3 );
	glb_add( g, glb_values, rotation, (size_t)count, 4 );
	free( translation );
	free( rotation );
}

// The rotation that takes the z axis to a unit vector.
static bv_quaternion along( bv_vec3 n )
{
	bv_vec3 axis = { -n.y, n.x, 0 };
	double length = hypot( axis.x, axis.y );
	bv_quaternion q = bv_quaternion_identity();
	bv_quaternion_from_axis_angle( length > 0 ? axis : bv_vec3_make( 1, 0, 0 ), atan2( length, n.z ), &q );
	return q;
}

bool animation_write( const animation* a, const char* path )
{
	glb g = { .size = 0 };
	glb_add_mesh( &g, a->file[0] );
	glb_add_mesh( &g, a->file[1] );
	add_arrow( &g );

	// A key for each 10 degrees. Motions at constant speed are then shown as they are.
	double end = a->contact->lower, turn = fmax( fabs( a->motion[0]->angle ), fabs( a->motion[1]->angle ) );
	int count = 2 + (int)( end * turn / 0.1745 );
	float* times = glb_allocate( (size_t)count, sizeof *times );
	for ( int i = 0; i < count; ++i )
	{
		times[i] = (float)( a->seconds * end * i / ( count - 1 ) );
	}
	float marker_times[3] = { 0, times[count - 1], times[count - 1] + 2 }, size = (float)a->marker;
	float marker_scales[3][3] = { { 0, 0, 0 }, { size, size, size }, { size, size, size } };
	int time = glb_add( &g, glb_times, times, (size_t)count, 1 );
	add_poses( &g, a->motion[0], end, count );
	add_poses( &g, a->motion[1], end, count );
	glb_add( &g, glb_times, marker_times, 3, 1 );
	glb_add( &g, glb_values, marker_scales, 3, 3 );
	free( times );

	glb_text* json = &g.json;
	// Viewers have y upward.
	glb_append(
		json,
		"{\"asset\":{\"version\":\"2.0\",\"generator\":\"samples/"
		"moving\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
		"\"nodes\":[{\"name\":\"%s\",\"children\":[1,2,3],\"rotation\":[%.9g,0,0,%.9g],\"scale\":[%g,%g,%g]}",
		a->name, -sqrt( 0.5 ), sqrt( 0.5 ), a->meters, a->meters, a->meters );
	for ( int i = 0; i < 2; ++i )
	{
		bv_transform at = bv_transform_identity();
		bv_motion_at( a->motion[i], 0, &at );
		bv_quaternion q = bv_transform_to_quaternion( &at );
		bv_vec3 p = at.pose.translation;
		glb_append( json,
		            ",{\"name\":\"object "
		            "%d\",\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]}",
		            i, i, p.x, p.y, p.z, q.x, q.y, q.z, q.w );
	}
	bv_vec3 p = a->contact->point[0];
	bv_quaternion q = along( a->contact->normal );
	glb_append(
		json,
		",{\"name\":\"contact\",\"mesh\":2,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,"
		"%.9g],"
		"\"scale\":[0,0,0]}],\"meshes\":[",
		p.x, p.y, p.z, q.x, q.y, q.z, q.w );
	for ( int i = 0; i < 3; ++i )
	{
		glb_append( json,
		            "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d}]}",
		            i ? "," : "", 2 * i, 2 * i + 1, i );
	}
	glb_append( json, "],\"materials\":[" );
	for ( int i = 0; i < 3; ++i )
	{
		static const float red[4] = { 0.9f, 0.05f, 0.05f, 1 };
		const float* c = i < 2 ? a->color[i] : red;
		glb_append( json,
		            "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,%g],\"metallicFactor\":0,"
		            "\"roughnessFactor\":0.6}%s}",
		            i ? "," : "", (double)c[0], (double)c[1], (double)c[2], (double)c[3],
		            c[3] < 1 ? ",\"alphaMode\":\"BLEND\"" : "" );
	}
	glb_append( json, "],\"animations\":[{\"name\":\"until contact\",\"channels\":[" );
	static const char* const paths[] = { "translation", "rotation", "translation", "rotation", "scale" };
	for ( int i = 0; i < 5; ++i )
	{
		glb_append( json, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i ? "," : "", i,
		            1 + i / 2, paths[i] );
	}
	glb_append( json, "],\"samplers\":[" );
	for ( int i = 0; i < 4; ++i )
	{
		glb_append( json, "{\"input\":%d,\"output\":%d},", time, time + 1 + i );
	}
	glb_append( json, "{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}]}]", time + 5, time + 6 );
	return glb_write( &g, path );
}
