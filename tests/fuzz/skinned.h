// Weights of vertices and matrices of bones of an input, and where they take vertices. See fuzz_skin.c.

#pragma once

#include "bending.h"

#include "bvworld/skin.h"

enum
{
	most_vertices = 300,
	most_faces = 500,
	most_bones = 24,
	skins = 2,
	array_vertices = most_vertices + 20,
	influence_bytes = 64, // of the numbers of bones, and of the weights, of a vertex: the greatest stride
	matrix_bytes = 160,
};

// Arrays of bones and weights.
typedef struct arrays
{
	uint64_t bones[array_vertices][influence_bytes / 8];
	uint64_t weights[array_vertices][influence_bytes / 8];
} arrays;

// A skin, and one of another mesh that always has all vertices skinned.
typedef struct skinned
{
	bvw_weights weights;
	arrays set;
	arrays more;
	uint32_t index[most_vertices];
	bvw_skin* skin; // may be null
	bvw_skin* whole;
	size_t bytes;
} skinned;

typedef struct scene
{
	numbers n;
	input_mesh mesh;
	uint32_t vertices;
	uint32_t triangles;
	bvw_deform_options options;
	size_t bytes;
	bvw_deform* deform;
	bvw_deform* whole;
	bvw_deform* plain; // refitted without bones
	skinned* of;       // `skins` of them
	unsigned char* before[1 + skins];

	bv_vec3 rest[most_vertices]; // as stored: those of a damaged file can need more bits
	bool used[most_vertices];    // triangles have it; a damaged file can have others, which do not move

	// What the mesh is like.
	int posed_by;  // the skin that may move vertices to the last pose; -1 for none
	bool by_boxes; // volumes are not those of the vertices
	bool is_stale; // volumes are not those of the pose everywhere

	// The last pose that was taken.
	double matrix[most_bones][16];
	float positions[3 * most_vertices]; // as stored, if all are skinned
} scene;

static inline uint32_t bone_of( const bvw_influences* set, uint32_t number, uint32_t i )
{
	uint32_t stride = set->bones_stride ? set->bones_stride : set->bone_bytes * set->count;
	const unsigned char* at =
		(const unsigned char*)set->bones + (size_t)stride * number + (size_t)set->bone_bytes * i;
	uint8_t byte;
	uint16_t two;
	uint32_t four;
	memcpy( &byte, at, sizeof byte );
	if ( set->bone_bytes == 1 )
	{
		return byte;
	}
	memcpy( &two, at, sizeof two );
	if ( set->bone_bytes == 2 )
	{
		return two;
	}
	memcpy( &four, at, sizeof four );
	return four;
}

static inline float weight_of( const bvw_influences* set, uint32_t number, uint32_t i )
{
	uint32_t stride = set->weights_stride ? set->weights_stride : 4 * set->count;
	float w;
	memcpy( &w, (const unsigned char*)set->weights + (size_t)stride * number + 4 * (size_t)i, sizeof w );
	return w;
}

static inline bool is_set_valid( const bvw_influences* set )
{
	uint32_t bytes = set->bone_bytes;
	return set->bones && set->weights && ( bytes == 1 || bytes == 2 || bytes == 4 ) &&
	       set->count <= BVW_MAX_INFLUENCES && (uintptr_t)set->bones % bytes == 0 &&
	       (uintptr_t)set->weights % 4 == 0 && set->bones_stride % bytes == 0 &&
	       set->weights_stride % 4 == 0 &&
	       ( set->bones_stride == 0 || set->bones_stride >= bytes * set->count ) &&
	       ( set->weights_stride == 0 || set->weights_stride >= 4 * set->count );
}

// @return whether all are; adds up the positive ones
static inline bool are_pairs_valid( const bvw_weights* w, const bvw_influences* set, uint32_t number,
                                    uint32_t* count )
{
	bool valid = true;
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		float weight = weight_of( set, number, i );
		valid = valid && weight >= 0 && weight <= FLT_MAX;
		valid = valid && ( weight == 0 || bone_of( set, number, i ) < w->bones );
		*count += weight > 0;
	}
	return valid;
}

