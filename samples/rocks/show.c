// Writes an animation of many objects as one .glb file. Objects share meshes and the times of keys.
//
// A rotation takes 8 bytes a key: four 16-bit integers. A position takes 12, because glTF has no smaller ones in animations.

#include "show.h"

#include "../moving/glb.h"

#include <math.h>
#include <stdlib.h>

static void put_materials( glb_text* json, const show* s )
{
	glb_append( json, ",\"materials\":[" );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		const float* c = s->colors[i];
		glb_append( json,
		            "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],\"metallicFactor\":0,"
		            "\"roughnessFactor\":0.9}}",
		            i ? "," : "", (double)c[0], (double)c[1], (double)c[2] );
	}
	glb_append( json, "],\"meshes\":[" );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		glb_append( json,
		            "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%u},\"indices\":%u,\"material\":%u}]}",
		            i ? "," : "", 2 * i, 2 * i + 1, i );
	}
	glb_append( json, "]" );
}

// Moving objects have the numbers of their nodes. The last node holds all others: viewers have y upward.
static void put_nodes( glb_text* json, const show* s )
{
	uint32_t count = s->moving + s->resting;
	glb_append( json, ",\"nodes\":[" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		glb_append( json, "%s{\"mesh\":%u", i ? "," : "", s->file_of[i] );
		if ( i >= s->moving )
		{
			bv_quaternion q = bv_transform_to_quaternion( s->places + ( i - s->moving ) );
			bv_vec3 p = s->places[i - s->moving].pose.translation;
			glb_append( json, ",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]", p.x,
			            p.y, p.z, q.x, q.y, q.z, q.w );
		}
		else
		{
			const float* p = s->positions[i];
			glb_append( json, ",\"translation\":[%.6g,%.6g,%.6g]", (double)p[0], (double)p[1], (double)p[2] );
		}
		glb_append( json, "}" );
	}
	glb_append( json, ",{\"name\":\"all\",\"rotation\":[%.9g,0,0,%.9g],\"children\":[0", -sqrt( 0.5 ),
	            sqrt( 0.5 ) );
	for ( uint32_t i = 1; i < count; ++i )
	{
		glb_append( json, ",%u", i );
	}
	glb_append( json, "]}],\"scene\":0,\"scenes\":[{\"nodes\":[%u]}]", count );
}

// The keys of an object follow each other.
static void add_keys( glb* g, const show* s, uint32_t object )
{
	float( *position )[3] = glb_allocate( s->keys, sizeof *position );
	int16_t( *turn )[4] = glb_allocate( s->keys, sizeof *turn );
	for ( uint32_t k = 0; k < s->keys; ++k )
	{
		size_t at = (size_t)k * s->moving + object;
		int dot = 0;
		for ( int i = 0; i < 4; ++i )
		{
			position[k][i % 3] = s->positions[at][i % 3];
			dot += k ? s->turns[at][i] * ( turn[k - 1][i] / 4 ) : 1;
		}
		// Viewers turn from key to key the shorter way.
		for ( int i = 0; i < 4; ++i )
		{
			turn[k][i] = (int16_t)( dot < 0 ? -s->turns[at][i] : s->turns[at][i] );
		}
	}
	glb_add( g, glb_values, position, s->keys, 3 );
	glb_add( g, glb_rotations, turn, s->keys, 4 );
	free( position );
	free( turn );
}

static int add_times( glb* g, const show* s )
{
	float* times = glb_allocate( s->keys, sizeof *times );
	for ( uint32_t k = 0; k < s->keys; ++k )
	{
		times[k] = (float)( s->seconds * k );
	}
	int accessor = glb_add( g, glb_times, times, s->keys, 1 );
	free( times );
	return accessor;
}

bool show_write( const show* s, const char* path )
{
	glb g = { .size = 0 };
	glb_append( &g.json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"samples/rocks\"}" );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		glb_add_mesh( &g, s->files[i] );
	}
	int times = add_times( &g, s );
	put_materials( &g.json, s );
	put_nodes( &g.json, s );
	glb_append( &g.json, ",\"animations\":[{\"name\":\"fall\",\"samplers\":[" );
	for ( uint32_t i = 0; i < s->moving; ++i )
	{
		add_keys( &g, s, i );
		glb_append( &g.json, "%s{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}", i ? "," : "",
		            times, times + 1 + 2 * (int)i, times, times + 2 + 2 * (int)i );
	}
	glb_append( &g.json, "],\"channels\":[" );
	for ( uint32_t i = 0; i < 2 * s->moving; ++i )
	{
		glb_append( &g.json, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", i ? "," : "", i,
		            i / 2, i % 2 ? "rotation" : "translation" );
	}
	glb_append( &g.json, "]}]" );
	return glb_write( &g, path );
}
