// Hull, convex parts and the nearest primitive in the 3D view's data. See view_data.h.

#include "offline/report/html/view_data.h"

#include "offline/base/error.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"

#include <string.h>

bv_status bvhtml_view_put_hull( bvhtml_view_data* v )
{
	bv_hull_info info = bv_file_get_hull( v->file );
	bool flat = info.kind == bv_hull_polygon;
	if ( info.vertices < 3 || info.faces == 0 )
	{
		bvhtml_view_null( v, "hull" );
		return bv_ok;
	}
	uint32_t faces = flat ? info.vertices - 2 : info.faces;
	uint16_t* positions = bvb_arena_allocate( v->arena, info.vertices, 3 * sizeof *positions );
	bv_vec3* exact = bvb_arena_allocate( v->arena, info.vertices, sizeof *exact );
	uint32_t* corners = bvb_arena_allocate( v->arena, faces, 3 * sizeof *corners );
	uint8_t* outline = bvb_arena_allocate( v->arena, faces, sizeof *outline );
	if ( !positions || !exact || !corners || !outline )
	{
		return bvbase_fail_memory( v->error );
	}
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		exact[i] = bvfile_local_hull_position( v->file, i );
		bvhtml_view_grid_point( v, exact[i], positions + 3 * (size_t)i );
	}
	for ( uint32_t i = 0; i < faces; ++i )
	{
		uint32_t* corner = corners + 3 * (size_t)i;
		if ( flat )
		{
			corner[0] = 0;
			corner[1] = i + 1;
			corner[2] = i + 2;
		}
		else
		{
			bv_file_get_hull_triangle( v->file, i, corner );
		}
	}
	bvhtml_view_open( v, "hull", '{' );
	bvhtml_view_count( v, "vertices", info.vertices );
	bvhtml_view_count( v, "faces", info.faces );
	bvhtml_view_number( v, "volume", info.volume );
	bvhtml_view_array( v, "positions", "u16", positions, info.vertices * 3 * sizeof *positions );
	bv_status status = bvhtml_view_corners( v, "corners", corners, 3 * (size_t)faces, info.vertices );
	status = status == bv_ok ? bvhtml_view_find_outline( v, exact, corners, faces, outline ) : status;
	bvhtml_view_array( v, "outline", "u8", outline, faces * sizeof *outline );
	bvhtml_view_close( v, '}' );
	return status;
}

// Arrays over all parts.
typedef struct part_arrays
{
	uint8_t* vertices;   // of each part
	uint16_t* faces;     // of each part
	double* numbers;     // of each part: volume, least and greatest stand-off
	uint16_t* positions; // of all vertices
	uint8_t* corners;    // of all faces, among the vertices of the part
	uint8_t* outline;    // of all faces: which sides are edges
} part_arrays;

enum
{
	most_part_vertices = UINT8_MAX,
	most_part_faces = 2 * most_part_vertices,
};

// Fills in the vertices and faces of a part, and goes on to where the next one begins.
static bv_status fill_part( const bvhtml_view_data* v, uint32_t index, const bv_part* part, part_arrays* at )
{
	bv_vec3 exact[most_part_vertices];
	uint32_t corners[3 * most_part_faces];
	for ( uint32_t k = 0; k < part->vertices; ++k, at->positions += 3 )
	{
		exact[k] = bvfile_local_part_vertex( v->file, index, k );
		bvhtml_view_grid_point( v, exact[k], at->positions );
	}
	for ( uint32_t k = 0; k < part->faces; ++k )
	{
		bv_file_get_part_triangle( v->file, index, k, corners + 3 * (size_t)k );
		for ( int c = 0; c < 3; ++c )
		{
			*at->corners++ = (uint8_t)corners[3 * k + c];
		}
	}
	bv_status status = bvhtml_view_find_outline( v, exact, corners, part->faces, at->outline );
	at->outline += part->faces;
	return status;
}

static void put_part_arrays( bvhtml_view_data* v, const bv_decomposition_info* info, const part_arrays* a )
{
	bvhtml_view_open( v, "parts", '{' );
	bvhtml_view_count( v, "count", info->parts );
	bvhtml_view_array( v, "vertices", "u8", a->vertices, info->parts * sizeof *a->vertices );
	bvhtml_view_array( v, "faces", "u16", a->faces, info->parts * sizeof *a->faces );
	bvhtml_view_array( v, "numbers", "f64", a->numbers, info->parts * 3 * sizeof *a->numbers );
	bvhtml_view_array( v, "positions", "u16", a->positions, info->vertices * 3 * sizeof *a->positions );
	bvhtml_view_array( v, "corners", "u8", a->corners, info->faces * 3 * sizeof *a->corners );
	bvhtml_view_array( v, "outline", "u8", a->outline, info->faces * sizeof *a->outline );
	bvhtml_view_close( v, '}' );
}