static inline bool are_weights_valid( const scene* s, const bvw_weights* w )
{
	if ( w->set.count == 0 || !is_set_valid( &w->set ) ||
	     ( w->more.count > 0 && !is_set_valid( &w->more ) ) || w->bones == 0 || w->bones > BVW_MAX_BONES ||
	     ( !w->index && w->vertices != s->vertices ) )
	{
		return false;
	}
	bool valid = true;
	for ( uint32_t i = 0; i < s->vertices && valid; ++i )
	{
		uint32_t number = w->index ? w->index[i] : i;
		uint32_t count = 0;
		valid = number < w->vertices && are_pairs_valid( w, &w->set, number, &count ) &&
		        are_pairs_valid( w, &w->more, number, &count ) && count > 0;
	}
	return valid;
}

// Of any size, many of them 0.
static inline float take_weight( numbers* n, bool is_wild )
{
	static const float special[] = { FLT_MAX, FLT_MIN, 0x1p-149f, -0.0f, INFINITY, -1, NAN, 1 };
	uint8_t kind = take_byte( n );
	if ( kind < 64 )
	{
		return 0;
	}
	if ( kind < 80 )
	{
		return special[kind % ( is_wild ? 8 : 4 )];
	}
	return kind < 96 ? ldexpf( 1, (int8_t)take_byte( n ) ) : (float)kind / 256;
}

static inline void take_influences( numbers* n, uint32_t bones, uint32_t most, arrays* to,
                                    bvw_influences* out )
{
	static const uint32_t sizes[] = { 1, 2, 4, 1 };
	uint8_t kind = take_byte( n );
	out->bones = to->bones;
	out->weights = (const float*)to->weights;
	out->bone_bytes = sizes[kind % 4];
	out->count = 1 + kind / 4 % most;
	out->bones_stride = kind & 32 ? out->bone_bytes * ( out->count + kind / 64 ) : 0;
	out->weights_stride = kind & 64 ? 4 * ( out->count + kind / 128 ) : 0;
	uint32_t bones_stride = out->bones_stride ? out->bones_stride : out->bone_bytes * out->count;
	uint32_t weights_stride = out->weights_stride ? out->weights_stride : 4 * out->count;
	uint8_t form = take_byte( n );
	numbers stream = take_stream( n );
	n = &stream;
	for ( uint32_t i = 0; i < array_vertices * out->count; ++i )
	{
		uint32_t number = i / out->count;
		uint32_t k = i % out->count;
		float weight = take_weight( n, form > 250 );
		// Limbs have few bones, and neighbors nearly the same.
		uint32_t bone = form % 4 == 0 ? ( number / 8 + k ) % bones : take_byte( n ) % bones;
		bone = weight == 0 || form == 250 ? take_byte( n ) : bone;
		weight = form % 8 == 4 ? 1 : weight;
		memcpy( (unsigned char*)to->bones + (size_t)bones_stride * number + (size_t)out->bone_bytes * k,
		        &bone, out->bone_bytes );
		memcpy( (unsigned char*)to->weights + (size_t)weights_stride * number + 4 * (size_t)k, &weight,
		        sizeof weight );
	}
}

// Vertices without a positive weight get one, so that most weights are valid.
static inline void complete_weights( bvw_weights* w, arrays* to )
{
	for ( uint32_t number = 0; number < array_vertices; ++number )
	{
		uint32_t count = 0;
		are_pairs_valid( w, &w->set, number, &count );
		are_pairs_valid( w, &w->more, number, &count );
		if ( count == 0 )
		{
			const bvw_influences* set = &w->set;
			uint32_t bones_stride = set->bones_stride ? set->bones_stride : set->bone_bytes * set->count;
			uint32_t weights_stride = set->weights_stride ? set->weights_stride : 4 * set->count;
			uint32_t bone = number % w->bones;
			float weight = 1;
			memcpy( (unsigned char*)to->bones + (size_t)bones_stride * number, &bone, set->bone_bytes );
			memcpy( (unsigned char*)to->weights + (size_t)weights_stride * number, &weight, sizeof weight );
		}
	}
}

