// Verifies an open file by computing its contents again. The description of the mesh must follow from its
// triangles (counts, flags, areas, masses, edges). Every bounding volume must enclose its contents. Errors,
// qualities and faces of nodes must have the recomputed values.
//
// The hull is computed with rounding, so its volume, mass and topology are compared, but not whether it is
// the hull. Convex parts must be convex up to such rounding, cover the shape, and keep the stated distance
// from it. The proxy must keep the stated distance from the mesh, and enclose what it claims to enclose.
// Statements about the source, and about removed triangles, are not checked.
//
// Enclosure is decided exactly or with the upper bounds of exact values in runtime/volume/reach.h, so passing
// is a proof and not a sample.

#include "bvbuild/asset.h"

#include "formats/bvh/sections.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/hausdorff/from_file.h"
#include "offline/verify/verify.h"
#include "runtime/file/local.h"
#include "runtime/file/view.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

static bool volume_encloses( const bv_volume* volume, bv_vec3 p )
{
	return bvvol_kind_of( volume->type )->encloses( volume, p );
}

// Returns the first bounding volume that does not enclose a point, null if all do.
static const char* find_open( const bv_file_bounds* bounds, bv_vec3 p )
{
	const struct
	{
		bv_volume volume;
		const char* name;
	} volumes[] = {
		{ { .type = bv_volume_aabb, .aabb = bounds->aabb }, "axis-aligned box" },
		{ { .type = bv_volume_sphere, .sphere = bounds->sphere }, "sphere" },
		{ { .type = bv_volume_obb, .obb = bounds->obb }, "oriented box" },
		{ { .type = bv_volume_kdop26, .kdop = bounds->kdop }, "k-DOP" },
		{ { .type = bv_volume_rss, .rss = bounds->rss }, "rectangle swept sphere" },
	};
	for ( size_t i = 0; i < sizeof volumes / sizeof *volumes; ++i )
	{
		if ( !volume_encloses( &volumes[i].volume, p ) )
		{
			return volumes[i].name;
		}
	}
	return bvvol_capsule_reach( &bounds->capsule, p ) <= bounds->capsule.radius ? NULL : "capsule";
}

// What encloses all corners of the hull encloses all vertices that are not there.
bv_status bvverify_section_bounds( bvverify_verification* v, bvb_error* error )
{
	const bvb_mesh* mesh = v->mesh ? v->mesh : v->hull;
	bv_file_bounds bounds;
	if ( !mesh || !bvfile_local_bounds( v->file, &bounds ) )
	{
		return bv_ok;
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		const char* open = find_open( &bounds, p );
		if ( open )
		{
			return bvbase_fail( error, bv_error_damaged, "the bounding %s does not enclose vertex %u", open,
			                    i );
		}
		v->result->enclosures += 6;
	}
	return bv_ok;
}

// What the visit of the nodes needs and finds.
typedef struct node_check
{
	const bvb_mesh* mesh;
	uint32_t node;
	uint32_t open_triangle;
	uint64_t enclosures;
} node_check;

static bool verify_node( void* context, const bv_node_info* node )
{
	node_check* check = context;
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			if ( !volume_encloses( &node->volume,
			                       check->mesh->positions[check->mesh->triangles[i].corner[k]] ) )
			{
				check->node = node->index;
				check->open_triangle = i;
				return false;
			}
		}
	}
	check->enclosures += 3 * (uint64_t)node->triangles;
	return true;
}

bv_status bvverify_section_nodes( bvverify_verification* v, bvb_error* error )
{
	node_check check = { .mesh = v->mesh };
	if ( v->mesh && !bvfile_local_visit_nodes( v->file, verify_node, &check ) )
	{
		return bvbase_fail( error, bv_error_damaged, "the volume of node %u does not enclose triangle %u",
		                    check.node, check.open_triangle );
	}
	v->result->enclosures += check.enclosures;
	return bv_ok;
}

