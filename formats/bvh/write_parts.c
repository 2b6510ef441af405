// PART and PTRI: convex parts, the hierarchy over them, and the triangles that they were made for.

#include "formats/bvh/write.h"
#include "offline/base/error.h"

#include <string.h>

// What PART has no place for, such as faces that do not close a part.
bv_status bvfmt_prepare_parts( bvfmt_writing* w, bvb_error* error )
{
	const bvb_decomposition* d = &w->asset->decomposition;
	if ( d->part_count == 0 )
	{
		return bv_ok;
	}
	bool good = d->part_count <= bvfile_max_parts && d->node_count == bvfile_part_nodes( d->part_count );
	uint64_t triangles = 0;
	for ( uint32_t i = 0; good && i < d->part_count; ++i )
	{
		const bvb_part* part = d->parts + i;
		good = part->vertex_count >= 4 && part->vertex_count <= BVB_MAX_PART_VERTICES &&
		       part->face_count == bvfile_part_faces( 1, part->vertex_count );
		triangles += part->triangle_count;
	}
	return !good
	           ? bvbase_fail( error, bv_error_argument, "the parts are not closed polyhedra in a hierarchy" )
	       : triangles > UINT32_MAX
	           ? bvbase_fail( error, bv_error_limit, "the parts have too many triangles" )
	           : bv_ok;
}

static bvfile_parts head_of( const bvb_decomposition* d )
{
	bvfile_parts head = {
		.parts = d->part_count,
		.solid = d->solid,
		.out_of_time = d->out_of_time,
		.tolerance = d->tolerance,
		.uncovered = d->uncovered,
		.concavity = d->concavity,
	};
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		head.vertices += d->parts[i].vertex_count;
		head.neighbors += d->parts[i].neighbor_count;
	}
	return head;
}

uint64_t bvfmt_size_parts( const bvfmt_writing* w )
{
	const bvb_decomposition* d = &w->asset->decomposition;
	if ( d->part_count == 0 )
	{
		return 0;
	}
	bvfile_parts head = head_of( d );
	return sizeof head + head.parts * sizeof( bvfile_part ) +
	       bvfile_part_nodes( head.parts ) * sizeof( bvfile_part_node ) +
	       head.vertices * (uint64_t)( 3 * sizeof( float ) ) + head.neighbors * (uint64_t)sizeof( uint32_t ) +
	       3 * bvfile_part_faces( head.parts, head.vertices );
}

// Binary32 numbers already.
static void write_floats( float out[3], bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

static void write_part( const bvb_part* part, bvfile_part* out )
{
	bv_vec3 center = part->mass.center_of_mass;
	out->mass =
		( bvfile_mass ){ .mass = part->mass.mass, .center_of_mass = { center.x, center.y, center.z } };
	memcpy( out->mass.inertia, part->mass.inertia, sizeof out->mass.inertia );
	out->concavity = part->concavity;
	write_floats( out->lower, part->box.lower );
	write_floats( out->upper, part->box.upper );
}

bv_status bvfmt_write_parts( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvb_decomposition* d = &w->asset->decomposition;
	bvfile_parts* head = out;
	*head = head_of( d );
	bvfile_part* part = (bvfile_part*)( head + 1 );
	bvfile_part_node* node = (bvfile_part_node*)( part + head->parts );
	float( *position )[3] = ( float( * )[3] )( node + d->node_count );
	uint32_t* neighbor = (uint32_t*)( position + head->vertices );
	uint8_t* corner = (uint8_t*)( neighbor + head->neighbors );
	uint32_t vertices = 0;
	uint32_t neighbors = 0;
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		const bvb_part* from = d->parts + i;
		write_part( from, part + i );
		part[i].first_vertex = vertices;
		part[i].first_neighbor = neighbors;
		for ( uint32_t k = 0; k < from->vertex_count; ++k )
		{
			write_floats( position[vertices++], from->positions[k] );
		}
		for ( uint32_t k = 0; k < from->neighbor_count; ++k )
		{
			neighbor[neighbors++] = from->neighbors[k];
		}
		for ( uint32_t k = 0; k < 3 * from->face_count; ++k )
		{
			*corner++ = (uint8_t)from->faces[k / 3].corner[k % 3];
		}
	}
	for ( uint32_t i = 0; i < d->node_count; ++i )
	{
		const bvb_part_node* from = d->nodes + i;
		write_floats( node[i].lower, from->box.lower );
		write_floats( node[i].upper, from->box.upper );
		node[i].next = from->next;
		node[i].part = from->part == BVB_NO_PART ? BVFILE_NO_PART : from->part;
	}
	return bv_ok;
}

uint64_t bvfmt_size_part_triangles( const bvfmt_writing* w )
{
	const bvb_decomposition* d = &w->asset->decomposition;
	if ( d->part_count == 0 || !bvfmt_wants( w, bvb_section_part_triangles ) )
	{
		return 0;
	}
	uint64_t count = (uint64_t)d->part_count + 1;
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		count += d->parts[i].triangle_count;
	}
	return count * sizeof( uint32_t );
}

bv_status bvfmt_write_part_triangles( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvb_decomposition* d = &w->asset->decomposition;
	uint32_t* first = out;
	uint32_t* triangle = first + d->part_count + 1;
	first[0] = 0;
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		uint32_t count = d->parts[i].triangle_count;
		first[i + 1] = first[i] + count;
		if ( count > 0 )
		{
			memcpy( triangle + first[i], d->parts[i].triangles, count * sizeof *triangle );
		}
	}
	return bv_ok;
}
