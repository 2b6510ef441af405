// MESH, POSN, EDGE, MASS and BODY: the mesh and what it weighs.

#include "formats/bvh/write.h"
#include "runtime/math/vec.h"

#include <string.h>

static void write_vec3( double out[3], bv_vec3 v )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

bv_status bvfmt_prepare_mesh( bvfmt_writing* w, bvb_error* error )
{
	(void)error;
	const bvb_asset* asset = w->asset;
	bvfile_mesh* out = &w->mesh;
	out->vertices = asset->record.mesh.vertex_count;
	out->triangles = asset->record.mesh.triangle_count;
	out->edges = asset->topology.edges;
	out->components = asset->topology.components;
	out->double_sided = asset->topology.double_sided;
	out->closed = asset->topology.closed;
	out->manifold = asset->topology.manifold;
	out->oriented = asset->topology.oriented;
	memcpy( out->edges_of_kind, asset->topology.edges_of_kind, sizeof out->edges_of_kind );
	out->quantized = asset->record.form == bvb_positions_quantized;
	out->removed_degenerate = asset->record.removed_degenerate;
	out->removed_duplicate = asset->record.removed_duplicate;
	out->removed_non_finite = asset->record.removed_non_finite;
	out->unused_vertices = asset->record.unused_vertices;
	out->merged_vertices = asset->record.merged_vertices;
	out->largest_displacement = asset->record.largest_displacement;
	out->area = asset->area;
	write_vec3( out->grid_origin, asset->record.grid.origin );
	out->grid_step = asset->record.grid.step;
	if ( !bvmath_is_zero( asset->record.offset ) )
	{
		w->version[bvfile_section_mesh] = 2;
		w->minor[bvfile_section_mesh] = bvfile_minor_of_offset;
	}
	return bv_ok;
}

uint64_t bvfmt_size_mesh( const bvfmt_writing* w )
{
	return sizeof w->mesh + ( bvmath_is_zero( w->asset->record.offset ) ? 0 : sizeof( bv_vec3 ) );
}

bv_status bvfmt_write_mesh( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	memcpy( out, &w->mesh, sizeof w->mesh );
	if ( !bvmath_is_zero( w->asset->record.offset ) )
	{
		*(bv_vec3*)( (bvfile_mesh*)out + 1 ) = w->asset->record.offset;
	}
	return bv_ok;
}

// Exact: the position is a whole number of steps from the origin.
static uint64_t grid_number( double x, double origin, double step )
{
	return (uint64_t)( ( x - origin ) / step );
}

void bvfmt_write_position( const bvb_record* record, uint32_t vertex, void* out )
{
	const bvb_grid* grid = &record->grid;
	bv_vec3 p = record->mesh.positions[vertex];
	if ( record->form == bvb_positions_quantized )
	{
		uint64_t x = grid_number( p.x, grid->origin.x, grid->step );
		uint64_t y = grid_number( p.y, grid->origin.y, grid->step );
		uint64_t z = grid_number( p.z, grid->origin.z, grid->step );
		*(uint64_t*)out = x | y << bvfile_quantized_bits | z << ( 2 * bvfile_quantized_bits );
	}
	else
	{
		float* to = out;
		to[0] = (float)p.x;
		to[1] = (float)p.y;
		to[2] = (float)p.z;
	}
}

uint64_t bvfmt_size_positions( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_mesh ) ? w->mesh.vertices * (uint64_t)bvfile_position_bytes( &w->mesh )
	                                          : 0;
}

bv_status bvfmt_write_positions( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	size_t bytes = bvfile_position_bytes( &w->mesh );
	for ( uint32_t i = 0; i < w->mesh.vertices; ++i )
	{
		bvfmt_write_position( &w->asset->record, i, (char*)out + bytes * i );
	}
	return bv_ok;
}

uint64_t bvfmt_size_edges( const bvfmt_writing* w )
{
	return w->asset->edges ? w->mesh.triangles * sizeof *w->asset->edges : 0;
}

bv_status bvfmt_write_edges( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	memcpy( out, w->asset->edges, w->mesh.triangles * sizeof *w->asset->edges );
	return bv_ok;
}

static void write_mass( const bv_mass* mass, bvfile_mass* out )
{
	out->mass = mass->mass;
	write_vec3( out->center_of_mass, mass->center_of_mass );
	memcpy( out->inertia, mass->inertia, sizeof out->inertia );
}

uint64_t bvfmt_size_mass( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_mass ) ? sizeof( bvfile_masses ) : 0;
}

bv_status bvfmt_write_mass( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	bvfile_masses* masses = out;
	for ( int of = 0; of < 3; ++of )
	{
		masses->has[of] = w->asset->has_mass[of];
		if ( w->asset->has_mass[of] )
		{
			write_mass( w->asset->mass + of, masses->mass + of );
		}
	}
	return bv_ok;
}

uint64_t bvfmt_size_body( const bvfmt_writing* w )
{
	return w->asset->has_body ? sizeof( bvfile_moving_body ) : 0;
}

bv_status bvfmt_write_body( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bv_body* body = &w->asset->body;
	bvfile_moving_body* stored = out;
	stored->of = (uint8_t)body->of;
	stored->from_mass = body->from_mass;
	stored->density = body->density;
	write_mass( &body->mass, &stored->mass );
	return bv_ok;
}
