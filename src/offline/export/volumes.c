// What is exported of volumes: those of nodes, of the whole mesh, and what it was recognized as. See
// export.h.

#include "offline/export/export.h"

#include "bvbuild/fit.h"
#include "bvbuild/tessellate.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/export/scale.h"
#include "runtime/file/local.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
	digits = 3, // of an error in a name
};

// Rounded up, so that what is said of a bound holds.
static void print_short( double value, char out[BVBASE_NUMBER_BYTES] )
{
	int exponent = 0;
	double scaled = value;
	for ( ; scaled >= 1000; ++exponent )
	{
		scaled /= 10;
	}
	for ( ; scaled > 0 && scaled < 100; --exponent )
	{
		scaled *= 10;
	}
	char text[BVBASE_NUMBER_BYTES];
	double rounded;
	int length = snprintf( text, sizeof text, "%.0fe%d", ceil( scaled - 1e-9 ), exponent );
	bvbase_read_number( text, text + length, &rounded );
	bvbase_print_number( out, rounded );
}

static void paint_by_error( bvb_export_object* object, uint32_t step )
{
	const bvexport_scale_step* s = bvexport_scale_at( step );
	memcpy( object->color, s->color, sizeof object->color );
	snprintf( object->color_name, sizeof object->color_name, "%s", s->name );
}

// The nodes that are exported, counted in a first visit and kept in a second.
typedef struct volumes_cut
{
	bv_node_info* nodes; // null while they are counted
	uint32_t count;
	uint32_t level;   // of a cut at a level
	uint8_t* reached; // of a cut by errors: the nodes above are opened; null otherwise
	double error;     // of a cut by errors
} volumes_cut;

static bool visit( void* context, const bv_node_info* node )
{
	volumes_cut* c = context;
	bool taken;
	if ( c->reached )
	{
		bool small = node->children == 0 || node->solid_upper <= c->error;
		taken = c->reached[node->index] && small;
		for ( uint32_t i = 0; i < node->children; ++i )
		{
			c->reached[node->first_child + i] = c->reached[node->index] && !small;
		}
	}
	else
	{
		taken = node->level == c->level || ( node->level < c->level && node->children == 0 );
	}
	if ( taken && c->nodes )
	{
		c->nodes[c->count] = *node;
	}
	c->count += taken;
	return true;
}

static bv_status find_nodes( const bv_file* file, volumes_cut* c, bvb_arena* arena, bvb_error* error )
{
	bvfile_local_visit_nodes( file, visit, c );
	c->nodes = bvb_arena_allocate( arena, c->count, sizeof *c->nodes );
	if ( !c->nodes )
	{
		return bvbase_fail_memory( error );
	}
	c->count = 0;
	bvfile_local_visit_nodes( file, visit, c );
	return bv_ok;
}

static uint32_t sides_for( uint32_t volumes )
{
	return volumes <= BVB_EXPORT_MOST_NODES ? BVB_TESSELLATION_SIDES : volumes <= 100000 ? 4 : 2;
}

static bv_status make_node( const bv_node_info* info, uint32_t sides, bvb_arena* arena,
                            bvb_export_object* out, bvb_error* error )
{
	bvb_tessellation t;
	bvb_export_node* node = bvb_arena_allocate( arena, 1, sizeof *node );
	if ( !node )
	{
		return bvbase_fail_memory( error );
	}
	bv_status status = bvb_tessellate( &info->volume, sides, arena, &t, error );
	*node = ( bvb_export_node ){ .index = info->index,
		                         .level = info->level,
		                         .triangles = info->triangles,
		                         .type = info->volume.type,
		                         .has_errors = info->has_errors,
		                         .surface_upper = info->surface_upper,
		                         .solid_upper = info->solid_upper };
	out->mesh = t.mesh;
	out->standoff = t.standoff;
	out->node = node;
	return status;
}

static void name_node( bvb_export_object* object, uint32_t place, double diagonal )
{
	const bvb_export_node* node = object->node;
	char name[sizeof object->name];
	int length = snprintf( name, sizeof name, "node_%u_level_%u", node->index, node->level );
	if ( node->has_errors )
	{
		char text[BVBASE_NUMBER_BYTES];
		print_short( node->solid_upper, text );
		snprintf( name + length, sizeof name - (size_t)length, "_error_%s", text );
	}
	bvexport_name_object( object, place, name );
	if ( node->has_errors )
	{
		paint_by_error( object, bvexport_scale_step_of( node->solid_upper, diagonal ) );
	}
}

