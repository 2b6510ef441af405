// Writes an animation as one .glb file: two meshes, an arrow, and keys of both poses from the start to the contact. The arrow gets a
// size at the contact.
//
// Based on: Khronos Group, "glTF 2.0 Specification", 2021.

#include "animation.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	// Numbers of glTF 2.0.
	bytes_array = 34962,
	bytes_indices = 34963,
	type_uint32 = 5125,
	type_float = 5126,
	most_json = 16384,
	sides = 12, // of the arrow
};

// The binary part, and what the JSON part says of it.
typedef struct writer
{
	char* bytes;
	size_t size;
	char json[most_json], views[most_json / 2], accessors[most_json / 2];
	int accessor_count;
} writer;

// Appends to a text of the given capacity.
static void append( char* text, size_t capacity, const char* format, ... )
{
	size_t length = strlen( text );
	va_list list;
	va_start( list, format );
	int added = vsnprintf( text + length, capacity - length, format, list );
	va_end( list );
	if ( added < 0 || (size_t)added >= capacity - length )
	{
		fprintf( stderr, "moving: the description of an animation is too long\n" );
		exit( 1 );
	}
}

// Adds an array as a view and an accessor. Returns the accessor's number. Elements have 4 bytes per component.
static int add_array( writer* w, const void* data, size_t count, int components, bool is_index,
                      bool is_vertex )
{
	static const char* const types[] = { "", "SCALAR", "", "VEC3", "VEC4" };
	size_t bytes = 4 * count * (size_t)components;
	char* larger = realloc( w->bytes, w->size + bytes );
	if ( !larger )
	{
		fprintf( stderr, "moving: out of memory\n" );
		exit( 1 );
	}
	memcpy( larger + w->size, data, bytes );
	const char* comma = w->accessor_count ? "," : "";
	append( w->views, sizeof w->views, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", comma,
	        w->size, bytes );
	if ( is_index || is_vertex )
	{
		append( w->views, sizeof w->views, ",\"target\":%d", is_index ? bytes_indices : bytes_array );
	}
	append( w->views, sizeof w->views, "}" );
	append( w->accessors, sizeof w->accessors,
	        "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"", comma,
	        w->accessor_count, is_index ? type_uint32 : type_float, count, types[components] );
	if ( !is_index && components <= 3 )
	{
		for ( int end = 0; end < 2; ++end )
		{
			append( w->accessors, sizeof w->accessors, ",\"%s\":[", end ? "max" : "min" );
			for ( int c = 0; c < components; ++c )
			{
				const float* value = data;
				float extreme = value[c];
				for ( size_t i = 1; i < count; ++i )
				{
					float v = value[i * (size_t)components + (size_t)c];
					extreme = end ? fmaxf( extreme, v ) : fminf( extreme, v );
				}
				append( w->accessors, sizeof w->accessors, "%s%.9g", c ? "," : "", (double)extreme );
			}
			append( w->accessors, sizeof w->accessors, "]" );
		}
	}
	append( w->accessors, sizeof w->accessors, "}" );
	w->bytes = larger;
	w->size += bytes;
	return w->accessor_count++;
}

static void* allocate( size_t count, size_t size )
{
	void* memory = calloc( count, size );
	if ( !memory )
	{
		fprintf( stderr, "moving: out of memory\n" );
		exit( 1 );
	}
	return memory;
}

static void put_vec3( float* out, bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

// Without normals, viewers show triangles as the flat faces that they are. Positions and indices get two numbers in a row.
static void add_mesh( writer* w, const bv_file* file )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	float* position = allocate( info.vertices, 3 * sizeof *position );
	uint32_t* corner = allocate( info.triangles, 3 * sizeof *corner );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		put_vec3( position + 3 * i, bv_file_get_vertex( file, i ) );
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, corner + 3 * i );
	}
	add_array( w, position, info.vertices, 3, false, true );
	add_array( w, corner, 3 * (size_t)info.triangles, 1, true, false );
	free( position );
	free( corner );
}

// An arrow of length 1 along z that begins with a small double cone around the origin.
static void add_arrow( writer* w )
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
	add_array( w, position, rings * sides, 3, false, true );
	add_array( w, corner, ( rings - 1 ) * sides * 6, 1, true, false );
}

