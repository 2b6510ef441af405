// What is in a .bvh file that check.c has let through: accessors that only look up.

#include "bv/file.h"

#include "formats/bvh/layout.h"

#include <string.h>

bv_file_origin bv_file_get_origin( const bv_file* file )
{
	const bvh_origin* origin = bvh_view_of( file ).origin;
	const char* text = (const char*)( origin + 1 );
	bv_file_origin out;
	out.tool = ( bv_text ){ text, origin->tool_bytes };
	out.source_name = ( bv_text ){ text += origin->tool_bytes, origin->name_bytes };
	out.source_format = ( bv_text ){ text += origin->name_bytes, origin->format_bytes };
	out.parameters = ( bv_text ){ text += origin->format_bytes, origin->parameter_bytes };
	memcpy( out.source_hash, origin->source_hash, sizeof out.source_hash );
	return out;
}

bv_file_info bv_file_get_info( const bv_file* file )
{
	const bvh_header* header = bvh_view_of( file ).header;
	return ( bv_file_info ){ header->version_major, header->version_minor, header->section_count,
		                     header->file_bytes };
}

bv_section_info bv_file_get_section( const bv_file* file, uint32_t index )
{
	bv_section_info info = { "", 0 };
	if ( index < bvh_view_of( file ).header->section_count )
	{
		const bvh_entry* entry = bvh_view_of( file ).table + index;
		memcpy( info.name, entry->name, sizeof entry->name );
		info.bytes = entry->bytes;
	}
	return info;
}

bv_mesh_info bv_file_get_mesh( const bv_file* file )
{
	const bvh_mesh* mesh = bvh_view_of( file ).mesh;
	bv_mesh_info info = {
		.vertices = mesh->vertices,
		.triangles = mesh->triangles,
		.edges = mesh->edges,
		.components = mesh->components,
		.closed = mesh->closed,
		.manifold = mesh->manifold,
		.oriented = mesh->oriented,
		.double_sided = mesh->double_sided,
		.removed_degenerate = mesh->removed_degenerate,
		.removed_duplicate = mesh->removed_duplicate,
		.removed_non_finite = mesh->removed_non_finite,
		.unused_vertices = mesh->unused_vertices,
		.merged_vertices = mesh->merged_vertices,
		.area = mesh->mass[bv_mass_of_surface].mass,
		.largest_displacement = mesh->largest_displacement,
	};
	memcpy( info.edges_of_kind, mesh->edges_of_kind, sizeof info.edges_of_kind );
	return info;
}

bv_vec3 bv_file_get_vertex( const bv_file* file, uint32_t index )
{
	bvh_view view = bvh_view_of( file );
	return index < view.mesh->vertices ? bvh_position( &view, index ) : ( bv_vec3 ){ 0, 0, 0 };
}

static void copy_triangle( const uint32_t ( *triangles )[3], uint32_t count, uint32_t index,
                           uint32_t corner[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = index < count ? triangles[index][i] : 0;
	}
}

void bv_file_get_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] )
{
	bvh_view view = bvh_view_of( file );
	copy_triangle( view.triangles, view.mesh->triangles, index, corner );
}

bool bv_file_get_edge( const bv_file* file, uint32_t triangle, uint32_t side, bv_edge_kind* kind )
{
	bvh_view view = bvh_view_of( file );
	uint64_t bytes;
	const uint16_t* edges = (const uint16_t*)bvh_optional( &view, bvh_section_edges, &bytes );
	if ( !edges || triangle >= view.mesh->triangles || side > 2 )
	{
		return false;
	}
	*kind = (bv_edge_kind)( edges[triangle] >> ( bvh_edge_bits * side ) & ( ( 1u << bvh_edge_bits ) - 1 ) );
	return true;
}

static bv_text name_of( const bvh_source_view* v, uint32_t name )
{
	if ( name == BVH_NO_NAME )
	{
		return ( bv_text ){ v->text, 0 };
	}
	uint32_t first = name ? v->name_ends[name - 1] : 0;
	return ( bv_text ){ v->text + first, v->name_ends[name] - first };
}

bool bv_file_get_source( const bv_file* file, uint32_t triangle, bv_triangle_source* source )
{
	bvh_view view = bvh_view_of( file );
	uint64_t bytes;
	const char* section = bvh_optional( &view, bvh_section_source, &bytes );
	if ( !section || triangle >= view.mesh->triangles )
	{
		return false;
	}
	bvh_source_view v = bvh_source_view_of( section, view.mesh->triangles );
	const uint32_t* names = v.combinations[v.combination[triangle]];
	source->face = v.faces[triangle];
	source->object = name_of( &v, names[0] );
	source->group = name_of( &v, names[1] );
	source->material = name_of( &v, names[2] );
	return true;
}

bool bv_file_get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	const bvh_mesh* mesh = bvh_view_of( file ).mesh;
	if ( (unsigned)of > bv_mass_of_hull || !mesh->has_mass[of] )
	{
		return false;
	}
	const bvh_mass* stored = &mesh->mass[of];
	const double* center = stored->center_of_mass;
	mass->mass = stored->mass;
	mass->center_of_mass = ( bv_vec3 ){ center[0], center[1], center[2] };
	memcpy( mass->inertia, stored->inertia, sizeof mass->inertia );
	return true;
}

