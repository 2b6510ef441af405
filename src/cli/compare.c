// The option --compare. See compare.h.

#include "cli/compare.h"

#include "cli/terminal.h"
#include "offline/base/error.h"
#include "offline/base/number.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <string.h>

enum
{
	margin = 13,
	cell_bytes = 64,
	cell_columns = 16,
};

static const cJSON* get( const cJSON* from, const char* key )
{
	return cJSON_GetObjectItemCaseSensitive( from, key );
}

static const char* text_of( const cJSON* from, const char* key )
{
	const cJSON* item = get( from, key );
	return cJSON_IsString( item ) ? item->valuestring : "";
}

static double number_of( const cJSON* from, const char* key )
{
	const cJSON* item = get( from, key );
	return cJSON_IsNumber( item ) ? item->valuedouble : NAN;
}

// Ends of an interval, no narrower in three digits.
static double lower_of( const cJSON* interval )
{
	return bvbase_round_down( number_of( interval, "lower" ), 3 );
}

static double upper_of( const cJSON* interval )
{
	return bvbase_round_up( number_of( interval, "upper" ), 3 );
}

static paint color_of( const char* result )
{
	return strcmp( result, "better" ) == 0 || strcmp( result, "equal" ) == 0  ? paint_good
	       : strcmp( result, "worse" ) == 0 || strcmp( result, "mixed" ) == 0 ? paint_warning
	                                                                          : paint_plain;
}

static void print_change( double change, char out[cell_bytes] )
{
	if ( isnan( change ) )
	{
		strcpy( out, "" );
		return;
	}
	if ( change != 0 && fabs( change ) < 0.001 )
	{
		snprintf( out, cell_bytes, "%c<0.1 %%", change < 0 ? '-' : '+' );
		return;
	}
	snprintf( out, cell_bytes, fabs( change ) < 10 ? "%+.3g %%" : "%+.0e %%", 100 * change );
}

static void print_title( page* p, const char* before, const char* after, const cJSON* all )
{
	static const struct
	{
		const char* verdict;
		const char* words;
	} table[] = {
		{ "equal", "equal, byte for byte" },
		{ "same", "the same, within 1 % in every measure" },
		{ "better", "better" },
		{ "worse", "worse" },
		{ "mixed", "better in some measures, worse in others" },
		{ "different", "different, and nothing is certainly better or worse by 1 %" },
	};
	char name[4 * terminal_width];
	const char* verdict = text_of( all, "verdict" );
	const char* words = verdict;
	for ( size_t i = 0; i < sizeof table / sizeof *table; ++i )
	{
		words = strcmp( table[i].verdict, verdict ) == 0 ? table[i].words : words;
	}
	bool different = strcmp( verdict, "different" ) == 0;
	if ( different && cJSON_GetArraySize( get( all, "better" ) ) > 0 )
	{
		words = "better in some measures, without others that were there before";
	}
	begin_row( p, "from ", 2 );
	fit_name( before, terminal_width - 8, name, sizeof name );
	put_text( p, paint_strong, name );
	p->empty = false;
	add_words( p, paint_plain, "to" );
	fit_name( after, terminal_width - 4, name, sizeof name );
	add_words( p, paint_strong, "%s:", name );
	add_words( p, color_of( verdict ), "%s", words );
	double apart = number_of( get( get( all, "distance" ), "relative" ), "upper" );
	if ( apart >= 0.001 )
	{
		// Whoever leaves out the half of a mesh has a file of half the size.
		add_words( p, paint_warning, "- but the meshes are up to %.3g %% of the diagonal apart",
		           bvbase_round_up( 100 * apart, 3 ) );
	}
	end_row( p );
}

