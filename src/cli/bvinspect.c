// bvinspect: shows and verifies .bvh files, and runs queries between two of them.

#include "bv/bv.h"
#include "bvbuild/bvbuild.h"
#include "cli/compare.h"
#include "cli/export.h"
#include "cli/gate.h"
#include "cli/help.h"
#include "cli/listing.h"
#include "cli/options.h"
#include "cli/pages.h"
#include "cli/queries.h"
#include "cli/summary.h"
#include "cli/table.h"
#include "cli/triangles.h"
#include "offline/base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the command line asks for.
typedef struct bvinspect_settings
{
	const tool* tool;
	name_list inputs;
	bool measure_costs;
	const char* html; // where to write the report
	bool force_output;
	const char* collide;
	const char* distance;
	const char* contacts;
	const char* inside;
	const char* triangles;
	const char* compare;
	bool has_subject;   // --of is given
	bool has_motion_of; // --motion-of is given
	bool has_speculative;
	const char* method;
	query_settings queries;
	export_settings exports;
	bvb_gates gates;
	listing_settings listing;
	bool csv;
	bool jsonl;
	bool json;
	bool findings;
	bool verify;
	bool quiet;
	bool help;
	const char* topic; // of help
	bool version;
} bvinspect_settings;

static bv_status set_compare( void* context, const char* value, bvb_error* error )
{
	bvinspect_settings* s = context;
	bool twice = s->compare;
	s->compare = value;
	return twice ? bvbase_fail( error, bv_error_argument, "--compare can be given once" ) : bv_ok;
}

static const char* naming_word( uint32_t index )
{
	return bvb_export_naming( index, NULL );
}

static bv_status set_export( void* context, const char* value, bvb_error* error )
{
	return add_export( &( (bvinspect_settings*)context )->exports, value, error );
}

static bv_status set_gate( void* context, const char* value, bvb_error* error )
{
	return bvopt_take_gate( &( (bvinspect_settings*)context )->gates, value, error );
}

static bv_status set_subject( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	( (bvinspect_settings*)context )->has_subject = true;
	return bv_ok;
}

static bv_status set_motion_of( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	( (bvinspect_settings*)context )->has_motion_of = true;
	return bv_ok;
}

static bv_status set_speculative( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	( (bvinspect_settings*)context )->has_speculative = true;
	return bv_ok;
}

static bv_status set_listed( void* context, const char* value, bvb_error* error )
{
	return set_columns( &( (bvinspect_settings*)context )->listing, value, error );
}

static bv_status add_input( void* context, char* argument, bvb_error* error )
{
	bvinspect_settings* s = context;
	return add_name( &s->inputs, argument, error );
}

static bv_status set_help( void* context, const char* value, bvb_error* error )
{
	(void)value;
	(void)error;
	( (bvinspect_settings*)context )->help = true;
	return bv_ok;
}

