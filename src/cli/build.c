// One input of bvbuild. See build.h.

#include "cli/build.h"

#include "cli/cache.h"
#include "cli/gate.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/replace.h"
#include "cli/standard_input.h"
#include "cli/terminal.h"
#include "offline/base/clock.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"
#include "offline/job/job.h"
#include "offline/job/objects.h"
#include "offline/report/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One input on its way.
typedef struct build_job
{
	const settings* s;
	run_state* run;
	const char* input;
	bool from_stdin;
	double start;
	bvjob_source source;
	const char* patterns; // of objects, as they are written down; null for all
	recipe recipe;        // of the output
	bool known;           // the recipe
	bvb_report_build build;
	asset_result* result;
} build_job;

// What is told of long work makes room for a message.
static void say( const build_job* j, const bvb_error* error )
{
	hide_progress( j->run->told );
	complain( j->s->tool, error, exit_done );
}

static void note_failure( const build_job* j, const bvb_error* error, int code )
{
	asset_result* r = j->result;
	r->error = r->code == exit_done ? *error : r->error;
	r->code = code > r->code ? code : r->code;
}

static void fail( const build_job* j, bv_status status, const bvb_error* error )
{
	say( j, error );
	note_failure( j, error, exit_code( status ) );
}

// What is lost is lost silently otherwise: Assimp leaves out faces and calls that a success.
static void print_losses( const build_job* j )
{
	bvb_error line;
	const bvb_import* import = &j->source.import;
	if ( import->losses > 0 && ( !j->s->quiet || j->s->build.strict ) )
	{
		bvbase_fail(
			&line, bv_ok, "%s: geometry may be missing: the importer reported %llu warning%s (first: %s)",
			j->input, (unsigned long long)import->losses, bvbase_plural( import->losses ), import->warning );
		say( j, &line );
	}
}

static const char* name_unit( const build_job* j )
{
	const bvb_record_options* r = &j->s->build.asset.record;
	const char* unit = bvreport_unit_of( r->units != bvb_units_unsaid, r->scale, r->normalize );
	return unit ? unit : "mesh units";
}

static void print_cleaning( const build_job* j, const bvb_record* record )
{
	fprintf( stderr, "  read %u triangles, dropped %llu degenerate, %llu duplicate, %llu not finite\n",
	         j->source.import.scene.mesh.triangle_count, (unsigned long long)record->removed_degenerate,
	         (unsigned long long)record->removed_duplicate, (unsigned long long)record->removed_non_finite );
	fprintf( stderr, "  skipped %llu points, %llu lines; merged %llu vertices, removed %llu unused\n",
	         (unsigned long long)j->source.import.points, (unsigned long long)j->source.import.lines,
	         (unsigned long long)record->merged_vertices, (unsigned long long)record->unused_vertices );
	if ( j->source.import.warnings > 0 )
	{
		fprintf( stderr, "  the importer reported %llu warning%s (first: %s)\n",
		         (unsigned long long)j->source.import.warnings, bvbase_plural( j->source.import.warnings ),
		         j->source.import.warning );
	}
	fprintf( stderr, "  %u vertices, moved by at most %.3g %s\n", record->mesh.vertex_count,
	         record->largest_displacement, name_unit( j ) );
}

// A stage that was left out has taken no time, and no memory.
static void print_times( const bvb_report_build* build )
{
	uint64_t before = 0;
	fprintf( stderr, "  %-10s %12s %14s %11s\n", "stage", "time, ms", "memory, MB", "added, MB" );
	for ( int i = 0; i < bvb_stages; ++i )
	{
		const bvb_stage_use* use = build->stages + i;
		fprintf( stderr, "  %-10s %12.1f %14.1f %11.1f\n", bvb_stage_name( (bvb_stage)i ), 1e3 * use->seconds,
		         1e-6 * (double)use->memory, 1e-6 * (double)( use->memory - before ) );
		before = use->memory;
	}
	fprintf( stderr, "  %-10s %12.1f %14.1f\n", "total", 1e3 * build->total_seconds,
	         1e-6 * (double)build->peak_memory );
}

