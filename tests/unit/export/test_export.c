// Exports against what is in the file: which nodes are in a cut, their volumes by closed forms, names and colors by hand; every
// format against readers, our own where it reads exactly, and Assimp.

#include "support.h"

#include "formats/obj/obj.h"
#include "formats/ply/ply.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>

static const bv_file* file_with( fixture* f, uint32_t rings, uint32_t volume_types, double hausdorff )
{
	bvb_mesh mesh = bumpy_ball( f, rings );
	bvb_asset_options options = plain_options();
	options.errors.relative = hausdorff;
	options.hierarchy.volume_types = volume_types;
	options.hierarchy.leaf_triangles = 4;
	return build_file( f, &mesh, &options );
}

static bvb_export gather( fixture* f, const bv_file* file, const char* what )
{
	bvb_export out;
	bvb_error error = { "" };
	bv_status status = bvb_export_gather( file, what, f->arena, &out, &error );
	assert_string_equal( error.message, "" );
	assert_int_equal( status, bv_ok );
	return out;
}

static void refuse( fixture* f, const bv_file* file, const char* what, bv_status expected,
                    const char* message )
{
	bvb_export out;
	bvb_error error = { "" };
	assert_int_equal( bvb_export_gather( file, what, f->arena, &out, &error ), expected );
	assert_string_equal( error.message, message );
	assert_int_equal( out.object_count, 0 );
}

// All nodes, by number.
typedef struct nodes
{
	bv_node_info* info;
	uint32_t* parent;
	uint32_t count;
} nodes;

static bool keep_node( void* context, const bv_node_info* node )
{
	nodes* n = context;
	n->info[node->index] = *node;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		n->parent[node->first_child + i] = node->index;
	}
	return true;
}

static nodes nodes_of( fixture* f, const bv_file* file )
{
	nodes n = { .count = bv_file_get_hierarchy( file ).nodes };
	n.info = bvb_arena_allocate( f->arena, n.count, sizeof *n.info );
	n.parent = bvb_arena_allocate( f->arena, n.count, sizeof *n.parent );
	assert_true( bv_file_visit_nodes( file, keep_node, &n ) );
	return n;
}

// Of the tetrahedra between the triangles and the first vertex, so that no digits are lost far from the origin.
static double volume_of( const bvb_mesh* mesh )
{
	double volume = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		double c[3][3];
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[i].corner[k]];
			c[k][0] = p.x - mesh->positions[0].x;
			c[k][1] = p.y - mesh->positions[0].y;
			c[k][2] = p.z - mesh->positions[0].z;
		}
		volume += c[0][0] * ( c[1][1] * c[2][2] - c[1][2] * c[2][1] ) +
		          c[0][1] * ( c[1][2] * c[2][0] - c[1][0] * c[2][2] ) +
		          c[0][2] * ( c[1][0] * c[2][1] - c[1][1] * c[2][0] );
	}
	return volume / 6;
}

// Each object is a node of the file, with its volume; together they hold every triangle once.
static void check_objects( const bv_file* file, const bvb_export* out, const nodes* all )
{
	uint32_t triangles = 0;
	for ( uint32_t i = 0; i < out->object_count; ++i )
	{
		const bvb_export_object* object = out->objects + i;
		const bvb_export_node* node = object->node;
		assert_non_null( node );
		const bv_node_info* info = all->info + node->index;
		char start[64];
		snprintf( start, sizeof start, "node_%u_level_%u", node->index, info->level );
		assert_memory_equal( object->name, start, strlen( start ) );
		assert_int_equal( node->level, info->level );
		assert_int_equal( node->triangles, info->triangles );
		assert_int_equal( node->type, info->volume.type );
		assert_int_equal( node->has_errors, info->has_errors );
		assert_true( node->solid_upper == info->solid_upper && node->surface_upper == info->surface_upper );
		double volume = bvb_volume_of( &info->volume );
		double outside = object->standoff * 2 * bvb_area_of( &info->volume );
		double found = volume_of( &object->mesh );
		if ( !( found >= volume * ( 1 - 1e-9 ) && found <= volume * ( 1 + 1e-9 ) + outside ) )
		{
			fail_msg( "%s has the volume %.17g and not %.17g", object->name, found, volume );
		}
		triangles += node->triangles;
	}
	assert_int_equal( triangles, bv_file_get_mesh( file ).triangles );
}