static const option options[] = {
	{ "json", 0, NULL,
	  "Print the report of one file as JSON.\n"
	  "The keys are described in report-keys.md, which is in\n"
	  "share/doc/bvbuild.",
	  bvasset_option_flag, offsetof( bvinspect_settings, json ), .group = bvasset_help_show,
	  .see = "--jsonl, --html, --gate", .example = "bvinspect --json rock.bvh" },
	{ "findings", 0, NULL,
	  "Print all findings in full, with what would help.\n"
	  "The worst come first. Works with any number of files. problems is the\n"
	  "number of bad ones in expressions, as in --gate 'problems == 0'.",
	  bvasset_option_flag, offsetof( bvinspect_settings, findings ), .group = bvasset_help_show,
	  .see = "--json, --gate", .example = "bvinspect --findings rock.bvh" },
	{ "html", 0, "OUT",
	  "Write the report to OUT as a page with plots and a 3D view.\n"
	  "The page is one file that needs no network. Of several files, and if OUT\n"
	  "is a folder, there is a page each, and an index of them.",
	  bvasset_option_path, offsetof( bvinspect_settings, html ), .group = bvasset_help_show, .see = "--json",
	  .example = "bvinspect --html rock.html rock.bvh" },
	{ "force-output", 0, NULL,
	  "Replace any existing file, except the input.\n"
	  "By default only files of the same kind are replaced.",
	  bvasset_option_flag, offsetof( bvinspect_settings, force_output ), .group = bvasset_help_rarely,
	  .see = "--html, --export", .example = "bvinspect --html rock.html rock.bvh --force-output" },
	{ "columns", 0, "EXPR,...",
	  "Print a table of keys of the report, or expressions of them.\n"
	  "For example\n"
	  "mesh.triangles,max(hierarchy.levels[].nodes)",
	  bvasset_option_other, offsetof( bvinspect_settings, listing ), .apply = set_listed,
	  .group = bvasset_help_show, .see = "--csv, --jsonl",
	  .example = "bvinspect a.bvh b.bvh --columns 'file.bytes,mesh.closed'" },
	{ "csv", 0, NULL,
	  "Print the table as CSV.\n"
	  "The format is that of RFC 4180. Works with several files, or --columns.",
	  bvasset_option_flag, offsetof( bvinspect_settings, csv ), .group = bvasset_help_show,
	  .see = "--columns", .example = "bvinspect --csv a.bvh b.bvh" },
	{ "jsonl", 0, NULL,
	  "Print one line of JSON per file: its report, or its columns.\n"
	  "Each object begins with the path of the file.",
	  bvasset_option_flag, offsetof( bvinspect_settings, jsonl ), .group = bvasset_help_show,
	  .see = "--columns, --json", .example = "bvinspect --jsonl a.bvh b.bvh" },
	{ "gate", 0, "CONDITION",
	  "Exit with 6 unless CONDITION holds; repeatable.\n"
	  "CONDITION is an expression of keys of the report. The language is\n"
	  "described in gates.md, which is in share/doc/bvbuild.",
	  bvasset_option_other, offsetof( bvinspect_settings, gates ), .apply = set_gate,
	  .group = bvasset_help_check, .see = "--verify, --compare, --json",
	  .example = "bvinspect rock.bvh --gate 'hierarchy.nodes < 1e5 and mesh.closed'" },
	{ "compare", 0, "AFTER.bvh",
	  "Show what changed from FILE to AFTER.\n"
	  "The distance of the meshes is certified. --json prints everything.\n"
	  "Conditions of --gate have the keys before, after, change and distance.",
	  bvasset_option_other, offsetof( bvinspect_settings, compare ), .apply = set_compare,
	  .group = bvasset_help_check, .see = "--json, --gate",
	  .example = "bvinspect old.bvh --compare new.bvh --gate 'count(worse) == 0'" },
	{ "verify", 0, NULL,
	  "Prove that every volume encloses its subtree; exit with 6 if not.\n"
	  "All certified errors are computed again.",
	  bvasset_option_flag, offsetof( bvinspect_settings, verify ), .group = bvasset_help_check,
	  .see = "--gate", .example = "bvinspect --verify rock.bvh" },
	{ "export", 0, "WHAT,PATH",
	  "Write WHAT as a mesh for other programs; repeatable.\n"
	  "What can be exported, and the formats, are listed below.",
	  bvasset_option_other, offsetof( bvinspect_settings, exports ), .apply = set_export,
	  .names = bvb_export_name, .title = "What can be exported (--export)", .group = bvasset_help_show,
	  .example = "bvinspect rock.bvh --export mesh,rock.obj" },
	{ "naming", 0, NULL,
	  "Name exported shapes as an engine expects it (default plain).\n"
	  "unreal: UCX_NAME_00; godot: NAME-convcolonly; unity: NAME_collider, as\n"
	  "children of NAME. Shapes are then where the source has them: --up,\n"
	  "--units and --scale of the build are undone.",
	  bvasset_option_word, offsetof( bvinspect_settings, exports.naming ), .words = naming_word,
	  .group = bvasset_help_show, .see = "--export",
	  .example = "bvinspect rock.bvh --export body=parts,rock.glb --naming unreal" },
	{ "collide", 0, "OTHER.bvh",
	  "Count intersecting triangles with OTHER in each pose.\n"
	  "Prints CSV: pose,pairs,volume_tests,triangle_tests,microseconds.",
	  bvasset_option_text, offsetof( bvinspect_settings, collide ), .group = bvasset_help_query,
	  .see = "--poses, --motions, --first, --repeat",
	  .example = "bvinspect a.bvh --collide b.bvh --poses poses.csv" },
	{ "distance", 0, "OTHER.bvh",
	  "Find the distance and nearest points to OTHER in each pose.\n"
	  "Prints CSV with one row per pose; --help=all lists the columns.",
	  bvasset_option_text, offsetof( bvinspect_settings, distance ), .group = bvasset_help_query,
	  .see = "--of, --poses, --repeat", .example = "bvinspect a.bvh --distance b.bvh --poses poses.csv" },
	{ "contacts", 0, "OTHER.bvh",
	  "Find contact points with OTHER in each pose.\n"
	  "Prints CSV with one row per point, and no row for a pose without contacts;\n"
	  "--help=all lists the columns.",
	  bvasset_option_text, offsetof( bvinspect_settings, contacts ), .group = bvasset_help_query,
	  .see = "--of, --poses, --speculative, --repeat",
	  .example = "bvinspect a.bvh --contacts b.bvh --of parts --poses poses.csv" },
	{ "speculative", 0, "D",
	  "With --contacts: contacts up to this separation (default 0).\n"
	  "D is a length in the unit of FILE. By default only what touches or\n"
	  "overlaps has contacts.",
	  bvasset_option_real, offsetof( bvinspect_settings, queries.speculative ), .most = BV_MAX_LENGTH,
	  .apply = set_speculative, .group = bvasset_help_query, .see = "--contacts",
	  .example = "bvinspect a.bvh --contacts b.bvh --of hull --speculative 0.01" },
	{ "of", 0, NULL,
	  "With --distance or --contacts: what is compared (default: mesh).\n"
	  "hull and parts have signed distances, below 0 where they overlap, as\n"
	  "an interval from lower to upper. Of parts it is the smallest one of all\n"
	  "pairs: the nearest pair, or the one that overlaps deepest.",
	  bvasset_option_word, offsetof( bvinspect_settings, queries.of ), .words = query_subject_name,
	  .apply = set_subject, .group = bvasset_help_query, .see = "--distance, --contacts, --method",
	  .example = "bvinspect a.bvh --distance b.bvh --of parts --poses poses.csv" },
	{ "method", 0, "NAME",
	  "With --distance --of hull or parts: the method; listed below.\n"
	  "A method that does not compare such shapes is an error (exit code 3).",
	  bvasset_option_name, offsetof( bvinspect_settings, method ), .names = query_method_name,
	  .title = "Methods (--method)", .group = bvasset_help_query, .see = "--of",
	  .example = "bvinspect a.bvh --distance b.bvh --of parts --method sat" },
	{ "poses", 0, "FILE.csv",
	  "Poses of OTHER: translations, quaternions or matrices.\n"
	  "Each row is a rigid transform from the coordinates of OTHER to those of\n"
	  "FILE: columns tx, ty, tz, and qx, qy, qz, qw or r00 ... r22. Without a\n"
	  "header, rows have 3, 7, 8, 12 or 16 values, see docs/cli.md. Without\n"
	  "this option OTHER is queried once, with the identity.",
	  bvasset_option_text, offsetof( bvinspect_settings, queries.poses ), .group = bvasset_help_query,
	  .see = "--collide, --distance, --contacts",
	  .example = "bvinspect a.bvh --collide b.bvh --poses poses.csv" },
	{ "motions", 0, "FILE.csv",
	  "With --collide: find the first contact in each motion of OTHER.\n"
	  "Each row has the pose of OTHER at the beginning and at the end: columns\n"
	  "as for --poses, with the prefixes start_ and end_. FILE stays where it is,\n"
	  "or moves, too: prefixes a_start_ and a_end_. There has to be a header.\n"
	  "Prints CSV with one row per motion; --help=all lists the columns.",
	  bvasset_option_text, offsetof( bvinspect_settings, queries.motions ), .group = bvasset_help_query,
	  .see = "--collide, --motion-of, --repeat",
	  .example = "bvinspect a.bvh --collide b.bvh --motions motions.csv" },
	{ "motion-of", 0, NULL,
	  "With --motions: how files move (default: slerp).\n"
	  "slerp turns at constant speed about the center of mass, which moves along\n"
	  "a line. nlerp turns faster in the middle. screw turns about an axis and\n"
	  "shifts along it.",
	  bvasset_option_word, offsetof( bvinspect_settings, queries.motion_of ), .words = query_motion_name,
	  .apply = set_motion_of, .group = bvasset_help_query, .see = "--motions",
	  .example = "bvinspect a.bvh --collide b.bvh --motions motions.csv --motion-of screw" },
	{ "first", 0, NULL,
	  "Stop each query at the first pair.\n"
	  "The query then reports whether there is a collision, not all pairs.",
	  bvasset_option_flag, offsetof( bvinspect_settings, queries.first ), .group = bvasset_help_query,
	  .see = "--collide, --poses", .example = "bvinspect a.bvh --collide b.bvh --poses poses.csv --first" },
	{ "repeat", 0, "N",
	  "Run each query N times and print the median time (default 1).\n"
	  "N is 1 to 10000.",
	  bvasset_option_count, offsetof( bvinspect_settings, queries.repeat ), .least = 1, .most = 10000,
	  .group = bvasset_help_query, .see = "--collide, --distance, --contacts",
	  .example = "bvinspect a.bvh --collide b.bvh --poses poses.csv --repeat 9" },
	{ "inside", 0, "FILE.csv",
	  "Winding number of the mesh around points: columns x, y, z.\n"
	  "Prints CSV: point,winding,inside; inside is 1 for a winding number\n"
	  "above 1/2.",
	  bvasset_option_text, offsetof( bvinspect_settings, inside ), .group = bvasset_help_query,
	  .example = "bvinspect rock.bvh --inside points.csv" },
	{ "triangles", 0, "PLACE",
	  "List the triangles of a place that a finding shows.\n"
	  "PLACE is edges:boundary, edges:flipped, edges:non_manifold, node:N, level:N\n"
	  "or part:N. Prints CSV: triangle,face,object; bvbuild --sections source\n"
	  "keeps the face and the object of the input.",
	  bvasset_option_path, offsetof( bvinspect_settings, triangles ), .group = bvasset_help_rarely,
	  .see = "--findings, --json", .example = "bvinspect rock.bvh --triangles edges:boundary" },
	{ "measure-costs", 0, NULL,
	  "Print what tests cost on this machine; takes no file.\n"
	  "The output can be given to bvbuild --cost-matrix. All values are in\n"
	  "nanoseconds.",
	  bvasset_option_flag, offsetof( bvinspect_settings, measure_costs ), .group = bvasset_help_rarely,
	  .see = "bvbuild --cost-matrix", .example = "bvinspect --measure-costs" },
	{ "quiet", 'q', NULL,
	  "Print only errors and what was asked for.\n"
	  "Results of --verify and --gate are then only in the exit code.",
	  bvasset_option_flag, offsetof( bvinspect_settings, quiet ), .group = bvasset_help_general,
	  .see = "--verify, --gate", .example = "bvinspect -q --verify rock.bvh" },
	{ "help", 'h', "[=all|NAME]",
	  "Show daily options, all of them, or one with an example.\n"
	  "NAME is the long name of an option, or a value such as parts.",
	  bvasset_option_text, offsetof( bvinspect_settings, topic ), .apply = set_help,
	  .group = bvasset_help_general, .example = "bvinspect --help compare" },
	{ "version", 0, NULL, "Print the version, and what the program was built with.", bvasset_option_flag,
	  offsetof( bvinspect_settings, version ), .group = bvasset_help_general,
	  .example = "bvinspect --version" },
	{ .name = NULL },
};

