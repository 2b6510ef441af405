// Two files compared, as JSON: measures with a direction, so that what got better and what got worse can be
// told; what was otherwise in the making; distances between the meshes. The keys are listed in
// formats/report/README.md.

#include "bvbuild/report.h"
#include "offline/base/error.h"
#include "offline/report/distance.h"
#include "offline/report/unit.h"
#include "offline/report/unlike.h"
#include "offline/report/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What must be the same in both files, so that a measure says something.
typedef enum needs
{
	needs_nothing = 0,
	needs_costs,   // what tests were said to cost
	needs_queries, // that, and which queries were run to their end
	needs_unit,    // the unit of length
	needs_count,
} needs;

// What is compared.
typedef struct measure
{
	const char* name;
	const char* path; // an expression over the report; $ stands for the bytes of all sections but ORGN
	const char* unit;
	bool interval; // the path is an object of `lower` and `upper`
	bool less;     // is better; else neither is
	needs needs;
} measure;

static const measure measures[] = {
	{ "content size", "$", "bytes", false, true, needs_nothing },
	{ "content per triangle", "( $ ) / mesh.triangles", "bytes", false, true, needs_nothing },
	{ "triangles", "mesh.triangles", "", false, false, needs_nothing },
	{ "vertices", "mesh.vertices", "", false, false, needs_nothing },
	{ "components", "mesh.components", "", false, false, needs_nothing },
	{ "open edges", "mesh.edges_of_kind.boundary", "", false, true, needs_nothing },
	{ "flipped edges", "mesh.edges_of_kind.flipped", "", false, true, needs_nothing },
	{ "non-manifold edges", "mesh.edges_of_kind.non_manifold", "", false, true, needs_nothing },
	{ "dropped triangles", "mesh.removed.degenerate + mesh.removed.duplicate + mesh.removed.non_finite", "",
	  false, false, needs_nothing },
	{ "largest vertex displacement", "mesh.largest_displacement", "mesh units", false, false, needs_unit },
	{ "area", "mesh.area", "mesh units^2", false, false, needs_unit },
	{ "volume", "mesh.volume", "mesh units^3", false, false, needs_unit },
	{ "hull volume", "hull.volume", "mesh units^3", false, false, needs_unit },
	{ "hull vertices", "hull.vertices", "", false, false, needs_nothing },
	{ "box volume / hull volume", "bounds.obb.volume / hull.volume", "", false, true, needs_nothing },
	{ "nodes", "hierarchy.nodes", "", false, false, needs_nothing },
	{ "depth", "hierarchy.depth", "", false, false, needs_nothing },
	{ "expected cost", "hierarchy.cost.expected", "", false, true, needs_costs },
	{ "measured cost", "hierarchy.cost.measured.cost", "", false, true, needs_queries },
	{ "abandoned queries", "hierarchy.cost.measured.given_up", "", false, true, needs_nothing },
	{ "surface area cost", "hierarchy.sah.cost", "", false, true, needs_nothing },
	{ "sibling overlap", "hierarchy.overlap.mean", "", false, true, needs_nothing },
	{ "volume / optimum", "hierarchy.fit.volume.mean", "", false, true, needs_nothing },
	{ "root error, all points", "hierarchy.hausdorff.solid.root", "mesh units", true, true, needs_unit },
	{ "root error, boundary", "hierarchy.hausdorff.surface.root", "mesh units", true, true, needs_unit },
	{ "mean error, all points", "hierarchy.hausdorff.solid.mean", "mesh units", true, true, needs_unit },
	{ "mean error, boundary", "hierarchy.hausdorff.surface.mean", "mesh units", true, true, needs_unit },
	{ "worst error, all points", "hierarchy.hausdorff.solid.max", "mesh units", true, true, needs_unit },
	{ "worst error, boundary", "hierarchy.hausdorff.surface.max", "mesh units", true, true, needs_unit },
	{ "parts", "decomposition.parts", "", false, true, needs_nothing },
	{ "vertices of parts", "decomposition.vertices", "", false, true, needs_nothing },
	{ "volume of parts", "decomposition.volume", "mesh units^3", false, false, needs_unit },
	{ "stand-off of parts", "decomposition.concavity", "mesh units", true, true, needs_unit },
	{ "uncovered distance", "decomposition.uncovered", "mesh units", false, false, needs_unit },
	{ "proxy mesh triangles", "proxy.triangles", "", false, true, needs_nothing },
	{ "stand-off of proxy mesh", "proxy.from_proxy", "mesh units", true, true, needs_unit },
};