static void a_level_is_its_nodes_and_the_leaves_above( void** state )
{
	fixture* f = *state;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		const bv_file* file = file_with( f, 8, 1u << type, 0.5 );
		nodes all = nodes_of( f, file );
		uint32_t depth = bv_file_get_hierarchy( file ).depth;
		for ( uint32_t level = 0; level <= depth; ++level )
		{
			char what[32];
			snprintf( what, sizeof what, "level=%u", level );
			bvb_export out = gather( f, file, what );
			check_objects( file, &out, &all );
			uint32_t expected = 0;
			for ( uint32_t i = 0; i < all.count; ++i )
			{
				expected +=
					all.info[i].level == level || ( all.info[i].level < level && all.info[i].children == 0 );
			}
			assert_int_equal( out.object_count, expected );
		}
	}
}

static void a_cut_goes_down_until_errors_are_small( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_with( f, 8, 1u << bv_volume_obb, 0.1 );
	nodes all = nodes_of( f, file );
	static const char* const cuts[] = { "cut=0", "cut=1e-2", "cut=0.05", "cut=10%", "cut=5%", "cut=100" };
	double diameter = bvb_diameter_of( &all.info->volume );
	const double bounds[] = { 0, 1e-2, 0.05, 0.1 * diameter, 0.05 * diameter, 100 };
	for ( int i = 0; i < 6; ++i )
	{
		bvb_export out = gather( f, file, cuts[i] );
		check_objects( file, &out, &all );
		for ( uint32_t k = 0; k < out.object_count; ++k )
		{
			const bv_node_info* node = all.info + out.objects[k].node->index;
			assert_true( node->children == 0 || node->solid_upper <= bounds[i] );
			assert_true( node->index == 0 || all.info[all.parent[node->index]].solid_upper > bounds[i] );
		}
		assert_true( i < 5 ? out.object_count > 1 : out.object_count == 1 );
	}
}

// The scale that formats/README.md documents: limits in percent of the diagonal of the bounding box, and colors.
static const struct
{
	double percent;
	uint8_t color[3];
	const char* name;
} documented_scale[] = {
	{ 0.05, { 100, 209, 215 }, "error_up_to_0.05_percent" },
	{ 0.1, { 83, 210, 181 }, "error_up_to_0.1_percent" },
	{ 0.2, { 100, 207, 128 }, "error_up_to_0.2_percent" },
	{ 0.5, { 159, 190, 64 }, "error_up_to_0.5_percent" },
	{ 1, { 195, 169, 12 }, "error_up_to_1_percent" },
	{ 2, { 211, 143, 4 }, "error_up_to_2_percent" },
	{ 5, { 219, 113, 2 }, "error_up_to_5_percent" },
	{ 10, { 219, 77, 41 }, "error_up_to_10_percent" },
	{ 20, { 206, 40, 84 }, "error_up_to_20_percent" },
	{ INFINITY, { 173, 5, 126 }, "error_above_20_percent" },
};

// The name of a node has three digits of its error, rounded up; the color depends on the file's diagonal, not on the cut.
static void colors_and_names_tell_errors( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_with( f, 12, 1u << bv_volume_obb, 0.1 );
	bv_file_bounds bounds;
	assert_true( bv_file_get_bounds( file, &bounds ) );
	bv_vec3 side = bv_sub( bounds.aabb.upper, bounds.aabb.lower );
	double diagonal = sqrt( side.x * side.x + side.y * side.y + side.z * side.z );
	uint32_t seen = 0;
	for ( int level = 0; level < 8; ++level )
	{
		char what[16];
		snprintf( what, sizeof what, "level=%d", level );
		if ( (uint32_t)level > bv_file_get_hierarchy( file ).depth )
		{
			break;
		}
		bvb_export out = gather( f, file, what );
		for ( uint32_t i = 0; i < out.object_count; ++i )
		{
			const bvb_export_object* a = out.objects + i;
			double error = a->node->solid_upper;
			double said = atof( strrchr( a->name, '_' ) + 1 );
			assert_true( said >= error && said <= error * 1.0101 );
			uint32_t step = 0;
			while ( 100 * error / diagonal > documented_scale[step].percent )
			{
				++step;
			}
			seen |= 1u << step;
			assert_memory_equal( a->color, documented_scale[step].color, 3 );
			assert_string_equal( a->color_name, documented_scale[step].name );
		}
	}
	assert_true( ( seen & ( seen - 1 ) ) != 0 );

	// Without errors there is nothing to say.
	file = file_with( f, 8, 1u << bv_volume_obb, 0 );
	bvb_export out = gather( f, file, "level=1" );
	assert_string_equal( out.objects[0].name, "node_1_level_1" );
	assert_false( out.objects[0].node->has_errors );
}

