// Clips of what Assimp imports: poses and boxes against an evaluation of Assimp's own scene, at samples and between them.
// Scenes that no exporter writes are made in memory.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "animated_files.h"
#include "assimp_pose.h"
#include "bvbuild/import.h"
#include "formats/assimp/animate.h"
#include "formats/gltf/gltf.h"

#include <assimp/cimport.h>
#include <assimp/config.h>

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import_options options;
	bvb_import import;
	bvb_error error;
	bvimport_notes notes;
	double worst; // distance from the oracle, as a share of the largest coordinate
} fixture;

static int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	f->options = bvb_import_options_default();
	f->options.clip = ( bvb_clip_options ){ .name = "*", .samples = 9, .segments = 3 };
	*state = f;
	return f->arena ? 0 : -1;
}

static int tear_down( void** state )
{
	fixture* f = *state;
	bvb_arena_destroy( f->arena );
	free( f );
	return 0;
}

static void write_text( const char* name, const char* text )
{
	FILE* file = fopen( name, "wb" );
	assert_non_null( file );
	assert_int_equal( fwrite( text, 1, strlen( text ), file ), strlen( text ) );
	assert_int_equal( fclose( file ), 0 );
}

static bv_status import_clip( fixture* f, const char* path, const char* clip )
{
	f->options.clip.name = clip;
	f->error.message[0] = 0;
	return bvb_import_file( path, &f->options, f->arena, &f->import, &f->error );
}

// Of LeakSanitizer: null without it.
__attribute__( ( weak ) ) void __lsan_disable( void );
__attribute__( ( weak ) ) void __lsan_enable( void );

// The scene as Assimp delivers it to the library, with unique names of nodes. Its reader of FBX leaks.
static const struct aiScene* import_source( const char* path )
{
	if ( __lsan_disable )
	{
		__lsan_disable();
	}
	struct aiPropertyStore* properties = aiCreatePropertyStore();
	aiSetImportPropertyInteger( properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1 );
	const struct aiScene* scene = aiImportFileExWithProperties( path, 0, NULL, properties );
	aiReleasePropertyStore( properties );
	if ( __lsan_enable )
	{
		__lsan_enable();
	}
	assert_non_null( scene );
	return scene;
}

// Compares positions at a time with those of the oracle.
// @param flat       triangles of the oracle's vertices
// @param positions  of the clip at that time; null: these are in the boxes of segments
static void compare_at( fixture* f, const struct aiScene* source, const struct aiAnimation* a, double time,
                        const bvb_mesh* flat, const bv_vec3* positions )
{
	const bvb_scene* s = &f->import.scene;
	const bvb_clip* clip = s->clip;
	double ticks = time * ( a->mTicksPerSecond > 0 ? a->mTicksPerSecond : 25 );
	size_t count = pose_scene( source, source->mRootNode, a, 0, NULL );
	double* pose = malloc( 3 * count * sizeof *pose );
	double size = 0;
	pose_scene( source, source->mRootNode, a, ticks, pose );
	for ( size_t i = 0; i < 3 * count; ++i )
	{
		size = fmax( size, fabs( pose[i] ) );
	}
	for ( uint32_t i = 0; i < 3 * flat->triangle_count; ++i )
	{
		uint32_t from = flat->triangles[i / 3].corner[i % 3];
		uint32_t v = s->mesh.triangles[i / 3].corner[i % 3];
		assert_true( from < count && v < clip->vertex_count );
		for ( int k = 0; k < 3; ++k )
		{
			double exact = pose[3 * from + (uint32_t)k];
			double far = 0;
			for ( uint32_t p = 0; p < clip->segments && !positions; ++p )
			{
				double length = ( clip->end - clip->start ) / clip->segments;
				const bv_aabb* box = &clip->swept[(size_t)p * clip->vertex_count + v];
				if ( time >= clip->start + p * length && time <= clip->start + ( p + 1 ) * length )
				{
					far = fmax( far, ( &box->lower.x )[k] - exact );
					far = fmax( far, exact - ( &box->upper.x )[k] );
				}
			}
			far = positions ? fabs( ( &positions[v].x )[k] - exact ) : far;
			f->worst = fmax( f->worst, far / size );
		}
	}
	free( pose );
}