static void append( const bvb_export_object* from, bvb_export_object* to )
{
	const bvb_mesh* mesh = &from->mesh;
	bvb_mesh* all = &to->mesh;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			all->triangles[all->triangle_count + i].corner[k] =
				all->vertex_count + mesh->triangles[i].corner[k];
		}
	}
	memcpy( all->positions + all->vertex_count, mesh->positions,
	        mesh->vertex_count * sizeof *mesh->positions );
	all->vertex_count += mesh->vertex_count;
	all->triangle_count += mesh->triangle_count;
	to->standoff = fmax( to->standoff, from->standoff );
}

static uint32_t step_of_object( const bvb_export_object* object, double diagonal )
{
	return object->node->has_errors ? bvexport_scale_step_of( object->node->solid_upper, diagonal ) : 0;
}

// One object for each color that there is.
static bv_status merge( bvb_export* all, double diagonal, bvb_arena* arena, bvb_error* error )
{
	uint64_t vertices[bvexport_scale_steps] = { 0 };
	uint64_t triangles[bvexport_scale_steps] = { 0 };
	bvb_export merged;
	for ( uint32_t i = 0; i < all->object_count; ++i )
	{
		uint32_t step = step_of_object( all->objects + i, diagonal );
		vertices[step] += all->objects[i].mesh.vertex_count;
		triangles[step] += all->objects[i].mesh.triangle_count;
	}
	if ( !bvexport_make_objects( bvexport_scale_steps, arena, &merged ) )
	{
		return bvbase_fail_memory( error );
	}
	merged.object_count = 0;
	for ( uint32_t step = 0; step < bvexport_scale_steps; ++step )
	{
		bvb_export_object* to = merged.objects + merged.object_count;
		if ( triangles[step] == 0 )
		{
			continue;
		}
		if ( vertices[step] > INT32_MAX || triangles[step] > INT32_MAX )
		{
			return bvbase_fail( error, bv_error_limit, "too many volumes to export" );
		}
		to->mesh.positions = bvb_arena_allocate( arena, vertices[step], sizeof *to->mesh.positions );
		to->mesh.triangles = bvb_arena_allocate( arena, triangles[step], sizeof *to->mesh.triangles );
		if ( !to->mesh.positions || !to->mesh.triangles )
		{
			return bvbase_fail_memory( error );
		}
		bvexport_name_object( to, 0, "nodes" );
		for ( uint32_t i = 0; i < all->object_count; ++i )
		{
			if ( step_of_object( all->objects + i, diagonal ) == step )
			{
				append( all->objects + i, to );
			}
		}
		if ( all->objects->node->has_errors )
		{
			paint_by_error( to, step );
			snprintf( to->name, sizeof to->name, "nodes_%s", to->color_name );
		}
		++merged.object_count;
	}
	*all = merged;
	return bv_ok;
}

static bv_status gather_nodes( const bv_file* file, volumes_cut* c, bvb_arena* arena, bvb_export* out,
                               bvb_error* error )
{
	bv_status status = find_nodes( file, c, arena, error );
	if ( status == bv_ok && !bvexport_make_objects( c->count, arena, out ) )
	{
		status = bvbase_fail_memory( error );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	double diagonal = bvexport_diagonal( file );
	out->object_count = 0;
	for ( uint32_t i = 0; i < c->count && status == bv_ok; ++i )
	{
		bvb_export_object* object = out->objects + out->object_count;
		status = make_node( c->nodes + i, sides_for( c->count ), arena, object, error );
		out->object_count += object->mesh.triangle_count > 0;
	}
	if ( status != bv_ok )
	{
		return status;
	}
	if ( out->object_count == 0 )
	{
		return bvbase_fail( error, bv_error_input, "none of these volumes has faces" );
	}
	for ( uint32_t i = 0; i < out->object_count; ++i )
	{
		name_node( out->objects + i, i, diagonal );
	}
	return out->object_count > BVB_EXPORT_MOST_NODES ? merge( out, diagonal, arena, error ) : bv_ok;
}

bv_status bvexport_gather_level( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                 bvb_export* out, bvb_error* error )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	if ( info.nodes == 0 )
	{
		return bvbase_fail( error, bv_error_input, "has no hierarchy" );
	}
	if ( value->level > info.depth )
	{
		return bvbase_fail( error, bv_error_input, "has no level %u (the deepest is %u)", value->level,
		                    info.depth );
	}
	volumes_cut c = { .level = value->level };
	return gather_nodes( file, &c, arena, out, error );
}

static bool read_root( void* context, const bv_node_info* node )
{
	*(double*)context = bvb_diameter_of( &node->volume );
	return false;
}