// More than 1,000 nodes become an object for each color, with all that the nodes have.
static void many_nodes_are_merged_by_color( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_with( f, 40, 1u << bv_volume_aabb, 0.5 );
	nodes all = nodes_of( f, file );
	double volume = 0;
	uint32_t leaves = 0;
	for ( uint32_t i = 0; i < all.count; ++i )
	{
		if ( all.info[i].children == 0 )
		{
			volume += bvb_volume_of( &all.info[i].volume );
			++leaves;
		}
	}
	assert_true( leaves > BVB_EXPORT_MOST_NODES );
	bvb_export out = gather( f, file, "cut=0" );
	assert_true( out.object_count >= 2 && out.object_count <= 10 );
	double found = 0;
	uint32_t corners = 0;
	for ( uint32_t i = 0; i < out.object_count; ++i )
	{
		const bvb_export_object* object = out.objects + i;
		assert_null( object->node );
		assert_memory_equal( object->name, "nodes_error_", 12 );
		assert_string_equal( object->name + 6, object->color_name );
		corners += object->mesh.vertex_count;
		for ( uint32_t k = 0; k < object->mesh.vertex_count; k += 8 )
		{
			bvb_mesh box = { .positions = object->mesh.positions + k, .vertex_count = 8 };
			bvb_triangle triangles[12];
			for ( int t = 0; t < 12; ++t )
			{
				for ( int c = 0; c < 3; ++c )
				{
					triangles[t].corner[c] = object->mesh.triangles[k / 8 * 12 + t].corner[c] - k;
					assert_true( triangles[t].corner[c] < 8 );
				}
			}
			box.triangles = triangles;
			box.triangle_count = 12;
			found += volume_of( &box );
		}
	}
	assert_int_equal( corners, 8 * leaves );
	assert_true( fabs( found - volume ) <= 1e-9 * volume );

	file = file_with( f, 40, 1u << bv_volume_sphere, 0 );
	char what[32];
	snprintf( what, sizeof what, "level=%u", bv_file_get_hierarchy( file ).depth );
	out = gather( f, file, what );
	assert_int_equal( out.object_count, 1 );
	assert_string_equal( out.objects->name, "nodes" );
	assert_int_equal( out.objects->mesh.triangle_count, 8 * 4 * 4 * bv_file_get_hierarchy( file ).leaves );
	refuse( f, file, "cut=1", bv_error_input, "has no errors to cut by (bvbuild --hausdorff makes them)" );
}

// Volumes by closed forms; what is enclosed by what it stands off.
static void bounds_and_primitives_are_those_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 8 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	bv_file_bounds b;
	assert_true( bv_file_get_bounds( file, &b ) );
	bvb_export out = gather( f, file, "bounds" );
	static const char* const names[] = { "aabb", "obb", "sphere", "kdop26", "rss", "capsule" };
	const double volumes[] = { bv_aabb_volume( &b.aabb ),     bv_obb_volume( &b.obb ),
		                       bv_sphere_volume( &b.sphere ), bvb_kdop_volume( &b.kdop ),
		                       bv_rss_volume( &b.rss ),       bv_capsule_volume( &b.capsule ) };
	assert_int_equal( out.object_count, 6 );
	for ( int i = 0; i < 6; ++i )
	{
		const bvb_export_object* object = out.objects + i;
		double found = volume_of( &object->mesh ) / volumes[i];
		assert_string_equal( object->name, names[i] );
		assert_true( found >= 1 - 1e-12 );
		assert_true( found <= ( object->standoff > 0 ? 1.048 : 1 + 1e-12 ) );
		assert_int_equal( object->standoff > 0, i == 2 || i > 3 );
	}
	refuse( f, file, "primitive", bv_error_input, "has no primitives (bvbuild --recognize makes them)" );

	options.recognize = ( bvb_tolerance ){ .value = 0.0625 };
	file = build_file( f, &mesh, &options );
	refuse( f, file, "primitive", bv_error_input, "is not a box, sphere, capsule or cylinder within 0.0625" );
	mesh = box_mesh( f, 1, 2, 3 );
	file = build_file( f, &mesh, &options );
	out = gather( f, file, "primitive" );
	assert_int_equal( out.object_count, 1 );
	assert_string_equal( out.objects->name, "box" );
	assert_true( fabs( volume_of( &out.objects->mesh ) - 6 ) < 1e-5 );

	refuse( f, file, "level=1000000000", bv_error_argument, "level: '1000000000' is not a whole number" );
	refuse( f, file, "level=999999999", bv_error_input, "has no level 999999999 (the deepest is 6)" );
}