// Compares a clip that was imported. Positions in Assimp's scenes are floats, and so are times of keys in glTF.
static void compare( fixture* f, const struct aiScene* source, uint32_t animation, const bvb_mesh* flat )
{
	const bvb_clip* clip = f->import.scene.clip;
	const struct aiAnimation* a = source->mAnimations[animation];
	assert_non_null( clip );
	assert_int_equal( clip->vertex_count, f->import.scene.mesh.vertex_count );
	assert_int_equal( f->import.scene.mesh.triangle_count, flat->triangle_count );
	uint32_t random = 1;
	f->worst = 0;
	for ( uint32_t i = 0; i < clip->samples; ++i )
	{
		compare_at( f, source, a, bvb_clip_time( clip, i ), flat,
		            clip->frames + (size_t)i * clip->vertex_count );
	}
	for ( int i = 0; i < 25; ++i )
	{
		random = random * 1664525u + 1013904223u;
		double time = clip->start + ( clip->end - clip->start ) * ( random * 0x1p-32 );
		compare_at( f, source, a, time, flat, NULL );
	}
	if ( !( f->worst < 2e-6 ) )
	{
		print_message( "clip '%s': %g of its size from the oracle\n", clip->name, f->worst );
	}
	assert_true( f->worst < 2e-6 );
}

static void expect_same_names( const char* const* a, const char* const* b, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_string_equal( a[i], b[i] );
	}
}

// All but the positions is as without a clip.
static void expect_same_origin( const bvb_import* clip, const bvb_import* still )
{
	const bvb_scene* a = &clip->scene;
	const bvb_scene* b = &still->scene;
	assert_int_equal( a->mesh.triangle_count, b->mesh.triangle_count );
	assert_int_equal( a->segment_count, b->segment_count );
	assert_int_equal( a->object_count, b->object_count );
	assert_int_equal( a->material_count, b->material_count );
	assert_memory_equal( a->faces, b->faces, a->mesh.triangle_count * sizeof *a->faces );
	assert_memory_equal( a->segments, b->segments, a->segment_count * sizeof *a->segments );
	expect_same_names( a->objects, b->objects, a->object_count );
	expect_same_names( a->materials, b->materials, a->material_count );
	assert_int_equal( clip->points, still->points );
	assert_int_equal( clip->lines, still->lines );
	assert_memory_equal( clip->hash, still->hash, sizeof clip->hash );
}

// Without an animation the oracle has the positions that the file has without a clip.
static void compare_still( const struct aiScene* source, const bvb_mesh* flat )
{
	static const struct aiAnimation none = { .mNumChannels = 0 };
	size_t count = pose_scene( source, source->mRootNode, &none, 0, NULL );
	double* pose = malloc( 3 * count * sizeof *pose );
	assert_int_equal( count, flat->vertex_count );
	pose_scene( source, source->mRootNode, &none, 0, pose );
	for ( size_t i = 0; i < 3 * count; ++i )
	{
		assert_true( fabs( pose[i] - ( &flat->positions[i / 3].x )[i % 3] ) <=
		             1e-6 * ( 1 + fabs( pose[i] ) ) );
	}
	free( pose );
}

// Imports a file with and without a clip, and compares with the oracle.
// @param at_rest  whether the joints of the file agree on a placement of their mesh
static void check_file( fixture* f, const char* path, uint32_t animation, bool at_rest )
{
	char number[16];
	bvb_import still;
	bvb_import_options plain = bvb_import_options_default();
	snprintf( number, sizeof number, "%u", animation );
	f->error.message[0] = 0;
	bv_status read = bvb_import_file( path, &plain, f->arena, &still, &f->error );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( read, bv_ok );
	bv_status status = import_clip( f, path, number );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	expect_same_origin( &f->import, &still );
	const struct aiScene* source = import_source( path );
	if ( at_rest )
	{
		compare_still( source, &still.scene.mesh );
	}
	compare( f, source, animation, &still.scene.mesh );
	aiReleaseImport( source );
}

static void check_text( fixture* f, const char* name, const char* text, uint32_t animation )
{
	write_text( name, text );
	check_file( f, name, animation, true );
	remove( name );
}

static void fbx_has_pivots_and_shapes( void** state )
{
	fixture* f = *state;
	check_text( f, "door.fbx", door_fbx, 0 );
	const bvb_clip* clip = f->import.scene.clip;
	assert_string_equal( clip->name, "Open" );
	assert_true( clip->start == 0 && clip->end == 1 );
	assert_int_equal( f->import.scene.object_count, 1 );
	assert_string_equal( f->import.scene.objects[0], "door" );
}

