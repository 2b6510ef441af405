// The option --sections. See sections.h.

#include "cli/sections.h"

#include "offline/base/error.h"

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

// Takes down in `s` what is named.
static bv_status add_section( const char* name, size_t length, settings* s, bvb_error* error )
{
	bvb_sections* sections = &s->asset.sections;
	if ( length == 4 && memcmp( name, "none", length ) == 0 )
	{
		*sections = 0;
		return bv_ok;
	}
	bool left_out = length > 0 && *name == '-';
	bvb_section section = find_section( name + left_out, length - left_out );
	if ( section == bvb_section_count )
	{
		suggestion near = suggestion_for( name + left_out, length - left_out );
		for ( uint32_t i = 0; i < bvb_section_count; ++i )
		{
			suggest( &near, bvb_section_name( i, NULL ) );
		}
		return fail_unknown( error, "section", name + left_out, (int)( length - left_out ), &near );
	}
	*sections = left_out ? bvb_sections_without( *sections, section ) : *sections | 1u << section;
	s->named_sections |= left_out ? 0 : 1u << section;
	s->left_out_sections |= left_out ? 1u << section : 0;
	return bv_ok;
}

bv_status set_sections( void* context, const char* value, bvb_error* error )
{
	settings* s = context;
	s->asset.sections = bvb_sections_default();
	s->named_sections = 0;
	s->left_out_sections = 0;
	for ( const char* name = value;; )
	{
		size_t length = strcspn( name, "," );
		bv_status status = add_section( name, length, s, error );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( name[length] == 0 )
		{
			return bv_ok;
		}
		name += length + 1;
	}
}

bv_status settle_sections( const settings* s, bvb_error* error )
{
	bvb_sections named = s->named_sections & s->asset.sections;
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
