// The unit of a file's lengths. See unit.h.

#include "offline/report/unit.h"

#include "bvbuild/asset.h"
#include "offline/base/number.h"

#include <stdio.h>
#include <string.h>

static bool find_option( const bv_file* file, const char* name, bv_text* value )
{
	return bvb_find_parameter( bv_file_get_origin( file ).parameters, ( bv_text ){ name, strlen( name ) },
	                           value );
}

static double number_of( const bv_file* file, const char* name, double otherwise )
{
	bv_text text;
	double value;
	bool there =
		find_option( file, name, &text ) && bvbase_read_number( text.data, text.data + text.length, &value );
	return there ? value : otherwise;
}

const char* bvreport_unit_of( bool in_meters, double scale, bool normalized )
{
	return !in_meters || normalized ? NULL
	       : scale == 1             ? "m"
	       : scale == 100           ? "cm"
	       : scale == 1000          ? "mm"
	                                : NULL;
}

const char* bvreport_find_unit( const bv_file* file )
{
	bv_text source;
	return bvreport_unit_of( find_option( file, "units", &source ), number_of( file, "scale", 1 ),
	                         number_of( file, "normalize", 0 ) != 0 );
}

const char* bvreport_name_unit( const bv_file* file )
{
	const char* unit = bvreport_find_unit( file );
	return unit ? unit : "mesh units";
}

bvreport_unit_suffix bvreport_suffix_unit( const bv_file* file, int power )
{
	bvreport_unit_suffix out = { "" };
	const char* unit = bvreport_find_unit( file );
	if ( unit )
	{
		snprintf( out.text, sizeof out.text, power > 1 ? " %s^%d" : " %s", unit, power );
	}
	return out;
}