static void print_parts( const bvb_decomposition* d, const char* unit )
{
	if ( d->part_count > 0 )
	{
		fprintf(
			stderr,
			"  %u convex part%s, %u vertices, %s, largest stand-off %.3g to %.3g %s; tried %llu cuts%s\n",
			d->part_count, bvbase_plural( d->part_count ), d->vertices, d->solid ? "solid" : "surface",
			d->concavity.lower, d->concavity.upper, unit, (unsigned long long)d->steps,
			d->out_of_time ? "; stopped by --time-budget" : "" );
	}
}

static void print_body( const bv_body* body )
{
	static const char* const names[] = { "solid", "surface", "convex hull" };
	fprintf( stderr, "  mass %.6g, density %.6g, of the %s\n", body->mass.mass, body->density,
	         names[body->of] );
}

static void print_proxy( const bvb_simplified* s, uint32_t triangles, const char* unit )
{
	if ( s->mesh.triangle_count > 0 )
	{
		fprintf( stderr,
		         "  proxy: %u triangle%s, within %.3g %s of the mesh, encloses %u of its %u triangles\n",
		         s->mesh.triangle_count, bvbase_plural( s->mesh.triangle_count ),
		         s->from_proxy.upper > s->from_mesh.upper ? s->from_proxy.upper : s->from_mesh.upper, unit,
		         s->enclosed, triangles );
	}
}

static void print_result( const build_job* j, const bvb_asset* asset, const char* output, size_t bytes )
{
	if ( j->s->quiet )
	{
		return;
	}
	const bvb_mesh* mesh = &asset->record.mesh;
	uint32_t nodes = asset->tree ? bvb_tree_node_count( asset->tree ) : 0;
	bvb_error line; // a file name may hold line breaks and escapes, which a message never does
	bvbase_fail( &line, bv_ok, "%s: %u triangle%s, %u node%s, %zu bytes (%.1f per triangle)", output,
	             mesh->triangle_count, bvbase_plural( mesh->triangle_count ), nodes, bvbase_plural( nodes ),
	             bytes, (double)bytes / mesh->triangle_count );
	fprintf( stderr, "%s\n", line.message );
	if ( j->s->verbose )
	{
		print_cleaning( j, &asset->record );
		print_parts( &asset->decomposition, name_unit( j ) );
		print_proxy( &asset->simplified, mesh->triangle_count, name_unit( j ) );
		if ( asset->has_body )
		{
			print_body( &asset->body );
		}
		print_times( &j->build );
	}
}

// A report in memory.
typedef struct build_report
{
	const void* data;
	size_t size;
} build_report;

static bv_status make_report( const bv_file* file, const bvb_report_build* build, const char* path,
                              bvb_arena* arena, build_report* out, bvb_error* error )
{
	if ( has_extension( path, ".html" ) )
	{
		return bvb_report_html( file, build, arena, &out->data, &out->size, error );
	}
	char* text;
	bv_status status = bvb_report_json( file, build, arena, &text, error );
	*out = ( build_report ){ text, status == bv_ok ? strlen( text ) : 0 };
	return status;
}

// @param reports  receives them, one for each --report
static bv_status make_reports( const build_job* j, const bv_file* file, bvb_arena* arena,
                               build_report** reports, bvb_error* error )
{
	*reports = bvb_arena_allocate( arena, (size_t)j->s->report_count, sizeof **reports );
	bv_status status = *reports ? bv_ok : bvbase_fail_memory( error );
	for ( int i = 0; i < j->s->report_count && status == bv_ok; ++i )
	{
		status = make_report( file, &j->build, j->s->reports[i], arena, *reports + i, error );
	}
	return status;
}

static bv_status write_reports( const build_job* j, const build_report* reports, bvb_error* error )
{
	bv_status status = bv_ok;
	for ( int i = 0; i < j->s->report_count && status == bv_ok; ++i )
	{
		status = bvb_write_file( j->s->reports[i], reports[i].data, reports[i].size, error );
	}
	return status;
}

static bv_status make_asset( const build_job* j, const bool* wanted, const char* objects, bvb_arena* arena,
                             bvjob_made* made, bvb_error* error )
{
	bvb_asset_options options = j->s->build.asset;
	options.objects = objects;
	options.scene_owner = j->s->split ? NULL : arena;
	options.progress = j->run->told ? tell_stage : NULL;
	options.progress_context = j->run->told;
	return bvjob_make( &j->source, &options, j->s->split ? objects : NULL, wanted, arena, made, error );
}

