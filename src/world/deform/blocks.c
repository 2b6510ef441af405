// Triangles of leaves with the edges and vertices that they own. See contact.h.

#include "world/deform/contact.h"

static void add_edge( const bvwdeform_triangle* t, int corner, bvwdeform_block* out )
{
	int other = corner == 2 ? 0 : corner + 1;
	uint32_t a = t->vertex[corner];
	uint32_t b = t->vertex[other];
	uint32_t i = out->edges++;
	bvwdeform_join( t->corner + corner, t->corner + other, out->edge_box + i );
	out->edge[i][0] = a < b ? a : b;
	out->edge[i][1] = a < b ? b : a;
	out->edge_face[i] = (uint8_t)out->faces;
}

static void add_vertex( const bvwdeform_triangle* t, int corner, bvwdeform_block* out )
{
	uint32_t i = out->vertices++;
	out->vertex_box[i] = t->corner[corner];
	out->vertex[i] = t->vertex[corner];
	out->vertex_face[i] = (uint8_t)out->faces;
}

void bvwdeform_load_block( const bvwdeform_side* s, uint32_t first, uint32_t most, bvwdeform_block* out )
{
	out->first = first;
	out->faces = 0;
	out->edges = 0;
	out->vertices = 0;
	while ( out->faces < most && out->faces < bvwdeform_block_faces &&
	        out->edges + 3 <= bvwdeform_block_edges && out->vertices + 3 <= bvwdeform_block_vertices )
	{
		bvwdeform_triangle t;
		uint32_t face = out->faces;
		bvwdeform_load_triangle( s, first + face, &t );
		for ( uint32_t owned = s->owned[first + face]; owned > 0; owned &= owned - 1 )
		{
			int bit = (int)bvsimd_lowest_bit( owned );
			bit < 3 ? add_vertex( &t, bit, out ) : add_edge( &t, bit - 3, out );
		}
		out->face_box[face] = t.box;
		out->corner[face][0] = t.vertex[0];
		out->corner[face][1] = t.vertex[1];
		out->corner[face][2] = t.vertex[2];
		bvwdeform_join( face == 0 ? &t.box : &out->box, &t.box, &out->box );
		out->faces += 1;
	}
}