static void collada_has_nodes_of_one_name( void** state )
{
	fixture* f = *state;
	check_text( f, "arms.dae", arms_dae, 0 );
	assert_true( f->import.scene.clip->end == 2 );
	assert_int_equal( f->import.scene.object_count, 2 );
	assert_string_equal( f->import.scene.objects[0], "arm" );
	assert_string_equal( f->import.scene.objects[1], "arm" );
}

static void x_has_bones( void** state )
{
	fixture* f = *state;
	check_text( f, "wave.x", wave_x, 0 );
	assert_string_equal( f->import.scene.clip->name, "Wave" );
	assert_true( f->import.scene.clip->end == 2 );
}

static void md5_has_its_animation_in_another_file( void** state )
{
	fixture* f = *state;
	write_text( "limb.md5anim", limb_md5anim );
	check_text( f, "limb.md5mesh", limb_md5mesh, 0 );
	remove( "limb.md5anim" );
	assert_true( f->import.scene.clip->end == 0.125 );
	const bvb_side_files* files = &f->import.side_files;
	bool found = false;
	for ( uint32_t i = 0; i < files->count; ++i )
	{
		found = found || ( strcmp( files->files[i].name, "limb.md5anim" ) == 0 &&
		                   files->files[i].use == bvb_side_file_read );
	}
	assert_true( found );
}

// The clip "Rest" has the pose of the file.
static void a_clip_at_rest_has_the_positions_of_the_file( void** state )
{
	fixture* f = *state;
	bvb_import still;
	bvb_import_options plain = bvb_import_options_default();
	write_text( "wave.x", wave_x );
	assert_int_equal( bvb_import_file( "wave.x", &plain, f->arena, &still, &f->error ), bv_ok );
	assert_int_equal( import_clip( f, "wave.x", "Rest" ), bv_ok );
	remove( "wave.x" );
	expect_same_origin( &f->import, &still );
	const bvb_mesh* a = &f->import.scene.mesh;
	const bvb_mesh* b = &still.scene.mesh;
	for ( uint32_t i = 0; i < 3 * a->triangle_count; ++i )
	{
		bv_vec3 d = bv_sub( a->positions[a->triangles[i / 3].corner[i % 3]],
		                    b->positions[b->triangles[i / 3].corner[i % 3]] );
		assert_true( bv_dot( d, d ) < 1e-12 );
	}
	assert_int_equal( f->import.scene.clip->samples, 1 );
}

static void clips_are_found_by_name_and_number( void** state )
{
	fixture* f = *state;
	write_text( "wave.x", wave_x );
	assert_int_equal( import_clip( f, "wave.x", "Wave" ), bv_ok );
	assert_int_equal( import_clip( f, "wave.x", "1" ), bv_ok );
	assert_string_equal( f->import.scene.clip->name, "Rest" );
	assert_int_equal( import_clip( f, "wave.x", "*" ), bv_error_input );
	assert_string_equal( f->error.message,
	                     "wave.x: has 2 clips, so --clip must name one: 0 'Wave', 1 'Rest'" );
	assert_int_equal( import_clip( f, "wave.x", "Wafe" ), bv_error_input );
	assert_string_equal( f->error.message, "wave.x: no clip is named 'Wafe' (did you mean 'Wave'? clips: 0 "
	                                       "'Wave', 1 'Rest')" );
	assert_int_equal( import_clip( f, "wave.x", "2" ), bv_error_input );
	remove( "wave.x" );
	write_text( "still.x",
	            "xof 0303txt 0032\nMesh { 3; 0.0;0.0;0.0;, 1.0;0.0;0.0;, 0.0;1.0;0.0;; 1; 3;0,1,2;; }\n" );
	assert_int_equal( import_clip( f, "still.x", "*" ), bv_error_input );
	assert_string_equal( f->error.message, "still.x: has no clip: the file has no animations" );
	remove( "still.x" );
	write_text( "still.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n" );
	assert_int_equal( import_clip( f, "still.obj", "*" ), bv_error_unsupported );
	assert_string_equal( f->error.message,
	                     "still.obj: --clip: .obj files have no clips (clips are read from glTF, "
	                     "and from what Assimp imports, such as FBX and Collada)" );
	remove( "still.obj" );
}