static void take_time( build_job* j, double before_write )
{
	j->build.stages[bvb_stage_write] =
		( bvb_stage_use ){ bvbase_clock() - before_write, bvbase_peak_memory() };
	j->build.total_seconds = bvbase_clock() - j->start;
	j->build.peak_memory = j->build.stages[bvb_stage_write].memory;
}

// Whether all conditions hold of what is to be written.
static bv_status pass_gates( build_job* j, const char* output, const bv_file* file, bvb_arena* arena,
                             bool* pass, bvb_error* error )
{
	char* text;
	*pass = true;
	if ( j->s->build.gates.count == 0 )
	{
		return bv_ok;
	}
	bv_status status = bvb_report_json_for( file, &j->build, j->s->build.gates.conditions,
	                                        j->s->build.gates.count, arena, &text, error );
	if ( status == bv_ok )
	{
		hide_progress( j->run->told );
		bvb_error reason;
		int code = check_gates( j->s->tool, &j->s->build.gates, output, text, arena, &reason );
		*pass = code == exit_done;
		if ( !*pass )
		{
			note_failure( j, &reason, code );
		}
	}
	return status;
}

// Prints one problem of the file that is to be written.
// @param is_told  it was printed before; --strict still makes it an error
// @param pass     set to false with --strict
static void tell_bad( build_job* j, const char* output, const char* text, const char* advice, bool is_told,
                      bool* pass )
{
	bvb_error line;
	bvbase_fail( &line, bv_ok, "%s: %s%s%s%s", j->s->build.strict ? output : j->input, text,
	             advice ? " (" : "", advice ? advice : "", advice ? ")" : "" );
	if ( !is_told && ( !j->s->quiet || j->s->build.strict ) )
	{
		hide_progress( j->run->told );
		say( j, &line );
	}
	if ( j->s->build.strict )
	{
		note_failure( j, &line, exit_gate );
		*pass = false;
	}
}

static void tell_lost_objects( build_job* j, const char* output, const bvjob_lost_objects* lost,
                               bvb_arena* arena, bool* pass )
{
	const uint32_t most = j->s->verbose ? lost->count : 8;
	for ( uint32_t i = 0; i < lost->count && i < most; ++i )
	{
		const char* text = bvjob_lost_text( lost->objects + i, arena );
		tell_bad( j, output, text ? text : "nothing is left of an object", NULL, false, pass );
	}
	if ( lost->count > most )
	{
		char text[64];
		snprintf( text, sizeof text, "nothing is left of %u more objects", lost->count - most );
		tell_bad( j, output, text, "--verbose names all", false, pass );
	}
}

// Prints the problems of the file that is to be written.
// @param pass  set to false with --strict
static bv_status tell_problems( build_job* j, const char* output, const bv_file* file, bvb_arena* arena,
                                bool* pass, bvb_error* error )
{
	const bvb_problem* problems;
	uint32_t count = 0;
	bv_status status = bvb_find_problems( file, arena, &problems, &count, error );
	for ( uint32_t i = 0; i < count && status == bv_ok; ++i )
	{
		const bvb_problem* p = problems + i;
		bool is_told = strcmp( p->key, "mesh.skipped" ) == 0; // by the import, once for all outputs
		tell_bad( j, output, p->text, p->advice, is_told, pass );
	}
	return status;
}

static bv_status check_output( const build_job* j, const char* output, bvb_error* error )
{
	const char* input = find_input( j->run->plan, output );
	return !input ? check_replaced( output, written_bvh, j->s->force_output, error )
	              : bvbase_fail( error, bv_error_argument, "%s: is both %s and the output", input,
	                             strcmp( input, j->input ) == 0 ? "the input" : "an input" );
}