// Mistakes of the caller.
static inline void break_weights( uint8_t kind, bvw_weights* w )
{
	bvw_influences* set = kind % 2 ? &w->set : &w->more;
	switch ( kind / 2 % 12 )
	{
	case 0: set->count = BVW_MAX_INFLUENCES + 1; break;
	case 1: set->bone_bytes = 3; break;
	case 2: w->bones = kind % 2 ? 0 : BVW_MAX_BONES + 1; break;
	case 3: set->bones_stride = 1; break;
	case 4: set->weights_stride = 3; break;
	case 5: set->bones = NULL; break;
	case 6: set->weights = NULL; break;
	case 7: w->vertices -= 1; break;
	case 8: w->bones = 1; break;
	case 9: set->count = 0; break;
	case 10: set->weights_stride = 4 * set->count - 4; break;
	default: set->bone_bytes = 0; break;
	}
}

static inline void take_weights( scene* s, skinned* of )
{
	numbers* n = &s->n;
	uint8_t kind = take_byte( n );
	bvw_weights* w = &of->weights;
	w->bones = 1 + kind % most_bones;
	take_influences( n, w->bones, BVW_MAX_INFLUENCES, &of->set, &w->set );
	if ( take_chance( n, 64 ) )
	{
		take_influences( n, w->bones, BVW_MAX_INFLUENCES, &of->more, &w->more );
	}
	if ( kind < 250 )
	{
		complete_weights( w, &of->set );
	}
	w->vertices = s->vertices;
	uint8_t form = take_byte( n );
	numbers stream = take_stream( n );
	if ( form < 64 )
	{
		w->vertices = array_vertices;
		for ( uint32_t i = 0; i < s->vertices; ++i )
		{
			of->index[i] =
				form < 32 ? s->vertices - i : take_byte( &stream ) % ( array_vertices + ( form == 40 ) );
		}
		w->index = of->index;
	}
	if ( form > 240 )
	{
		break_weights( take_byte( n ), w );
	}
}

static inline void begin_skin( scene* s, skinned* of )
{
	take_weights( s, of );
	bool is_valid = are_weights_valid( s, &of->weights );
	size_t bytes = bvw_skin_bytes( s->deform, &of->weights );
	expect( ( bytes > 0 ) == is_valid );
	size_t room = bytes ? bytes : 4096;
	unsigned char* memory = take_memory( room );
	unsigned char* before = take_memory( room );
	memset( memory, take_byte( &s->n ), room );
	memcpy( before, memory, room );
	bvw_skin* out = NULL;
	bv_status status = bvw_skin_begin( s->deform, &of->weights, memory, bytes ? bytes - 1 : room, &out );
	expect( status == ( is_valid ? bv_error_memory : bv_error_argument ) && !out );
	expect( bvw_skin_begin( s->deform, &of->weights, memory + 4, room, &out ) == bv_error_argument && !out );
	expect( memcmp( before, memory, room ) == 0 );
	free( before );
	if ( !is_valid )
	{
		free( memory );
		return;
	}
	of->bytes = bytes;
	expect( bvw_skin_begin( s->deform, &of->weights, memory, bytes, &of->skin ) == bv_ok );
	expect( bvw_skin_file( of->skin ) == bvw_deform_file( s->deform ) );
	expect( bvw_skin_bytes( s->whole, &of->weights ) == bytes );
	expect( bvw_skin_begin( s->whole, &of->weights, take_memory( bytes ), bytes, &of->whole ) == bv_ok );
	for ( uint32_t i = 0; i < s->vertices; ++i )
	{
		bv_vec3 rest;
		bv_vec3 p = bv_file_get_vertex( bvw_deform_file( s->deform ), i );
		expect( bvw_skin_get_positions( of->skin, i, 1, &rest ) == 1 );
		expect( rest.x == p.x && rest.y == p.y && rest.z == p.z );
	}
}