// Of the package assimp-testmodels, where it is installed.
static void real_models_follow_their_animations( void** state )
{
	static const struct
	{
		const char* name;
		uint32_t animations;
	} models[] = {
		{ "FBX/huesitos.fbx", 1 },
		{ "FBX/animation_with_skeleton.fbx", 1 },
		{ "Collada/box_nested_animation.dae", 1 },
		{ "Collada/anims_with_full_rotations_between_keys.DAE", 1 },
		{ "X/anim_test.x", 1 },
		{ "MDL/MDL (HL1)/man.mdl", 2 },
		{ "3DS/RotatingCube.3DS", 1 },
		{ "ASE/anim2.ASE", 1 },
		{ "LWS/move_xz_spline.lws", 1 },
	};
	fixture* f = *state;
	int found = 0;
	for ( size_t i = 0; i < sizeof models / sizeof models[0]; ++i )
	{
		char path[200];
		snprintf( path, sizeof path, "/usr/share/assimp/models/%s", models[i].name );
		for ( uint32_t k = 0; k < models[i].animations && access( path, R_OK ) == 0; ++k )
		{
			check_file( f, path, k, false );
			++found;
		}
	}
	if ( found == 0 )
	{
		skip();
	}
}

// A scene in memory: a root with a joint "a", a node "b" that has a mesh of one triangle, and a node "c".
typedef struct model
{
	struct aiNode nodes[4];
	struct aiNode* children[3];
	unsigned number; // of the mesh
	struct aiVector3D positions[3];
	unsigned corners[3];
	struct aiFace face;
	struct aiMesh mesh;
	struct aiMesh* meshes[1];
	struct aiNodeAnim channel;
	struct aiNodeAnim* channels[2];
	struct aiAnimation animation;
	struct aiAnimation* animations[1];
	struct aiScene scene;
	bvb_triangle triangle;
	bvassimp_instance instance;
} model;

static void name( struct aiString* to, const char* text )
{
	to->length = (ai_uint32)strlen( text );
	strcpy( to->data, text );
}

static const struct aiMatrix4x4 identity = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };

static model* make_model( fixture* f )
{
	static const char* const names[] = { "root", "a", "b", "c" };
	model* m = bvb_arena_allocate( f->arena, 1, sizeof *m );
	memset( m, 0, sizeof *m );
	for ( int i = 0; i < 4; ++i )
	{
		name( &m->nodes[i].mName, names[i] );
		m->nodes[i].mTransformation = identity;
		m->nodes[i].mParent = i ? &m->nodes[0] : NULL;
	}
	for ( int i = 0; i < 3; ++i )
	{
		m->children[i] = &m->nodes[i + 1];
	}
	m->nodes[0].mNumChildren = 3;
	m->nodes[0].mChildren = m->children;
	m->nodes[2].mNumMeshes = 1;
	m->nodes[2].mMeshes = &m->number;
	m->positions[1].x = 1;
	m->positions[2].y = 1;
	m->corners[1] = 1;
	m->corners[2] = 2;
	m->face = ( struct aiFace ){ 3, m->corners };
	m->mesh.mNumVertices = 3;
	m->mesh.mVertices = m->positions;
	m->mesh.mNumFaces = 1;
	m->mesh.mFaces = &m->face;
	m->meshes[0] = &m->mesh;
	name( &m->animation.mName, "Move" );
	m->animation.mTicksPerSecond = 4;
	m->animation.mDuration = 8;
	m->animation.mNumChannels = 1;
	m->animation.mChannels = m->channels;
	m->channels[0] = &m->channel;
	m->animations[0] = &m->animation;
	name( &m->channel.mNodeName, "b" );
	m->scene.mRootNode = &m->nodes[0];
	m->scene.mNumMeshes = 1;
	m->scene.mMeshes = m->meshes;
	m->scene.mNumAnimations = 1;
	m->scene.mAnimations = m->animations;
	m->triangle = ( bvb_triangle ){ { 0, 1, 2 } };
	m->instance = ( bvassimp_instance ){ .node = 2,
		                                 .vertex_count = 3,
		                                 .triangles = &m->triangle,
		                                 .triangle_count = 1,
		                                 .placed_by = BVASSIMP_NONE };
	return m;
}

static void set_positions( model* m, struct aiVectorKey* keys, unsigned count )
{
	m->channel.mPositionKeys = keys;
	m->channel.mNumPositionKeys = count;
}

static bv_status convert_named( fixture* f, model* m, const char* clip )
{
	const bvassimp_instances all = { &m->instance, 1 };
	f->notes = ( bvimport_notes ){ 0 };
	f->options.clip.name = clip;
	f->error.message[0] = 0;
	f->import = ( bvb_import ){ 0 };
	bvassimp_bytes bytes = bvassimp_animate( &m->scene, &all, clip, &f->notes, -1 );
	bv_status status = bvgltf_read_clip( "m", (const char*)bytes.data, bytes.size, f->options.memory_bytes,
	                                     &f->options.clip, f->arena, &f->import, &f->error );
	free( bytes.data );
	return status;
}