// Of files that are read besides the input nothing was known before.
static bv_status check_side_files( const build_job* j, const char* output, bvb_error* error )
{
	char folder[bvbase_path_bytes];
	char path[2 * bvbase_path_bytes];
	const bvb_side_files* read = &j->source.import.side_files;
	get_folder( j->input, folder );
	for ( uint32_t i = 0; i < read->count; ++i )
	{
		const char* name = read->files[i].name;
		bool alone = bvbase_path_is_absolute( name );
		snprintf( path, sizeof path, "%s%s%s", alone ? "" : folder, alone ? "" : "/", name );
		if ( is_same_file( path, output ) )
		{
			return bvbase_fail( error, bv_error_argument, "%s: is read with %s and cannot be the output",
			                    output, j->input );
		}
	}
	return bv_ok;
}

static bv_status write_to_stdout( const bvb_bytes* bytes, bvb_error* error )
{
	const char* data = bytes->data;
	for ( size_t left = bytes->size; left > 0; )
	{
		int64_t written = bvbase_file_write( 1, data, left < 1 << 30 ? left : 1 << 30 );
		if ( written < 0 && errno != EINTR )
		{
			return bvbase_fail( error, bv_error_output, "standard output: %s", strerror( errno ) );
		}
		data += written > 0 ? written : 0;
		left -= written > 0 ? (size_t)written : 0;
	}
	return bv_ok;
}

static bv_status write_output( build_job* j, const char* output, const bvb_bytes* bytes, bvb_error* error )
{
	bv_status status = j->run->plan->folders ? make_folder_of( output, error ) : bv_ok;
	if ( status == bv_ok )
	{
		status = is_stdout( output ) ? write_to_stdout( bytes, error )
		                             : bvb_write_file( output, bytes->data, bytes->size, error );
	}
	if ( status == bv_ok )
	{
		j->result->files += 1;
		j->result->bytes += bytes->size;
	}
	return status;
}

// For the next time. What depends on the time that it took is not kept, nor what a warning belongs to. A
// cache that does not work is no reason to fail.
static void keep_result( build_job* j, const bvjob_made* made, bvb_arena* arena )
{
	bvb_error error;
	if ( !j->s->cache || !j->known || j->run->cache_failed || j->source.import.losses > 0 ||
	     made->lost.count > 0 || made->asset.decomposition.out_of_time ||
	     memcmp( j->recipe.hash, j->source.import.hash, sizeof j->recipe.hash ) != 0 )
	{
		return;
	}
	if ( store_cached( j->s->cache, &j->recipe, &j->source.import.side_files, &made->bytes, arena, &error ) !=
	     bv_ok )
	{
		bvb_error inner = error;
		bvbase_fail( &error, bv_ok, "%s (no more results are stored in the cache)", inner.message );
		say( j, &error );
		j->run->cache_failed = true;
	}
}

