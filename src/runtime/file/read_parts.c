// What is in PART and PTRI of a .bvh file that check.c has let through.

#include "bv/file.h"

#include "runtime/file/local.h"
#include "runtime/file/view.h"

static bvfile_parts_view parts_of( const bv_file* file )
{
	return bvfile_parts_view_of( bvfile_find( (const bvfile_header*)file, bvfile_section_parts ) );
}

static bvfile_part_triangles_view triangles_of( const bv_file* file, uint32_t parts )
{
	return bvfile_part_triangles_view_of(
		bvfile_find( (const bvfile_header*)file, bvfile_section_part_triangles ), parts );
}

static bool has_part( const bvfile_parts_view* v, uint32_t part )
{
	return v->head && part < v->head->parts;
}

bv_decomposition_info bv_file_get_decomposition( const bv_file* file )
{
	const bvfile_parts* head = parts_of( file ).head;
	if ( !head )
	{
		return ( bv_decomposition_info ){ 0 };
	}
	return ( bv_decomposition_info ){
		.parts = head->parts,
		.vertices = head->vertices,
		.faces = (uint32_t)bvfile_part_faces( head->parts, head->vertices ),
		.solid = head->solid,
		.out_of_time = head->out_of_time,
		.tolerance = head->tolerance,
		.concavity = head->concavity,
		.uncovered = head->uncovered,
		.has_triangles = bvfile_find( (const bvfile_header*)file, bvfile_section_part_triangles ),
	};
}

static bv_vec3 vec3_of( const float v[3] )
{
	return ( bv_vec3 ){ v[0], v[1], v[2] };
}

bool bvfile_local_part( const bv_file* file, uint32_t index, bv_part* part )
{
	bvfile_parts_view v = parts_of( file );
	if ( !has_part( &v, index ) )
	{
		return false;
	}
	const bvfile_part* stored = v.parts + index;
	const double* center = stored->mass.center_of_mass;
	uint32_t vertices = bvfile_part_ends_of( &v, index ).vertex - stored->first_vertex;
	*part = ( bv_part ){
		.vertices = vertices,
		.faces = (uint32_t)bvfile_part_faces( 1, vertices ),
		.box = { vec3_of( stored->lower ), vec3_of( stored->upper ) },
		.mass = { .mass = stored->mass.mass, .center_of_mass = { center[0], center[1], center[2] } },
		.concavity = stored->concavity,
	};
	memcpy( part->mass.inertia, stored->mass.inertia, sizeof part->mass.inertia );
	return true;
}

bv_vec3 bvfile_local_part_vertex( const bv_file* file, uint32_t part, uint32_t index )
{
	bvfile_parts_view v = parts_of( file );
	bool there =
		has_part( &v, part ) && index < bvfile_part_ends_of( &v, part ).vertex - v.parts[part].first_vertex;
	return there ? vec3_of( v.positions[v.parts[part].first_vertex + index] ) : ( bv_vec3 ){ 0, 0, 0 };
}

void bv_file_get_part_triangle( const bv_file* file, uint32_t part, uint32_t index, uint32_t corner[3] )
{
	bvfile_parts_view v = parts_of( file );
	bool there =
		has_part( &v, part ) &&
		index < bvfile_part_faces( 1, bvfile_part_ends_of( &v, part ).vertex - v.parts[part].first_vertex );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = there ? v.faces[bvfile_first_part_face( &v, part ) + index][k] : 0;
	}
}

uint32_t bv_file_get_part_neighbors( const bv_file* file, uint32_t part, const uint32_t** neighbors )
{
	bvfile_parts_view v = parts_of( file );
	*neighbors = NULL;
	if ( !has_part( &v, part ) )
	{
		return 0;
	}
	uint32_t first = v.parts[part].first_neighbor;
	uint32_t count = bvfile_part_ends_of( &v, part ).neighbor - first;
	*neighbors = count > 0 ? v.neighbors + first : NULL;
	return count;
}

uint32_t bv_file_get_part_triangles( const bv_file* file, uint32_t part, const uint32_t** triangles )
{
	bvfile_parts_view v = parts_of( file );
	*triangles = NULL;
	if ( !has_part( &v, part ) )
	{
		return 0;
	}
	bvfile_part_triangles_view t = triangles_of( file, v.head->parts );
	uint32_t count = t.first ? t.first[part + 1] - t.first[part] : 0;
	*triangles = count > 0 ? t.triangles + t.first[part] : NULL;
	return count;
}

bool bvfile_local_visit_parts( const bv_file* file, const bv_aabb* box, bv_part_callback* callback,
                               void* context )
{
	bvfile_parts_view v = parts_of( file );
	uint32_t count = v.head ? bvfile_part_nodes( v.head->parts ) : 0;
	for ( uint32_t i = 0; i < count; )
	{
		const bvfile_part_node* node = v.nodes + i;
		bool meets = !box || ( box->lower.x <= node->upper[0] && box->lower.y <= node->upper[1] &&
		                       box->lower.z <= node->upper[2] && box->upper.x >= node->lower[0] &&
		                       box->upper.y >= node->lower[1] && box->upper.z >= node->lower[2] );
		if ( meets && node->part != BVFILE_NO_PART && !callback( context, node->part ) )
		{
			return false;
		}
		i = meets ? i + 1 : node->next;
	}
	return true;
}
