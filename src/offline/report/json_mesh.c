// The JSON report's sections on the mesh and the convex bodies around it: hull, bounds, primitives, parts.

#include "bvbuild/fit.h"
#include "bvbuild/mesh.h"
#include "bvbuild/recognize.h"
#include "offline/report/json.h"
#include "offline/report/unit.h"
#include "runtime/file/local.h"

// Center, inertia and principal axes of a body; null without one.
static void put_body( bvreport_json_writer* w, cJSON* to, const bv_mass* mass )
{
	if ( !mass )
	{
		bvreport_json_put_null( w, to, "center_of_mass" );
		bvreport_json_put_null( w, to, "inertia" );
		bvreport_json_put_null( w, to, "principal" );
		return;
	}
	bvreport_json_put_vec3( w, to, "center_of_mass", bvreport_json_place( w, mass->center_of_mass ) );
	cJSON* inertia = bvreport_json_put_array( w, to, "inertia" );
	for ( int i = 0; i < 3; ++i )
	{
		bvreport_json_append_row( w, inertia, mass->inertia[i] );
	}
	double moments[3];
	bv_vec3 axis[3];
	bvb_principal_axes( mass, moments, axis );
	cJSON* principal = bvreport_json_put_object( w, to, "principal" );
	bvreport_json_append_numbers( w, bvreport_json_put_array( w, principal, "moments" ), moments, 3 );
	cJSON* axes = bvreport_json_put_array( w, principal, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		bvreport_json_append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

static const bv_mass* get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	return bvfile_local_mass( file, of, mass ) ? mass : NULL;
}

static void put_edges( bvreport_json_writer* w, cJSON* mesh, const bv_mesh_info* info )
{
	static const char* const names[bv_edge_kinds] = { "convex",   "concave", "flat",
		                                              "boundary", "flipped", "non_manifold" };
	cJSON* edges = bvreport_json_put_object( w, mesh, "edges_of_kind" );
	for ( int i = 0; i < bv_edge_kinds; ++i )
	{
		bvreport_json_put_count( w, edges, names[i], info->edges_of_kind[i] );
	}
}

void bvreport_json_put_mesh( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                             const bvreport_json_measures* measures )
{
	(void)measures;
	bv_mesh_info info = bv_file_get_mesh( file );
	cJSON* mesh = bvreport_json_put_object( w, report, "mesh" );
	bvreport_json_put_count( w, mesh, "triangles", info.triangles );
	bvreport_json_put_count( w, mesh, "vertices", info.vertices );
	bvreport_json_put_count( w, mesh, "edges", info.edges );
	put_edges( w, mesh, &info );
	bvreport_json_put_count( w, mesh, "components", info.components );
	bvreport_json_put_bool( w, mesh, "closed", info.closed );
	bvreport_json_put_bool( w, mesh, "manifold", info.manifold );
	bvreport_json_put_bool( w, mesh, "oriented", info.oriented );
	bvreport_json_put_count( w, mesh, "double_sided", info.double_sided );

	cJSON* removed = bvreport_json_put_object( w, mesh, "removed" );
	bvreport_json_put_count( w, removed, "degenerate", info.removed_degenerate );
	bvreport_json_put_count( w, removed, "duplicate", info.removed_duplicate );
	bvreport_json_put_count( w, removed, "non_finite", info.removed_non_finite );
	bvreport_json_put_count( w, removed, "unused_vertices", info.unused_vertices );
	bvreport_json_put_count( w, removed, "merged_vertices", info.merged_vertices );

	bv_mass mass;
	const bv_mass* solid = get_mass( file, bv_mass_of_solid, &mass );
	bvreport_json_put_number_or_null( w, mesh, "volume", solid ? &solid->mass : NULL );
	bvreport_json_put_number( w, mesh, "area", info.area );
	put_body( w, mesh, solid );
	put_body( w, bvreport_json_put_object( w, mesh, "surface" ),
	          get_mass( file, bv_mass_of_surface, &mass ) );
	bvreport_json_put_number( w, mesh, "largest_displacement", info.largest_displacement );
	bvreport_json_put_vec3( w, mesh, "offset", w->offset );
	bvreport_json_put_string_or_null( w, mesh, "unit", bvreport_find_unit( file ) );
}

void bvreport_json_put_body( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                             const bvreport_json_measures* measures )
{
	(void)measures;
	static const char* const names[] = { "solid", "surface", "hull" };
	bv_body body;
	bool has = bvfile_local_body( file, &body );
	cJSON* item = bvreport_json_put_object( w, report, "body" );
	if ( has )
	{
		bvreport_json_put_string( w, item, "of", names[body.of] );
		bvreport_json_put_string( w, item, "given", body.from_mass ? "mass" : "density" );
	}
	else
	{
		bvreport_json_put_null( w, item, "of" );
		bvreport_json_put_null( w, item, "given" );
	}
	bvreport_json_put_number_or_null( w, item, "density", has ? &body.density : NULL );
	bvreport_json_put_number_or_null( w, item, "mass", has ? &body.mass.mass : NULL );
	put_body( w, item, has ? &body.mass : NULL );
}

// How large the volume could be at the least, and how much larger it is.
static void put_optimum( bvreport_json_writer* w, cJSON* volume, const double* optimum, double own )
{
	double ratio = optimum && *optimum > 0 ? own / *optimum : 1;
	bvreport_json_put_number_or_null( w, volume, "optimum", optimum );
	bvreport_json_put_number_or_null( w, volume, "ratio", optimum && *optimum > 0 ? &ratio : NULL );
}

static void put_bound( bvreport_json_writer* w, cJSON* bounds, const char* key, const bv_volume* volume,
                       const double* optimum )
{
	put_optimum( w, bvreport_json_put_volume( w, bounds, key, volume ), optimum, bvb_volume_of( volume ) );
}

static void put_volumes( bvreport_json_writer* w, cJSON* bounds, const bv_file_bounds* b,
                         const bvb_bounds_optimum* best )
{
	put_bound( w, bounds, "aabb", &( bv_volume ){ .type = bv_volume_aabb, .aabb = b->aabb },
	           best ? &best->aabb : NULL );
	put_bound( w, bounds, "sphere", &( bv_volume ){ .type = bv_volume_sphere, .sphere = b->sphere },
	           best ? &best->sphere : NULL );
	put_bound( w, bounds, "obb", &( bv_volume ){ .type = bv_volume_obb, .obb = b->obb },
	           best ? &best->obb : NULL );
	put_bound( w, bounds, "kdop", &( bv_volume ){ .type = bv_volume_kdop26, .kdop = b->kdop },
	           best ? &best->kdop : NULL );
	put_optimum( w, bvreport_json_put_capsule( w, bounds, &b->capsule ), best ? &best->capsule : NULL,
	             bv_capsule_volume( &b->capsule ) );
	put_bound( w, bounds, "rss", &( bv_volume ){ .type = bv_volume_rss, .rss = b->rss },
	           best ? &best->rss : NULL );
}

void bvreport_json_put_bounds( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                               const bvreport_json_measures* measures )
{
	static const char* const names[] = { "aabb", "sphere", "obb", "kdop", "capsule", "rss" };
	cJSON* bounds = bvreport_json_put_object( w, report, "bounds" );
	bv_file_bounds volumes;
	bool known = bvfile_local_bounds( file, &volumes );
	for ( size_t i = 0; !known && i < sizeof names / sizeof *names; ++i )
	{
		bvreport_json_put_null( w, bounds, names[i] );
	}
	if ( known )
	{
		put_volumes( w, bounds, &volumes, measures->best );
	}
}

void bvreport_json_put_hull( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                             const bvreport_json_measures* measures )
{
	(void)measures;
	bv_hull_info info = bv_file_get_hull( file );
	cJSON* hull = bvreport_json_put_object( w, report, "hull" );
	bool known = info.vertices > 0;
	bvreport_json_put_count_or_null( w, hull, "vertices", known, info.vertices );
	bvreport_json_put_count_or_null( w, hull, "faces", known, info.faces );
	bvreport_json_put_number_or_null( w, hull, "volume", known ? &info.volume : NULL );
	bv_hull_topology_info topology = bv_file_get_hull_topology( file );
	bvreport_json_put_count_or_null( w, hull, "polygons", topology.polygons > 0, topology.polygons );
	bvreport_json_put_count_or_null( w, hull, "edges", topology.polygons > 0, topology.half_edges / 2 );
	bv_mass mass;
	put_body( w, hull, get_mass( file, bv_mass_of_hull, &mass ) );
}

static cJSON* put_volume( bvreport_json_writer* w, cJSON* to, const bv_primitive* p )
{
	const bv_cylinder* cylinder = &p->cylinder;
	switch ( p->kind )
	{
	case bv_primitive_box:
		return bvreport_json_put_volume( w, to, "box",
		                                 &( bv_volume ){ .type = bv_volume_obb, .obb = p->box } );
	case bv_primitive_sphere:
		return bvreport_json_put_volume( w, to, "sphere",
		                                 &( bv_volume ){ .type = bv_volume_sphere, .sphere = p->sphere } );
	case bv_primitive_capsule: return bvreport_json_put_capsule( w, to, &p->capsule );
	default:
		return bvreport_json_put_thick_segment( w, to, "cylinder", cylinder->ends, cylinder->radius,
		                                        bv_cylinder_volume( cylinder ) );
	}
}

void bvreport_json_put_primitives( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                                   const bvreport_json_measures* measures )
{
	(void)measures;
	bv_recognized r = { .best = bv_primitive_kinds };
	bool tried = bv_file_get_recognized( file, &r );
	cJSON* recognized = bvreport_json_put_object( w, report, "recognised" );
	if ( r.best != bv_primitive_kinds )
	{
		bvreport_json_put_string( w, recognized, "best", bvb_primitive_name( r.best ) );
	}
	else
	{
		bvreport_json_put_null( w, recognized, "best" );
	}
	bvreport_json_put_number_or_null( w, recognized, "tolerance", tried ? &r.tolerance : NULL );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		bv_primitive p;
		if ( !bvfile_local_primitive( file, (bv_primitive_kind)i, &p ) )
		{
			bvreport_json_put_null( w, recognized, bvb_primitive_name( (bv_primitive_kind)i ) );
			continue;
		}
		cJSON* volume = put_volume( w, recognized, &p );
		bvreport_json_put_interval( w, volume, "error", &p.error );
		bvreport_json_put_interval( w, volume, "from_surface", &p.from_surface );
		bvreport_json_put_interval( w, volume, "from_mesh", &p.from_mesh );
	}
}

