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

double bvh_size_of( const bv_volume* volume )
{
	double half[3];
	bv_volume_half_lengths( volume, half );
	return ( half[0] + half[1] ) + half[2];
}

// An inner node whose children are being visited.
typedef struct visit
{
	const bv_packed_node* node;
	bv_node_frame frame;
	bv_group group;          // of the next child
	const uint32_t* link;    // of the next child that has one
	uint32_t next;           // child
	uint32_t first_triangle; // of the next leaf among the children
	uint32_t end_triangle;   // behind all that is below
} visit;

static visit begin_visit( const bvh_view* view, uint32_t place, uint32_t end_triangle )
{
	const bv_packed_node* node = bvh_node_at( view, place );
	return ( visit ){
		.node = node,
		.frame = bv_node_frame_of( node, &view->hierarchy->grid ),
		.group = bv_group_first( node ),
		.link = bv_node_links( node ),
		.first_triangle = node->first_triangle,
		.end_triangle = end_triangle,
	};
}

// The triangles below an inner node end where those below the next one begin.
static uint32_t end_of_child( const bvh_view* view, const visit* v )
{
	const uint8_t* kind = bv_node_kinds( v->node );
	const uint32_t* link = v->link;
	for ( uint32_t i = v->next; i < v->node->children; ++i )
	{
		if ( kind[i] % bv_kind_counts == bv_kind_inner )
		{
			return bvh_node_at( view, *link )->first_triangle;
		}
		link += kind[i] % bv_kind_counts == bv_kind_linked;
	}
	return v->end_triangle;
}

// Describes the next child and steps behind it.
// @return the place of its node when it is an inner one, else 0
static uint32_t next_child( const bvh_view* view, visit* v, bv_node_info* info )
{
	uint32_t triangles = bv_node_kinds( v->node )[v->next] % bv_kind_counts;
	if ( v->next == v->group.first + v->group.count )
	{
		v->group = bv_group_next( v->node, &v->group );
	}
	bv_lane_unpack( &v->group, v->next - v->group.first, &v->frame, &info->volume );
	info->index = v->node->first_child + v->next;
	v->next += 1;
	if ( triangles == bv_kind_inner )
	{
		uint32_t place = *v->link++;
		const bv_packed_node* node = bvh_node_at( view, place );
		info->children = node->children;
		info->first_child = node->first_child;
		info->first_triangle = node->first_triangle;
		info->triangles = end_of_child( view, v ) - node->first_triangle;
		return place;
	}
	info->triangles = triangles == bv_kind_linked ? *v->link++ : triangles;
	info->first_triangle = v->first_triangle;
	v->first_triangle += info->triangles;
	return 0;
}

static void add_errors( const char* errors, bv_node_info* info )
{
	if ( errors )
	{
		const uint8_t* code = bvh_errors_view_of( errors ).nodes[info->index];
		double size = bvh_size_of( &info->volume );
		info->has_errors = true;
		info->surface_upper = bvh_error_value( code[0], size );
		info->solid_upper = bvh_error_value( code[1], size );
	}
}

bool bv_file_visit_nodes( const bv_file* file, bv_node_callback* callback, void* context )
{
	bvh_view view = bvh_view_of( file );
	const char* errors = errors_of( &view );
	uint32_t triangles = view.mesh->triangles;
	bool is_leaf = view.hierarchy->root_triangles > 0;
	bv_node_info root = { .triangles = triangles, .volume = bvh_root_volume( &view ) };
	if ( !is_leaf )
	{
		root.children = bvh_node_at( &view, 0 )->children;
		root.first_child = bvh_node_at( &view, 0 )->first_child;
	}
	add_errors( errors, &root );
	if ( !callback( context, &root ) || is_leaf )
	{
		return is_leaf;
	}
	visit open[BV_MAX_DEPTH + 1];
	uint32_t level = 1;
	open[1] = begin_visit( &view, 0, triangles );
	while ( level > 0 )
	{
		visit* v = open + level;
		if ( v->next == v->node->children )
		{
			level -= 1;
			continue;
		}
		bv_node_info info = { .level = level };
		uint32_t place = next_child( &view, v, &info );
		add_errors( errors, &info );
		if ( !callback( context, &info ) )
		{
			return false;
		}
		if ( place > 0 )
		{
			open[++level] = begin_visit( &view, place, info.first_triangle + info.triangles );
		}
	}
	return true;
}
