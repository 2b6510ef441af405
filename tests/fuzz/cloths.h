// Small meshes that bend, with a list of their features, and steps of their vertices. See fuzz_deform_contact.c.

#pragma once

#include "bending.h"

#include "bvworld/deform_contact.h"

enum
{
	most_vertices = 48,
	most_triangles = 64,
	most_edges = 3 * most_triangles,
	most_integer = 512,
};

// A mesh that bends, and its features, each once.
typedef struct cloth
{
	input_mesh mesh;
	bvw_deform* deform; // may be null
	void* memory;
	bvw_owners* owners;
	bool moves; // the latest refit was one of motion
	uint32_t vertices;
	uint32_t triangles;
	uint32_t edges;
	uint32_t triangle[most_triangles][3];
	uint32_t edge[most_edges][2]; // the lower number first
	uint32_t edge_owner[most_edges];
	uint32_t vertex_owner[most_vertices];
	uint32_t edge_of[most_vertices][most_vertices]; // by both ends, the lower number first: 1 + number
	bv_vec3 from[most_vertices];                    // as stored
	bv_vec3 to[most_vertices];
} cloth;

static inline void list_features( cloth* c )
{
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		c->vertex_owner[i] = UINT32_MAX;
	}
	for ( uint32_t i = 0; i < 3 * c->triangles; ++i )
	{
		bv_file_get_triangle( c->mesh.file, i / 3, c->triangle[i / 3] );
		uint32_t a = c->triangle[i / 3][i % 3];
		uint32_t b = c->triangle[i / 3][( i + 1 ) % 3];
		uint32_t* number = &c->edge_of[a < b ? a : b][a < b ? b : a];
		c->vertex_owner[a] = i / 3 < c->vertex_owner[a] ? i / 3 : c->vertex_owner[a];
		if ( a != b && *number == 0 )
		{
			c->edge[c->edges][0] = a < b ? a : b;
			c->edge[c->edges][1] = a < b ? b : a;
			c->edge_owner[c->edges++] = i / 3;
			*number = c->edges;
		}
	}
}

static inline bvw_owners* begin_owners( numbers* n, const bv_file* file )
{
	size_t scratch_bytes = bvw_owners_scratch_bytes( file );
	size_t bytes = bvw_owners_bytes( file );
	expect( scratch_bytes > 0 && bytes > 0 );
	void* scratch = take_memory( scratch_bytes );
	char* memory = take_memory( bytes );
	bvw_owners* out = NULL;
	expect( bvw_owners_begin( file, scratch, scratch_bytes - 1, memory, bytes, &out ) == bv_error_memory );
	expect( bvw_owners_begin( file, scratch, scratch_bytes, memory, bytes - 1, &out ) == bv_error_memory );
	expect( bvw_owners_begin( file, scratch, scratch_bytes, memory + 4, bytes, &out ) == bv_error_argument );
	expect( !out );
	memset( scratch, take_byte( n ), scratch_bytes );
	expect( bvw_owners_begin( file, scratch, scratch_bytes, memory, bytes, &out ) == bv_ok );
	free( scratch );

	// They can be copied elsewhere.
	void* copy = take_memory( bytes );
	memcpy( copy, out, bytes );
	free( memory );
	return copy;
}

// @return bytes that it takes of the input
static inline size_t begin_cloth( const uint8_t* data, size_t size, cloth* c )
{
	size_t length = open_mesh( data, size, &c->mesh );
	c->vertices = c->mesh.of.vertices;
	c->triangles = c->mesh.of.triangles;
	return length;
}

static inline void begin_bending( numbers* n, cloth* c )
{
	bvw_deform_options options = { .motion = true };
	bvw_deform* deform = NULL;
	size_t bytes = c->vertices <= most_vertices && c->triangles <= most_triangles
	                   ? bvw_deform_bytes( c->mesh.file, &options )
	                   : 0;
	if ( bytes > 0 )
	{
		c->memory = take_memory( bytes );
		bvw_deform_begin( c->mesh.file, &options, c->memory, bytes, &deform );
	}
	c->deform = deform;
	if ( deform )
	{
		list_features( c );
		c->owners = begin_owners( n, take_chance( n, 128 ) ? c->mesh.file : bvw_deform_file( deform ) );
	}
}

