// Triangles of leaves with the edges and vertices that they own. See contact.h.

#include "world/deform_contact/contact.h"

void bvwtouch_begin_block( void* memory, bvwtouch_room room, bvwtouch_block* out )
{
	out->faces = 0;
	out->room = room;
	out->face_box = memory;
	out->edge_box = out->face_box + room.faces;
	out->vertex_box = out->edge_box + room.edges;
	out->corner = ( uint32_t( * )[3] )( out->vertex_box + room.vertices );
	out->edge = ( uint32_t( * )[2] )( out->corner + room.faces );
	out->vertex = (uint32_t*)( out->edge + room.edges );
	out->edge_face = (uint8_t*)( out->vertex + room.vertices );
	out->vertex_face = out->edge_face + room.edges;
}

static void add_edge( const bvwtouch_triangle* t, int corner, bvwtouch_block* out )
{
	int other = corner == 2 ? 0 : corner + 1;
	uint32_t a = t->vertex[corner];
	uint32_t b = t->vertex[other];
	uint32_t i = out->edges++;
	bvwtouch_join( t->corner + corner, t->corner + other, out->edge_box + i );
	out->edge[i][0] = a < b ? a : b;
	out->edge[i][1] = a < b ? b : a;
	out->edge_face[i] = (uint8_t)out->faces;
}

static void add_vertex( const bvwtouch_triangle* t, int corner, bvwtouch_block* out )
{
	uint32_t i = out->vertices++;
	out->vertex_box[i] = t->corner[corner];
	out->vertex[i] = t->vertex[corner];
	out->vertex_face[i] = (uint8_t)out->faces;
}

static bool has_room( const bvwtouch_block* b, uint32_t owned )
{
	return b->faces < b->room.faces && b->vertices + bvsimd_count_bits( owned & 7 ) <= b->room.vertices &&
	       b->edges + bvsimd_count_bits( owned >> 3 ) <= b->room.edges;
}

void bvwtouch_load_block( const bvwtouch_side* s, uint32_t first, uint32_t most, bvwtouch_block* out )
{
	const uint8_t* owned = s->owned + first;
	out->first = first;
	out->faces = 0;
	out->edges = 0;
	out->vertices = 0;
	for ( uint32_t face = 0; face < most && has_room( out, owned[face] ); ++face )
	{
		bvwtouch_triangle t;
		bvwtouch_load_triangle( s, first + face, &t );
		for ( uint32_t left = owned[face]; left > 0; left &= left - 1 )
		{
			int bit = (int)bvsimd_lowest_bit( left );
			bit < 3 ? add_vertex( &t, bit, out ) : add_edge( &t, bit - 3, out );
		}
		out->face_box[face] = t.box;
		out->corner[face][0] = t.vertex[0];
		out->corner[face][1] = t.vertex[1];
		out->corner[face][2] = t.vertex[2];
		bvwtouch_join( face == 0 ? &t.box : &out->box, &t.box, &out->box );
		out->faces += 1;
	}
}