enum
{
	measure_count = sizeof measures / sizeof measures[0],
};

// What came of a measure.
typedef enum result
{
	result_none = 0,  // neither file has it
	result_same,      // the same number
	result_better,    // certainly less of what should be little
	result_worse,     // certainly more
	result_different, // another number, neither better nor worse
	result_uncertain, // intervals that overlap: perhaps no change
	result_new,       // only the later file has it
	result_gone,      // only the earlier one has it
} result;

static const char* const result_names[] = { "none",      "same",      "better", "worse",
	                                        "different", "uncertain", "new",    "gone" };

// A measure of two files.
typedef struct compare_row
{
	const measure* of;
	char path[2][128]; // of each file: measure.path without $
	bool known[2];
	bv_interval value[2]; // of a number both are it
	double change;        // relative, of the upper ends; not a number where there is none
	result result;
} compare_row;

// One of the two files.
typedef struct compare_side
{
	const bv_file* file;
	const char* text;
	cJSON* json;
	bvb_report* report;
} compare_side;

static const cJSON* find( const cJSON* from, const char* const* keys )
{
	for ( ; *keys && from; ++keys )
	{
		from = cJSON_GetObjectItemCaseSensitive( from, *keys );
	}
	return from;
}

// @return the number, or -1 where there is none
static double number_at( const cJSON* from, const char* const* keys )
{
	const cJSON* item = find( from, keys );
	return cJSON_IsNumber( item ) ? item->valuedouble : -1;
}

// The name of the source and the options are no content: a longer name makes nothing worse.
static void print_path( const compare_side* s, const char* path, char* out, size_t size )
{
	static const char* const sections[] = { "file", "sections", NULL };
	const cJSON* list = find( s->json, sections );
	char content[96] = "sum(file.sections[].bytes)";
	size_t length = strlen( content );
	int index = 0;
	for ( const cJSON* item = list ? list->child : NULL; item; item = item->next, ++index )
	{
		const cJSON* name = cJSON_GetObjectItemCaseSensitive( item, "name" );
		if ( cJSON_IsString( name ) && strcmp( name->valuestring, "ORGN" ) == 0 )
		{
			snprintf( content + length, sizeof content - length, " - file.sections[%d].bytes", index );
			break;
		}
	}
	size_t before = strcspn( path, "$" );
	snprintf( out, size, "%.*s%s%s", (int)before, path, path[before] ? content : "",
	          path[before] ? path + before + 1 : "" );
}

// A number of a report; whatever it does not have is not known.
static bv_status evaluate( const compare_side* s, const char* path, const char* suffix, bvb_arena* arena,
                           bool* known, double* out, bvb_error* error )
{
	char whole[256];
	bvb_value v;
	snprintf( whole, sizeof whole, "%s%s", path, suffix );
	bv_status status = bvb_report_evaluate( s->report, whole, arena, &v, error );
	*known = status == bv_ok && v.kind == bvb_value_number;
	*out = *known ? v.number : 0;
	return status == bv_error_memory ? status : bv_ok;
}

static double relative_change( double before, double after )
{
	return before == after ? 0 : before == 0 ? NAN : ( after - before ) / fabs( before );
}

static result judge( const compare_row* r, const bool same[needs_count] )
{
	const bv_interval* a = r->value;
	const bv_interval* b = r->value + 1;
	if ( !r->known[0] || !r->known[1] )
	{
		return r->known[0] ? result_gone : r->known[1] ? result_new : result_none;
	}
	if ( a->lower == b->lower && a->upper == b->upper )
	{
		return result_same;
	}
	if ( !r->of->less || !same[r->of->needs] )
	{
		return result_different;
	}
	return b->upper < a->lower ? result_better : b->lower > a->upper ? result_worse : result_uncertain;
}

