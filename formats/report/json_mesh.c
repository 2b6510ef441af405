// The JSON report's sections on the mesh and the convex bodies around it: hull, bounds, primitives, parts.

#include "bvbuild/fit.h"
#include "bvbuild/mesh.h"
#include "bvbuild/recognize.h"
#include "formats/report/json.h"

// Center, inertia and principal axes of a body; null without one.
static void put_body( json_writer* w, cJSON* to, const bv_mass* mass )
{
	if ( !mass )
	{
		json_put_null( w, to, "center_of_mass" );
		json_put_null( w, to, "inertia" );
		json_put_null( w, to, "principal" );
		return;
	}
	json_put_vec3( w, to, "center_of_mass", mass->center_of_mass );
	cJSON* inertia = json_put_array( w, to, "inertia" );
	for ( int i = 0; i < 3; ++i )
	{
		json_append_row( w, inertia, mass->inertia[i] );
	}
	double moments[3];
	bv_vec3 axis[3];
	bvb_principal_axes( mass, moments, axis );
	cJSON* principal = json_put_object( w, to, "principal" );
	json_append_numbers( w, json_put_array( w, principal, "moments" ), moments, 3 );
	cJSON* axes = json_put_array( w, principal, "axes" );
	for ( int i = 0; i < 3; ++i )
	{
		json_append_row( w, axes, ( const double[3] ){ axis[i].x, axis[i].y, axis[i].z } );
	}
}

static const bv_mass* get_mass( const bv_file* file, bv_mass_of of, bv_mass* mass )
{
	return bv_file_get_mass( file, of, mass ) ? mass : NULL;
}

static void put_edges( json_writer* w, cJSON* mesh, const bv_mesh_info* info )
{
	static const char* const names[bv_edge_kinds] = { "convex",   "concave", "flat",
		                                              "boundary", "flipped", "non_manifold" };
	cJSON* edges = json_put_object( w, mesh, "edges_of_kind" );
	for ( int i = 0; i < bv_edge_kinds; ++i )
	{
		json_put_count( w, edges, names[i], info->edges_of_kind[i] );
	}
}

void json_put_mesh( json_writer* w, cJSON* report, const bv_file* file, const bv_mesh_info* info )
{
	cJSON* mesh = json_put_object( w, report, "mesh" );
	json_put_count( w, mesh, "triangles", info->triangles );
	json_put_count( w, mesh, "vertices", info->vertices );
	json_put_count( w, mesh, "edges", info->edges );
	put_edges( w, mesh, info );
	json_put_count( w, mesh, "components", info->components );
	json_put_bool( w, mesh, "closed", info->closed );
	json_put_bool( w, mesh, "manifold", info->manifold );
	json_put_bool( w, mesh, "oriented", info->oriented );
	json_put_count( w, mesh, "double_sided", info->double_sided );

	cJSON* removed = json_put_object( w, mesh, "removed" );
	json_put_count( w, removed, "degenerate", info->removed_degenerate );
	json_put_count( w, removed, "duplicate", info->removed_duplicate );
	json_put_count( w, removed, "non_finite", info->removed_non_finite );
	json_put_count( w, removed, "unused_vertices", info->unused_vertices );
	json_put_count( w, removed, "merged_vertices", info->merged_vertices );

	bv_mass mass;
	const bv_mass* solid = get_mass( file, bv_mass_of_solid, &mass );
	json_put_number_or_null( w, mesh, "volume", solid ? &solid->mass : NULL );
	json_put_number( w, mesh, "area", info->area );
	put_body( w, mesh, solid );
	put_body( w, json_put_object( w, mesh, "surface" ), get_mass( file, bv_mass_of_surface, &mass ) );
	json_put_number( w, mesh, "largest_displacement", info->largest_displacement );
}

void json_put_moving_body( json_writer* w, cJSON* report, const bv_file* file )
{
	static const char* const names[] = { "solid", "surface", "hull" };
	bv_body body;
	bool has = bv_file_get_body( file, &body );
	cJSON* item = json_put_object( w, report, "body" );
	if ( has )
	{
		json_put_string( w, item, "of", names[body.of] );
		json_put_string( w, item, "given", body.from_mass ? "mass" : "density" );
	}
	else
	{
		json_put_null( w, item, "of" );
		json_put_null( w, item, "given" );
	}
	json_put_number_or_null( w, item, "density", has ? &body.density : NULL );
	json_put_number_or_null( w, item, "mass", has ? &body.mass.mass : NULL );
	put_body( w, item, has ? &body.mass : NULL );
}