static void names_and_values_are_checked( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	static const char* const wrong[] = { "",          "me",       "meshes",   "mesh=",    "mesh=1",  "level",
		                                 "level=",    "level=-1", "level=1x", "level= 1", "level=N", "cut",
		                                 "cut=",      "cut=%",    "cut=1%%",  "cut=nan",  "cut=inf", "cut=-1",
		                                 "cut=1e400", "=",        "=1",       "level=1%" };
	for ( size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i )
	{
		bvb_export out;
		bvb_error error = { "" };
		assert_int_equal( bvb_export_check( wrong[i], &error ), bv_error_argument );
		assert_true( strlen( error.message ) > 0 );
		assert_int_equal( bvb_export_gather( file, wrong[i], f->arena, &out, &error ), bv_error_argument );
	}
	static const char* const good[] = { "mesh",    "hull",      "parts",
		                                "level=0", "level=007", "level=999999999",
		                                "cut=.5",  "cut=1e-3",  "cut=2.5%",
		                                "cut=0",   "bounds",    "primitive" };
	for ( size_t i = 0; i < sizeof good / sizeof good[0]; ++i )
	{
		assert_int_equal( bvb_export_check( good[i], NULL ), bv_ok );
	}
	for ( uint32_t i = 0; bvb_export_name( i, NULL ); ++i )
	{
		const char* summary = NULL;
		assert_non_null( bvb_export_name( i, &summary ) );
		assert_non_null( summary );
	}
}

// Objects with coordinates that only binary64 has, or only binary32.
static bvb_export two_objects( fixture* f, bool single )
{
	bvb_export out = { .object_count = 2 };
	out.objects = bvb_arena_allocate( f->arena, 2, sizeof *out.objects );
	for ( int i = 0; i < 2; ++i )
	{
		bvb_export_object* object = out.objects + i;
		object->mesh = bumpy_ball( f, 4 + (uint32_t)i );
		snprintf( object->name, sizeof object->name, "object_%d_of_-1.5e-07", i );
		snprintf( object->color_name, sizeof object->color_name, "colour_%d", i );
		memcpy( object->color, i ? "\xff\x80\0" : "\x40\x41\x42", 3 );
		object->standoff = i ? 0.1 : 0;
		for ( uint32_t k = 0; k < object->mesh.vertex_count; ++k )
		{
			bv_vec3* p = object->mesh.positions + k;
			if ( single )
			{
				*p = ( bv_vec3 ){ (float)p->x, (float)p->y, (float)p->z };
			}
		}
	}
	return out;
}

static void encode( fixture* f, const bvb_export* from, const char* path, const void** data, size_t* size )
{
	bvb_error error = { "" };
	bvb_export_files files;
	bvb_export_files again;
	assert_int_equal( bvb_export_encode( from, path, f->arena, &files, &error ), bv_ok );
	assert_int_equal( bvb_export_encode( from, path, f->arena, &again, &error ), bv_ok );
	assert_int_equal( files.count, 1 );
	assert_int_equal( files.files->size, again.files->size );
	assert_memory_equal( files.files->data, again.files->data, again.files->size );
	*data = files.files->data;
	*size = files.files->size;
}

