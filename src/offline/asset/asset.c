// The pipeline: the mesh of record, its tree, and what is known of both.

#include "bvbuild/asset.h"

#include "offline/asset/clip.h"
#include "offline/asset/describe.h"
#include "offline/asset/source.h"
#include "offline/base/arena.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char* copy_text( const char* text, bvb_arena* arena )
{
	size_t size = strlen( text ) + 1;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	return copy ? memcpy( copy, text, size ) : NULL;
}

static bool copy_side_files( const bvb_side_files* from, bvb_arena* arena, bvb_side_files* out )
{
	bvb_side_file* files = bvb_arena_allocate( arena, from->count, sizeof *files );
	bool good = files;
	for ( uint32_t i = 0; good && i < from->count; ++i )
	{
		files[i] = from->files[i];
		files[i].name = copy_text( files[i].name, arena );
		good = files[i].name;
	}
	*out = ( bvb_side_files ){ files, from->count };
	return good;
}

static bv_status copy_source( const bvb_source* source, bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	out->source = *source;
	out->source.name = copy_text( source->name, arena );
	out->source.format = copy_text( source->format, arena );
	out->source.warning = source->losses > 0 ? copy_text( source->warning, arena ) : NULL;
	out->options.hierarchy.builder = copy_text( out->options.hierarchy.builder, arena );
	out->options.hierarchy.splitter = copy_text( out->options.hierarchy.splitter, arena );
	out->options.hierarchy.node_box = copy_text( out->options.hierarchy.node_box, arena );
	out->options.obb.method = copy_text( out->options.obb.method, arena );
	const char* refit = out->options.hierarchy.refit;
	out->options.hierarchy.refit = refit ? copy_text( refit, arena ) : NULL;
	out->options.decompose.method = copy_text( out->options.decompose.method, arena );
	const char* clip = out->options.clip.name;
	out->options.clip.name = clip ? copy_text( clip, arena ) : NULL;
	const char* objects = out->options.objects;
	out->options.objects = objects ? copy_text( objects, arena ) : NULL;
	return copy_side_files( &source->side_files, arena, &out->source.side_files ) && out->source.name &&
	               out->source.format && ( out->source.warning || source->losses == 0 ) &&
	               out->options.hierarchy.builder && out->options.hierarchy.splitter &&
	               out->options.hierarchy.node_box && out->options.obb.method &&
	               out->options.decompose.method && ( out->options.hierarchy.refit || !refit ) &&
	               ( out->options.objects || !objects ) && ( out->options.clip.name || !clip )
	           ? bv_ok
	           : bvbase_fail_memory( error );
}

const char* bvb_stage_name( bvb_stage stage )
{
	static const char* const names[bvb_stages] = { "import",    "record",    "hierarchy", "topology",
		                                           "hull",      "mass",      "fit",       "hausdorff",
		                                           "recognise", "decompose", "simplify",  "write" };
	return names[stage];
}

// Tells that a stage begins.
static void begin( const bvb_asset* asset, bvb_stage stage )
{
	if ( asset->options.progress )
	{
		asset->options.progress( asset->options.progress_context, stage, -1 );
	}
}

// Writes down what a stage took since *last, which becomes now.
static void end( bvb_asset* asset, bvb_stage stage, double* last )
{
	double before = *last;
	*last = bvbase_clock();
	asset->stages[stage] = ( bvb_stage_use ){ *last - before, bvbase_peak_memory() };
}

// What was left out took no more than the stage before.
static void fill_memory( bvb_stage_use* stages )
{
	for ( int i = bvb_stage_record + 1; i < bvb_stage_write; ++i )
	{
		stages[i].memory = stages[i].memory ? stages[i].memory : stages[i - 1].memory;
	}
}

static void tell_of_errors( void* context, double done )
{
	const bvb_asset_options* options = context;
	options->progress( options->progress_context, bvb_stage_hausdorff, done );
}

static bool tell_of_parts( void* context, double done )
{
	const bvb_asset_options* options = context;
	options->progress( options->progress_context, bvb_stage_decompose, done );
	return true;
}

static bool wants( const bvb_asset* asset, bvb_section section )
{
	return asset->options.sections >> section & 1;
}

static bool wants_errors( const bvb_asset* asset )
{
	return wants( asset, bvb_section_errors ) && asset->options.errors.relative != 0;
}

static bool wants_primitives( const bvb_asset* asset )
{
	return wants( asset, bvb_section_primitives ) && asset->options.recognize.value != 0;
}

static bool wants_parts( const bvb_asset* asset )
{
	return wants( asset, bvb_section_parts );
}

static bool wants_proxy( const bvb_asset* asset )
{
	return wants( asset, bvb_section_proxy );
}

static double diagonal( const bv_aabb* box )
{
	double x = box->upper.x - box->lower.x;
	double y = box->upper.y - box->lower.y;
	double z = box->upper.z - box->lower.z;
	return sqrt( x * x + y * y + z * z );
}