static inline void end_cloth( cloth* c )
{
	free( c->owners );
	free( c->memory );
	free( c->mesh.memory );
}

static inline double limited( double x )
{
	return fabs( x ) <= BVW_MAX_POSITION / 2 ? x : 0;
}

static inline bv_vec3 take_integers( numbers* n, int most, double unit )
{
	double p[3];
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = unit * ( (int)( take_bits( n, 2 ) % ( 2 * (unsigned)most + 1 ) ) - most );
	}
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

// Of one end of a step: on a grid, near the file, all over the place, flat, or moved as a whole.
static inline void take_positions( numbers* n, const cloth* c, const bv_vec3* before, bv_vec3* out )
{
	uint8_t kind = take_byte( n );
	int exponent = take_chance( n, 64 ) ? (int8_t)take_byte( n ) : 0;
	double unit = ldexp( 1, exponent > 106 ? 106 : exponent );
	bv_vec3 all = take_integers( n, 3, unit );
	numbers stream = take_stream( n );
	numbers* input = n;
	n = take_chance( n, 128 ) ? &stream : n;
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( c->mesh.file, i );
		p = ( bv_vec3 ){ limited( unit * p.x ), limited( unit * p.y ), limited( unit * p.z ) };
		switch ( kind % 8 )
		{
		case 0: p = take_integers( n, 2, unit ); break;
		case 1: p = take_integers( n, most_integer, unit ); break;
		case 2: break;
		case 3: p = bv_add( p, bv_scale( 0.1 * c->mesh.of.size, take_integers( n, 3, unit ) ) ); break;
		case 4: p = take_vector( n, &c->mesh.of ); break;
		case 5: p = bv_add( before[i], all ); break;
		case 6: ( &p.x )[kind / 8 % 3] = ( &all.x )[kind / 8 % 3]; break;
		default: p = kind / 8 % 4 == 0 ? all : bv_add( before[i], take_integers( n, 1, unit ) ); break;
		}
		out[i] = ( bv_vec3 ){ limited( p.x ), limited( p.y ), limited( p.z ) };
	}
	for ( uint32_t i = kind / 64; i > 1; --i )
	{
		bv_vec3 p = take_vector( input, &c->mesh.of );
		out[take_byte( input ) % c->vertices] = ( bv_vec3 ){ limited( p.x ), limited( p.y ), limited( p.z ) };
	}
}

static inline void store( const cloth* c, const bv_vec3* positions, bv_vec3* out )
{
	bv_vec3 offset = bv_file_get_offset( c->mesh.file );
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		out[i] = ( bv_vec3 ){ (float)( positions[i].x - offset.x ), (float)( positions[i].y - offset.y ),
			                  (float)( positions[i].z - offset.z ) };
	}
}

static inline void step( numbers* n, cloth* c )
{
	bv_vec3 now[most_vertices];
	bv_vec3 from[most_vertices];
	bv_vec3 to[most_vertices];
	bv_file_get_vertices( bvw_deform_file( c->deform ), 0, c->vertices, now );
	take_positions( n, c, now, from );
	take_positions( n, c, from, to );
	bvw_vertices start = { .positions = &from[0].x, .count = c->vertices };
	bvw_vertices end = { .positions = &to[0].x, .count = c->vertices };
	bool moves = !take_chance( n, 16 );
	bv_status status = moves ? bvw_deform_refit_motion( c->deform, &start, &end, NULL, NULL )
	                         : bvw_deform_refit( c->deform, &start, NULL, 0, NULL );
	expect( status == bv_ok || status == bv_error_argument );
	if ( status == bv_ok )
	{
		c->moves = moves;
		store( c, from, c->from );
		store( c, moves ? to : from, c->to );
	}
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		bv_vec3 p = bvfile_local_vertex( bvw_deform_file( c->deform ), i );
		expect( status != bv_ok || ( p.x == c->from[i].x && p.y == c->from[i].y && p.z == c->from[i].z ) );
	}
}