// Builds one file. If a gate fails, reports are still written and the output is unchanged. Reports are made
// before anything is written: they need much memory, and running out of it must leave nothing behind.
// @param wanted   items; null for all
// @param objects  how to write down which; null for all
static bv_status build_one( build_job* j, const bool* wanted, const char* objects, const char* output,
                            bvb_arena* arena, bvb_error* error )
{
	bvjob_made made;
	bv_status status = check_output( j, output, error );
	status = status == bv_ok ? check_side_files( j, output, error ) : status;
	status = status == bv_ok ? make_asset( j, wanted, objects, arena, &made, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	bool pass;
	bvjob_take_stages( &made, &j->build );
	take_time( j, made.encoding_began );
	status = pass_gates( j, output, made.file, arena, &pass, error );
	status = status == bv_ok ? tell_problems( j, output, made.file, arena, &pass, error ) : status;
	tell_lost_objects( j, output, &made.lost, arena, &pass );
	build_report* reports = NULL;
	if ( status == bv_ok && j->s->report_count > 0 )
	{
		status = make_reports( j, made.file, arena, &reports, error );
	}
	if ( status == bv_ok && pass )
	{
		// Into the cache first: the next run sees to it that what a killed one leaves there goes, unless its
		// output is up to date.
		keep_result( j, &made, arena );
		status = write_output( j, output, &made.bytes, error );
		take_time( j, made.encoding_began );
	}
	hide_progress( j->run->told );
	if ( status == bv_ok && pass )
	{
		j->result->triangles += made.asset.record.mesh.triangle_count;
		print_result( j, &made.asset, output, made.bytes.size );
	}
	return status == bv_ok ? write_reports( j, reports, error ) : status;
}

// One file for each item; one failure does not stop the rest.
static void build_split( build_job* j, const char* folder, bvb_arena* arena )
{
	bvb_error error;
	bool* wanted = bvb_arena_allocate( arena, j->source.items.count, sizeof *wanted );
	split_files* files = bvb_arena_allocate( j->run->arena, 1, sizeof *files );
	bv_status status = wanted && files
	                       ? name_split_files( &j->source.items, j->source.wanted, folder, j->input,
	                                           j->s->full_names, j->run->files, j->run->arena, files, &error )
	                       : bvbase_fail_memory( &error );
	if ( status != bv_ok )
	{
		fail( j, status, &error );
		return;
	}
	j->run->files = files;
	for ( uint32_t i = 0; i < j->source.items.count; ++i )
	{
		if ( !files->paths[i] )
		{
			continue;
		}
		bvb_arena* own = bvb_arena_create();
		wanted[i] = true;
		status = own ? build_one( j, wanted, j->source.items.items[i].name, files->paths[i], own, &error )
		             : bvbase_fail_memory( &error );
		wanted[i] = false;
		if ( status != bv_ok )
		{
			fail( j, status, &error );
		}
		bvb_arena_destroy( own );
	}
}

static void build_merged( build_job* j, const char* output, bvb_arena* arena )
{
	bvb_error error;
	bv_status status = build_one( j, j->source.wanted, j->patterns, output, arena, &error );
	if ( status != bv_ok )
	{
		fail( j, status, &error );
	}
}

// What each object of the source is used as: one line each, tabs between.
static void list_objects( const build_job* j, bvb_arena* arena )
{
	const bvb_scene* scene = &j->source.import.scene;
	uint64_t* triangles = bvb_arena_allocate( arena, scene->object_count, sizeof *triangles );
	for ( uint32_t i = 0; triangles && i < scene->segment_count; ++i )
	{
		uint32_t end =
			i + 1 < scene->segment_count ? scene->segments[i + 1].first_triangle : scene->mesh.triangle_count;
		triangles[scene->segments[i].object] += end - scene->segments[i].first_triangle;
	}
	printf( "triangles\tproxy\tobject\tstands for\n" );
	for ( uint32_t i = 0; triangles && i < scene->object_count; ++i )
	{
		uint32_t item = j->source.items.item[i];
		bvb_proxy proxy = j->source.items.proxy[i];
		if ( item != BVB_NO_NAME && ( !j->source.wanted || j->source.wanted[item] ) )
		{
			bvb_error line; // without the control characters that a name may have
			bvbase_fail( &line, bv_ok, "%s", scene->objects[i] );
			printf( "%llu\t%s\t%s", (unsigned long long)triangles[i], bvb_proxy_text( proxy ), line.message );
			bvbase_fail( &line, bv_ok, "%s",
			             proxy == bvb_proxy_none ? "" : j->source.items.items[item].name );
			printf( "\t%s\n", line.message );
		}
	}
}

static bv_status import( build_job* j, bvb_arena* arena, bvb_error* error )
{
	char* data = NULL;
	bvb_build_input input = { .name = j->input, .format = j->s->format };
	bv_status status = j->from_stdin ? read_stdin( &data, &input.size, error ) : bv_ok;
	input.data = data;
	status = status == bv_ok ? bvjob_read( &input, &j->s->build, arena, &j->source, error ) : status;
	free( data );
	return status;
}

static void build_imported( build_job* j, const char* output, bvb_arena* arena )
{
	bvb_error error;
	tell_stage( j->run->told, bvb_stage_import, -1 );
	bv_status status = import( j, arena, &error );
	j->build.stages[bvb_stage_import] = ( bvb_stage_use ){ bvbase_clock() - j->start, bvbase_peak_memory() };
	if ( status == bv_ok )
	{
		print_losses( j );
		status = bvjob_sort_out( &j->source, &j->s->build, arena, &error );
	}
	if ( status != bv_ok )
	{
		fail( j, status, &error );
	}
	else if ( j->s->list_objects )
	{
		list_objects( j, arena );
	}
	else if ( j->s->split )
	{
		build_split( j, output, arena );
	}
	else
	{
		build_merged( j, output, arena );
	}
}

// Reports and conditions are about a build, stdout keeps nothing, and stdin is read once.
static bool needs_build( const settings* s )
{
	return s->format || s->split || ( s->output && is_stdout( s->output ) ) || s->list_objects ||
	       s->report_count > 0 || s->build.gates.count > 0 || s->build.strict;
}

static void keep_output( build_job* j, const char* output, struct timespec newest )
{
	bvbase_file_state state;
	bvb_discard_temporary( output );
	j->result->what = outcome_fresh;
	j->result->files = 1;
	j->result->bytes = bvbase_path_get_state( output, &state ) ? state.size : 0;
	if ( !j->s->no_touch )
	{
		// A build system that asks for dependencies has its reasons to call, such as another bvbuild or other
		// options, and calls again until the output is newer than those.
		const char* file;
		for ( int i = 0; ( file = get_settings_file( j->s, i ) ) != NULL; ++i )
		{
			take_newer( file, &newest );
		}
		touch_output( output, newest, j->s->depfile != NULL );
	}
	if ( !j->s->quiet && j->run->plan->count == 1 )
	{
		bvb_error line;
		bvbase_fail( &line, bv_ok, "%s: up to date", output );
		fprintf( stderr, "%s\n", line.message );
	}
}

// @return whether the output has been taken from the cache, or an attempt to has failed
static bool take_cached( build_job* j, const char* output, bvb_arena* arena )
{
	bvb_error error;
	bvb_bytes bytes;
	if ( !j->s->cache || !find_cached( j->s->cache, &j->recipe, arena, &bytes ) )
	{
		return false;
	}
	j->result->what = outcome_cached;
	bv_status status = check_output( j, output, &error );
	status = status == bv_ok ? write_output( j, output, &bytes, &error ) : status;
	if ( status != bv_ok )
	{
		fail( j, status, &error );
	}
	else if ( !j->s->quiet )
	{
		bool pass = true; // --strict builds always
		const bv_file* file;
		if ( bv_file_open( bytes.data, bytes.size, &file ) == bv_ok )
		{
			tell_problems( j, output, file, arena, &pass, &error );
		}
		bvbase_fail( &error, bv_ok, "%s: %zu bytes, from the cache", output, bytes.size );
		hide_progress( j->run->told );
		fprintf( stderr, "%s\n", error.message );
	}
	return true;
}

// Builds the output, unless it is there. What is wrong with the input is said by the import.
static void make_output( build_job* j, const char* output, bvb_arena* arena )
{
	bvb_error error;
	struct timespec newest;
	bvb_asset_options options = j->s->build.asset;
	bv_status status = bvjob_join_patterns( &j->s->build, arena, &j->patterns, &error );
	options.objects = j->patterns;
	if ( status != bv_ok )
	{
		fail( j, status, &error );
		return;
	}
	j->known = !needs_build( j->s ) && ( !j->s->force || j->s->cache ) &&
	           describe_build( j->input, &options, arena, &j->recipe, &error ) == bv_ok;
	bool may_skip = j->known && !j->s->force;
	if ( may_skip && is_up_to_date( output, &j->recipe, &newest ) )
	{
		keep_output( j, output, newest );
		return;
	}
	if ( may_skip && take_cached( j, output, arena ) )
	{
		return;
	}
	build_imported( j, output, arena );
}

void build_input( run_state* run, int index, asset_result* result )
{
	const planned* asset = run->plan->assets + index;
	build_job j = {
		.s = asset->s, .run = run, .input = asset->input, .start = bvbase_clock(), .result = result
	};
	j.from_stdin = is_stdin( j.input );
	j.input = j.from_stdin ? "stdin" : j.input;
	bvb_arena* arena = bvb_arena_create();
	*result = ( asset_result ){ .what = outcome_built };
	tell_input( run->told, j.input, index );
	if ( arena )
	{
		make_output( &j, asset->output, arena );
	}
	else
	{
		bvb_error error;
		fail( &j, bvbase_fail_memory( &error ), &error );
	}
	bvb_arena_destroy( arena );
	hide_progress( run->told );
	result->what = result->code == exit_done ? result->what : outcome_failed;
	result->seconds = bvbase_clock() - j.start;
}
