// Compounds of random shapes, files of boxes and unions of these, in unions; and memory for queries.

#pragma once

#include "../parts.h"
#include "../queries.h"

#include "bv/compound.h"

#include <stdio.h>

static inline const bv_file* file_of_boxes( fixture* f, const bv_aabb* boxes, uint32_t count )
{
	bvb_part* parts = bvb_arena_allocate( f->arena, count, sizeof *parts );
	bvb_mesh mesh = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_mesh box = moved_box( f, boxes[i].lower, boxes[i].upper );
		mesh = i == 0 ? box : mesh;
		parts[i] = part_of_mesh( box );
	}
	bvb_decomposition d = decomposition_of( f, parts, count );
	bvb_asset_options options = plain_options();
	options.sections = 1u << bvb_section_mesh | 1u << bvb_section_parts;
	return open_bytes( bytes_of_parts( f, &mesh, &d, &options ) );
}

static inline double in_range( fixture* f, double lower, double upper )
{
	return lower + ( upper - lower ) * random_unit( f );
}

// Small boxes in a cube of side 2 around the origin.
static inline const bv_file* random_file( fixture* f, uint32_t count )
{
	bv_aabb* boxes = bvb_arena_allocate( f->arena, count, sizeof *boxes );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 at = random_around( f );
		bv_vec3 half = { in_range( f, 0.05, 0.4 ), in_range( f, 0.05, 0.4 ), in_range( f, 0.05, 0.4 ) };
		boxes[i] = ( bv_aabb ){ minus( at, half ), plus( at, 1, half ) };
	}
	return file_of_boxes( f, boxes, count );
}

static inline bv_convex* random_shape( fixture* f )
{
	bv_convex* out = bvb_arena_allocate( f->arena, 1, sizeof *out );
	bv_vec3 at = random_around( f );
	bv_vec3 to = plus( at, 0.5, random_around( f ) );
	bv_vec3* points;
	switch ( random_bits( f ) % 6 )
	{
	case 0: *out = bv_convex_sphere( at, in_range( f, 0.1, 0.4 ) ); break;
	case 1: *out = bv_convex_capsule( at, to, in_range( f, 0.1, 0.3 ) ); break;
	case 2: *out = bv_convex_cylinder( at, to, in_range( f, 0.1, 0.3 ) ); break;
	case 3:
		points = bvb_arena_allocate( f->arena, 12, sizeof *points );
		for ( int i = 0; i < 12; ++i )
		{
			points[i] = plus( at, 0.4, random_around( f ) );
		}
		*out = bv_convex_points( points, 12, random_bits( f ) % 2 ? 0.1 : 0 );
		break;
	default:
		*out = bv_convex_box(
			at, bv_vec3_make( in_range( f, 0.1, 0.4 ), in_range( f, 0.1, 0.4 ), in_range( f, 0.1, 0.4 ) ) );
		break;
	}
	return out;
}

static inline bv_compound join( fixture* f, const bv_compound* members, const bv_transform* placements,
                                uint32_t count )
{
	size_t bytes = bv_compound_bytes( members, count );
	assert_true( bytes > 0 );
	void* memory = bvb_arena_allocate( f->arena, bytes, 1 );
	bv_compound out;
	assert_int_equal( bv_compound_join( members, placements, count, memory, bytes, &out ), bv_ok );
	return out;
}

static inline bv_compound random_member( fixture* f )
{
	return random_bits( f ) % 3 == 0 ? bv_compound_of_parts( random_file( f, 1 + random_bits( f ) % 7 ) )
	                                 : bv_compound_of_shape( random_shape( f ) );
}

static inline bv_transform random_place( fixture* f, double spread )
{
	double scale = random_bits( f ) % 2 ? exp2( in_range( f, -1, 1 ) ) : 1;
	return random_transform( f, scale, random_bits( f ) % 4 == 0,
	                         plus( ( bv_vec3 ){ 0, 0, 0 }, spread, random_around( f ) ) );
}

// Unions in unions, up to a depth.
static inline bv_compound random_compound( fixture* f, int depth )
{
	enum
	{
		most = 6,
	};
	if ( depth == 0 )
	{
		return random_member( f );
	}
	bv_compound members[most];
	bv_transform places[most];
	uint32_t count = 1 + random_bits( f ) % most;
	for ( uint32_t i = 0; i < count; ++i )
	{
		members[i] = random_compound( f, (int)( random_bits( f ) % (uint64_t)depth ) );
		places[i] = random_place( f, 0.7 );
	}
	return join( f, members, random_bits( f ) % 5 == 0 ? NULL : places, count );
}

// Room for all that two compounds can have.
static inline bv_compound_room room_for( fixture* f, const bv_compound* a, const bv_compound* b )
{
	uint32_t pairs = a->leaves * b->leaves;
	size_t bytes = bv_compound_contacts_bytes( a, b, pairs );
	return ( bv_compound_room ){
		.contacts = bvb_arena_allocate( f->arena, pairs, sizeof( bv_compound_contact ) ),
		.capacity = pairs,
		.scratch = bvb_arena_allocate( f->arena, bytes, 1 ),
		.scratch_bytes = bytes,
	};
}

static inline bv_compound_contacts_result find_contacts( const bv_compound* a, const bv_compound* b,
                                                         const bv_transform* at,
                                                         const bv_compound_contacts_options* options,
                                                         const bv_compound_room* room )
{
	bv_compound_contacts_result out;
	assert_int_equal( bv_compound_contacts( a, b, at, options, room, &out ), bv_ok );
	return out;
}