static void our_readers_read_back_the_same_numbers( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 4; ++round )
	{
		const void* data;
		size_t size;
		bvb_import import = { 0 };
		bvb_error error = { "" };
		bvb_export out = two_objects( f, round & 1 );
		encode( f, &out, round & 2 ? "a/b.OBJ" : "x.ply", &data, &size );
		assert_int_equal( round & 2 ? bvobj_read_obj( "x", data, size, f->arena, &import, &error )
		                            : bvply_read_ply( "x", data, size, f->arena, &import, &error ),
		                  bv_ok );
		const bvb_mesh* mesh = &import.scene.mesh;
		uint32_t vertex = 0;
		uint32_t triangle = 0;
		for ( int i = 0; i < 2; ++i )
		{
			const bvb_mesh* from = &out.objects[i].mesh;
			assert_true( vertex + from->vertex_count <= mesh->vertex_count );
			assert_true( triangle + from->triangle_count <= mesh->triangle_count );
			assert_memory_equal( mesh->positions + vertex, from->positions,
			                     from->vertex_count * sizeof *from->positions );
			for ( uint32_t k = 0; k < from->triangle_count; ++k )
			{
				for ( int c = 0; c < 3; ++c )
				{
					assert_int_equal( mesh->triangles[triangle + k].corner[c],
					                  vertex + from->triangles[k].corner[c] );
				}
			}
			vertex += from->vertex_count;
			triangle += from->triangle_count;
		}
		assert_int_equal( vertex, mesh->vertex_count );
		assert_int_equal( triangle, mesh->triangle_count );
	}
}

// The bytes of a PLY file by hand: one triangle.
static void ply_is_as_its_header_says( void** state )
{
	fixture* f = *state;
	bv_vec3 positions[] = { { 1, 0, 0 }, { 0, -2, 0 }, { 0, 0, 1.5 } };
	static const uint32_t triangles[][3] = { { 0, 1, 2 } };
	bvb_export_object object = { .name = "one",
		                         .mesh = mesh_of( f, positions, 3, triangles, 1 ),
		                         .color = { 1, 2, 3 },
		                         .color_name = "error_up_to_1_percent",
		                         .standoff = 0.25 };
	bvb_export out = { .objects = &object, .object_count = 1 };
	const void* data;
	size_t size;
	static const char expected[] =
		"ply\nformat binary_little_endian 1.0\ncomment bvbuild " BV_VERSION
		"\ncomment object 0 one, color error_up_to_1_percent, stands off its volume by up to 0.25\nelement "
		"vertex 3\nproperty float x\n"
		"property float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
		"element face 1\nproperty list uchar int vertex_indices\nproperty uchar red\nproperty uchar green\n"
		"property uchar blue\nproperty int object\nend_header\n"
		"\0\0\x80\x3f\0\0\0\0\0\0\0\0\1\2\3\0\0\0\0\0\0\0\xc0\0\0\0\0\1\2\3"
		"\0\0\0\0\0\0\0\0\0\0\xc0\x3f\1\2\3\3\0\0\0\0\1\0\0\0\2\0\0\0\1\2\3\0\0\0\0";
	encode( f, &out, "x.ply", &data, &size );
	assert_int_equal( size, sizeof expected - 1 );
	assert_memory_equal( data, expected, size );
}

// Assimp's own reader of numbers in text errs in the last digit.
static bool is_near( double a, double b, double tolerance )
{
	return fabs( a - b ) <= tolerance;
}

// Whatever vertices are shared: corners are compared by position.
static void check_scene( const struct aiScene* scene, const bvb_export* out, bool objects, double tolerance )
{
	uint32_t triangles = 0;
	assert_int_equal( scene->mNumMeshes, objects ? out->object_count : 1 );
	for ( uint32_t i = 0; i < out->object_count; ++i )
	{
		const bvb_mesh* from = &out->objects[i].mesh;
		const struct aiMesh* mesh = scene->mMeshes[objects ? i : 0];
		for ( uint32_t k = 0; k < from->triangle_count; ++k, ++triangles )
		{
			const struct aiFace* face = mesh->mFaces + ( objects ? k : triangles );
			assert_int_equal( face->mNumIndices, 3 );
			for ( int c = 0; c < 3; ++c )
			{
				struct aiVector3D p = mesh->mVertices[face->mIndices[c]];
				bv_vec3 q = from->positions[from->triangles[k].corner[c]];
				assert_true( is_near( p.x, q.x, tolerance ) && is_near( p.y, q.y, tolerance ) &&
				             is_near( p.z, q.z, tolerance ) );
				if ( !objects )
				{
					assert_non_null( mesh->mColors[0] );
					struct aiColor4D color = mesh->mColors[0][face->mIndices[c]];
					assert_true( fabsf( color.r * 255 - out->objects[i].color[0] ) < 0.01f );
					assert_true( fabsf( color.g * 255 - out->objects[i].color[1] ) < 0.01f );
					assert_true( fabsf( color.b * 255 - out->objects[i].color[2] ) < 0.01f );
				}
			}
		}
		assert_int_equal( mesh->mNumFaces, objects ? from->triangle_count : mesh->mNumFaces );
		assert_true( !objects || strcmp( mesh->mName.data, out->objects[i].name ) == 0 );
	}
	assert_true( objects || scene->mMeshes[0]->mNumFaces == triangles );
}