static void append_part( bvreport_json_writer* w, cJSON* hulls, const bv_file* file, uint32_t index,
                         const bv_part* part )
{
	const uint32_t* place;
	cJSON* item = bvreport_json_append( w, hulls, cJSON_CreateObject() );
	bvreport_json_put_count( w, item, "vertices", part->vertices );
	bvreport_json_put_count( w, item, "faces", part->faces );
	bvreport_json_put_number( w, item, "volume", part->mass.mass );
	bvreport_json_put_vec3( w, item, "center_of_mass", bvreport_json_place( w, part->mass.center_of_mass ) );
	bvreport_json_put_interval( w, item, "concavity", &part->concavity );
	bvreport_json_put_count( w, item, "neighbors", bv_file_get_part_neighbors( file, index, &place ) );
	bool known = bv_file_get_decomposition( file ).has_triangles;
	bvreport_json_put_count_or_null( w, item, "triangles", known,
	                                 bv_file_get_part_triangles( file, index, &place ) );
}

// An array of all parts. Their volumes are summed up with what parts have in common counted more than once.
static void put_parts( bvreport_json_writer* w, cJSON* decomposition, const bv_file* file, uint32_t parts )
{
	double volume = 0;
	cJSON* hulls = bvreport_json_put_array( w, decomposition, "hulls" );
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bvfile_local_part( file, i, &part );
		append_part( w, hulls, file, i, &part );
		volume += part.mass.mass;
	}
	bvreport_json_put_number( w, decomposition, "volume", volume );
}