// The poses at `count` times up to the contact. Translations and rotations get two numbers in a row. Between two keys viewers
// turn the shorter way, so that quaternions change signs where the way would be the longer one.
static void add_poses( writer* w, const bv_motion* motion, double end, int count )
{
	float( *translation )[3] = allocate( (size_t)count, sizeof *translation );
	float( *rotation )[4] = allocate( (size_t)count, sizeof *rotation );
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
	add_array( w, translation, (size_t)count, 3, false, false );
	add_array( w, rotation, (size_t)count, 4, false, false );
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

static bool write_file( const char* path, writer* w )
{
	// Chunks are multiples of 4 bytes; blanks fill the text. Arrays are of such a size already.
	while ( strlen( w->json ) % 4 )
	{
		append( w->json, sizeof w->json, " " );
	}
	size_t length = strlen( w->json );
	const size_t numbers[] = { 12 + 8 + length + 8 + w->size, length, w->size };
	uint8_t little[3][4];
	for ( int i = 0; i < 12; ++i )
	{
		little[i / 4][i % 4] = (uint8_t)( numbers[i / 4] >> 8 * ( i % 4 ) );
	}
	FILE* out = fopen( path, "wb" );
	bool written = out && fwrite( "glTF\2\0\0\0", 8, 1, out ) && fwrite( little[0], 4, 1, out ) &&
	               fwrite( little[1], 4, 1, out ) && fwrite( "JSON", 4, 1, out ) &&
	               fwrite( w->json, length, 1, out ) && fwrite( little[2], 4, 1, out ) &&
	               fwrite( "BIN\0", 4, 1, out ) && fwrite( w->bytes, w->size, 1, out );
	written = ( !out || !fclose( out ) ) && written;
	if ( !written )
	{
		perror( path );
	}
	return written;
}

bool animation_write( const animation* a, const char* path )
{
	writer* w = allocate( 1, sizeof *w );
	add_mesh( w, a->file[0] );
	add_mesh( w, a->file[1] );
	add_arrow( w );

	// A key for each 10 degrees. Motions at constant speed are then shown as they are.
	double end = a->contact->lower, turn = fmax( fabs( a->motion[0]->angle ), fabs( a->motion[1]->angle ) );
	int count = 2 + (int)( end * turn / 0.1745 );
	float* times = allocate( (size_t)count, sizeof *times );
	for ( int i = 0; i < count; ++i )
	{
		times[i] = (float)( a->seconds * end * i / ( count - 1 ) );
	}
	float marker_times[3] = { 0, times[count - 1], times[count - 1] + 2 }, size = (float)a->marker;
	float marker_scales[3][3] = { { 0, 0, 0 }, { size, size, size }, { size, size, size } };
	int time = add_array( w, times, (size_t)count, 1, false, false );
	add_poses( w, a->motion[0], end, count );
	add_poses( w, a->motion[1], end, count );
	add_array( w, marker_times, 3, 1, false, false );
	add_array( w, marker_scales, 3, 3, false, false );
	free( times );

	char* json = w->json;
	// Viewers have y upward.
	append(
		json, most_json,
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
		append( json, most_json,
		        ",{\"name\":\"object "
		        "%d\",\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]}",
		        i, i, p.x, p.y, p.z, q.x, q.y, q.z, q.w );
	}
	bv_vec3 p = a->contact->point[0];
	bv_quaternion q = along( a->contact->normal );
	append( json, most_json,
	        ",{\"name\":\"contact\",\"mesh\":2,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,"
	        "%.9g],"
	        "\"scale\":[0,0,0]}],\"meshes\":[",
	        p.x, p.y, p.z, q.x, q.y, q.z, q.w );
	for ( int i = 0; i < 3; ++i )
	{
		append( json, most_json,
		        "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"material\":%d}]}",
		        i ? "," : "", 2 * i, 2 * i + 1, i );
	}
	append( json, most_json, "],\"materials\":[" );
	for ( int i = 0; i < 3; ++i )
	{
		static const float red[4] = { 0.9f, 0.05f, 0.05f, 1 };
		const float* c = i < 2 ? a->color[i] : red;
		append( json, most_json,
		        "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,%g],\"metallicFactor\":0,"
		        "\"roughnessFactor\":0.6}%s}",
		        i ? "," : "", (double)c[0], (double)c[1], (double)c[2], (double)c[3],
		        c[3] < 1 ? ",\"alphaMode\":\"BLEND\"" : "" );
	}
	append( json, most_json, "],\"animations\":[{\"name\":\"until contact\",\"channels\":[" );
	static const char* const paths[] = { "translation", "rotation", "translation", "rotation", "scale" };
	for ( int i = 0; i < 5; ++i )
	{
		append( json, most_json, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", i ? "," : "",
		        i, 1 + i / 2, paths[i] );
	}
	append( json, most_json, "],\"samplers\":[" );
	for ( int i = 0; i < 4; ++i )
	{
		append( json, most_json, "{\"input\":%d,\"output\":%d},", time, time + 1 + i );
	}
	append(
		json, most_json,
		"{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}]}],\"bufferViews\":[%s],\"accessors\":[%s],"
		"\"buffers\":[{\"byteLength\":%zu}]}",
		time + 5, time + 6, w->views, w->accessors, w->size );

	bool written = write_file( path, w );
	free( w->bytes );
	free( w );
	return written;
}
