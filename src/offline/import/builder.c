// A scene while it is read. See builder.h.

#include "offline/import/builder.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <stdlib.h>
#include <string.h>

enum
{
	step_limit = 2000000000, // for cutting polygons: some ten seconds
};

// Room for `count` more, at least twice as much as before, as far as 32-bit indices go.
static bv_status reserve( bvimport_builder* b, void** array, uint32_t used, uint32_t* capacity,
                          uint64_t count, size_t size, const char* what )
{
	if ( count <= *capacity - used )
	{
		return bv_ok;
	}
	if ( count > UINT32_MAX - 1 - used )
	{
		return bvbase_fail( b->error, bv_error_limit, "%s: more than %u %s", b->file, UINT32_MAX - 1, what );
	}
	uint64_t wanted = used + count;
	uint64_t larger = *capacity < 4096 ? 4096 : 2 * (uint64_t)*capacity;
	larger = larger < wanted ? wanted : larger;
	larger = larger < UINT32_MAX ? larger : UINT32_MAX - 1;
	void* grown = realloc( *array, larger * size );
	if ( !grown )
	{
		return bvbase_fail_memory( b->error );
	}
	*array = grown;
	*capacity = (uint32_t)larger;
	return bv_ok;
}

void bvimport_builder_begin( bvimport_builder* b, const char* file, bvb_error* error )
{
	*b = ( bvimport_builder ){ .file = file, .error = error };
	bvimport_builder_restart( b );
}

static void names_clear( bvimport_names* names )
{
	for ( uint32_t i = 0; i < names->count; ++i )
	{
		free( names->name[i] );
	}
	names->count = 0;
	if ( names->slots )
	{
		memset( names->slots, 0, ( names->mask + (size_t)1 ) * sizeof *names->slots );
	}
}

void bvimport_builder_restart( bvimport_builder* b )
{
	b->position_count = 0;
	b->triangle_count = 0;
	b->polygon_count = 0;
	b->segment_count = 0;
	names_clear( &b->objects );
	names_clear( &b->groups );
	names_clear( &b->materials );
	b->current = ( bvb_segment ){ 0, BVB_NO_NAME, BVB_NO_NAME, BVB_NO_NAME };
	b->changed = true;
}

void bvimport_builder_end( bvimport_builder* b )
{
	bvimport_names* names[3] = { &b->objects, &b->groups, &b->materials };
	for ( int i = 0; i < 3; ++i )
	{
		names_clear( names[i] );
		free( names[i]->name );
		free( names[i]->slots );
	}
	free( b->positions );
	free( b->triangles );
	free( b->polygons );
	free( b->segments );
	*b = ( bvimport_builder ){ .file = b->file, .error = b->error };
}

bv_status bvimport_builder_reserve_vertices( bvimport_builder* b, uint64_t count )
{
	return reserve( b, (void**)&b->positions, b->position_count, &b->position_capacity, count,
	                sizeof *b->positions, "vertices" );
}

bv_status bvimport_builder_reserve_triangles( bvimport_builder* b, uint64_t count )
{
	return reserve( b, (void**)&b->triangles, b->triangle_count, &b->triangle_capacity, count,
	                sizeof *b->triangles, "triangles" );
}

// FNV-1a.
static uint32_t hash_name( const char* name, size_t length )
{
	uint32_t hash = 2166136261u;
	for ( size_t i = 0; i < length; ++i )
	{
		hash = ( hash ^ (unsigned char)name[i] ) * 16777619u;
	}
	return hash;
}

// The slot that holds the name, or the free one where it belongs.
static uint32_t find_slot( const bvimport_names* names, const char* name, size_t length )
{
	uint32_t slot = hash_name( name, length ) & names->mask;
	for ( ; names->slots[slot]; slot = ( slot + 1 ) & names->mask )
	{
		const char* other = names->name[names->slots[slot] - 1];
		if ( strncmp( other, name, length ) == 0 && other[length] == 0 )
		{
			break;
		}
	}
	return slot;
}

static bool grow_slots( bvimport_names* names )
{
	uint32_t size = names->slots ? 2 * ( names->mask + 1 ) : 16;
	uint32_t* slots = calloc( size, sizeof *slots );
	if ( !slots )
	{
		return false;
	}
	free( names->slots );
	names->slots = slots;
	names->mask = size - 1;
	for ( uint32_t i = 0; i < names->count; ++i )
	{
		slots[find_slot( names, names->name[i], strlen( names->name[i] ) )] = i + 1;
	}
	return true;
}

static bv_status append_name( bvimport_builder* b, bvimport_names* names, const char* name, size_t length )
{
	bv_status status =
		reserve( b, (void**)&names->name, names->count, &names->capacity, 1, sizeof *names->name, "names" );
	char* copy = status == bv_ok ? malloc( length + 1 ) : NULL;
	if ( !copy )
	{
		return status == bv_ok ? bvbase_fail_memory( b->error ) : status;
	}
	memcpy( copy, name, length );
	copy[length] = 0;
	names->name[names->count++] = copy;
	return bv_ok;
}