static const name_table tables[] = {
	{ "Formats, by the path's extension", "export", bvb_export_format },
};

static const help_text help = {
	.tool = "bvinspect",
	.begin = "Usage: bvinspect [options] FILE.bvh...\n"
			 "Shows what is in .bvh files, verifies and compares them, and runs queries.\n",
	.tables = tables,
	.table_count = sizeof tables / sizeof tables[0],
	.more =
		"With several files a table is printed, one row per file.\n"
		"--collide prints CSV: pose,pairs,volume_tests,triangle_tests,microseconds.\n"
		"--collide --motions prints motion,hit,t_lower,t_upper,kind, the triangles and their features that\n"
		"touch first: triangle_a,feature_a,triangle_b,feature_b, a point and a unit vector from FILE to "
		"OTHER\n"
		"at t_lower: x,y,z,nx,ny,nz, and volume_tests,feature_tests,microseconds. hit is 1, 0 or unproven.\n"
		"--distance prints CSV: pose,distance, the nearest triangles and points of FILE and of OTHER in\n"
		"FILE's coordinates, volume_tests,triangle_tests,microseconds.\n"
		"--distance --of hull prints pose,lower,upper, the nearest or deepest points, a unit vector from\n"
		"FILE to OTHER, supports,microseconds; --of parts also part_a,part_b, and\n"
		"volume_tests,pair_tests instead of supports.\n"
		"--contacts prints a row per contact point: pose,manifold,triangle_a,triangle_b,contact,x,y,z,nx,\n"
		"ny,nz,separation,feature_a,feature_b,identity,microseconds; --of parts has part_a,part_b instead\n"
		"of manifold and triangles, and --of hull neither.\n"
		"--inside prints CSV: point,winding,inside; inside is 1 where the winding number is above 1/2.\n",
	.end = "Exit codes: 0 done, 1 usage, 2 file missing or damaged, 3 another version of the format or a\n"
		   "--method that does not compare such shapes, 4 output could not be written, 5 out of memory,\n"
		   "6 damaged under --verify or a --gate does not hold, 70 a bug in bvinspect. With several files\n"
		   "the highest code counts.\n",
};