static const bvb_clip* convert( fixture* f, model* m )
{
	bv_status status = convert_named( f, m, "0" );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	return f->import.scene.clip;
}

// Vertex 0 at a sample.
static bv_vec3 first_at( const bvb_clip* clip, uint32_t sample )
{
	return clip->frames[(size_t)sample * clip->vertex_count];
}

static void expect_near( bv_vec3 p, double x, double y, double z )
{
	assert_float_equal( p.x, x, 1e-6 );
	assert_float_equal( p.y, y, 1e-6 );
	assert_float_equal( p.z, z, 1e-6 );
}

// 4 ticks are a second; the default is 25.
static void ticks_become_seconds( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 4, { 1, 0, 0 } }, { 8, { 3, 0, 0 } } };
	set_positions( m, keys, 2 );
	const bvb_clip* clip = convert( f, m );
	assert_true( clip->start == 1 && clip->end == 2 );
	expect_near( first_at( clip, 0 ), 1, 0, 0 );
	expect_near( first_at( clip, 4 ), 2, 0, 0 );
	assert_int_equal( f->notes.warnings, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		m->animation.mTicksPerSecond = i == 0 ? 0 : i == 1 ? -3 : (double)NAN;
		clip = convert( f, m );
		assert_float_equal( clip->end, 8 / 25.0, 1e-7 );
	}
}

static void keys_are_sorted( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 8, { 4, 0, 0 } }, { 0, { 0, 0, 0 } }, { 4, { 8, 0, 0 } } };
	set_positions( m, keys, 3 );
	const bvb_clip* clip = convert( f, m );
	expect_near( first_at( clip, 2 ), 4, 0, 0 );
	expect_near( first_at( clip, 4 ), 8, 0, 0 );
	expect_near( first_at( clip, 8 ), 4, 0, 0 );
	assert_string_equal( f->notes.text, "clip: 1 tracks have keys that are not in the order of time" );
}

// At 1 s the value jumps from 1 to 5; of the three keys there the one between does not count.
static void keys_at_one_time_are_a_jump( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 9, 0, 0 } }, { 0, { 0, 0, 0 } }, { 4, { 1, 0, 0 } },
		                          { 4, { 7, 0, 0 } }, { 4, { 5, 0, 0 } }, { 4, { 5, 0, 0 } },
		                          { 8, { 6, 0, 0 } } };
	set_positions( m, keys, 7 );
	const bvb_clip* clip = convert( f, m );
	expect_near( first_at( clip, 0 ), 0, 0, 0 );
	expect_near( first_at( clip, 2 ), 0.5, 0, 0 );
	expect_near( first_at( clip, 3 ), 0.75, 0, 0 );
	expect_near( first_at( clip, 4 ), 5, 0, 0 );
	expect_near( first_at( clip, 6 ), 5.5, 0, 0 );
	const bv_aabb* box = &clip->swept[clip->vertex_count]; // of the second third: 2/3 s to 4/3 s
	assert_float_equal( box->lower.x, 2 / 3.0, 1e-6 );
	assert_float_equal( box->upper.x, 5 + 1 / 3.0, 1e-6 );
}

static void keys_that_are_not_finite_are_ignored( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = {
		{ 0, { 0, 0, 0 } },           { 4, { NAN, 0, 0 } }, { (double)INFINITY, { 1, 0, 0 } },
		{ (double)NAN, { 1, 0, 0 } }, { 8, { 2, 0, 0 } },   { 1e300, { 1, 0, 0 } }
	};
	set_positions( m, keys, 6 );
	const bvb_clip* clip = convert( f, m );
	assert_true( clip->start == 0 && clip->end == 2 );
	expect_near( first_at( clip, 4 ), 1, 0, 0 );
	assert_string_equal( f->notes.text, "clip: 4 keys are ignored: they are not finite" );
}

static void times_below_zero_are_shifted( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { -6, { 0, 0, 0 } }, { 2, { 4, 0, 0 } } };
	set_positions( m, keys, 2 );
	const bvb_clip* clip = convert( f, m );
	assert_true( clip->start == 0 && clip->end == 2 );
	expect_near( first_at( clip, 4 ), 2, 0, 0 );
	assert_string_equal( f->notes.text, "clip: it starts at -1.5 s in the file, and here at 0" );
}