static bv_status number_name( bvimport_builder* b, bvimport_names* names, const char* name, size_t length,
                              uint32_t* out )
{
	if ( ( !names->slots || names->count > names->mask / 2 ) && !grow_slots( names ) )
	{
		return bvbase_fail_memory( b->error );
	}
	uint32_t slot = find_slot( names, name, length );
	if ( names->slots[slot] == 0 )
	{
		bv_status status = append_name( b, names, name, length );
		if ( status != bv_ok )
		{
			return status;
		}
		names->slots[slot] = names->count;
	}
	*out = names->slots[slot] - 1;
	return bv_ok;
}

bv_status bvimport_builder_begin_object( bvimport_builder* b, const char* name, size_t length )
{
	b->current.object = b->objects.count;
	b->changed = true;
	return append_name( b, &b->objects, name, length );
}

bv_status bvimport_builder_set( bvimport_builder* b, bvimport_builder_kind kind, const char* name,
                                size_t length )
{
	uint32_t* current = kind == bvimport_builder_object  ? &b->current.object
	                    : kind == bvimport_builder_group ? &b->current.group
	                                                     : &b->current.material;
	bvimport_names* names = kind == bvimport_builder_object  ? &b->objects
	                        : kind == bvimport_builder_group ? &b->groups
	                                                         : &b->materials;
	uint32_t number = BVB_NO_NAME;
	bv_status status = name ? number_name( b, names, name, length, &number ) : bv_ok;
	b->changed = b->changed || number != *current;
	*current = number;
	return status;
}

static bv_status begin_segment( bvimport_builder* b )
{
	// Faces before the first name belong to an object without one.
	bv_status status = bv_ok;
	if ( b->current.object == BVB_NO_NAME )
	{
		status = bvimport_builder_set( b, bvimport_builder_object, "", 0 );
	}
	if ( status == bv_ok )
	{
		status = reserve( b, (void**)&b->segments, b->segment_count, &b->segment_capacity, 1,
		                  sizeof *b->segments, "segments" );
	}
	if ( status == bv_ok )
	{
		b->current.first_triangle = b->triangle_count;
		b->segments[b->segment_count++] = b->current;
		b->changed = false;
	}
	return status;
}

bv_status bvimport_builder_add_face( bvimport_builder* b, const uint32_t* corner, uint32_t count )
{
	uint32_t triangles = count < 3 ? 0 : count - 2;
	bv_status status = bvimport_builder_reserve_triangles( b, triangles );
	if ( status == bv_ok && count != 3 )
	{
		status = reserve( b, (void**)&b->polygons, b->polygon_count, &b->polygon_capacity, 1,
		                  sizeof *b->polygons, "faces" );
	}
	if ( status == bv_ok && b->changed && triangles > 0 )
	{
		status = begin_segment( b );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	if ( count != 3 )
	{
		b->polygons[b->polygon_count++] = ( bvimport_polygon ){ b->triangle_count, count };
	}
	if ( triangles > 0 )
	{
		memcpy( b->triangles + b->triangle_count, corner, count * sizeof *corner );
		b->triangle_count += triangles;
	}
	return bv_ok;
}

bv_status bvimport_builder_claim_triangles( bvimport_builder* b, uint32_t count )
{
	bv_status status = b->changed && count > 0 ? begin_segment( b ) : bv_ok;
	b->triangle_count += status == bv_ok ? count : 0;
	return status;
}

bv_status bvimport_builder_append_polygons( bvimport_builder* b, const bvimport_builder* other,
                                            uint32_t base )
{
	bv_status status = reserve( b, (void**)&b->polygons, b->polygon_count, &b->polygon_capacity,
	                            other->polygon_count, sizeof *b->polygons, "faces" );
	for ( uint32_t i = 0; i < other->polygon_count && status == bv_ok; ++i )
	{
		bvimport_polygon polygon = other->polygons[i];
		b->polygons[b->polygon_count++] = ( bvimport_polygon ){ base + polygon.first, polygon.corners };
	}
	return status;
}

bv_status bvimport_builder_take_groups_for_objects( bvimport_builder* b )
{
	names_clear( &b->objects );
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < b->segment_count && status == bv_ok; ++i )
	{
		uint32_t group = b->segments[i].group;
		const char* name = group == BVB_NO_NAME ? "" : b->groups.name[group];
		status = number_name( b, &b->objects, name, strlen( name ), &b->segments[i].object );
	}
	return status;
}