// A row of those measures that changed for better or for worse, in their order.
static void print_changed( page* p, const char* label, const char* key, const cJSON* all, paint how )
{
	const cJSON* names = get( all, key );
	if ( cJSON_GetArraySize( names ) == 0 )
	{
		return;
	}
	begin_row( p, label, margin );
	for ( const cJSON* name = names->child; name; name = name->next )
	{
		char change[cell_bytes] = "";
		for ( const cJSON* m = get( all, "measures" )->child; m; m = m->next )
		{
			if ( strcmp( text_of( m, "name" ), name->valuestring ) == 0 )
			{
				print_change( number_of( m, "change" ), change );
			}
		}
		add_item( p, how, "%s%s%s", name->valuestring, *change ? " " : "", change );
	}
	end_row( p );
}

static void print_unlike( page* p, const cJSON* list )
{
	if ( !list || !list->child )
	{
		return;
	}
	begin_row( p, "  unlike", margin );
	for ( const cJSON* item = list->child; item; item = item->next )
	{
		add_item( p, paint_warning, "%s", text_of( item, "text" ) );
	}
	end_row( p );
}

static void print_distance( page* p, const cJSON* all )
{
	const cJSON* distance = get( all, "distance" );
	const cJSON* equal = get( distance, "equal" );
	const cJSON* apart = get( distance, "hausdorff" );
	const cJSON* forth = get( distance, "from_before" );
	const cJSON* back = get( distance, "from_after" );
	const char* unit = text_of( get( get( all, "before" ), "mesh" ), "unit" );
	begin_row( p, "  meshes", margin );
	if ( cJSON_IsFalse( get( all, "comparable_lengths" ) ) )
	{
		add_item( p, paint_plain, "not compared, and neither are lengths: different units" );
	}
	else if ( !cJSON_IsBool( equal ) )
	{
		add_item( p, paint_plain, "not compared: a file has no triangles" );
	}
	else if ( cJSON_IsTrue( equal ) )
	{
		add_item( p, paint_plain, "equal: the same triangles in the same places" );
	}
	else if ( number_of( apart, "upper" ) == 0 )
	{
		add_item( p, paint_plain, "the same surface, with different or flipped triangles" );
	}
	else
	{
		add_item( p, paint_plain, "largest distance %.3g to %.3g %s", lower_of( apart ), upper_of( apart ),
		          *unit ? unit : "mesh units" );
		add_words( p, paint_plain, "(%.3g %% of the diagonal):",
		           bvbase_round_up( 100 * number_of( get( distance, "relative" ), "upper" ), 3 ) );
		add_words( p, paint_plain, "from before to after %.3g to %.3g,", lower_of( forth ),
		           upper_of( forth ) );
		add_words( p, paint_plain, "from after to before %.3g to %.3g", lower_of( back ), upper_of( back ) );
	}
	end_row( p );
}

// Findings that only one of the files has.
static void print_findings( page* p, const char* label, const cJSON* findings )
{
	if ( !findings || !findings->child )
	{
		return;
	}
	begin_row( p, label, margin );
	for ( const cJSON* f = findings->child; f; f = f->next )
	{
		bool bad = strcmp( text_of( f, "severity" ), "bad" ) == 0;
		add_item( p, bad ? paint_warning : paint_plain, "%s (%s)", text_of( f, "key" ),
		          text_of( f, "severity" ) );
	}
	end_row( p );
}

static void print_side( const cJSON* item, char out[cell_bytes] )
{
	if ( cJSON_IsString( item ) )
	{
		fit_name( item->valuestring, 24, out, cell_bytes );
		return;
	}
	snprintf( out, cell_bytes, "%s",
	          cJSON_IsNumber( item ) ? bvbase_group( (uint64_t)item->valuedouble ).text : "none" );
}

// What was otherwise in the making.
static void print_differences( page* p, const char* label, const cJSON* differences )
{
	if ( !differences || !differences->child )
	{
		return;
	}
	begin_row( p, label, margin );
	for ( const cJSON* item = differences->child; item; item = item->next )
	{
		char before[cell_bytes];
		char after[cell_bytes];
		print_side( get( item, "before" ), before );
		print_side( get( item, "after" ), after );
		add_item( p, paint_plain, "%s %s -> %s", item->string, *before ? before : "default",
		          *after ? after : "default" );
	}
	end_row( p );
}

