// What is in a .bvh file that check.c has let through: accessors that only look up.

#include "bv/inspect.h"

#include "runtime/file/local.h"
#include "runtime/file/view.h"

#include <string.h>

// Null when the file does not have it.
static const void* find( const bv_file* file, bvfile_section section )
{
	return bvfile_find( (const bvfile_header*)file, section );
}

bv_file_origin bv_file_get_origin( const bv_file* file )
{
	const bvfile_origin* origin = find( file, bvfile_section_origin );
	if ( !origin )
	{
		return ( bv_file_origin ){ { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 }, { 0 } };
	}
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
	const bvfile_header* header = (const bvfile_header*)file;
	return ( bv_file_info ){ header->version_major, header->version_minor, header->section_count,
		                     header->file_bytes };
}

static bool is_known( const bvfile_entry* entry )
{
	for ( int i = 0; i < bvfile_section_count; ++i )
	{
		const bvfile_section_rule* rule = bvfile_rule_of( (bvfile_section)i );
		if ( memcmp( entry->name, rule->name, sizeof entry->name ) == 0 )
		{
			return entry->version <= rule->version;
		}
	}
	return false;
}

bv_section_info bv_file_get_section( const bv_file* file, uint32_t index )
{
	const bvfile_header* header = (const bvfile_header*)file;
	bv_section_info info = { .name = "" };
	if ( index < header->section_count )
	{
		const bvfile_entry* entry = (const bvfile_entry*)( header + 1 ) + index;
		memcpy( info.name, entry->name, sizeof entry->name );
		info.version = entry->version;
		info.required = entry->flags & bvfile_required;
		info.known = is_known( entry );
		info.bytes = entry->bytes;
	}
	return info;
}

bv_mesh_info bv_file_get_mesh( const bv_file* file )
{
	const bvfile_mesh* mesh = find( file, bvfile_section_mesh );
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
		.area = mesh->area,
		.largest_displacement = mesh->largest_displacement,
		.has_triangles = find( file, bvfile_section_triangles ),
	};
	memcpy( info.edges_of_kind, mesh->edges_of_kind, sizeof info.edges_of_kind );
	return info;
}

bv_vec3 bvfile_local_vertex( const bv_file* file, uint32_t index )
{
	bvfile_view view = {
		.mesh = find( file, bvfile_section_mesh ),
		.positions = find( file, bvfile_section_positions ),
	};
	return view.positions && index < view.mesh->vertices ? bvfile_position( &view, index )
	                                                     : ( bv_vec3 ){ 0, 0, 0 };
}

void bv_file_get_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] )
{
	const bvfile_mesh* mesh = find( file, bvfile_section_mesh );
	bvfile_view view = { .triangles = bvfile_triangles_view_of( find( file, bvfile_section_triangles ) ) };
	if ( view.triangles.head && index < mesh->triangles )
	{
		bvfile_triangle( &view, index, corner );
		return;
	}
	corner[0] = corner[1] = corner[2] = 0;
}

bool bv_file_get_edge( const bv_file* file, uint32_t triangle, uint32_t side, bv_edge_kind* kind )
{
	const bvfile_mesh* mesh = find( file, bvfile_section_mesh );
	const uint16_t* edges = find( file, bvfile_section_edges );
	if ( !edges || triangle >= mesh->triangles || side > 2 )
	{
		return false;
	}
	*kind =
		(bv_edge_kind)( edges[triangle] >> ( bvfile_edge_bits * side ) & ( ( 1u << bvfile_edge_bits ) - 1 ) );
	return true;
}

static bv_text name_of( const bvfile_source_view* v, uint32_t name )
{
	if ( name == BVFILE_NO_NAME )
	{
		return ( bv_text ){ v->text, 0 };
	}
	uint32_t first = name ? v->name_ends[name - 1] : 0;
	return ( bv_text ){ v->text + first, v->name_ends[name] - first };
}

bool bv_file_get_source( const bv_file* file, uint32_t triangle, bv_triangle_source* source )
{
	const bvfile_mesh* mesh = find( file, bvfile_section_mesh );
	const char* section = find( file, bvfile_section_source );
	if ( !section || triangle >= mesh->triangles )
	{
		return false;
	}
	bvfile_source_view v = bvfile_source_view_of( section, mesh->triangles );
	const uint32_t* names = v.combinations[v.combination[triangle]];
	source->face = v.faces[triangle];
	source->object = name_of( &v, names[0] );
	source->group = name_of( &v, names[1] );
	source->material = name_of( &v, names[2] );
	return true;
}

bool bvfile_local_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	const bvfile_masses* masses = find( file, bvfile_section_mass );
	const bvfile_moving_body* body = find( file, bvfile_section_body );
	bool has = (unsigned)of <= bv_mass_of_hull ? masses && masses->has[of] : of == bv_mass_of_body && body;
	if ( !has )
	{
		return false;
	}
	const bvfile_mass* stored = of == bv_mass_of_body ? &body->mass : &masses->mass[of];
	const double* center = stored->center_of_mass;
	mass->mass = stored->mass;
	mass->center_of_mass = ( bv_vec3 ){ center[0], center[1], center[2] };
	memcpy( mass->inertia, stored->inertia, sizeof mass->inertia );
	return true;
}

bool bvfile_local_body( const bv_file* file, bv_body* body )
{
	const bvfile_moving_body* stored = find( file, bvfile_section_body );
	if ( stored )
	{
		body->of = (bv_mass_of)stored->of;
		body->density = stored->density;
		body->from_mass = stored->from_mass;
	}
	return stored && bvfile_local_mass( file, bv_mass_of_body, &body->mass );
}

static bv_vec3 vec3_of( const float v[3] )
{
	return ( bv_vec3 ){ v[0], v[1], v[2] };
}