static void print_cost( double nanoseconds )
{
	printf( " %.1f\n", nanoseconds );
}

static int measure_costs( const bvinspect_settings* s )
{
	bv_costs costs;
	bvb_error error = { "" };
	bv_status status = bvb_costs_measure( &costs, &error );
	if ( status != bv_ok )
	{
		return complain( s->tool, &error, exit_code( status ) );
	}
	printf( "# Nanoseconds per step of a query.\n" );
	for ( int i = 0; i < bv_volume_types; ++i )
	{
		for ( int k = i; k < bv_volume_types; ++k )
		{
			printf( "%s %s", bv_volume_type_name( (bv_volume_type)i ),
			        bv_volume_type_name( (bv_volume_type)k ) );
			print_cost( costs.volumes[i][k] );
		}
	}
	printf( "triangles" );
	print_cost( costs.triangles );
	printf( "opening" );
	print_cost( costs.opening );
	printf( "leaf" );
	print_cost( costs.leaf );
	return exit_done;
}

static bv_status verify( const bvinspect_settings* s, const char* path, const bv_file* file, bvb_arena* arena,
                         bvb_error* error )
{
	bvb_verify_result result;
	bv_status status = bvb_file_verify( file, arena, &result, error );
	if ( status != bv_ok )
	{
		bvb_error inner = *error;
		return bvbase_fail( error, status, "%s: %s", path, inner.message );
	}
	if ( !s->quiet )
	{
		printf( "%s: sound; %llu enclosures proved", path, (unsigned long long)result.enclosures );
		if ( result.errors > 0 )
		{
			printf( ", %llu errors measured again", (unsigned long long)result.errors );
		}
		bv_clip clip;
		bool has_clip = bv_file_get_clip( file, &clip );
		printf( "%s\n", !has_clip     ? ""
		                : clip.frames ? "; the clip was not checked between samples"
		                              : "; the clip was checked at the pose of the mesh only" );
	}
	return bv_ok;
}