// The translation of the file is that of the node where no key has one. One key is a pose.
static void what_has_no_keys_stays( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	m->nodes[2].mTransformation.a4 = 7;
	m->nodes[2].mTransformation.b2 = 3;
	// A quarter turn about z.
	struct aiQuatKey keys[] = { { 2, { (float)sqrt( 0.5 ), 0, 0, (float)sqrt( 0.5 ) } } };
	m->channel.mRotationKeys = keys;
	m->channel.mNumRotationKeys = 1;
	const bvb_clip* clip = convert( f, m );
	assert_int_equal( clip->samples, 1 );
	assert_true( clip->start == 0.5 && clip->end == 0.5 );
	expect_near( clip->frames[0], 7, 0, 0 );
	expect_near( clip->frames[1], 7, 1, 0 );
	expect_near( clip->frames[2], 4, 0, 0 );
}

static void rotations_become_unit_quaternions( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiQuatKey keys[] = { { 0, { 0, 0, 0, 0 } }, { 8, { 3, 0, 0, 3 } } };
	m->channel.mRotationKeys = keys;
	m->channel.mNumRotationKeys = 2;
	const bvb_clip* clip = convert( f, m );
	expect_near( clip->frames[1], 1, 0, 0 );
	expect_near( clip->frames[8 * clip->vertex_count + 1], 0, 1, 0 );
	assert_string_equal( f->notes.text, "clip: 1 keys have a rotation of length 0" );
}

static void channels_need_a_node_of_their_own( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	struct aiNodeAnim second = { .mNumPositionKeys = 2, .mPositionKeys = keys };
	set_positions( m, keys, 2 );
	m->channels[1] = &second;
	m->animation.mNumChannels = 2;
	name( &second.mNodeName, "nobody" );
	convert( f, m );
	assert_string_equal( f->notes.text,
	                     "clip: 1 channels are ignored: no node, or more than one, has the name" );
	name( &second.mNodeName, "b" );
	convert( f, m );
	assert_string_equal( f->notes.text, "clip: 1 channels are ignored: another one animates the same node" );
	name( &second.mNodeName, "a" );
	name( &m->nodes[3].mName, "a" );
	convert( f, m );
	assert_int_equal( f->notes.warnings, 1 );
	m->channels[1] = NULL;
	convert( f, m );
	assert_int_equal( f->notes.warnings, 1 );
}

// A node that is not animated keeps its shear, and x of the joint moves what is below it.
static void nodes_that_do_not_move_may_be_sheared( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	struct aiNode* below[] = { &m->nodes[2] };
	m->nodes[2].mTransformation.a2 = 0.5f;
	m->nodes[2].mParent = &m->nodes[1];
	m->nodes[1].mChildren = below;
	m->nodes[1].mNumChildren = 1;
	m->children[1] = &m->nodes[3];
	m->nodes[0].mNumChildren = 2;
	set_positions( m, keys, 2 );
	name( &m->channel.mNodeName, "a" );
	const bvb_clip* clip = convert( f, m );
	expect_near( clip->frames[2], 0.5, 1, 0 );
	expect_near( clip->frames[8 * clip->vertex_count + 2], 1.5, 1, 0 );
	name( &m->channel.mNodeName, "b" );
	convert( f, m );
	assert_string_equal( f->notes.text, "clip: 1 animated nodes lose the shear that they have in the file" );
}

// Six bones move vertex 0 by 0 .. 5 times (0, 0, 1): their mean by the weights counts. Vertex 1 follows the node "b",
// and so does vertex 2, whose only bone has no node.
static void vertices_have_any_number_of_bones( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	struct aiVertexWeight weights[7][4] = { { { 0, 0 } } };
	struct aiBone bones[7];
	struct aiBone* list[7];
	memset( bones, 0, sizeof bones );
	double sum = 0;
	double mean = 0;
	for ( unsigned i = 0; i < 7; ++i )
	{
		name( &bones[i].mName, i < 6 ? "a" : "nobody" );
		bones[i].mOffsetMatrix = identity;
		bones[i].mOffsetMatrix.c4 = (float)i;
		bones[i].mWeights = weights[i];
		bones[i].mNumWeights = 1;
		weights[i][0] = ( struct aiVertexWeight ){ i < 6 ? 0 : 2, 0.25f * (float)( i + 1 ) };
		list[i] = &bones[i];
		sum += i < 6 ? 0.25 * ( i + 1 ) : 0;
		mean += i < 6 ? 0.25 * ( i + 1 ) * i : 0;
	}
	weights[0][1] = ( struct aiVertexWeight ){ 3, 1 };
	weights[0][2] = ( struct aiVertexWeight ){ 0, -1 };
	weights[0][3] = ( struct aiVertexWeight ){ 1, NAN };
	bones[0].mNumWeights = 4;
	m->mesh.mBones = list;
	m->mesh.mNumBones = 7;
	m->nodes[1].mTransformation.b4 = 10; // of the joint
	set_positions( m, keys, 2 );
	const bvb_clip* clip = convert( f, m );
	expect_near( clip->frames[8 * clip->vertex_count], 0, 10, mean / sum );
	expect_near( clip->frames[8 * clip->vertex_count + 1], 2, 0, 0 );
	expect_near( clip->frames[8 * clip->vertex_count + 2], 1, 1, 0 );
	assert_string_equal( f->notes.text,
	                     "clip: 1 bones are ignored: no node, or more than one, has the name" );
	assert_int_equal( f->notes.warnings, 2 );

	// Where a bone has placed the mesh, vertices without bones follow that.
	m->instance.placed_by = 2;
	clip = convert( f, m );
	expect_near( clip->frames[1], 1, 10, 2 );
}