bool bvfile_local_bounds( const bv_file* file, bv_file_bounds* out )
{
	const bvfile_bounds* bounds = find( file, bvfile_section_bounds );
	if ( !bounds )
	{
		return false;
	}
	const float( *ends )[3] = bounds->capsule_ends;
	*out = ( bv_file_bounds ){
		.aabb = { vec3_of( bounds->aabb_lower ), vec3_of( bounds->aabb_upper ) },
		.sphere = { vec3_of( bounds->sphere_center ), bounds->sphere_radius },
		.obb = bvvol_obb_unpack( &bounds->obb ),
		.kdop = { .k = 2 * BV_KDOP_DIRECTIONS },
		.capsule = { { vec3_of( ends[0] ), vec3_of( ends[1] ) }, bounds->capsule_radius },
		.rss = bvvol_unpack( bv_volume_rss, &bounds->rss ).rss,
	};
	for ( int i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		out->kdop.lower[i] = bounds->kdop_lower[i];
		out->kdop.upper[i] = bounds->kdop_upper[i];
	}
	return true;
}

bool bvfile_local_primitive( const bv_file* file, bv_primitive_kind kind, bv_primitive* primitive )
{
	const bvfile_primitives* stored = find( file, bvfile_section_primitives );
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
	case bv_primitive_box: primitive->box = bvvol_obb_unpack( &stored->box ); break;
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

bool bv_file_get_recognized( const bv_file* file, bv_recognized* recognized )
{
	const bvfile_primitives* stored = find( file, bvfile_section_primitives );
	if ( stored )
	{
		*recognized = ( bv_recognized ){ stored->tolerance, (bv_primitive_kind)stored->best };
	}
	return stored;
}

static bvfile_hull_view hull_of( const bv_file* file )
{
	return bvfile_hull_view_of( find( file, bvfile_section_hull ), find( file, bvfile_section_mesh ) );
}

bv_hull_info bv_file_get_hull( const bv_file* file )
{
	const bvfile_hull* hull = hull_of( file ).head;
	if ( !hull )
	{
		return ( bv_hull_info ){ .kind = bv_hull_point };
	}
	return ( bv_hull_info ){
		.kind = (bv_hull_kind)hull->kind,
		.vertices = hull->vertices,
		.faces = hull->kind == bv_hull_polygon ? 1 : hull->faces,
		.volume = hull->volume,
		.of_mesh = !hull->own,
	};
}

uint32_t bv_file_get_hull_vertex( const bv_file* file, uint32_t index )
{
	bvfile_hull_view v = hull_of( file );
	bool there = v.head && !v.head->own && index < v.head->vertices;
	return there ? bvfile_index_at( v.vertices, v.vertex_bytes, index ) : 0;
}

bv_vec3 bvfile_local_hull_position( const bv_file* file, uint32_t index )
{
	bvfile_hull_view v = hull_of( file );
	if ( !v.head || index >= v.head->vertices )
	{
		return ( bv_vec3 ){ 0, 0, 0 };
	}
	return v.head->own ? bvfile_position_of( find( file, bvfile_section_mesh ), v.vertices, index )
	                   : bvfile_local_vertex( file, bvfile_index_at( v.vertices, v.vertex_bytes, index ) );
}

void bv_file_get_hull_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] )
{
	bvfile_hull_view v = hull_of( file );
	bool there = v.head && index < v.head->faces;
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = there ? bvfile_index_at( v.faces, v.face_bytes, 3 * (size_t)index + i ) : 0;
	}
}

static void read_costs( const bvfile_hierarchy* head, bv_costs* out )
{
	const bvfile_prism_costs* prisms = bvfile_prism_costs_of( head );
	for ( int i = 0; i < bvfile_first_types; ++i )
	{
		memcpy( out->volumes[i], head->costs.volumes[i], sizeof head->costs.volumes[i] );
	}
	for ( int i = 0; i < bvfile_second_types; ++i )
	{
		int like = i < bv_volume_prism ? i : bv_volume_rss;
		double cost = prisms ? prisms->volumes[i] : head->costs.volumes[bv_volume_rss][like];
		out->volumes[bv_volume_prism][i] = cost;
		out->volumes[i][bv_volume_prism] = cost;
	}
	out->triangles = head->costs.triangles;
	out->opening = head->costs.opening;
	out->leaf = head->costs.leaf;
}

bv_hierarchy_info bv_file_get_hierarchy( const bv_file* file )
{
	const bvfile_hierarchy* hierarchy = find( file, bvfile_section_nodes );
	if ( !hierarchy )
	{
		return ( bv_hierarchy_info ){ 0 };
	}
	bv_hierarchy_info info = { hierarchy->nodes, hierarchy->leaves, hierarchy->depth, { 0 }, { .leaf = 0 } };
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		info.of_type[i] = bvfile_count_of_type( hierarchy, i );
	}
	read_costs( hierarchy, &info.costs );
	return info;
}

bool bv_file_get_errors( const bv_file* file, bv_file_errors* errors )
{
	const bvfile_errors* stored = find( file, bvfile_section_errors );
	if ( stored )
	{
		*errors = ( bv_file_errors ){ stored->relative, stored->floor, stored->surface, stored->solid,
			                          stored->all };
	}
	return stored;
}

bool bv_file_get_level_errors( const bv_file* file, uint32_t level, bv_level_errors* errors )
{
	const bvfile_hierarchy* hierarchy = find( file, bvfile_section_nodes );
	const char* section = find( file, bvfile_section_errors );
	if ( !section || level > hierarchy->depth )
	{
		return false;
	}
	*errors = bvfile_errors_view_of( section ).levels[level];
	return true;
}