static bv_status print_inside( const bvinspect_settings* s, const bv_file* file, bvb_arena* arena,
                               bvb_error* error )
{
	static const char* const names[] = { "x", "y", "z" };
	static const table_order order = { 3, { 0, 1, 2 } };
	static const table_form form = {
		.columns = names,
		.count = 3,
		.orders = &order,
		.order_count = 1,
		.what = "points",
	};
	table points;
	bvb_export mesh;
	bvb_winding* winding;
	if ( !bv_file_get_mesh( file ).has_triangles )
	{
		return bvbase_fail( error, bv_error_input, "%s: has no triangles", s->inputs.names[0] );
	}
	bv_status status = read_table( s->inside, &form, arena, &points, error );
	status = status == bv_ok ? require_columns( s->inside, &form, &points, 0, 3, error ) : status;
	status = status == bv_ok ? bvb_export_gather( file, "mesh", arena, &mesh, error ) : status;
	status = status == bv_ok ? bvb_winding_create( &mesh.objects->mesh, arena, &winding, error ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	printf( "point,winding,inside\n" );
	for ( uint32_t i = 0; i < points.rows; ++i )
	{
		const double* p = points.values + 3 * (size_t)i;
		bv_vec3 stored = bv_sub( ( bv_vec3 ){ p[0], p[1], p[2] }, mesh.offset );
		double number = bvb_winding_number( winding, stored );

		// Nine decimals and no sign of a zero, so that rounding errors do not show.
		printf( "%u,%.9g,%d\n", i, rint( 1e9 * number ) / 1e9 + 0.0, number > 0.5 );
	}
	return bv_ok;
}

static bool wants_listing( const bvinspect_settings* s )
{
	return s->listing.column_count > 0 || s->csv || s->jsonl;
}

// Nothing but conditions is asked for.
static bool only_gates( const bvinspect_settings* s )
{
	return s->gates.count > 0 && !s->verify && !s->json && !s->findings && !s->html && !s->compare &&
	       !s->collide && !s->distance && !s->contacts && !s->inside && !s->triangles &&
	       s->exports.count == 0 && !wants_listing( s );
}

static bool wants_summary( const bvinspect_settings* s )
{
	return !s->verify && !s->json && !s->findings && !s->html && !s->compare && !s->collide && !s->distance &&
	       !s->contacts && !s->inside && !s->triangles && s->exports.count == 0 && s->gates.count == 0 &&
	       !wants_listing( s ) && s->inputs.count == 1;
}

// What one file comes to, besides what is printed of it.
typedef struct bvinspect_finding
{
	bvb_arena* rows; // where rows live
	listing_row row; // of a table
	bool has_row;    // there is one
	int code;        // of the gates
	const pages_plan* pages;
	pages_row* page; // of the file; null if none is wanted
} bvinspect_finding;

static bv_status compare( const bvinspect_settings* s, const char* path, const bv_file* file,
                          bvb_arena* arena, bvinspect_finding* out, bvb_error* error )
{
	char* json;
	bvb_mapping after;
	bv_status status = bvb_file_map( s->compare, &after, error );
	if ( status != bv_ok )
	{
		return status;
	}
	status = bvb_report_compare( file, after.file, NULL, arena, &json, error );
	if ( status == bv_ok && s->json )
	{
		fputs( json, stdout );
	}
	else if ( status == bv_ok && ( s->gates.count == 0 || !s->quiet ) )
	{
		status = print_comparison( path, s->compare, json, error );
	}
	if ( status == bv_ok )
	{
		out->code = check_gates( s->tool, &s->gates, s->compare, json, arena, error );
	}
	bvb_file_unmap( &after );
	return status;
}

// Makes the parts of the report that the output needs.
static bv_status make_report( const bvinspect_settings* s, const bv_file* file, bool listed, bvb_arena* arena,
                              char** json, bvb_error* error )
{
	const char* expressions[max_columns + BVB_MAX_GATES];
	int count = s->json || s->findings ? -1 : listed ? get_columns( &s->listing, expressions ) : 0;
	if ( count < 0 )
	{
		return bvb_report_json( file, NULL, arena, json, error );
	}
	memcpy( expressions + count, s->gates.conditions, s->gates.count * sizeof *expressions );
	return bvb_report_json_for( file, NULL, expressions, (uint32_t)count + s->gates.count, arena, json,
	                            error );
}

// Prints the report, or what is derived from it.
static bv_status use_report( const bvinspect_settings* s, const char* path, const bv_file* file,
                             bvb_arena* arena, bvinspect_finding* out, bvb_error* error )
{
	char* json;
	if ( s->compare )
	{
		return compare( s, path, file, arena, out, error );
	}
	bool listed = wants_listing( s ) ||
	              ( s->inputs.count > 1 && !only_gates( s ) && !s->verify && !s->findings && !s->html );
	if ( !s->json && !s->findings && s->gates.count == 0 && !listed )
	{
		return bv_ok;
	}
	bv_status status = make_report( s, file, listed, arena, &json, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( s->json )
	{
		fputs( json, stdout );
	}
	if ( s->findings )
	{
		status = print_findings( path, json, arena, error );
	}
	if ( listed && status == bv_ok )
	{
		bool kept = s->listing.form == listing_table;
		status = make_row( &s->listing, path, json, kept ? out->rows : arena, &out->row, error );
		status = status == bv_ok && !kept ? print_row( &s->listing, &out->row, arena, error ) : status;
		out->has_row = status == bv_ok && kept;
	}
	if ( status == bv_ok )
	{
		out->code = check_gates( s->tool, &s->gates, path, json, arena, error );
	}
	if ( out->code == exit_done && only_gates( s ) && !s->quiet && status == bv_ok )
	{
		printf( "%s: %u condition%s hold%s\n", path, s->gates.count, s->gates.count == 1 ? "" : "s",
		        s->gates.count == 1 ? "s" : "" );
	}
	return status;
}

static bv_status inspect_in( const bvinspect_settings* s, const char* path, bvb_arena* arena,
                             bvinspect_finding* out, bvb_error* error )
{
	bvb_mapping mapping;
	bv_status status = bvb_file_map( path, &mapping, error );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( s->verify )
	{
		status = verify( s, path, mapping.file, arena, error );
	}
	if ( out->page && status == bv_ok )
	{
		status = write_page( out->pages, out->page, s->force_output, mapping.file, arena, error );
	}
	if ( out->page && out->pages->index && status == bv_ok )
	{
		status = describe_page( out->page, mapping.file, out->rows, error );
	}
	if ( status == bv_ok )
	{
		status = write_exports( &s->exports, s->force_output, path, mapping.file, arena, error );
	}
	if ( s->collide && status == bv_ok )
	{
		status = print_collisions( path, mapping.file, s->collide, &s->queries, arena, error );
	}
	if ( s->distance && status == bv_ok )
	{
		status = print_distances( path, mapping.file, s->distance, &s->queries, arena, error );
	}
	if ( s->contacts && status == bv_ok )
	{
		status = print_contacts( path, mapping.file, s->contacts, &s->queries, arena, error );
	}
	if ( s->inside && status == bv_ok )
	{
		status = print_inside( s, mapping.file, arena, error );
	}
	if ( s->triangles && status == bv_ok )
	{
		status = print_triangles( path, mapping.file, s->triangles, arena, error );
	}
	if ( status == bv_ok )
	{
		status = use_report( s, path, mapping.file, arena, out, error );
	}
	if ( status == bv_ok && wants_summary( s ) )
	{
		status = print_summary( path, mapping.file, arena, error );
	}
	bvb_file_unmap( &mapping );
	return status;
}

static int inspect( const bvinspect_settings* s, const char* path, bvinspect_finding* out )
{
	bvb_error error = { "" };
	bvb_arena* arena = bvb_arena_create();
	bv_status status = arena ? inspect_in( s, path, arena, out, &error ) : bvbase_fail_memory( &error );
	bvb_arena_destroy( arena );
	if ( status == bv_ok )
	{
		return out->code;
	}
	if ( out->page )
	{
		fail_page( out->page, error.message, out->rows );
	}
	bool unsound = s->verify && status == bv_error_damaged;
	int code = complain( s->tool, &error, unsound ? exit_gate : exit_code( status ) );
	return code > out->code ? code : out->code;
}

static const char* usage_error( const bvinspect_settings* s )
{
	if ( s->measure_costs )
	{
		bool more = s->inputs.count > 0 || s->json || s->findings || s->html || s->verify || s->compare ||
		            s->collide || s->distance || s->contacts || s->has_speculative || s->queries.poses ||
		            s->queries.first || s->queries.motions || s->has_motion_of || s->queries.repeat > 1 ||
		            s->has_subject || s->method || s->inside || s->triangles || s->exports.count > 0 ||
		            s->gates.count > 0 || wants_listing( s );
		return more ? "--measure-costs excludes all other options" : NULL;
	}
	if ( s->inputs.count == 0 )
	{
		return "no file (see --help)";
	}
	if ( !s->collide && s->queries.first )
	{
		return "--first needs --collide";
	}
	if ( !s->collide && s->queries.motions )
	{
		return "--motions needs --collide";
	}
	if ( !s->queries.motions && s->has_motion_of )
	{
		return "--motion-of needs --motions";
	}
	if ( s->queries.motions && ( s->queries.poses || s->queries.first ) )
	{
		return s->queries.poses ? "--motions and --poses exclude each other"
		                        : "--motions and --first exclude each other";
	}
	bool queries = s->collide || s->distance || s->contacts;
	if ( !queries && s->queries.poses )
	{
		return "--poses needs --collide, --distance or --contacts";
	}
	if ( !queries && s->queries.repeat > 1 )
	{
		return "--repeat needs --collide, --distance or --contacts";
	}
	if ( !s->distance && !s->contacts && s->has_subject )
	{
		return "--of needs --distance or --contacts";
	}
	if ( s->method && ( !s->distance || s->queries.of == query_of_mesh ) )
	{
		return "--method needs --distance with --of hull or --of parts";
	}
	if ( !s->contacts && s->has_speculative )
	{
		return "--speculative needs --contacts";
	}
	if ( ( s->json && !s->compare ) + s->findings + ( s->compare != NULL ) + ( s->html != NULL ) + s->verify +
	         ( s->collide != NULL ) + ( s->distance != NULL ) + ( s->contacts != NULL ) +
	         ( s->inside != NULL ) + ( s->triangles != NULL ) + ( s->exports.count > 0 ) +
	         wants_listing( s ) >
	     1 )
	{
		return "--json, --findings, --html, --compare, --verify, --export, --collide, --distance, "
			   "--contacts, --inside, --triangles and tables exclude each other";
	}
	if ( s->csv && s->jsonl )
	{
		return "--csv and --jsonl exclude each other";
	}
	if ( s->jsonl && has_equal_columns( &s->listing ) )
	{
		return "--jsonl needs distinct --columns, and one appears twice";
	}
	if ( s->json && s->inputs.count > 1 )
	{
		return "--json takes one file; --jsonl prints one line per file";
	}
	if ( queries && s->inputs.count > 1 )
	{
		return "--collide, --distance and --contacts take one FILE and one OTHER";
	}
	if ( s->compare && s->inputs.count > 1 )
	{
		return "--compare takes one FILE and one AFTER";
	}
	if ( s->exports.naming > 0 && s->exports.count == 0 )
	{
		return "--naming needs --export";
	}
	if ( s->exports.count > 0 && s->inputs.count > 1 )
	{
		return "--export takes one file";
	}
	if ( s->inside && s->inputs.count > 1 )
	{
		return "--inside takes one file";
	}
	if ( s->triangles && s->inputs.count > 1 )
	{
		return "--triangles takes one file";
	}
	return NULL;
}

// Whatever becomes of the others; the highest exit code counts.
static int inspect_all( const bvinspect_settings* s )
{
	bvb_error error;
	bv_status status;
	int code = exit_done;
	int count = 0;
	bvb_arena* arena = bvb_arena_create();
	listing_row* rows = arena ? bvb_arena_allocate( arena, (size_t)s->inputs.count, sizeof *rows ) : NULL;
	if ( !rows )
	{
		bvb_arena_destroy( arena );
		bvbase_fail_memory( &error );
		return complain( s->tool, &error, exit_memory );
	}
	pages_plan pages = { .rows = NULL };
	if ( s->html &&
	     ( status = plan_pages( s->html, &s->inputs, s->force_output, arena, &pages, &error ) ) != bv_ok )
	{
		bvb_arena_destroy( arena );
		return complain( s->tool, &error, exit_code( status ) );
	}
	if ( wants_listing( s ) )
	{
		print_head( &s->listing );
	}
	for ( int i = 0; i < s->inputs.count; ++i )
	{
		bvinspect_finding found = { .rows = arena, .pages = &pages, .page = s->html ? pages.rows + i : NULL };
		int one = inspect( s, s->inputs.names[i], &found );
		code = one > code ? one : code;
		if ( found.has_row )
		{
			rows[count++] = found.row;
		}
	}
	if ( count > 0 )
	{
		print_rows( &s->listing, rows, count );
	}
	if ( pages.index && ( status = write_index( &pages, arena, &error ) ) != bv_ok )
	{
		int one = complain( s->tool, &error, exit_code( status ) );
		code = one > code ? one : code;
	}
	bvb_arena_destroy( arena );
	return code;
}

// @param name  of one
static uint32_t index_of_method( const char* name )
{
	uint32_t index = 0;
	while ( strcmp( query_method_name( index, NULL ), name ) != 0 )
	{
		++index;
	}
	return index;
}

static int run( void* context, const invocation* call )
{
	(void)call;
	bvinspect_settings* s = context;
	bvb_error error;
	s->queries.quiet = s->quiet;
	s->queries.method = s->method ? index_of_method( s->method ) : bv_convex_method_default;
	s->listing.form = s->csv ? listing_csv : s->jsonl ? listing_jsonl : listing_table;
	const char* wrong = usage_error( s );
	if ( wrong )
	{
		bvbase_fail( &error, bv_error_argument, "%s", wrong );
		return complain( s->tool, &error, exit_usage );
	}
	if ( s->measure_costs )
	{
		return measure_costs( s );
	}
	return inspect_all( s );
}

int main( int count, char** arguments )
{
	begin_tool( &count, &arguments );
	bvinspect_settings s = { .queries.repeat = 1 };
	tool t = { "bvinspect", { .options = options, .positional = add_input },
		       &s,          &s.help,
		       &s.topic,    &s.version,
		       &help,       run };
	s.tool = &t;
	int code = run_tool( &t, count, arguments );
	free( s.inputs.names );
	free( s.listing.text );
	return code;
}