static void print_cell( const cJSON* value, char out[cell_bytes] )
{
	if ( cJSON_IsNumber( value ) )
	{
		snprintf( out, cell_bytes, "%s", bvbase_shorten( value->valuedouble, 5 ).text );
	}
	else if ( cJSON_IsNumber( get( value, "lower" ) ) )
	{
		// Where both ends are too long, the one that is certified of all points says more.
		int length = snprintf( out, cell_bytes, "%.3g to %.3g", lower_of( value ), upper_of( value ) );
		if ( length > cell_columns )
		{
			snprintf( out, cell_bytes, "<= %.3g", upper_of( value ) );
		}
	}
	else
	{
		strcpy( out, "-" );
	}
}

static void print_measure( page* p, const cJSON* m )
{
	char before[cell_bytes];
	char after[cell_bytes];
	char change[cell_bytes];
	char line[3 * cell_bytes + 32];
	const char* result = text_of( m, "result" );
	bool certain = strcmp( result, "better" ) == 0 || strcmp( result, "worse" ) == 0;
	double by = number_of( m, "change" );
	print_cell( get( m, "before" ), before );
	print_cell( get( m, "after" ), after );
	print_change( by, change );
	snprintf( line, sizeof line, "%c %-23s %*s %*s %9s", certain && !( fabs( by ) < 0.1 ) ? '*' : ' ',
	          text_of( m, "name" ), cell_columns, before, cell_columns, after, change );
	begin_row( p, line, 0 );
	if ( strcmp( result, "different" ) != 0 && !( certain && fabs( by ) < 0.001 ) )
	{
		put_text( p, paint_plain, "  " );
		put_text( p, color_of( result ), result );
	}
	end_row( p );
}

static bool is_same( const cJSON* m )
{
	return strcmp( text_of( m, "result" ), "same" ) == 0;
}

static void print_measures( page* p, const cJSON* measures )
{
	int same = 0;
	int marked = 0;
	int count = cJSON_GetArraySize( measures );
	for ( const cJSON* m = measures->child; m; m = m->next )
	{
		same += is_same( m );
	}
	if ( same < count )
	{
		fprintf( p->file, "  %-23s %*s %*s %9s\n", "measure", cell_columns, "before", cell_columns, "after",
		         "change" );
	}
	for ( const cJSON* m = measures->child; m; m = m->next )
	{
		if ( !is_same( m ) )
		{
			print_measure( p, m );
			marked += !( fabs( number_of( m, "change" ) ) < 0.1 );
		}
	}
	if ( same > 0 )
	{
		begin_row( p, "  unchanged", margin );
		for ( const cJSON* m = measures->child; m; m = m->next )
		{
			if ( is_same( m ) )
			{
				add_words( p, paint_plain, "%s%s", text_of( m, "name" ), --same > 0 ? ";" : "" );
			}
		}
		end_row( p );
	}
	if ( marked > 0 )
	{
		fputs( "* changed by 10 % or more; uncertain: the intervals overlap, maybe no change\n", p->file );
	}
}

bv_status print_comparison( const char* before, const char* after, const char* json, bvb_error* error )
{
	page p = page_on( stdout );
	cJSON* all = cJSON_Parse( json );
	if ( !all )
	{
		return bvbase_fail_memory( error );
	}
	print_title( &p, before, after, all );
	if ( strcmp( text_of( all, "verdict" ), "equal" ) != 0 )
	{
		print_changed( &p, "  better", "better", all, paint_good );
		print_changed( &p, "  worse", "worse", all, paint_warning );
		print_findings( &p, "  new", get( get( all, "findings" ), "new" ) );
		print_findings( &p, "  gone", get( get( all, "findings" ), "gone" ) );
		print_unlike( &p, get( all, "unlike" ) );
		print_distance( &p, all );
		print_differences( &p, "  options", get( all, "parameters" ) );
		print_differences( &p, "  sections", get( all, "sections" ) );
		print_measures( &p, get( all, "measures" ) );
	}
	cJSON_Delete( all );
	return bv_ok;
}
