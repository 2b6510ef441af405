// Writes a run as an animation in binary glTF 2.0, and as a page that plays it. The page holds the animation in base64, and what is known of
// each frame as JSON.

#include "scene.h"

#include "../moving/glb.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The lines of page.html.
static const char* const page[] = {
#include "page.inc"
};

// Appends a text in quotes, so that it can stand in a page, too.
static void put_text( glb_text* out, const char* text )
{
	cJSON* string = cJSON_CreateString( text );
	char* quoted = string ? cJSON_PrintUnformatted( string ) : NULL;
	if ( !quoted )
	{
		fail( exit_memory, "there is not enough memory" );
	}
	for ( const char* c = quoted; *c; ++c )
	{
		glb_append( out, *c == '<' ? "\\u003c" : "%c", *c );
	}
	cJSON_free( quoted );
	cJSON_Delete( string );
}

// Animation

static void put_materials( glb_text* json, const scene* s )
{
	glb_append( json, ",\"materials\":[" );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		double tint = 0.1 * ( i * 0.618 - floor( i * 0.618 ) );
		glb_append( json,
		            "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%g,%g,%g,1],\"metallicFactor\":0,"
		            "\"roughnessFactor\":0.8}}",
		            i ? "," : "", 0.45 + tint, 0.5, 0.55 - tint );
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

// Nodes have the numbers of objects. The last node holds all others: viewers have y upward.
static void put_nodes( glb_text* json, const scene* s, const run* r )
{
	glb_append( json, ",\"nodes\":[" );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		const bv_transform* t = r->places + i;
		bv_quaternion q = bv_transform_to_quaternion( t );
		bv_vec3 p = t->pose.translation;
		glb_append( json, "%s{\"name\":", i ? "," : "" );
		put_text( json, s->objects[i].name );
		if ( s->objects[i].file != BVW_NO_FILE )
		{
			glb_append( json, ",\"mesh\":%u", s->objects[i].file );
		}
		glb_append(
			json,
			",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g],\"scale\":[%.9g,%.9g,"
			"%.9g]}",
			p.x, p.y, p.z, q.x, q.y, q.z, q.w, t->mirror ? -t->scale : t->scale, t->scale, t->scale );
	}
	glb_append( json, ",{\"name\":\"all\",\"rotation\":[%.9g,0,0,%.9g],\"children\":[", -sqrt( 0.5 ),
	            sqrt( 0.5 ) );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		glb_append( json, "%s%u", i ? "," : "", i );
	}
	glb_append( json, "]}],\"scene\":0,\"scenes\":[{\"nodes\":[%u]}]", s->object_count );
}

// The keys of an object. Viewers turn from key to key the shorter way.
static void add_keys( glb* g, const scene* s, const run* r, uint32_t object )
{
	uint32_t keys = s->frames + 1;
	float( *position )[3] = glb_allocate( keys, sizeof *position );
	int16_t( *turn )[4] = glb_allocate( keys, sizeof *turn );
	bv_quaternion before = bv_quaternion_identity();
	for ( uint32_t k = 0; k < keys; ++k )
	{
		const bv_transform* t = r->places + (size_t)k * s->object_count + object;
		bv_quaternion q = bv_transform_to_quaternion( t );
		double sign = q.x * before.x + q.y * before.y + q.z * before.z + q.w * before.w < 0 ? -1 : 1;
		const double p[3] = { t->pose.translation.x, t->pose.translation.y, t->pose.translation.z };
		const double v[4] = { sign * q.x, sign * q.y, sign * q.z, sign * q.w };
		before = ( bv_quaternion ){ v[0], v[1], v[2], v[3] };
		for ( int i = 0; i < 4; ++i )
		{
			position[k][i % 3] = (float)p[i % 3];
			turn[k][i] = (int16_t)lround( 32767 * v[i] );
		}
	}
	glb_add( g, glb_values, position, keys, 3 );
	glb_add( g, glb_rotations, turn, keys, 4 );
	free( position );
	free( turn );
}

static int add_times( glb* g, const scene* s )
{
	float* times = glb_allocate( s->frames + (size_t)1, sizeof *times );
	for ( uint32_t k = 0; k <= s->frames; ++k )
	{
		times[k] = (float)( k / s->rate );
	}
	int accessor = glb_add( g, glb_times, times, s->frames + (size_t)1, 1 );
	free( times );
	return accessor;
}

static bool write_animation( const scene* s, const run* r, const char* path )
{
	glb g = { .size = 0 };
	glb_append( &g.json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"samples/scene\"}" );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		glb_add_mesh( &g, s->files[i] );
	}
	int times = add_times( &g, s );
	if ( s->file_count > 0 )
	{
		put_materials( &g.json, s );
	}
	put_nodes( &g.json, s, r );
	glb_append( &g.json, ",\"animations\":[{\"name\":\"run\",\"samplers\":[" );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		add_keys( &g, s, r, i );
		glb_append( &g.json, "%s{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}", i ? "," : "",
		            times, times + 1 + 2 * (int)i, times, times + 2 + 2 * (int)i );
	}
	glb_append( &g.json, "],\"channels\":[" );
	for ( uint32_t i = 0; i < 2 * s->object_count; ++i )
	{
		glb_append( &g.json, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", i ? "," : "", i,
		            i / 2, i % 2 ? "rotation" : "translation" );
	}
	glb_append( &g.json, "]}]" );
	return glb_write( &g, path );
}