bv_status bvhtml_view_put_parts( bvhtml_view_data* v )
{
	bv_decomposition_info info = bv_file_get_decomposition( v->file );
	if ( info.parts == 0 )
	{
		bvhtml_view_null( v, "parts" );
		return bv_ok;
	}
	part_arrays a = {
		bvb_arena_allocate( v->arena, info.parts, sizeof *a.vertices ),
		bvb_arena_allocate( v->arena, info.parts, sizeof *a.faces ),
		bvb_arena_allocate( v->arena, info.parts, 3 * sizeof *a.numbers ),
		bvb_arena_allocate( v->arena, info.vertices, 3 * sizeof *a.positions ),
		bvb_arena_allocate( v->arena, info.faces, 3 * sizeof *a.corners ),
		bvb_arena_allocate( v->arena, info.faces, sizeof *a.outline ),
	};
	if ( !a.vertices || !a.faces || !a.numbers || !a.positions || !a.corners || !a.outline )
	{
		return bvbase_fail_memory( v->error );
	}
	part_arrays at = a;
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < info.parts && status == bv_ok; ++i )
	{
		bv_part part;
		bvfile_local_part( v->file, i, &part );
		a.vertices[i] = (uint8_t)part.vertices;
		a.faces[i] = (uint16_t)part.faces;
		a.numbers[3 * i] = part.mass.mass;
		a.numbers[3 * i + 1] = part.concavity.lower;
		a.numbers[3 * i + 2] = part.concavity.upper;
		status = fill_part( v, i, &part, &at );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	put_part_arrays( v, &info, &a );
	return bv_ok;
}

static void put_point( bvhtml_view_data* v, const char* key, bv_vec3 p )
{
	bvhtml_view_open( v, key, '[' );
	bvhtml_view_number( v, NULL, p.x );
	bvhtml_view_number( v, NULL, p.y );
	bvhtml_view_number( v, NULL, p.z );
	bvhtml_view_close( v, ']' );
}

static void put_ends( bvhtml_view_data* v, const bv_vec3 ends[2], double radius )
{
	bvhtml_view_open( v, "ends", '[' );
	put_point( v, NULL, bvhtml_view_point( v, ends[0] ) );
	put_point( v, NULL, bvhtml_view_point( v, ends[1] ) );
	bvhtml_view_close( v, ']' );
	bvhtml_view_number( v, "radius", radius / v->scale );
}

static void put_shape( bvhtml_view_data* v, const bv_primitive* p )
{
	switch ( p->kind )
	{
	case bv_primitive_box:
		put_point( v, "center", bvhtml_view_point( v, p->box.center ) );
		bvhtml_view_open( v, "axes", '[' );
		for ( int i = 0; i < 3; ++i )
		{
			put_point( v, NULL, bv_scale( p->box.half_extents[i] / v->scale, p->box.axis[i] ) );
		}
		bvhtml_view_close( v, ']' );
		break;
	case bv_primitive_sphere:
		put_point( v, "center", bvhtml_view_point( v, p->sphere.center ) );
		bvhtml_view_number( v, "radius", p->sphere.radius / v->scale );
		break;
	case bv_primitive_capsule: put_ends( v, p->capsule.ends, p->capsule.radius ); break;
	case bv_primitive_cylinder: put_ends( v, p->cylinder.ends, p->cylinder.radius ); break;
	default: break;
	}
}

void bvhtml_view_put_primitive( bvhtml_view_data* v )
{
	static const char* const names[bv_primitive_kinds] = { "box", "sphere", "capsule", "cylinder" };
	bv_recognized recognized;
	bv_primitive best;
	if ( !bv_file_get_recognized( v->file, &recognized ) || !bvfile_local_primitive( v->file, 0, &best ) )
	{
		bvhtml_view_null( v, "primitive" );
		return;
	}
	for ( int kind = 1; kind < bv_primitive_kinds; ++kind )
	{
		bv_primitive other;
		if ( bvfile_local_primitive( v->file, (bv_primitive_kind)kind, &other ) &&
		     other.error.upper < best.error.upper )
		{
			best = other;
		}
	}
	if ( recognized.best < bv_primitive_kinds )
	{
		bvfile_local_primitive( v->file, recognized.best, &best );
	}
	bvhtml_view_open( v, "primitive", '{' );
	bvhtml_view_text( v, "kind", names[best.kind], strlen( names[best.kind] ) );
	bvhtml_view_bool( v, "recognised", recognized.best < bv_primitive_kinds );
	bvhtml_view_number( v, "tolerance", recognized.tolerance );
	bvhtml_view_number( v, "error", best.error.upper );
	put_shape( v, &best );
	bvhtml_view_close( v, '}' );
}