// How large the volume could be at the least, and how much larger it is.
static void put_optimum( json_writer* w, cJSON* volume, const double* optimum, double own )
{
	double ratio = optimum && *optimum > 0 ? own / *optimum : 1;
	json_put_number_or_null( w, volume, "optimum", optimum );
	json_put_number_or_null( w, volume, "ratio", optimum && *optimum > 0 ? &ratio : NULL );
}

static void put_volumes( json_writer* w, cJSON* bounds, const bv_file_bounds* b,
                         const bvb_bounds_optimum* best )
{
	put_optimum( w, json_put_aabb( w, bounds, "aabb", &b->aabb ), best ? &best->aabb : NULL,
	             bv_aabb_volume( &b->aabb ) );
	put_optimum( w, json_put_sphere( w, bounds, "sphere", &b->sphere ), best ? &best->sphere : NULL,
	             bv_sphere_volume( &b->sphere ) );
	put_optimum( w, json_put_obb( w, bounds, "obb", &b->obb ), best ? &best->obb : NULL,
	             bv_obb_volume( &b->obb ) );
	put_optimum( w, json_put_kdop( w, bounds, "kdop", &b->kdop ), best ? &best->kdop : NULL,
	             bvb_kdop_volume( &b->kdop ) );
	put_optimum( w, json_put_capsule( w, bounds, &b->capsule ), best ? &best->capsule : NULL,
	             bv_capsule_volume( &b->capsule ) );
	put_optimum( w, json_put_rss( w, bounds, "rss", &b->rss ), best ? &best->rss : NULL,
	             bv_rss_volume( &b->rss ) );
}

void json_put_bounds( json_writer* w, cJSON* report, const bv_file* file )
{
	static const char* const names[] = { "aabb", "sphere", "obb", "kdop", "capsule", "rss" };
	cJSON* bounds = json_put_object( w, report, "bounds" );
	bv_file_bounds volumes;
	bool known = bv_file_get_bounds( file, &volumes );
	for ( size_t i = 0; !known && i < sizeof names / sizeof *names; ++i )
	{
		json_put_null( w, bounds, names[i] );
	}
	if ( known )
	{
		bvb_bounds_optimum best;
		bv_status status = bvb_assess_bounds( file, w->arena, &best, NULL );
		w->failed |= status == bv_error_memory;
		put_volumes( w, bounds, &volumes, status == bv_ok ? &best : NULL );
	}
}

void json_put_hull( json_writer* w, cJSON* report, const bv_file* file )
{
	bv_hull_info info = bv_file_get_hull( file );
	cJSON* hull = json_put_object( w, report, "hull" );
	bool known = info.vertices > 0;
	json_put_count_or_null( w, hull, "vertices", known, info.vertices );
	json_put_count_or_null( w, hull, "faces", known, info.faces );
	json_put_number_or_null( w, hull, "volume", known ? &info.volume : NULL );
	bv_hull_topology_info topology = bv_file_get_hull_topology( file );
	json_put_count_or_null( w, hull, "polygons", topology.polygons > 0, topology.polygons );
	json_put_count_or_null( w, hull, "edges", topology.polygons > 0, topology.half_edges / 2 );
	bv_mass mass;
	put_body( w, hull, get_mass( file, bv_mass_of_hull, &mass ) );
}

static cJSON* put_volume( json_writer* w, cJSON* to, const bv_primitive* p )
{
	const bv_cylinder* cylinder = &p->cylinder;
	switch ( p->kind )
	{
	case bv_primitive_box: return json_put_obb( w, to, "box", &p->box );
	case bv_primitive_sphere: return json_put_sphere( w, to, "sphere", &p->sphere );
	case bv_primitive_capsule: return json_put_capsule( w, to, &p->capsule );
	default:
		return json_put_thick_segment( w, to, "cylinder", cylinder->ends, cylinder->radius,
		                               bv_cylinder_volume( cylinder ) );
	}
}