bv_status bvexport_gather_cut( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                               bvb_export* out, bvb_error* error )
{
	bv_hierarchy_info info = bv_file_get_hierarchy( file );
	bv_file_errors errors;
	if ( info.nodes == 0 )
	{
		return bvbase_fail( error, bv_error_input, "has no hierarchy" );
	}
	if ( !bv_file_get_errors( file, &errors ) )
	{
		return bvbase_fail( error, bv_error_input,
		                    "has no errors to cut by (bvbuild --hausdorff makes them)" );
	}
	volumes_cut c = { .error = value->error, .reached = bvb_arena_allocate( arena, info.nodes, 1 ) };
	if ( !c.reached )
	{
		return bvbase_fail_memory( error );
	}
	c.reached[0] = 1;
	if ( value->percent )
	{
		double diameter = 0;
		bvfile_local_visit_nodes( file, read_root, &diameter );
		c.error = value->error / 100 * diameter;
	}
	return gather_nodes( file, &c, arena, out, error );
}

// Takes over a volume's mesh as the next object, unless it has no face.
static void add_volume( bvb_export* out, const char* name, const bvb_tessellation* t )
{
	bvb_export_object* object = out->objects + out->object_count;
	if ( t->mesh.triangle_count > 0 )
	{
		*object = ( bvb_export_object ){ .mesh = t->mesh, .standoff = t->standoff };
		bvexport_name_object( object, out->object_count++, name );
	}
}

bv_status bvexport_gather_bounds( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                  bvb_export* out, bvb_error* error )
{
	(void)value;
	bv_file_bounds b;
	if ( !bvfile_local_bounds( file, &b ) )
	{
		return bvbase_fail( error, bv_error_input, "has no bounds" );
	}
	const bv_volume volumes[] = {
		{ .type = bv_volume_aabb, .aabb = b.aabb },       { .type = bv_volume_obb, .obb = b.obb },
		{ .type = bv_volume_sphere, .sphere = b.sphere }, { .type = bv_volume_kdop26, .kdop = b.kdop },
		{ .type = bv_volume_rss, .rss = b.rss },
	};
	enum
	{
		count = sizeof volumes / sizeof volumes[0],
	};
	bvb_tessellation t;
	if ( !bvexport_make_objects( count + 1, arena, out ) )
	{
		return bvbase_fail_memory( error );
	}
	out->object_count = 0;
	bv_status status = bv_ok;
	for ( int i = 0; i < count && status == bv_ok; ++i )
	{
		status = bvb_tessellate( volumes + i, 0, arena, &t, error );
		add_volume( out, bv_volume_type_name( volumes[i].type ), &t );
	}
	status = status == bv_ok ? bvb_tessellate_capsule( &b.capsule, 0, arena, &t, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	add_volume( out, "capsule", &t );
	return out->object_count > 0 ? bv_ok : bvbase_fail( error, bv_error_input, "its bounds have no faces" );
}

bv_status bvexport_gather_primitive( const bv_file* file, const bvexport_value* value, bvb_arena* arena,
                                     bvb_export* out, bvb_error* error )
{
	(void)value;
	bv_recognized recognized;
	bv_primitive p;
	if ( !bv_file_get_recognized( file, &recognized ) )
	{
		return bvbase_fail( error, bv_error_input, "has no primitives (bvbuild --recognize makes them)" );
	}
	if ( recognized.best == bv_primitive_kinds || !bvfile_local_primitive( file, recognized.best, &p ) )
	{
		char text[BVBASE_NUMBER_BYTES];
		bvbase_print_float( text, (float)recognized.tolerance );
		return bvbase_fail( error, bv_error_input, "is not a box, sphere, capsule or cylinder within %s",
		                    text );
	}
	if ( !bvexport_make_objects( 1, arena, out ) )
	{
		return bvbase_fail_memory( error );
	}
	bvb_tessellation t = { .standoff = 0 };
	bv_status status = bv_ok;
	const char* name = "box";
	switch ( recognized.best )
	{
	case bv_primitive_box:
		status = bvb_tessellate( &( bv_volume ){ .type = bv_volume_obb, .obb = p.box }, 0, arena, &t, error );
		break;
	case bv_primitive_sphere:
		name = "sphere";
		status = bvb_tessellate( &( bv_volume ){ .type = bv_volume_sphere, .sphere = p.sphere }, 0, arena, &t,
		                         error );
		break;
	case bv_primitive_capsule:
		name = "capsule";
		status = bvb_tessellate_capsule( &p.capsule, 0, arena, &t, error );
		break;
	default:
		name = "cylinder";
		status = bvb_tessellate_cylinder( &p.cylinder, 0, arena, &t, error );
		break;
	}
	if ( status != bv_ok )
	{
		return status;
	}
	out->object_count = 0;
	add_volume( out, name, &t );
	if ( out->object_count == 0 )
	{
		return bvbase_fail( error, bv_error_input, "its primitive has no faces" );
	}
	bv_primitive* kept = bvb_arena_allocate( arena, 1, sizeof *kept );
	if ( !kept )
	{
		return bvbase_fail_memory( error );
	}
	*kept = p;
	out->objects->primitive = kept;
	bvexport_collide( out->objects, bvb_collider_primitive );
	return bv_ok;
}
