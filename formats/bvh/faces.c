// NFAC: faces that approximate the triangles of a node's subtree, written and verified by the same fit. A
// face is the smallest rectangle around the projection along the mean normal, placed once in front of and
// once behind all vertices. If the two are far apart, the box between them is used.
//
// Normals are weighted by area, not equally as in the thesis. The mean then does not depend on how a surface
// is triangulated, and it vanishes where the surface is closed. Nodes without a mean normal get an oriented
// box.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 8.2.

#include "bvbuild/fit.h"
#include "formats/bvh/node_sections.h"
#include "formats/bvh/write.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "runtime/file/local.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

// A normal is none when all but this share of the area cancels out.
static const double least_area = 0x1p-10;

// Two faces are too far apart from this share of the box's size on.
static const double usual_share = 0.125;

// What the visit of the nodes needs.
typedef struct faces_fitting
{
	const bvb_mesh* mesh;
	bvb_arena* owner;
	uint32_t* seen;  // of each vertex, the number of the last node it was met below, and one
	bv_vec3* points; // room for all vertices
	bvvol_packed_obb* boxes;
	uint8_t* two;
	double share; // of the head
	bv_status status;
} faces_fitting;

// Returns whether there is one.
static bool mean_normal( const bvb_mesh* mesh, const bv_node_info* node, bv_vec3* normal )
{
	bv_vec3 sum = { 0, 0, 0 };
	double area = 0;
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		bv_vec3 origin = mesh->positions[corner[0]];
		bv_vec3 n = bv_cross( bv_sub( mesh->positions[corner[1]], origin ),
		                      bv_sub( mesh->positions[corner[2]], origin ) );
		sum = bv_add( sum, n );
		area += sqrt( bv_dot( n, n ) );
	}
	double length = sqrt( bv_dot( sum, sum ) );
	*normal = bv_scale( 1 / length, sum );
	return length > least_area * area;
}

static uint32_t gather_points( faces_fitting* f, const bv_node_info* node )
{
	uint32_t count = 0;
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t vertex = f->mesh->triangles[i].corner[k];
			if ( f->seen[vertex] != node->index + 1 )
			{
				f->seen[vertex] = node->index + 1;
				f->points[count++] = f->mesh->positions[vertex];
			}
		}
	}
	return count;
}

static bool fit_node( void* context, const bv_node_info* node )
{
	faces_fitting* f = context;
	bv_vec3 normal;
	bv_obb box;
	bool has_normal = mean_normal( f->mesh, node, &normal );
	uint32_t count = gather_points( f, node );
	bvb_arena* scratch = bvbase_arena_create_scratch( f->owner );
	f->status = !scratch     ? bv_error_memory
	            : has_normal ? bvb_fit_obb_along( f->points, count, normal, scratch, &box )
	                         : bvb_fit_obb( f->points, count, NULL, &( bvb_obb_options ){ .method = "dito" },
	                                        scratch, &box );
	bvb_arena_destroy( scratch );
	if ( f->status == bv_ok )
	{
		f->boxes[node->index] = bvvol_obb_pack( &box );
		f->two[node->index] = has_normal && bvfile_is_thin( f->boxes + node->index, f->share );
	}
	return f->status == bv_ok;
}

uint64_t bvfmt_faces_bytes( uint32_t nodes )
{
	return sizeof( bvfile_faces ) + ( sizeof( bvvol_packed_obb ) + 1 ) * (uint64_t)nodes;
}

bv_status bvfmt_fit_faces( const bv_file* file, const bvb_mesh* mesh, double share, bvb_arena* arena,
                           void* out, bvb_error* error )
{
	bvfile_faces* head = out;
	faces_fitting f = {
		.mesh = mesh,
		.owner = arena,
		.seen = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *f.seen ),
		.points = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *f.points ),
		.boxes = (bvvol_packed_obb*)( head + 1 ),
		.share = share,
	};
	f.two = (uint8_t*)( f.boxes + bv_file_get_hierarchy( file ).nodes );
	if ( !f.seen || !f.points )
	{
		return bvbase_fail_memory( error );
	}
	head->share = share;
	return bvfile_local_visit_nodes( file, fit_node, &f ) ? bv_ok : bvbase_fail_memory( error );
}

uint64_t bvfmt_size_node_faces( const bvfmt_writing* w )
{
	return bvfmt_wants( w, bvb_section_node_faces ) ? bvfmt_faces_bytes( bvfmt_node_count( w ) ) : 0;
}

bv_status bvfmt_write_node_faces( const bvfmt_writing* w, void* out, bvb_error* error )
{
	return bvfmt_fit_faces( w->file, &w->asset->record.mesh, usual_share, w->arena, out, error );
}