static bv_status cut_polygons( bvimport_builder* b )
{
	enum
	{
		most = bvimport_face_corner_limit
	};
	uint32_t* corner = malloc( 3 * most * sizeof *corner );
	if ( !corner )
	{
		return bvbase_fail_memory( b->error );
	}
	uint64_t steps = 0;
	uint32_t face = 0;
	uint32_t t = 0; // the first triangle of that face
	for ( uint32_t i = 0; i < b->polygon_count; ++i )
	{
		face += b->polygons[i].first - t;
		t = b->polygons[i].first;
		uint32_t count = b->polygons[i].corners;
		bvb_triangle* triangles = b->triangles + b->polygons[i].first;
		if ( count > 3 )
		{
			memcpy( corner, triangles, count * sizeof *corner );
			steps += bvb_triangulate( b->positions, corner, count, corner + most, triangles );
		}
		if ( steps > step_limit )
		{
			free( corner );
			return bvbase_fail(
				b->error, bv_error_limit,
				"%s: triangulating the polygons takes too long (stopped after face %u, which has %u "
				"corners)",
				b->file, face, count );
		}
		++face;
		t += count < 3 ? 0 : count - 2;
	}
	free( corner );
	return bv_ok;
}

// Between two polygons each triangle is a face of its own.
static void number_faces( const bvimport_builder* b, uint32_t* out )
{
	uint32_t face = 0;
	uint32_t t = 0;
	for ( uint32_t i = 0; i < b->polygon_count; ++i )
	{
		while ( t < b->polygons[i].first )
		{
			out[t++] = face++;
		}
		for ( uint32_t k = 2; k < b->polygons[i].corners; ++k )
		{
			out[t++] = face;
		}
		++face;
	}
	while ( t < b->triangle_count )
	{
		out[t++] = face++;
	}
}

// Cut to its length, the array becomes the arena's.
static bool hand_over( void** array, size_t bytes, bvb_arena* arena )
{
	void* shorter = realloc( *array, bytes > 0 ? bytes : 1 );
	*array = shorter ? shorter : *array;
	return shorter && bvbase_arena_adopt( arena, shorter, bytes );
}

static bool copy_names( const bvimport_names* names, bvb_arena* arena, const char*** out, uint32_t* count )
{
	*count = names->count;
	*out = bvb_arena_allocate( arena, names->count, sizeof **out );
	for ( uint32_t i = 0; *out && i < names->count; ++i )
	{
		size_t size = strlen( names->name[i] ) + 1;
		char* copy = bvb_arena_allocate( arena, size, 1 );
		if ( !copy )
		{
			return false;
		}
		( *out )[i] = memcpy( copy, names->name[i], size );
	}
	return *out;
}

static bool deliver( bvimport_builder* b, bvb_arena* arena, bvb_scene* out )
{
	uint32_t* faces = bvb_arena_allocate( arena, b->triangle_count, sizeof *faces );
	if ( !faces || !copy_names( &b->objects, arena, &out->objects, &out->object_count ) ||
	     !copy_names( &b->groups, arena, &out->groups, &out->group_count ) ||
	     !copy_names( &b->materials, arena, &out->materials, &out->material_count ) )
	{
		return false;
	}
	number_faces( b, faces );
	out->faces = faces;
	out->mesh.vertex_count = b->position_count;
	out->mesh.triangle_count = b->triangle_count;
	out->segment_count = b->segment_count;

	// Each is the arena's as soon as it is handed over, and the builder's no more.
	if ( !hand_over( (void**)&b->positions, b->position_count * sizeof *b->positions, arena ) )
	{
		return false;
	}
	out->mesh.positions = b->positions;
	b->positions = NULL;
	if ( !hand_over( (void**)&b->triangles, b->triangle_count * sizeof *b->triangles, arena ) )
	{
		return false;
	}
	out->mesh.triangles = b->triangles;
	b->triangles = NULL;
	if ( !hand_over( (void**)&b->segments, b->segment_count * sizeof *b->segments, arena ) )
	{
		return false;
	}
	out->segments = b->segments;
	b->segments = NULL;
	return true;
}

bv_status bvimport_builder_fail_empty( const bvimport_builder* b, uint64_t points, uint64_t lines,
                                       const bvimport_notes* notes )
{
	if ( notes->losses > 0 )
	{
		return bvbase_fail( b->error, bv_error_input, "%s: no faces (%s)", b->file, notes->text );
	}
	if ( points == 0 && lines == 0 )
	{
		return bvbase_fail( b->error, bv_error_input, "%s: no faces", b->file );
	}
	return bvbase_fail( b->error, bv_error_input, "%s: no faces (%llu points, %llu lines)", b->file,
	                    (unsigned long long)points, (unsigned long long)lines );
}

bv_status bvimport_builder_finish( bvimport_builder* b, bvb_arena* arena, bvb_scene* out )
{
	bv_status status = cut_polygons( b );
	if ( status == bv_ok && !deliver( b, arena, out ) )
	{
		status = bvbase_fail_memory( b->error );
	}
	bvimport_builder_end( b );
	return status;
}