// The bones of a call, in one of the two forms.
typedef struct bone_arrays
{
	uint64_t memory[most_bones + 1][matrix_bytes / 8];
	bvw_bones bones;
	double matrix[most_bones][16]; // what they are in binary64
	bool is_valid;
} bone_arrays;

static inline void take_matrix( scene* s, numbers* n, uint8_t kind, const double* first, double m[16] )
{
	bv_transform t = take_transform( n, &s->mesh.of, &s->mesh.of );
	bv_transform identity = bv_transform_identity();
	t.mirror = t.mirror && kind & 16;
	t.scale = kind & 32 ? t.scale : 1;
	bv_transform_to_matrix( bv_transform_is_valid( &t ) && kind % 8 > 0 ? &t : &identity, m );
	switch ( kind % 8 )
	{
	case 1: memcpy( m, first, 16 * sizeof *m ); break; // all of them the same
	case 2:                                            // flattened, or sheared
		for ( int i = 0; i < 12; ++i )
		{
			m[i] = i % 4 == 3 ? 0 : take_unit( n );
		}
		break;
	case 3:
	{
		double scale = ldexp( 1, (int8_t)take_byte( n ) );
		for ( int i = 0; i < 15; ++i )
		{
			m[i] *= scale;
		}
		break;
	}
	case 4: m[take_byte( n ) % 15] *= 0; break;
	case 5:
		if ( take_chance( n, 128 ) )
		{
			m[take_byte( n ) % 16] = take_number( n, &s->mesh.of );
		}
		break;
	default: break;
	}
}

static inline bool is_matrix_valid( const double m[16] )
{
	bool valid = true;
	for ( int i = 0; i < 16; ++i )
	{
		valid = valid && isfinite( m[i] );
		valid = valid && ( i % 4 != 3 || fabs( m[i] - ( i == 15 ) ) <= 1e-6 );
	}
	return valid;
}

static inline void store_matrix( bone_arrays* b, uint32_t number, const double m[16] )
{
	size_t size = b->bones.floats ? sizeof( float ) : sizeof( double );
	size_t stride = b->bones.stride ? b->bones.stride : 16 * size;
	for ( size_t i = 0; i < 16; ++i )
	{
		float rounded = (float)m[i];
		unsigned char* to = (unsigned char*)b->memory + stride * number + size * i;
		memcpy( to, b->bones.floats ? (const void*)&rounded : (const void*)( m + i ), size );
		b->matrix[number][i] = b->bones.floats ? (double)rounded : m[i];
	}
}

static inline void take_bones( scene* s, uint32_t bones, bone_arrays* b )
{
	uint8_t kind = take_byte( &s->n );
	uint8_t form = take_byte( &s->n );
	b->bones = ( bvw_bones ){ .count = bones };
	if ( form & 1 )
	{
		b->bones.floats = (const float*)b->memory;
		b->bones.stride = form & 2 ? 64 + 4 * ( form / 4u % 8 ) : 0;
	}
	else
	{
		b->bones.matrices = (const double*)b->memory;
		b->bones.stride = form & 2 ? 128 + 8 * ( form / 4u % 4 ) : 0;
	}
	b->is_valid = true;
	double first[16];
	numbers stream = take_stream( &s->n );
	take_matrix( s, &s->n, 6 | kind, NULL, first );
	for ( uint32_t i = 0; i < bones; ++i )
	{
		double m[16];
		take_matrix( s, i < 2 ? &s->n : &stream, kind, first, m );
		store_matrix( b, i, m );
		b->is_valid = b->is_valid && is_matrix_valid( b->matrix[i] );
	}
	if ( form > 250 )
	{
		static const uint32_t strides[] = { 8, 65, 127 };
		b->is_valid = false;
		b->bones.count = form == 251 ? bones - 1 : bones;
		b->bones.stride = form >= 253 ? strides[form - 253] : b->bones.stride;
		b->bones.matrices = form == 252 ? (const double*)b->memory : b->bones.matrices;
		b->bones.floats = form == 252 ? (const float*)b->memory : b->bones.floats;
	}
}