static void assimp_reads_all_formats( void** state )
{
	fixture* f = *state;
	static const char* const paths[] = { "x.obj", "x.ply", "x.glb" };
	for ( int i = 0; i < 3; ++i )
	{
		const void* data;
		size_t size;
		bvb_export out = two_objects( f, true );
		bvb_export_node node = { 17, 3, 5, bv_volume_rss, true, 0.1, 0.25 };
		out.objects[1].node = &node;
		encode( f, &out, paths[i], &data, &size );
		const struct aiScene* scene =
			aiImportFileFromMemory( data, (unsigned)size, aiProcess_ValidateDataStructure, paths[i] + 2 );
		if ( !scene )
		{
			fail_msg( "%s: %s", paths[i], aiGetErrorString() );
		}
		check_scene( scene, &out, i != 1, i == 0 ? 1e-6 : 0 );
		if ( i == 2 )
		{
			assert_true( scene->mNumMaterials >= 2 );
			struct aiColor4D color;
			const struct aiMaterial* material = scene->mMaterials[scene->mMeshes[1]->mMaterialIndex];
			assert_int_equal( aiGetMaterialColor( material, AI_MATKEY_COLOR_DIFFUSE, &color ),
			                  aiReturn_SUCCESS );
			assert_true( color.r == 1 && fabsf( color.g - 0.252f ) < 1e-4f && color.b == 0 );
			const struct aiMetadata* extras = scene->mRootNode->mChildren[1]->mMetaData;
			assert_non_null( extras );
			assert_int_equal( extras->mNumProperties, 7 );
		}
		aiReleaseImport( scene );
	}
}

static void running_out_of_memory_is_an_error( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_with( f, 8, 1u << bv_volume_rss, 0.5 );
	static const char* const what[] = { "mesh", "hull", "level=2", "cut=0", "bounds", "body", "body=mesh" };
	static const char* const paths[] = { "x.obj", "x.ply", "x.glb", "x.urdf" };
	for ( int i = 0; i < 28; ++i )
	{
		bool done = i % 4 == 3 && i / 4 < 5; // a robot holds bodies only
		for ( size_t bytes = 64; !done; bytes = bytes * 2 )
		{
			bvb_arena* arena = bvb_arena_create_limited( bytes );
			if ( !arena )
			{
				continue;
			}
			bvb_export out;
			bvb_error error;
			bvb_export_files files;
			bv_status status = bvb_export_gather( file, what[i / 4], arena, &out, &error );
			status =
				status == bv_ok ? bvb_export_encode( &out, paths[i % 4], arena, &files, &error ) : status;
			assert_true( status == bv_ok || status == bv_error_memory );
			done = status == bv_ok;
			assert_true( done || bytes < 1u << 30 );
			bvb_arena_destroy( arena );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_level_is_its_nodes_and_the_leaves_above ),
		fixture_test( a_cut_goes_down_until_errors_are_small ),
		fixture_test( colors_and_names_tell_errors ),
		fixture_test( many_nodes_are_merged_by_color ),
		fixture_test( bounds_and_primitives_are_those_of_the_file ),
		fixture_test( names_and_values_are_checked ),
		fixture_test( our_readers_read_back_the_same_numbers ),
		fixture_test( ply_is_as_its_header_says ),
		fixture_test( assimp_reads_all_formats ),
		fixture_test( running_out_of_memory_is_an_error ),
	};
	return cmocka_run_group_tests_name( "export", tests, NULL, NULL );
}
