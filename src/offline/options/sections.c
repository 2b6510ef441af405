// The option --sections, and the options that add sections.

#include "offline/base/error.h"
#include "offline/options/options.h"
#include "offline/options/rows.h"
#include "offline/options/setters.h"
#include "offline/options/settle.h"

#include <string.h>

// @return bvb_section_count for a name that is none
static bvb_section find_section( const char* name, size_t length )
{
	for ( uint32_t i = 0; i < bvb_section_count; ++i )
	{
		const char* known = bvb_section_name( i, NULL );
		if ( strlen( known ) == length && memcmp( known, name, length ) == 0 )
		{
			return (bvb_section)i;
		}
	}
	return bvb_section_count;
}

// What --sections names.
typedef struct sections_choice
{
	bvb_sections sections; // what is to be in the file
	bvb_sections named;    // what is added
	bvb_sections left_out; // what is removed
} sections_choice;

static bv_status add_section( const char* name, size_t length, sections_choice* to, bvb_error* error )
{
	if ( length == 4 && memcmp( name, "none", length ) == 0 )
	{
		to->sections = 0;
		return bv_ok;
	}
	bool left_out = length > 0 && *name == '-';
	bvb_section section = find_section( name + left_out, length - left_out );
	if ( section == bvb_section_count )
	{
		bvbase_suggestion near = bvbase_suggestion_for( name + left_out, length - left_out );
		for ( uint32_t i = 0; i < bvb_section_count; ++i )
		{
			bvbase_suggest( &near, bvb_section_name( i, NULL ) );
		}
		return bvopt_fail_unknown( error, "section", name + left_out, (int)( length - left_out ), &near );
	}
	to->sections = left_out ? bvb_sections_without( to->sections, section ) : to->sections | 1u << section;
	to->named |= left_out ? 0 : 1u << section;
	to->left_out |= left_out ? 1u << section : 0;
	return bv_ok;
}

static bv_status parse_sections( const char* value, sections_choice* out, bvb_error* error )
{
	*out = ( sections_choice ){ .sections = bvb_sections_default() };
	for ( const char* name = value;; )
	{
		size_t length = strcspn( name, "," );
		bv_status status = add_section( name, length, out, error );
		if ( status != bv_ok || name[length] == 0 )
		{
			return status;
		}
		name += length + 1;
	}
}

bv_status bvopt_set_sections( void* context, const char* value, bvb_error* error )
{
	sections_choice chosen;
	bv_status status = parse_sections( value, &chosen, error );
	( (bvb_build_options*)context )->asset.sections = chosen.sections;
	return status;
}

// What was given has been parsed before.
static sections_choice get_choice( const bvb_build_options* s )
{
	sections_choice out = { 0 };
	bvb_error ignored;
	const char* given = bvopt_get_given( s, &s->asset.sections );
	if ( given )
	{
		parse_sections( given, &out, &ignored );
	}
	return out;
}

static bv_status check_addition( const bvb_build_options* s, const char* name, const void* value,
                                 bvb_section section, bvb_error* error )
{
	return bvopt_is_given( s, value ) && ( get_choice( s ).left_out >> section & 1 )
	           ? bvbase_fail( error, bv_error_argument, "--%s adds the section that --sections -%s removes",
	                          name, bvb_section_name( section, NULL ) )
	           : bv_ok;
}

// Reports an option that was given without the one that it needs: the last one of several.
static bv_status check_needs( const bvb_build_options* s, bvb_error* error )
{
	const bvasset_option* idle = NULL;
	uint32_t order = 0;
	for ( int i = 0; i < bvopt_row_count; ++i )
	{
		const bvasset_option* o = bvopt_rows + i;
		if ( s->uses[i].order > order && o->needs && !o->in_use( &s->asset ) )
		{
			idle = o;
			order = s->uses[i].order;
		}
	}
	return idle ? bvbase_fail( error, bv_error_argument, "--%s needs %s", idle->name, idle->needs ) : bv_ok;
}

bv_status bvopt_add_sections( bvb_build_options* s, bvb_error* error )
{
	s->asset.sections |= bvopt_is_given( s, &s->asset.stand_off ) ? 1u << bvb_section_parts : 0;
	s->asset.sections |= bvopt_is_given( s, &s->asset.simplify ) ? 1u << bvb_section_proxy : 0;
	bv_status status = check_addition( s, "decompose", &s->asset.stand_off, bvb_section_parts, error );
	status = status == bv_ok ? check_needs( s, error ) : status;
	return status == bv_ok ? check_addition( s, "simplify", &s->asset.simplify, bvb_section_proxy, error )
	                       : status;
}

bv_status bvopt_settle_sections( const bvb_build_options* s, bvb_error* error )
{
	bvb_sections named = get_choice( s ).named & s->asset.sections;
	bvb_error inner;
	bv_status status = bvb_sections_check( s->asset.sections, &inner );
	if ( status != bv_ok )
	{
		return bvbase_fail( error, status, "--sections: %s", inner.message );
	}
	if ( ( named >> bvb_section_errors & 1 ) && !( s->asset.errors.relative > 0 ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--sections errors needs a tolerance: --hausdorff is 0" );
	}
	if ( ( named >> bvb_section_primitives & 1 ) && !( s->asset.recognize.value > 0 ) )
	{
		return bvbase_fail( error, bv_error_argument,
		                    "--sections primitives needs a tolerance: --recognize is 0" );
	}
	return bv_ok;
}