static bv_status make_row( const measure* m, const compare_side sides[2], const bool same[needs_count],
                           bvb_arena* arena, compare_row* out, bvb_error* error )
{
	*out = ( compare_row ){ .of = m };
	bv_status status = bv_ok;
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		bv_interval* value = out->value + i;
		const char* path = out->path[i];
		print_path( sides + i, m->path, out->path[i], sizeof out->path[i] );
		status = evaluate( sides + i, path, m->interval ? ".upper" : "", arena, out->known + i, &value->upper,
		                   error );
		value->lower = value->upper;
		if ( m->interval && status == bv_ok )
		{
			bool known;
			status = evaluate( sides + i, path, ".lower", arena, &known, &value->lower, error );
		}
	}
	bool both = out->known[0] && out->known[1];
	out->change = both && ( m->needs != needs_unit || same[needs_unit] )
	                  ? relative_change( out->value[0].upper, out->value[1].upper )
	                  : NAN;
	out->result = judge( out, same );
	return status;
}

// Whether steps of a query were said to cost the same, as far as both have them.
static bool have_same_costs( const cJSON* a, const cJSON* b )
{
	static const char* const names[] = { "triangle_test", "opening", "leaf", "volume_test" };
	bool same = true;
	for ( const cJSON* item = a ? a->child : NULL; item && same; item = item->next )
	{
		const cJSON* other = cJSON_GetObjectItemCaseSensitive( b, item->string );
		bool wanted = false;
		for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
		{
			wanted = wanted || strcmp( item->string, names[i] ) == 0;
		}
		if ( !wanted || !other )
		{
			continue;
		}
		for ( const cJSON* of = item->child; of; of = of->next )
		{
			const cJSON* of_other = cJSON_GetObjectItemCaseSensitive( other, of->string );
			for ( const cJSON* cost = of->child; cost && of_other; cost = cost->next )
			{
				const cJSON* other_cost = cJSON_GetObjectItemCaseSensitive( of_other, cost->string );
				same = same && ( !other_cost || other_cost->valuedouble == cost->valuedouble );
			}
		}
		same = same && item->valuedouble == other->valuedouble;
	}
	return same;
}

// All draws that were made came to their end, and were the same then.
static bool have_same_queries( const cJSON* a, const cJSON* b )
{
	static const char* const given_up[] = { "measured", "given_up", NULL };
	static const char* const draws[] = { "measured", "draws", NULL };
	return number_at( a, given_up ) == 0 && number_at( b, given_up ) == 0 &&
	       number_at( a, draws ) == number_at( b, draws );
}

static void find_same( const compare_side sides[2], const bvreport_mesh_distance* distance,
                       bool same[needs_count] )
{
	static const char* const path[] = { "hierarchy", "cost", NULL };
	const cJSON* a = find( sides[0].json, path );
	const cJSON* b = find( sides[1].json, path );
	same[needs_nothing] = true;
	same[needs_costs] = have_same_costs( a, b );
	same[needs_queries] = same[needs_costs] && have_same_queries( a, b );

	// If the meshes are equal, their coordinates can be compared, whatever the recorded units.
	same[needs_unit] =
		bvreport_have_same_unit( sides[0].json, sides[1].json ) || ( distance->known && distance->equal );
}

// Smaller ones are not worth a verdict.
static bool is_large( const compare_row* r )
{
	return !( fabs( r->change ) < 0.01 );
}

static bool matters( const compare_row* r )
{
	return ( r->result == result_better || r->result == result_worse ) && is_large( r );
}

static const char* text_of( const cJSON* from, const char* key )
{
	const cJSON* item = cJSON_GetObjectItemCaseSensitive( from, key );
	return cJSON_IsString( item ) ? item->valuestring : "";
}

