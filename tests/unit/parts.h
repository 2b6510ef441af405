// Decompositions told part by part, so that what is tested of them does not depend on how they are made.

#pragma once

#include "support.h"

#include "bvbuild/decompose.h"

// Everything of a part that follows from its corners and faces.
static inline void finish_part( bvb_part* part )
{
	bvb_mesh mesh = { .positions = part->positions,
		              .triangles = part->faces,
		              .vertex_count = part->vertex_count,
		              .triangle_count = part->face_count };
	bv_aabb* box = &part->box;
	*box = ( bv_aabb ){ part->positions[0], part->positions[0] };
	for ( uint32_t i = 1; i < part->vertex_count; ++i )
	{
		bv_vec3 p = part->positions[i];
		box->lower =
			( bv_vec3 ){ fmin( box->lower.x, p.x ), fmin( box->lower.y, p.y ), fmin( box->lower.z, p.z ) };
		box->upper =
			( bv_vec3 ){ fmax( box->upper.x, p.x ), fmax( box->upper.y, p.y ), fmax( box->upper.z, p.z ) };
	}
	assert_true( bvb_mass_of_solid( &mesh, &part->mass ) );
}

// A part that is a mesh, with corners rounded to binary32.
static inline bvb_part part_of_mesh( bvb_mesh mesh )
{
	bvb_part part = { .positions = mesh.positions,
		              .vertex_count = mesh.vertex_count,
		              .faces = mesh.triangles,
		              .face_count = mesh.triangle_count };
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3 p = mesh.positions[i];
		mesh.positions[i] = ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
	}
	finish_part( &part );
	return part;
}

// A box from one corner to the other.
static inline bvb_mesh moved_box( fixture* f, bv_vec3 lower, bv_vec3 upper )
{
	bvb_mesh mesh = box_mesh( f, upper.x - lower.x, upper.y - lower.y, upper.z - lower.z );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x += lower.x;
		mesh.positions[i].y += lower.y;
		mesh.positions[i].z += lower.z;
	}
	return mesh;
}

// Halves again and again, in order.
static inline uint32_t add_nodes( bvb_decomposition* d, uint32_t first, uint32_t count )
{
	uint32_t index = d->node_count++;
	bvb_part_node node = { .box = d->parts[first].box, .part = count == 1 ? first : BVB_NO_PART };
	if ( count > 1 )
	{
		const bv_aabb* a = &d->nodes[add_nodes( d, first, count / 2 )].box;
		const bv_aabb* b = &d->nodes[add_nodes( d, first + count / 2, count - count / 2 )].box;
		node.box.lower = ( bv_vec3 ){ fmin( a->lower.x, b->lower.x ), fmin( a->lower.y, b->lower.y ),
			                          fmin( a->lower.z, b->lower.z ) };
		node.box.upper = ( bv_vec3 ){ fmax( a->upper.x, b->upper.x ), fmax( a->upper.y, b->upper.y ),
			                          fmax( a->upper.z, b->upper.z ) };
	}
	node.next = d->node_count;
	d->nodes[index] = node;
	return index;
}

// Makes a decomposition of finished parts.
static inline bvb_decomposition decomposition_of( fixture* f, bvb_part* parts, uint32_t count )
{
	bvb_decomposition d = {
		.parts = parts,
		.part_count = count,
		.nodes = bvb_arena_allocate( f->arena, 2 * (size_t)count, sizeof *d.nodes ),
		.solid = true,
	};
	for ( uint32_t i = 0; i < count; ++i )
	{
		d.vertices += parts[i].vertex_count;
		d.concavity.lower = fmax( d.concavity.lower, parts[i].concavity.lower );
		d.concavity.upper = fmax( d.concavity.upper, parts[i].concavity.upper );
	}
	add_nodes( &d, 0, count );
	return d;
}

// A file with these parts in place of any that are made.
static inline bvb_bytes bytes_of_parts( fixture* f, const bvb_mesh* mesh, const bvb_decomposition* d,
                                        const bvb_asset_options* options )
{
	bvb_scene scene = { .mesh = *mesh };
	bvb_source source = { .name = "parts", .format = "test" };
	bvb_asset_options others = *options;
	others.sections &= ~( 1u << bvb_section_parts | 1u << bvb_section_part_triangles );
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_error error = { "" };
	assert_int_equal( bvb_asset_build( &scene, &source, &others, f->arena, &asset, &error ), bv_ok );
	asset.decomposition = *d;
	asset.options.sections = options->sections;
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	return bytes;
}

static const bvb_sections all_of_parts =
	1u << bvb_section_mesh | 1u << bvb_section_parts | 1u << bvb_section_part_triangles;

// Of a mesh without a tree, so that triangles keep their order.
static inline bvb_bytes bytes_with( fixture* f, const bvb_mesh* mesh, const bvb_decomposition* d,
                                    bvb_sections sections )
{
	bvb_asset_options options = plain_options();
	options.sections = sections;
	return bytes_of_parts( f, mesh, d, &options );
}

enum
{
	row_parts = 5,
};

// Boxes that stand side by side along x, each a closed surface of its own: box i from x = i to i + 1, higher by i. The first part
// stands off its box by 1/4, the others are their boxes.
static inline bvb_mesh row_mesh( fixture* f )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, 8 * row_parts, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 12 * row_parts, sizeof *mesh.triangles ),
		.vertex_count = 8 * row_parts,
		.triangle_count = 12 * row_parts,
	};
	for ( uint32_t i = 0; i < row_parts; ++i )
	{
		bvb_mesh box = moved_box( f, ( bv_vec3 ){ i, 0, 0 }, ( bv_vec3 ){ i + 1.0, 1, 1.0 + i } );
		memcpy( mesh.positions + 8 * (size_t)i, box.positions, 8 * sizeof *box.positions );
		for ( uint32_t k = 0; k < 36; ++k )
		{
			mesh.triangles[12 * i + k / 3].corner[k % 3] = 8 * i + box.triangles[k / 3].corner[k % 3];
		}
	}
	return mesh;
}

// Without a tree triangles keep their order, so that those of part i are 12 i to 12 i + 11.
static inline bvb_decomposition row_decomposition( fixture* f )
{
	bvb_part* parts = bvb_arena_allocate( f->arena, row_parts, sizeof *parts );
	for ( uint32_t i = 0; i < row_parts; ++i )
	{
		bv_vec3 lower = { i > 0 ? i : -0.25, 0, 0 };
		parts[i] = part_of_mesh( moved_box( f, lower, ( bv_vec3 ){ i + 1.0, 1, 1.0 + i } ) );
		parts[i].concavity = ( bv_interval ){ i > 0 ? 0 : 0.25, i > 0 ? 0.001 : 0.25 };
		parts[i].neighbors = bvb_arena_allocate( f->arena, 2, sizeof *parts[i].neighbors );
		parts[i].triangles = bvb_arena_allocate( f->arena, 12, sizeof *parts[i].triangles );
		for ( uint32_t k = 0; k < 12; ++k )
		{
			parts[i].triangles[parts[i].triangle_count++] = 12 * i + k;
		}
		for ( uint32_t k = 0; k < row_parts; ++k )
		{
			if ( k + 1 == i || k == i + 1 )
			{
				parts[i].neighbors[parts[i].neighbor_count++] = k;
			}
		}
	}
	bvb_decomposition d = decomposition_of( f, parts, row_parts );
	d.tolerance = 0.5;
	d.uncovered = 0x1p-30;
	return d;
}