void json_put_recognized( json_writer* w, cJSON* report, const bv_file* file )
{
	bv_recognized r = { .best = bv_primitive_kinds };
	bool tried = bv_file_get_recognized( file, &r );
	cJSON* recognized = json_put_object( w, report, "recognised" );
	if ( r.best != bv_primitive_kinds )
	{
		json_put_string( w, recognized, "best", bvb_primitive_name( r.best ) );
	}
	else
	{
		json_put_null( w, recognized, "best" );
	}
	json_put_number_or_null( w, recognized, "tolerance", tried ? &r.tolerance : NULL );
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		bv_primitive p;
		if ( !bv_file_get_primitive( file, (bv_primitive_kind)i, &p ) )
		{
			json_put_null( w, recognized, bvb_primitive_name( (bv_primitive_kind)i ) );
			continue;
		}
		cJSON* volume = put_volume( w, recognized, &p );
		json_put_interval( w, volume, "error", &p.error );
		json_put_interval( w, volume, "from_surface", &p.from_surface );
		json_put_interval( w, volume, "from_mesh", &p.from_mesh );
	}
}

static void append_part( json_writer* w, cJSON* hulls, const bv_file* file, uint32_t index,
                         const bv_part* part )
{
	const uint32_t* place;
	cJSON* item = json_append( w, hulls, cJSON_CreateObject() );
	json_put_count( w, item, "vertices", part->vertices );
	json_put_count( w, item, "faces", part->faces );
	json_put_number( w, item, "volume", part->mass.mass );
	json_put_vec3( w, item, "center_of_mass", part->mass.center_of_mass );
	json_put_interval( w, item, "concavity", &part->concavity );
	json_put_count( w, item, "neighbors", bv_file_get_part_neighbors( file, index, &place ) );
	bool known = bv_file_get_decomposition( file ).has_triangles;
	json_put_count_or_null( w, item, "triangles", known, bv_file_get_part_triangles( file, index, &place ) );
}

// An array of all parts. Their volumes are summed up with what parts have in common counted more than once.
static void put_parts( json_writer* w, cJSON* decomposition, const bv_file* file, uint32_t parts )
{
	double volume = 0;
	cJSON* hulls = json_put_array( w, decomposition, "hulls" );
	for ( uint32_t i = 0; i < parts; ++i )
	{
		bv_part part;
		bv_file_get_part( file, i, &part );
		append_part( w, hulls, file, i, &part );
		volume += part.mass.mass;
	}
	json_put_number( w, decomposition, "volume", volume );
}

void json_put_decomposition( json_writer* w, cJSON* report, const bv_file* file )
{
	bv_decomposition_info info = bv_file_get_decomposition( file );
	bool known = info.parts > 0;
	cJSON* decomposition = json_put_object( w, report, "decomposition" );
	json_put_count_or_null( w, decomposition, "parts", known, info.parts );
	json_put_number_or_null( w, decomposition, "tolerance", known ? &info.tolerance : NULL );
	json_put_interval( w, decomposition, "concavity", known ? &info.concavity : NULL );
	json_put_count_or_null( w, decomposition, "vertices", known, info.vertices );
	json_put_count_or_null( w, decomposition, "faces", known, info.faces );
	json_put_number_or_null( w, decomposition, "uncovered", known ? &info.uncovered : NULL );
	if ( known )
	{
		json_put_string( w, decomposition, "mode", info.solid ? "solid" : "surface" );
		json_put_bool( w, decomposition, "out_of_time", info.out_of_time );
		put_parts( w, decomposition, file, info.parts );
	}
	else
	{
		json_put_null( w, decomposition, "mode" );
		json_put_null( w, decomposition, "out_of_time" );
		json_put_null( w, decomposition, "hulls" );
		json_put_null( w, decomposition, "volume" );
	}
}

void json_put_proxy( json_writer* w, cJSON* report, const bv_file* file )
{
	bv_proxy proxy = { 0 };
	bool known = bv_file_get_proxy( file, &proxy );
	cJSON* item = json_put_object( w, report, "proxy" );
	json_put_count_or_null( w, item, "triangles", known, proxy.triangles );
	json_put_count_or_null( w, item, "vertices", known, proxy.vertices );
	json_put_number_or_null( w, item, "tolerance", known ? &proxy.tolerance : NULL );
	json_put_interval( w, item, "from_proxy", known ? &proxy.from_proxy : NULL );
	json_put_interval( w, item, "from_mesh", known ? &proxy.from_mesh : NULL );
	json_put_count_or_null( w, item, "enclosed", known, proxy.enclosed );
}
