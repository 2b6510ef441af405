// BNDS, ERRS and PRIM: volumes around the mesh and its nodes, and how far they are from it.

#include "formats/bvh/write.h"
#include "runtime/volume/kinds.h"

#include <string.h>

static void write_floats( float out[3], bv_vec3 v )
{
	out[0] = (float)v.x;
	out[1] = (float)v.y;
	out[2] = (float)v.z;
}

uint64_t bvfmt_size_bounds( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_bounds ) ? sizeof( bvfile_bounds ) : 0;
}

bv_status bvfmt_write_bounds( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bv_file_bounds* bounds = &w->asset->bounds;
	bvfile_bounds* out = section;
	write_floats( out->aabb_lower, bounds->aabb.lower );
	write_floats( out->aabb_upper, bounds->aabb.upper );
	write_floats( out->sphere_center, bounds->sphere.center );
	out->sphere_radius = (float)bounds->sphere.radius;
	out->obb = bvvol_obb_pack( &bounds->obb );
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out->kdop_lower[i] = (float)bounds->kdop.lower[i];
		out->kdop_upper[i] = (float)bounds->kdop.upper[i];
	}
	write_floats( out->capsule_ends[0], bounds->capsule.ends[0] );
	write_floats( out->capsule_ends[1], bounds->capsule.ends[1] );
	out->capsule_radius = (float)bounds->capsule.radius;
	bvvol_pack( &( bv_volume ){ .type = bv_volume_rss, .rss = bounds->rss }, &out->rss );
	out->reserved = 0;
	return bv_ok;
}

uint64_t bvfmt_size_errors( const bvfmt_writing* w )
{
	const bvb_tree_errors* errors = &w->asset->errors;
	return errors->nodes ? sizeof( bvfile_errors ) + sizeof( bv_level_errors ) * errors->level_count +
	                           2 * (uint64_t)errors->node_count
	                     : 0;
}

bv_status bvfmt_write_errors( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bvb_tree_errors* errors = &w->asset->errors;
	bvfile_errors* out = section;
	*out = ( bvfile_errors ){
		.relative = errors->relative,
		.floor = errors->floor,
		.surface = errors->surface,
		.solid = errors->solid,
		.all = errors->all,
		.levels = errors->level_count,
		.nodes = errors->node_count,
	};
	bv_level_errors* levels = (bv_level_errors*)( out + 1 );
	memcpy( levels, errors->levels, errors->level_count * sizeof *levels );
	uint8_t* code = (uint8_t*)( levels + errors->level_count );
	for ( uint32_t i = 0; i < errors->node_count; ++i )
	{
		bvb_node node = bvb_tree_node( w->asset->tree, i );
		double size = bvfile_size_of( &node.volume );
		*code++ = bvfile_error_code( errors->nodes[i].surface_upper, size );
		*code++ = bvfile_error_code( errors->nodes[i].solid_upper, size );
	}
	return bv_ok;
}

uint64_t bvfmt_size_primitives( const bvfmt_writing* w )
{
	return w->asset->primitives ? sizeof( bvfile_primitives ) : 0;
}

bv_status bvfmt_write_primitives( const bvfmt_writing* w, void* section, bvb_error* error )
{
	(void)error;
	const bv_primitive* primitives = w->asset->primitives;
	const bv_recognized* recognized = &w->asset->recognized;
	bvfile_primitives* out = section;
	const bv_sphere* sphere = &primitives[bv_primitive_sphere].sphere;
	const bv_capsule* capsule = &primitives[bv_primitive_capsule].capsule;
	const bv_cylinder* cylinder = &primitives[bv_primitive_cylinder].cylinder;
	out->tolerance = recognized->tolerance;
	out->best = recognized->best;
	out->box = bvvol_obb_pack( &primitives[bv_primitive_box].box );
	write_floats( out->sphere_center, sphere->center );
	out->sphere_radius = (float)sphere->radius;
	out->capsule_radius = (float)capsule->radius;
	out->cylinder_radius = (float)cylinder->radius;
	for ( int i = 0; i < 2; ++i )
	{
		write_floats( out->capsule_ends[i], capsule->ends[i] );
		write_floats( out->cylinder_ends[i], cylinder->ends[i] );
	}
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		out->intervals[i][0] = primitives[i].from_surface;
		out->intervals[i][1] = primitives[i].from_mesh;
		out->intervals[i][2] = primitives[i].error;
	}
	return bv_ok;
}