bv_status bvverify_section_mesh( bvverify_verification* v, bvb_error* error )
{
	if ( !v->mesh )
	{
		return bv_ok;
	}
	bvb_topology topology;
	bvb_adjacency* adjacency = bvb_arena_allocate( v->scratch, 1, sizeof *adjacency );
	bv_status status = adjacency ? bvb_mesh_topology( v->mesh, v->scratch, &topology, adjacency, error )
	                             : bvbase_fail_memory( error );
	if ( status != bv_ok )
	{
		return status;
	}
	v->adjacency = adjacency;
	bv_mesh_info info = bv_file_get_mesh( v->file );
	if ( info.edges != topology.edges || info.components != topology.components ||
	     info.closed != topology.closed || info.manifold != topology.manifold ||
	     info.oriented != topology.oriented || info.double_sided != topology.double_sided ||
	     memcmp( info.edges_of_kind, topology.edges_of_kind, sizeof info.edges_of_kind ) != 0 )
	{
		return bvbase_fail( error, bv_error_damaged,
		                    "the mesh's stored counts differ from those of its triangles" );
	}
	return bv_ok;
}

// The hull's triangles over its own corners; none unless it is a polyhedron. The hull must be there.
static bool copy_hull( const bv_file* file, bvb_arena* arena, bvb_mesh* out )
{
	bv_hull_info info = bv_file_get_hull( file );
	*out = ( bvb_mesh ){
		.positions = bvb_arena_allocate( arena, info.vertices, sizeof *out->positions ),
		.vertex_count = info.vertices,
		.triangle_count = info.kind == bv_hull_polyhedron ? info.faces : 0,
	};
	out->triangles = bvb_arena_allocate( arena, out->triangle_count, sizeof *out->triangles );
	if ( !out->positions || !out->triangles )
	{
		return false;
	}
	for ( uint32_t i = 0; i < out->vertex_count; ++i )
	{
		out->positions[i] = bvfile_local_hull_position( file, i );
	}
	for ( uint32_t i = 0; i < out->triangle_count; ++i )
	{
		bv_file_get_hull_triangle( file, i, out->triangles[i].corner );
	}
	return true;
}

// Equal to the last bit: the same arithmetic on the same triangles.
static bool is_stored( const bv_file* file, bv_mass_of of, bool exists, const bv_mass* computed )
{
	bv_mass stored = { 0 };
	bool is_there = bvfile_local_mass( file, of, &stored );
	return is_there == exists && ( !exists || memcmp( &stored, computed, sizeof stored ) == 0 );
}

// A hull's volume was summed up from a corner, in plain binary64.
static bool is_volume( double stored, const bvb_mesh* hull, double computed )
{
	bv_aabb box = bvmath_box_of_points( hull->positions, hull->vertex_count );
	double size = bvmath_norm1( bv_sub( box.upper, box.lower ) );
	return fabs( stored - computed ) <= 0x1p-40 * ( size * size * size );
}

// What is known of a body that something could be made of.
typedef struct known_body
{
	bool known;  // whether there is one
	bool exists; // there is one
	bv_mass mass;
} known_body;

// Of the mesh, or of what is stored without one.
static bool find_box( const bv_file* file, const bvb_mesh* mesh, bv_aabb* out )
{
	bv_file_bounds bounds;
	bool stored = bvfile_local_bounds( file, &bounds );
	*out = mesh ? bvmath_box_of_points( mesh->positions, mesh->vertex_count ) : bounds.aabb;
	return mesh || stored;
}

// Of those that are not known it is believed.
static bool is_body( const bv_file* file, const bvb_mesh* mesh, const known_body bodies[3] )
{
	static const bv_mass_of order[3] = { bv_mass_of_solid, bv_mass_of_hull, bv_mass_of_surface };
	bv_body stored;
	if ( !bvfile_local_body( file, &stored ) )
	{
		return true;
	}
	bv_aabb box;
	bool has_box = find_box( file, mesh, &box );
	for ( int i = 0; order[i] != stored.of; ++i )
	{
		const known_body* better = bodies + order[i];
		if ( better->exists && has_box && bvb_body_is_possible( &better->mass, &box ) )
		{
			return false;
		}
	}
	const known_body* base = bodies + stored.of;
	bv_body made;
	double value = stored.from_mass ? stored.mass.mass : stored.density;
	return !base->known ||
	       ( base->exists && bvb_body_fill( &base->mass, stored.of, stored.from_mass, value, &made ) &&
	         made.density == stored.density && memcmp( &made.mass, &stored.mass, sizeof made.mass ) == 0 );
}