// A time budget is that of the whole build, and the box of a round hull of many corners can take all of it.
static void limit_fit( bvb_asset* asset )
{
	static const double share = 1.0 / 16;
	static const double work_per_second = 5e7;
	double work = share * work_per_second * asset->options.decompose.time_budget;
	if ( wants_parts( asset ) && work > 0 && work < 0x1p63 )
	{
		uint64_t most = 1 + (uint64_t)work;
		uint64_t known = asset->options.obb.max_work;
		asset->options.obb.max_work = known > 0 && known < most ? known : most;
	}
}

static bool is_late( void* deadline )
{
	return bvbase_clock() > *(const double*)deadline;
}

static bv_status recognize( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	out->primitives = bvb_arena_allocate( arena, bv_primitive_kinds, sizeof *out->primitives );
	const bvb_mesh* mesh = &out->record.mesh;
	bvb_tolerance wanted = out->options.recognize;
	double tolerance = wanted.percent ? wanted.value / 100 * diagonal( &out->bounds.aabb ) : wanted.value;
	if ( !( tolerance > 0 && tolerance <= DBL_MAX ) )
	{
		bvb_arena_destroy( scratch );
		return bvbase_fail( error, bv_error_argument, "the tolerance of primitives, %g%s, is out of range",
		                    wanted.value, wanted.percent ? " %" : "" );
	}
	static const double share = 0.25; // of a time budget, which is that of the whole build
	double budget = wants_parts( out ) ? out->options.decompose.time_budget : 0;
	double deadline = bvbase_clock() + share * budget;
	bv_status status =
		out->primitives ? bvb_recognize( mesh, &out->hull, NULL, tolerance, budget > 0 ? is_late : NULL,
	                                     &deadline, scratch, out->primitives, &out->recognized.best, error )
						: bvbase_fail_memory( error );
	out->recognized.tolerance = tolerance;
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status decompose( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_tolerance wanted = out->options.stand_off;
	bvb_decompose_options options = out->options.decompose;
	options.tolerance = wanted.percent ? wanted.value / 100 * diagonal( &out->bounds.aabb ) : wanted.value;
	if ( !( options.tolerance >= 0 && options.tolerance <= DBL_MAX ) )
	{
		return bvbase_fail( error, bv_error_argument, "the tolerance of convex parts, %g%s, is out of range",
		                    wanted.value, wanted.percent ? " %" : "" );
	}
	// The budget is that of the whole build.
	static const double least_share = 0.1;
	for ( bvb_stage stage = bvb_stage_record; stage < bvb_stage_decompose; ++stage )
	{
		options.time_budget -= out->stages[stage].seconds;
	}
	options.time_budget = fmax( options.time_budget, least_share * out->options.decompose.time_budget );
	if ( out->options.progress && !options.progress )
	{
		options.progress = tell_of_parts;
		options.progress_context = &out->options;
	}
	return bvb_decompose( &out->record.mesh, &options, arena, &out->decomposition, error );
}

static void tell_of_proxy( void* context, double done )
{
	const bvb_asset_options* options = context;
	options->progress( options->progress_context, bvb_stage_simplify, done );
}

static bv_status simplify( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_tolerance wanted = out->options.simplify;
	bvb_simplify_options options = bvb_simplify_options_default();
	options.tolerance = wanted.percent ? wanted.value / 100 * diagonal( &out->bounds.aabb ) : wanted.value;
	options.threads = out->options.hierarchy.threads;
	if ( out->options.progress )
	{
		options.progress = tell_of_proxy;
		options.progress_context = &out->options;
	}
	return bvb_simplify( &out->record.mesh, &options, arena, &out->simplified, error );
}

static bv_status make_record( const bvb_scene* scene, bvb_arena* arena, bvasset_clip* clip, bvb_asset* out,
                              bvb_error* error )
{
	return scene->clip ? bvasset_clip_record( scene, &out->options.record, arena, clip, &out->record, error )
	                   : bvb_mesh_record( &scene->mesh, &out->options.record, arena, &out->record, error );
}

// First of all stages on the mesh, because it puts that into its final order.
static bv_status build_tree( const bvasset_clip* clip, bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	const bvb_hierarchy_options* options = &out->options.hierarchy;
	bv_status status =
		clip->scene
			? bvasset_clip_build( clip, options, &out->record.mesh, arena, &out->clip, &out->tree, error )
			: bvb_hierarchy_build( &out->record.mesh, options, arena, &out->tree, error );
	return status == bv_ok ? bvb_tree_snap( out->tree, &out->record.mesh, options->threads, arena, error )
	                       : status;
}

static bv_status measure_errors( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_tree_errors_options options = out->options.errors;
	if ( out->options.progress && !options.progress )
	{
		options.progress = tell_of_errors;
		options.progress_context = &out->options;
	}
	return bvb_hausdorff_tree( &out->record.mesh, out->tree, &options, arena, &out->errors, error );
}

static bv_status enclose_clip( const bvasset_clip* clip, bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	const bvb_asset_options* o = &out->options;
	bv_status status = bvasset_clip_enclose( clip, &out->record.mesh, out->tree, o->clip.frames,
	                                         o->hierarchy.threads, arena, &out->clip, error );
	const char* name = status == bv_ok ? copy_text( out->clip.name, arena ) : NULL;
	out->clip.name = name;
	return status == bv_ok && !name ? bvbase_fail_memory( error ) : status;
}

// A stage on the mesh and its tree as they will stay.
typedef struct asset_measurement
{
	bvb_stage stage;
	bool ( *is_wanted )( const bvb_asset* asset );
	bv_status ( *run )( bvb_arena* arena, bvb_asset* out, bvb_error* error );
} asset_measurement;

// Behind the fit, because errors are those of the final boxes.
static const asset_measurement measurements[] = {
	{ bvb_stage_hausdorff, wants_errors, measure_errors },
	{ bvb_stage_recognize, wants_primitives, recognize },
	{ bvb_stage_decompose, wants_parts, decompose },
	{ bvb_stage_simplify, wants_proxy, simplify },
};

// The caller may take them away now.
static void forget_who_is_told( bvb_asset_options* options )
{
	options->scene_owner = NULL;
	options->progress = NULL;
	options->progress_context = NULL;
	options->errors.progress = NULL;
	options->errors.progress_context = NULL;
	options->decompose.progress = NULL;
	options->decompose.progress_context = NULL;
}

// Where triangles come from is found at the end, if it is wanted.
static void give_back( const bvb_scene* scene, const bvb_asset* asset )
{
	bvb_arena* owner = asset->options.scene_owner;
	if ( owner && !wants( asset, bvb_section_source ) && !scene->clip )
	{
		bvbase_arena_release( owner, scene->mesh.positions );
		bvbase_arena_release( owner, scene->mesh.triangles );
		bvbase_arena_release( owner, scene->faces );
	}
}

// What the format has no place for, and what would take for ever.
static bv_status check_errors( const bvb_tree_errors_options* options, bvb_error* error )
{
	double relative = options->relative;
	double floor = options->floor;
	if ( relative != 0 && !( relative >= 1e-6 && relative <= 1 && floor >= 1e-9 && floor <= 1 ) )
	{
		return bvbase_fail( error, bv_error_argument, "the error tolerance %g is outside 1e-6 to 1",
		                    relative );
	}
	return bv_ok;
}

bv_status bvb_asset_build( const bvb_scene* scene, const bvb_source* source, const bvb_asset_options* options,
                           bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	*out = ( bvb_asset ){ .options = *options };
	double last = bvbase_clock();
	bvasset_clip clip = { .scene = NULL };
	bv_status status = check_errors( &options->errors, error );
	status = status == bv_ok && scene->clip ? bvasset_clip_check( scene, options, error ) : status;
	status = status == bv_ok ? bvb_sections_check( options->sections, error ) : status;
	if ( status == bv_ok && options->density != 0 && options->mass != 0 )
	{
		status = bvbase_fail( error, bv_error_argument, "a body can have a density or a mass, not both" );
	}
	status = status == bv_ok ? copy_source( source, arena, out, error ) : status;
	limit_fit( out );

	if ( status == bv_ok )
	{
		begin( out, bvb_stage_record );
		status = make_record( scene, arena, &clip, out, error );
		give_back( scene, out );
		end( out, bvb_stage_record, &last );
	}
	if ( status == bv_ok && wants( out, bvb_section_tree ) )
	{
		begin( out, bvb_stage_hierarchy );
		status = build_tree( &clip, arena, out, error );
		end( out, bvb_stage_hierarchy, &last );
	}
	for ( bvb_stage stage = bvb_stage_topology; status == bv_ok && stage <= bvb_stage_fit; ++stage )
	{
		begin( out, stage );
	}
	if ( status == bv_ok )
	{
		status = bvasset_describe( arena, out, error );
		last = bvbase_clock();
	}
	if ( status == bv_ok && out->tree )
	{
		bvb_tree_improve_root( out->tree, options->hierarchy.volume_types, &out->bounds.obb );
	}
	if ( status == bv_ok && clip.scene )
	{
		begin( out, bvb_stage_hausdorff );
		status = enclose_clip( &clip, arena, out, error );
		end( out, bvb_stage_hausdorff, &last );
	}
	double clip_seconds = out->stages[bvb_stage_hausdorff].seconds;
	for ( size_t i = 0; i < sizeof measurements / sizeof *measurements && status == bv_ok; ++i )
	{
		if ( measurements[i].is_wanted( out ) )
		{
			begin( out, measurements[i].stage );
			status = measurements[i].run( arena, out, error );
			end( out, measurements[i].stage, &last );
		}
	}
	if ( status == bv_ok && wants( out, bvb_section_source ) )
	{
		status = bvasset_map_source( scene, &out->record.mesh, arena, &out->origin, error );
	}
	out->stages[bvb_stage_hausdorff].seconds += wants_errors( out ) ? clip_seconds : 0;
	fill_memory( out->stages );
	forget_who_is_told( &out->options );
	return status == bv_ok && bvbase_arena_has_failed( arena ) ? bvbase_fail_memory( error ) : status;
}