// Adds w M p, and the greatest of the sums of absolute values of the terms of M p.
static inline void add_pairs( const scene* s, const bone_arrays* b, const bvw_influences* set,
                              uint32_t number, uint32_t vertex, long double sum[4], long double size[3] )
{
	bv_vec3 rest = s->rest[vertex];
	bv_vec3 offset = bv_file_get_offset( s->mesh.file );
	for ( uint32_t i = 0; i < set->count; ++i )
	{
		long double w = weight_of( set, number, i );
		const double* m = w > 0 ? b->matrix[bone_of( set, number, i )] : NULL;
		for ( int k = 0; k < 3 && m; ++k )
		{
			const long double o[3] = { offset.x, offset.y, offset.z };
			const long double p[3] = { rest.x, rest.y, rest.z };
			long double at = m[12 + k];
			long double all = fabsl( at ) + fabsl( o[k] );
			for ( int j = 0; j < 3; ++j )
			{
				at += m[4 * j + k] * p[j] + m[4 * j + k] * o[j];
				all += fabsl( m[4 * j + k] * p[j] ) + fabsl( m[4 * j + k] * o[j] );
			}
			sum[k] += w * ( at - o[k] );
			size[k] = all > size[k] ? all : size[k];
		}
		sum[3] += w;
	}
}

// Positions relative to the offset, and what rounding may do to them.
static inline void expected_position( const scene* s, const skinned* of, const bone_arrays* b,
                                      uint32_t vertex, long double at[3], long double error[3] )
{
	long double sum[4] = { 0, 0, 0, 0 };
	long double size[3] = { 0, 0, 0 };
	uint32_t number = of->weights.index ? of->weights.index[vertex] : vertex;
	for ( int k = 0; k < 3 && !s->used[vertex]; ++k )
	{
		at[k] = ( &s->rest[vertex].x )[k];
		error[k] = 0;
	}
	if ( !s->used[vertex] )
	{
		return;
	}
	add_pairs( s, b, &of->weights.set, number, vertex, sum, size );
	add_pairs( s, b, &of->weights.more, number, vertex, sum, size );
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = sum[k] / sum[3];
		error[k] = 0x1p-45L * size[k] + 0x1.01p-24L * fabsl( at[k] ) + 0x1p-149L;
	}
}

// Bones that take a box of the mesh far beyond the range cannot be taken, and those that keep it well inside can be.
static inline void check_taken( const scene* s, const skinned* of, const bone_arrays* b, bool is_taken )
{
	long double most = 0;
	long double size = 0;
	for ( uint32_t i = 0; i < s->vertices && b->is_valid; ++i )
	{
		if ( !s->used[i] )
		{
			continue;
		}
		long double sum[4] = { 0, 0, 0, 0 };
		long double all[3] = { 0, 0, 0 };
		uint32_t number = of->weights.index ? of->weights.index[i] : i;
		add_pairs( s, b, &of->weights.set, number, i, sum, all );
		add_pairs( s, b, &of->weights.more, number, i, sum, all );
		for ( int k = 0; k < 3; ++k )
		{
			most = fmaxl( most, fabsl( sum[k] / sum[3] ) );
			size = fmaxl( size, all[k] );
		}
	}
	expect( !is_taken || b->is_valid );
	expect( !is_taken || most <= 1.001L * BVW_MAX_POSITION );
	// Corners of a box have coordinates of several vertices.
	expect( is_taken || !b->is_valid || !( 8 * size < BVW_MAX_POSITION ) );
}