// Whether a report has a finding of this key that is as bad or as good.
static bool has_finding( const cJSON* report, const cJSON* wanted )
{
	static const char* const path[] = { "findings", NULL };
	const cJSON* list = find( report, path );
	for ( const cJSON* f = list ? list->child : NULL; f; f = f->next )
	{
		if ( strcmp( text_of( f, "key" ), text_of( wanted, "key" ) ) == 0 &&
		     strcmp( text_of( f, "severity" ), text_of( wanted, "severity" ) ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Whether one report has a bad finding that the other has not.
static bool has_more_bad( const compare_side* one, const compare_side* other )
{
	static const char* const path[] = { "findings", NULL };
	const cJSON* list = find( one->json, path );
	for ( const cJSON* f = list ? list->child : NULL; f; f = f->next )
	{
		if ( strcmp( text_of( f, "severity" ), "bad" ) == 0 && !has_finding( other->json, f ) )
		{
			return true;
		}
	}
	return false;
}

static bool has_equal_bytes( const compare_side sides[2] )
{
	// A bv_file is the file's memory itself.
	uint64_t bytes = bv_file_get_info( sides[0].file ).bytes;
	return bytes == bv_file_get_info( sides[1].file ).bytes &&
	       memcmp( sides[0].file, sides[1].file, bytes ) == 0;
}

static const char* find_verdict( const compare_side sides[2], const compare_row* rows,
                                 const bvreport_mesh_distance* distance )
{
	bool better = has_more_bad( sides, sides + 1 );
	bool worse = has_more_bad( sides + 1, sides );
	bool other = distance->known && !distance->equal;
	bool lost = false;
	for ( int i = 0; i < measure_count; ++i )
	{
		better = better || ( matters( rows + i ) && rows[i].result == result_better );
		worse = worse || ( matters( rows + i ) && rows[i].result == result_worse );
		lost = lost || rows[i].result == result_gone;
		other = other || rows[i].result == result_new || lost ||
		        ( rows[i].result == result_different && is_large( rows + i ) );
	}
	return has_equal_bytes( sides ) ? "equal"
	       : better && worse        ? "mixed"
	       : better && !lost        ? "better"
	       : worse                  ? "worse"
	       : other                  ? "different"
	                                : "same";
}

// By how much, largest first; what was 0 before has changed most of all.
static int compare_rows( const void* a, const void* b )
{
	const compare_row* const* x = a;
	const compare_row* const* y = b;
	double p = isnan( ( *x )->change ) ? INFINITY : fabs( ( *x )->change );
	double q = isnan( ( *y )->change ) ? INFINITY : fabs( ( *y )->change );
	return p != q ? ( p < q ) - ( p > q ) : ( *x > *y ) - ( *x < *y );
}

static void put_names( bvreport_json_writer* w, cJSON* to, const char* key, const compare_row* rows,
                       result wanted )
{
	const compare_row* sorted[measure_count];
	size_t count = 0;
	cJSON* names = bvreport_json_put_array( w, to, key );
	for ( int i = 0; i < measure_count; ++i )
	{
		if ( rows[i].result == wanted && matters( rows + i ) )
		{
			sorted[count++] = rows + i;
		}
	}
	qsort( sorted, count, sizeof *sorted, compare_rows );
	for ( size_t i = 0; i < count; ++i )
	{
		bvreport_json_append( w, names, cJSON_CreateString( sorted[i]->of->name ) );
	}
}

static void put_value( bvreport_json_writer* w, cJSON* to, const char* key, const compare_row* r, int which )
{
	if ( r->of->interval )
	{
		bvreport_json_put_interval( w, to, key, r->known[which] ? &r->value[which] : NULL );
	}
	else
	{
		bvreport_json_put_number_or_null( w, to, key, r->known[which] ? &r->value[which].upper : NULL );
	}
}

// The unit of a measure: "mesh units" are `length`, unless that is null.
static void put_unit( bvreport_json_writer* w, cJSON* item, const char* unit, const char* length )
{
	static const char unknown[] = "mesh units";
	char text[32];
	bool known = length && strncmp( unit, unknown, strlen( unknown ) ) == 0;
	snprintf( text, sizeof text, "%s%s", known ? length : unit, known ? unit + strlen( unknown ) : "" );
	bvreport_json_put_string( w, item, "unit", text );
}

// @param unit  of lengths of both files; null if it is not known or not the same
static void put_measures( bvreport_json_writer* w, cJSON* to, const compare_row* rows, const char* unit )
{
	cJSON* list = bvreport_json_put_array( w, to, "measures" );
	for ( int i = 0; i < measure_count; ++i )
	{
		const compare_row* r = rows + i;
		if ( r->result == result_none )
		{
			continue;
		}
		cJSON* item = bvreport_json_append( w, list, cJSON_CreateObject() );
		bvreport_json_put_string( w, item, "name", r->of->name );
		bvreport_json_put_string( w, item, "path", r->path[!r->known[0]] );
		put_unit( w, item, r->of->unit, unit );
		put_value( w, item, "before", r, 0 );
		put_value( w, item, "after", r, 1 );
		bvreport_json_put_number_or_null( w, item, "change", isnan( r->change ) ? NULL : &r->change );
		bvreport_json_put_string( w, item, "result", result_names[r->result] );
		bvreport_json_put_bool( w, item, "matters", matters( r ) );
	}
}

// Findings of one report that the other has not. What became worse under its old key is new and gone.
static void put_findings( bvreport_json_writer* w, cJSON* to, const char* key, const compare_side* of,
                          const compare_side* other )
{
	static const char* const path[] = { "findings", NULL };
	cJSON* out = bvreport_json_put_array( w, to, key );
	const cJSON* list = find( of->json, path );
	for ( const cJSON* f = list ? list->child : NULL; f; f = f->next )
	{
		if ( !has_finding( other->json, f ) )
		{
			cJSON* item = bvreport_json_append( w, out, cJSON_CreateObject() );
			bvreport_json_put_string( w, item, "severity", text_of( f, "severity" ) );
			bvreport_json_put_string( w, item, "key", text_of( f, "key" ) );
			bvreport_json_put_string( w, item, "text", text_of( f, "text" ) );
		}
	}
}

static void put_distance( bvreport_json_writer* w, cJSON* to, const bvreport_mesh_distance* d,
                          bool same_unit )
{
	cJSON* item = bvreport_json_put_object( w, to, "distance" );
	bool known = d->known && same_unit;
	if ( known )
	{
		bvreport_json_put_bool( w, item, "equal", d->equal );
	}
	else
	{
		bvreport_json_put_null( w, item, "equal" );
	}
	bool sized = known && d->diagonal > 0;
	bv_interval relative =
		sized ? bvreport_json_part_of( &d->hausdorff, d->diagonal ) : ( bv_interval ){ 0, 0 };
	bvreport_json_put_interval( w, item, "from_before", known ? &d->from_before : NULL );
	bvreport_json_put_interval( w, item, "from_after", known ? &d->from_after : NULL );
	bvreport_json_put_interval( w, item, "hausdorff", known ? &d->hausdorff : NULL );
	bvreport_json_put_interval( w, item, "relative", sized ? &relative : NULL );
}

static void put_pair( bvreport_json_writer* w, cJSON* to, const char* key, const cJSON* before,
                      const cJSON* after )
{
	cJSON* item = bvreport_json_put_object( w, to, key );
	const cJSON* both[] = { before, after };
	for ( int i = 0; i < 2; ++i )
	{
		cJSON* copy =
			bvreport_json_checked( w, both[i] ? cJSON_Duplicate( both[i], true ) : cJSON_CreateNull() );
		if ( !cJSON_AddItemToObject( item, i ? "after" : "before", copy ) )
		{
			cJSON_Delete( copy );
			w->failed = true;
		}
	}
}

// Keys of two objects whose values are not the same.
static void put_differences( bvreport_json_writer* w, cJSON* to, const cJSON* before, const cJSON* after )
{
	for ( const cJSON* item = before ? before->child : NULL; item; item = item->next )
	{
		const cJSON* other = cJSON_GetObjectItemCaseSensitive( after, item->string );
		if ( !cJSON_Compare( item, other, true ) )
		{
			put_pair( w, to, item->string, item, other );
		}
	}
	for ( const cJSON* item = after ? after->child : NULL; item; item = item->next )
	{
		if ( !cJSON_GetObjectItemCaseSensitive( before, item->string ) )
		{
			put_pair( w, to, item->string, NULL, item );
		}
	}
}

// Sections by name, with their bytes.
static cJSON* list_sections( bvreport_json_writer* w, const cJSON* report )
{
	static const char* const path[] = { "file", "sections", NULL };
	cJSON* out = bvreport_json_checked( w, cJSON_CreateObject() );
	const cJSON* sections = find( report, path );
	for ( const cJSON* item = sections ? sections->child : NULL; item; item = item->next )
	{
		const cJSON* name = cJSON_GetObjectItemCaseSensitive( item, "name" );
		const cJSON* bytes = cJSON_GetObjectItemCaseSensitive( item, "bytes" );
		if ( name && bytes && name->valuestring )
		{
			bvreport_json_put_count( w, out, name->valuestring, (uint64_t)bytes->valuedouble );
		}
	}
	return out;
}

static void put_made( bvreport_json_writer* w, cJSON* to, const compare_side sides[2] )
{
	static const char* const parameters[] = { "tool", "parameters", NULL };
	put_differences( w, bvreport_json_put_object( w, to, "parameters" ), find( sides[0].json, parameters ),
	                 find( sides[1].json, parameters ) );
	cJSON* sections[] = { list_sections( w, sides[0].json ), list_sections( w, sides[1].json ) };
	put_differences( w, bvreport_json_put_object( w, to, "sections" ), sections[0], sections[1] );
	cJSON_Delete( sections[0] );
	cJSON_Delete( sections[1] );
}

// The relative change of each number, where it stands in the reports.
// @param same_unit  whether lengths can be compared
// @param of         dimension of `to`
static void put_changes( bvreport_json_writer* w, cJSON* to, const char* key, const cJSON* before,
                         const cJSON* after, bool same_unit, bvreport_dimension of )
{
	of = key ? bvreport_find_dimension( key, of ) : of;
	bool array = cJSON_IsArray( to );
	bool numbers = cJSON_IsNumber( before ) && cJSON_IsNumber( after );
	numbers = numbers && ( same_unit || of != bvreport_dimension_length );
	double change = numbers ? relative_change( before->valuedouble, after->valuedouble ) : NAN;
	char text[bvreport_json_number_bytes] = "null";
	cJSON* item = NULL;
	if ( cJSON_IsObject( before ) && cJSON_IsObject( after ) )
	{
		item = cJSON_CreateObject();
		for ( const cJSON* child = before->child; item && child; child = child->next )
		{
			put_changes( w, item, child->string, child,
			             cJSON_GetObjectItemCaseSensitive( after, child->string ), same_unit, of );
		}
	}
	else if ( cJSON_IsArray( before ) && cJSON_IsArray( after ) )
	{
		item = cJSON_CreateArray();
		const cJSON* other = after->child;
		for ( const cJSON* child = before->child; item && child && other;
		      child = child->next, other = other->next )
		{
			put_changes( w, item, NULL, child, other, same_unit, of );
		}
	}
	else
	{
		if ( isfinite( change ) )
		{
			bvbase_print_number( text, change );
		}
		item = cJSON_CreateRaw( text );
	}
	bool added = array ? cJSON_AddItemToArray( to, item ) : cJSON_AddItemToObject( to, key, item );
	if ( !added )
	{
		cJSON_Delete( item );
		w->failed = true;
	}
}

// As it is, one level deeper: cJSON would print numbers again, and not with all their digits.
static void put_report( bvreport_json_writer* w, cJSON* to, const char* key, const char* text )
{
	size_t lines = 0;
	for ( const char* c = text; *c; ++c )
	{
		lines += *c == '\n';
	}
	char* deeper = bvb_arena_allocate( w->arena, strlen( text ) + lines + 1, 1 );
	char* end = deeper;
	for ( const char* c = text; deeper && ( c[0] != '\n' || c[1] ); ++c )
	{
		*end++ = *c;
		if ( *c == '\n' )
		{
			*end++ = '\t';
		}
	}
	bvreport_json_checked( w, deeper ? cJSON_AddRawToObject( to, key, deeper ) : NULL );
}

static bv_status write_comparison( const compare_side sides[2], const compare_row* rows,
                                   const bvreport_mesh_distance* distance, bool same_unit, bvb_arena* arena,
                                   char** text, bvb_error* error )
{
	bvreport_json_writer w = { .arena = arena };
	cJSON* out = bvreport_json_checked( &w, cJSON_CreateObject() );
	bvreport_json_put_string( &w, out, "schema", "bvbuild-compare/1" );
	bvreport_json_put_string( &w, out, "verdict", find_verdict( sides, rows, distance ) );
	put_names( &w, out, "better", rows, result_better );
	put_names( &w, out, "worse", rows, result_worse );
	cJSON* findings = bvreport_json_put_object( &w, out, "findings" );
	put_findings( &w, findings, "new", sides + 1, sides );
	put_findings( &w, findings, "gone", sides, sides + 1 );
	bvreport_put_unlike( &w, out, "unlike", sides[0].json, sides[1].json );
	bvreport_json_put_bool( &w, out, "comparable_lengths", same_unit );
	put_distance( &w, out, distance, same_unit );
	const char* unit = same_unit ? bvreport_find_unit( sides[0].file ) : NULL;
	put_measures( &w, out, rows, unit );
	put_made( &w, out, sides );
	put_changes( &w, out, "change", sides[0].json, sides[1].json, same_unit, bvreport_dimension_unknown );
	for ( int i = 0; i < 2; ++i )
	{
		put_report( &w, out, i ? "after" : "before", sides[i].text );
	}
	return bvreport_json_finish( &w, out, text, error );
}

static bv_status open_side( compare_side* s, bvb_arena* arena, bvb_error* error )
{
	char* text = NULL;
	bv_status status = bvb_report_json( s->file, NULL, arena, &text, error );
	s->text = text;
	status = status == bv_ok ? bvb_report_read( text, &s->report, error ) : status;
	s->json = status == bv_ok ? cJSON_Parse( text ) : NULL;
	return status == bv_ok && !s->json ? bvbase_fail_memory( error ) : status;
}

bvb_compare_options bvb_compare_options_default( void )
{
	return ( bvb_compare_options ){ .relative = 0.01, .floor = 1e-6, .max_regions = (uint64_t)1 << 22 };
}

bv_status bvb_report_compare( const bv_file* before, const bv_file* after, const bvb_compare_options* options,
                              bvb_arena* arena, char** text, bvb_error* error )
{
	compare_side sides[2] = { { .file = before }, { .file = after } };
	bvb_compare_options defaults = bvb_compare_options_default();
	bvreport_mesh_distance distance;
	compare_row rows[measure_count];
	*text = NULL;
	bv_status status = open_side( sides, arena, error );
	status = status == bv_ok ? open_side( sides + 1, arena, error ) : status;
	bool same[needs_count] = { false };
	if ( status == bv_ok )
	{
		status = bvreport_measure_mesh_distance( before, after, options ? options : &defaults, arena,
		                                         &distance, error );
	}
	if ( status == bv_ok )
	{
		find_same( sides, &distance, same );
	}
	for ( int i = 0; i < measure_count && status == bv_ok; ++i )
	{
		status = make_row( measures + i, sides, same, arena, rows + i, error );
	}
	if ( status == bv_ok )
	{
		status = write_comparison( sides, rows, &distance, same[needs_unit], arena, text, error );
	}
	for ( int i = 0; i < 2; ++i )
	{
		bvb_report_free( sides[i].report );
		cJSON_Delete( sides[i].json );
	}
	return status;
}