// Page

// Pairs as a, b, state, lower, upper; contacts as a, b, time in the frame, point, normal.
static void put_frame( glb_text* out, const scene* s, const frame* f )
{
	double cost = s->budget_ms > 0 ? f->ms : (double)f->tests;
	glb_append( out, "{\"cost\":%.9g,\"done\":%s,\"held\":%u,\"pairs\":[", cost,
	            f->is_undecided ? "false" : "true", f->held );
	for ( uint32_t i = 0; i < f->pair_count; ++i )
	{
		const pair* p = f->pairs + i;
		bool has_gap = p->state == state_undecided;
		glb_append( out, "%s%u,%u,%d,%.4g,%.4g", i ? "," : "", p->a, p->b, (int)p->state,
		            has_gap ? p->lower : 0, has_gap && isfinite( p->upper ) ? p->upper : 0 );
	}
	glb_append( out, "],\"contacts\":[" );
	for ( uint32_t i = 0; i < f->contact_count; ++i )
	{
		const bvw_control_contact* c = f->contacts + i;
		bv_vec3 p = bv_scale( 0.5, bv_add( c->sweep.point[0], c->sweep.point[1] ) );
		bv_vec3 n = c->sweep.normal;
		glb_append( out, "%s%u,%u,%.6g,%.7g,%.7g,%.7g,%.5g,%.5g,%.5g", i ? "," : "", c->a, c->b,
		            c->sweep.lower, p.x, p.y, p.z, n.x, n.y, n.z );
	}
	glb_append( out, "]}" );
}

static void put_run( glb_text* out, const scene* s, const run* r )
{
	const char* slash = strrchr( s->path, '/' );
	glb_append( out, "{\"name\":" );
	put_text( out, slash ? slash + 1 : s->path );
	glb_append( out, ",\"rate\":%.9g,\"unit\":\"%s\",\"budget\":%.9g,\"objects\":[", s->rate,
	            s->budget_ms > 0 ? "ms" : "tests",
	            s->budget_ms > 0 ? s->budget_ms : (double)s->budget_tests );
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		glb_append( out, i ? "," : "" );
		put_text( out, s->objects[i].name );
	}
	glb_append( out, "],\"frames\":[" );
	for ( uint32_t i = 0; i < s->frames; ++i )
	{
		glb_append( out, i ? ",\n" : "\n" );
		put_frame( out, s, r->frames + i );
	}
	glb_append( out, "]}\n" );
}

static void write_base64( FILE* out, const char* bytes, size_t size )
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for ( size_t i = 0; i < size; i += 3 )
	{
		uint32_t word = 0;
		for ( size_t k = 0; k < 3; ++k )
		{
			word = word << 8 | ( i + k < size ? (uint8_t)bytes[i + k] : 0 );
		}
		for ( size_t k = 0; k < 4; ++k )
		{
			fputc( i + k <= size ? digits[word >> ( 18 - 6 * k ) & 63] : '=', out );
		}
		if ( i % 96 == 93 )
		{
			fputc( '\n', out );
		}
	}
	fputc( '\n', out );
}

static bool write_page( const scene* s, const run* r, const char* path, const char* animation, size_t size )
{
	glb_text json = { .length = 0 };
	put_run( &json, s, r );
	FILE* out = fopen( path, "wb" );
	for ( size_t i = 0; out && i < sizeof page / sizeof *page; ++i )
	{
		fprintf( out, "%s\n", page[i] );
		if ( !strcmp( page[i], "<!-- run -->" ) )
		{
			fwrite( json.data, json.length, 1, out );
		}
		if ( !strcmp( page[i], "<!-- animation -->" ) )
		{
			write_base64( out, animation, size );
		}
	}
	free( json.data );
	bool is_written = out && !ferror( out );
	return out && !fclose( out ) && is_written;
}

void show( const scene* s, const run* r, const char* prefix )
{
	size_t length = strlen( prefix ) + 6;
	char *animation = allocate( length, 1 ), *page_path = allocate( length, 1 );
	snprintf( animation, length, "%s.glb", prefix );
	snprintf( page_path, length, "%s.html", prefix );
	size_t size = 0;
	if ( !write_animation( s, r, animation ) )
	{
		// glb_write has printed a line.
		remove( animation );
		exit( exit_output );
	}
	char* bytes = read_file( animation, &size );
	if ( !bytes || !write_page( s, r, page_path, bytes, size ) )
	{
		remove( animation );
		remove( page_path );
		fail( exit_output, "%s: cannot be written", page_path );
	}
	free( bytes );
	free( animation );
	free( page_path );
}