static bv_vec3 vec3_of( const float v[3] )
{
	return ( bv_vec3 ){ v[0], v[1], v[2] };
}

bv_file_bounds bv_file_get_bounds( const bv_file* file )
{
	const bvh_bounds* bounds = bvh_view_of( file ).bounds;
	const float( *ends )[3] = bounds->capsule_ends;
	bv_file_bounds out = {
		.aabb = { vec3_of( bounds->aabb_lower ), vec3_of( bounds->aabb_upper ) },
		.sphere = { vec3_of( bounds->sphere_center ), bounds->sphere_radius },
		.obb = bv_obb_unpack( &bounds->obb ),
		.kdop = { .k = 2 * BV_KDOP_DIRECTIONS },
		.capsule = { { vec3_of( ends[0] ), vec3_of( ends[1] ) }, bounds->capsule_radius },
		.rss = bv_rss_unpack( &bounds->rss ),
	};
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out.kdop.lower[i] = bounds->kdop_lower[i];
		out.kdop.upper[i] = bounds->kdop_upper[i];
	}
	return out;
}

static const bvh_primitives* primitives_of( const bv_file* file )
{
	bvh_view view = bvh_view_of( file );
	uint64_t bytes;
	return (const bvh_primitives*)bvh_optional( &view, bvh_section_primitives, &bytes );
}

bool bv_file_get_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive )
{
	const bvh_primitives* stored = primitives_of( file );
	if ( !stored || (unsigned)kind >= bv_primitive_kinds )
	{
		return false;
	}
	const float( *capsule )[3] = stored->capsule_ends;
	const float( *cylinder )[3] = stored->cylinder_ends;
	*primitive = ( bv_primitive ){
		.kind = kind,
		.from_surface = stored->intervals[kind][0],
		.from_mesh = stored->intervals[kind][1],
		.error = stored->intervals[kind][2],
	};
	switch ( kind )
	{
	case bv_primitive_box: primitive->box = bv_obb_unpack( &stored->box ); break;
	case bv_primitive_sphere:
		primitive->sphere = ( bv_sphere ){ vec3_of( stored->sphere_center ), stored->sphere_radius };
		break;
	case bv_primitive_capsule:
		primitive->capsule =
			( bv_capsule ){ { vec3_of( capsule[0] ), vec3_of( capsule[1] ) }, stored->capsule_radius };
		break;
	default:
		primitive->cylinder =
			( bv_cylinder ){ { vec3_of( cylinder[0] ), vec3_of( cylinder[1] ) }, stored->cylinder_radius };
		break;
	}
	return true;
}

bool bv_file_get_recognised( const bv_file* file, bv_recognised* recognised )
{
	const bvh_primitives* stored = primitives_of( file );
	if ( stored )
	{
		*recognised = ( bv_recognised ){ stored->tolerance, (bv_primitive_kind)stored->best };
	}
	return stored;
}

bv_hull_info bv_file_get_hull( const bv_file* file )
{
	const bvh_hull* hull = bvh_view_of( file ).hull;
	uint32_t faces = hull->kind == bv_hull_polygon ? 1 : hull->faces;
	return ( bv_hull_info ){ (bv_hull_kind)hull->kind, hull->vertices, faces, hull->volume };
}

uint32_t bv_file_get_hull_vertex( const bv_file* file, uint32_t index )
{
	bvh_view view = bvh_view_of( file );
	return index < view.hull->vertices ? view.hull_vertices[index] : 0;
}

void bv_file_get_hull_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] )
{
	bvh_view view = bvh_view_of( file );
	copy_triangle( view.hull_faces, view.hull->faces, index, corner );
}

bv_hierarchy_info bv_file_get_hierarchy( const bv_file* file )
{
	const bvh_hierarchy* hierarchy = bvh_view_of( file ).hierarchy;
	bv_hierarchy_info info = {
		hierarchy->nodes, hierarchy->leaves, hierarchy->depth, { 0 }, hierarchy->costs
	};
	memcpy( info.of_type, hierarchy->of_type, sizeof info.of_type );
	return info;
}

// Null when the file has no errors.
static const char* errors_of( const bvh_view* view )
{
	uint64_t bytes;
	return bvh_optional( view, bvh_section_errors, &bytes );
}

bool bv_file_get_errors( const bv_file* file, bv_file_errors* errors )
{
	bvh_view view = bvh_view_of( file );
	const bvh_errors* stored = (const bvh_errors*)errors_of( &view );
	if ( stored )
	{
		*errors = ( bv_file_errors ){ stored->relative, stored->floor, stored->surface, stored->solid,
			                          stored->all };
	}
	return stored;
}

bool bv_file_get_level_errors( const bv_file* file, uint32_t level, bv_level_errors* errors )
{
	bvh_view view = bvh_view_of( file );
	const char* section = errors_of( &view );
	if ( !section || level > view.hierarchy->depth )
	{
		return false;
	}
	*errors = bvh_errors_view_of( section ).levels[level];
	return true;
}