// Target 0 has keys at 0 s and 2 s, target 1 at 1 s only; target 2 has none.
static void morph_targets_have_keys_of_their_own( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVector3D moved[3][3];
	struct aiAnimMesh targets[3];
	struct aiAnimMesh* list[3];
	memset( targets, 0, sizeof targets );
	for ( int i = 0; i < 3; ++i )
	{
		memcpy( moved[i], m->positions, sizeof moved[i] );
		moved[i][0].z = (float)( 10 * ( i + 1 ) );
		targets[i].mVertices = moved[i];
		targets[i].mNumVertices = 3;
		list[i] = &targets[i];
	}
	unsigned values[3][1] = { { 0 }, { 1 }, { 0 } };
	double weights[3][1] = { { 0.5 }, { 0.25 }, { 1 } };
	struct aiMeshMorphKey keys[] = { { 0, values[0], weights[0], 1 },
		                             { 4, values[1], weights[1], 1 },
		                             { 8, values[2], weights[2], 1 } };
	struct aiMeshMorphAnim channel = { .mNumKeys = 3, .mKeys = keys };
	struct aiMeshMorphAnim* channels[] = { &channel };
	m->mesh.mAnimMeshes = list;
	m->mesh.mNumAnimMeshes = 3;
	m->animation.mNumChannels = 0;
	m->animation.mMorphMeshChannels = channels;
	m->animation.mNumMorphMeshChannels = 1;
	name( &channel.mName, "b*0" );
	const bvb_clip* clip = convert( f, m );
	expect_near( first_at( clip, 0 ), 0, 0, 10 * 0.5 + 20 * 0.25 );
	expect_near( first_at( clip, 2 ), 0, 0, 10 * 0.625 + 20 * 0.25 );
	expect_near( first_at( clip, 8 ), 0, 0, 10 * 1 + 20 * 0.25 );
	targets[0].mNumVertices = 2;
	clip = convert( f, m );
	expect_near( first_at( clip, 8 ), 0, 0, 20 * 0.25 );
	assert_string_equal( f->notes.text,
	                     "clip: 1 morph targets are ignored: they have another number of vertices" );
}

static void names_can_be_typed( void** state )
{
	static const struct
	{
		const char* in_file;
		const char* typed;
	} cases[] = {
		{ "", "0" },
		{ "a\tb\n", "a?b?" },
		{ "\"\\", "\"\\" },
		{ "\xc3\x84", "\xc3\x84" },
		{ "x\xff\x80", "x??" },
		{ "7", "7" },
	};
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	set_positions( m, keys, 2 );
	for ( size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i )
	{
		name( &m->animation.mName, cases[i].in_file );
		assert_int_equal( convert_named( f, m, cases[i].typed ), bv_ok );
		assert_string_equal( f->import.scene.clip->name, i ? cases[i].typed : "" );
	}
	char long_name[1000];
	memset( long_name, 'n', sizeof long_name );
	long_name[sizeof long_name - 1] = 0;
	name( &m->animation.mName, long_name );
	assert_int_equal( convert_named( f, m, "*" ), bv_ok );
}

static void a_vertex_that_is_not_finite_is_an_error( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	set_positions( m, keys, 2 );
	m->positions[1].y = INFINITY;
	assert_int_equal( convert_named( f, m, "0" ), bv_error_input );
	assert_string_equal( f->error.message, "m: clip 'Move': a vertex is not finite, at 0 s" );
}