void bvreport_json_put_parts( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                              const bvreport_json_measures* measures )
{
	(void)measures;
	bv_decomposition_info info = bv_file_get_decomposition( file );
	bool known = info.parts > 0;
	cJSON* decomposition = bvreport_json_put_object( w, report, "decomposition" );
	bvreport_json_put_count_or_null( w, decomposition, "parts", known, info.parts );
	bvreport_json_put_number_or_null( w, decomposition, "tolerance", known ? &info.tolerance : NULL );
	bvreport_json_put_interval( w, decomposition, "concavity", known ? &info.concavity : NULL );
	bvreport_json_put_count_or_null( w, decomposition, "vertices", known, info.vertices );
	bvreport_json_put_count_or_null( w, decomposition, "faces", known, info.faces );
	bvreport_json_put_number_or_null( w, decomposition, "uncovered", known ? &info.uncovered : NULL );
	if ( known )
	{
		bvreport_json_put_string( w, decomposition, "mode", info.solid ? "solid" : "surface" );
		bvreport_json_put_bool( w, decomposition, "out_of_time", info.out_of_time );
		put_parts( w, decomposition, file, info.parts );
	}
	else
	{
		bvreport_json_put_null( w, decomposition, "mode" );
		bvreport_json_put_null( w, decomposition, "out_of_time" );
		bvreport_json_put_null( w, decomposition, "hulls" );
		bvreport_json_put_null( w, decomposition, "volume" );
	}
}

void bvreport_json_put_proxy( bvreport_json_writer* w, cJSON* report, const bv_file* file,
                              const bvreport_json_measures* measures )
{
	(void)measures;
	bv_proxy proxy = { 0 };
	bool known = bv_file_get_proxy( file, &proxy );
	cJSON* item = bvreport_json_put_object( w, report, "proxy" );
	bvreport_json_put_count_or_null( w, item, "triangles", known, proxy.triangles );
	bvreport_json_put_count_or_null( w, item, "vertices", known, proxy.vertices );
	bvreport_json_put_number_or_null( w, item, "tolerance", known ? &proxy.tolerance : NULL );
	bvreport_json_put_interval( w, item, "from_proxy", known ? &proxy.from_proxy : NULL );
	bvreport_json_put_interval( w, item, "from_mesh", known ? &proxy.from_mesh : NULL );
	bvreport_json_put_count_or_null( w, item, "enclosed", known, proxy.enclosed );
}