// The mesh's area, the hull's volume, the masses of those bodies whose triangles are in the file, and what is
// made of them in BODY. None of them is known without triangles.
bv_status bvverify_section_mass( bvverify_verification* v, bvb_error* error )
{
	const bv_file* file = v->file;
	const bvb_mesh* mesh = v->mesh;
	const bvb_mesh* hull = v->hull;
	known_body bodies[3];
	bv_mesh_info info = bv_file_get_mesh( file );
	bool has_masses = bvfile_find( (const bvfile_header*)file, bvfile_section_mass );
	const char* wrong = info.largest_displacement >= 0 ? NULL : "the mesh's largest displacement is negative";
	bv_mass body;
	for ( int of = 0; of < 3; ++of )
	{
		bodies[of].known = has_masses;
		bodies[of].exists = bvfile_local_mass( file, (bv_mass_of)of, &bodies[of].mass );
	}
	if ( mesh )
	{
		bool has_surface = bvb_mass_of_surface( mesh, &body );
		bool is_area = info.area == ( has_surface ? body.mass : 0 );
		bool is_surface = !has_masses || is_stored( file, bv_mass_of_surface, has_surface, &body );
		bodies[bv_mass_of_surface] = ( known_body ){ true, has_surface, body };
		bool has_solid = bvb_mass_of_solid( mesh, &body ) && info.closed;
		bool is_solid = !has_masses || is_stored( file, bv_mass_of_solid, has_solid, &body );
		bodies[bv_mass_of_solid] = ( known_body ){ true, has_solid, body };
		wrong = !is_area                   ? "the mesh's stored area differs from that of its triangles"
		        : !is_surface || !is_solid ? "the stored mass properties differ from those of the triangles"
		                                   : wrong;
	}
	if ( hull )
	{
		bool has_filled = bvb_mass_of_solid( hull, &body );
		bool is_filled = !has_masses || is_stored( file, bv_mass_of_hull, has_filled, &body );
		bodies[bv_mass_of_hull] = ( known_body ){ true, has_filled, body };
		wrong = !is_volume( bv_file_get_hull( file ).volume, hull, body.mass )
		            ? "the hull's stored volume differs from that of its triangles"
		        : !is_filled ? "the stored mass properties differ from those of the hull"
		                     : wrong;
	}
	wrong = wrong || is_body( file, mesh, bodies )
	            ? wrong
	            : "the stored body does not follow from its density or mass";
	return wrong ? bvbase_fail( error, bv_error_damaged, "%s", wrong ) : bv_ok;
}

// Those that are not listed come behind, in the order of the file: they take longer.
static const bvfile_section first_verified[] = {
	bvfile_section_mesh,          bvfile_section_adjacency,  bvfile_section_edges, bvfile_section_mass,
	bvfile_section_hull_topology, bvfile_section_bounds,     bvfile_section_nodes, bvfile_section_radius,
	bvfile_section_node_quality,  bvfile_section_node_faces,
};

static bv_status verify_sections( bvverify_verification* v, bvb_error* error )
{
#define BVFILE_ROW( section, option, wanted, name, summary, prepare, verify, ... ) \
	[bvfile_section_##section] = verify,
	bvverify_verify* verifies[bvfile_section_count] = { BVFMT_OFFLINE_SECTIONS( BVFILE_ROW ) };
#undef BVFILE_ROW
	bv_status status = bv_ok;
	for ( size_t i = 0; i < sizeof first_verified / sizeof *first_verified && status == bv_ok; ++i )
	{
		status = verifies[first_verified[i]]( v, error );
		verifies[first_verified[i]] = NULL;
	}
	for ( int i = 0; i < bvfile_section_count && status == bv_ok; ++i )
	{
		status = verifies[i] ? verifies[i]( v, error ) : bv_ok;
	}
	return status;
}

bv_status bvb_file_verify( const bv_file* file, bvb_arena* scratch, bvb_verify_result* out, bvb_error* error )
{
	*out = ( bvb_verify_result ){ 0 };
	bvb_mesh mesh;
	bvb_mesh hull;
	bvverify_verification v = { .file = file, .scratch = scratch, .result = out };
	if ( bv_file_get_mesh( file ).has_triangles )
	{
		bv_status status = bvhaus_file_mesh( file, scratch, &mesh, error );
		if ( status != bv_ok )
		{
			return status;
		}
		v.mesh = &mesh;
	}
	if ( bv_file_get_hull( file ).vertices > 0 )
	{
		if ( !copy_hull( file, scratch, &hull ) )
		{
			return bvbase_fail_memory( error );
		}
		v.hull = &hull;
	}
	bv_status status = verify_sections( &v, error );
	return bvbase_arena_has_failed( scratch ) ? bvbase_fail_memory( error ) : status;
}