// A node that names a parent elsewhere in the tree is moved by that one, unless this makes a circle.
static void parents_are_those_that_nodes_name( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	set_positions( m, keys, 2 );
	name( &m->channel.mNodeName, "a" );
	m->nodes[2].mParent = &m->nodes[1];
	const bvb_clip* clip = convert( f, m );
	expect_near( first_at( clip, 8 ), 1, 0, 0 );
	m->nodes[1].mParent = &m->nodes[2];
	clip = convert( f, m );
	expect_near( first_at( clip, 8 ), 0, 0, 0 );
}

// Whatever the child process leaves, the parent reads a clip or says why not.
static void random_damage_is_noticed_or_harmless( void** state )
{
	fixture* f = *state;
	model* m = make_model( f );
	struct aiVectorKey keys[] = { { 0, { 0, 0, 0 } }, { 8, { 1, 0, 0 } } };
	set_positions( m, keys, 2 );
	const bvassimp_instances all = { &m->instance, 1 };
	bvassimp_bytes bytes = bvassimp_animate( &m->scene, &all, "0", &f->notes, -1 );
	f->options.clip = ( bvb_clip_options ){ .name = "0", .samples = 3, .segments = 1 };
	uint32_t random = 1;
	int read = 0;
	for ( int i = 0; i < 4000; ++i )
	{
		bvassimp_report report = { .outcome = bvassimp_scene, .animated_bytes = bytes.size };
		int file = memfd_create( "test", 0 );
		assert_true( file >= 0 );
		random = random * 1664525u + 1013904223u;
		report.animated_bytes += i % 8 == 1 ? random >> ( random & 31 ) : 0;
		assert_int_equal( pwrite( file, &report, sizeof report, 0 ), sizeof report );
		assert_int_equal( pwrite( file, bytes.data, bytes.size, sizeof report ), bytes.size );
		random = random * 1664525u + 1013904223u;
		unsigned char byte = (unsigned char)random;
		if ( i % 8 != 1 && i > 0 )
		{
			pwrite( file, &byte, 1, (off_t)( sizeof report + ( random >> 8 ) % bytes.size ) );
		}
		f->import = ( bvb_import ){ .scene.mesh.triangle_count = i % 8 == 2 ? 2 : 1 };
		f->error.message[0] = 0;
		bv_status status = bvassimp_take_clip( "t", file, &f->options, f->arena, &f->import, &f->error );
		assert_true( ( status == bv_ok ) == ( f->error.message[0] == 0 ) );
		assert_true( status == bv_ok ? f->import.scene.clip != NULL : f->import.scene.clip == NULL );
		read += status == bv_ok;
		close( file );
	}
	free( bytes.data );
	assert_true( read > 100 && read < 3900 );
}

static char folder[] = "/tmp/bvb-test-assimp-clip-XXXXXX";

static int enter_scratch_folder( void** state )
{
	(void)state;
	return mkdtemp( folder ) && chdir( folder ) == 0 ? 0 : -1;
}

static int leave_scratch_folder( void** state )
{
	(void)state;
	return chdir( "/" ) == 0 ? rmdir( folder ) : -1;
}

#define TEST( name ) cmocka_unit_test_setup_teardown( name, set_up, tear_down )

int main( void )
{
	const struct CMUnitTest tests[] = {
		TEST( fbx_has_pivots_and_shapes ),
		TEST( collada_has_nodes_of_one_name ),
		TEST( x_has_bones ),
		TEST( md5_has_its_animation_in_another_file ),
		TEST( a_clip_at_rest_has_the_positions_of_the_file ),
		TEST( clips_are_found_by_name_and_number ),
		TEST( real_models_follow_their_animations ),
		TEST( ticks_become_seconds ),
		TEST( keys_are_sorted ),
		TEST( keys_at_one_time_are_a_jump ),
		TEST( keys_that_are_not_finite_are_ignored ),
		TEST( times_below_zero_are_shifted ),
		TEST( what_has_no_keys_stays ),
		TEST( rotations_become_unit_quaternions ),
		TEST( channels_need_a_node_of_their_own ),
		TEST( nodes_that_do_not_move_may_be_sheared ),
		TEST( vertices_have_any_number_of_bones ),
		TEST( morph_targets_have_keys_of_their_own ),
		TEST( names_can_be_typed ),
		TEST( a_vertex_that_is_not_finite_is_an_error ),
		TEST( parents_are_those_that_nodes_name ),
		TEST( random_damage_is_noticed_or_harmless ),
	};
	return cmocka_run_group_tests( tests, enter_scratch_folder, leave_scratch_folder );
}
