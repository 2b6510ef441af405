// Status texts and the version.

#include "bv/base.h"

const char* bv_version( void )
{
	return BV_VERSION;
}

const char* bv_status_text( bv_status status )
{
	switch ( status )
	{
	case bv_ok: return "no error";
	case bv_error_argument: return "invalid argument";
	case bv_error_input: return "invalid input";
	case bv_error_unsupported: return "not supported";
	case bv_error_output: return "cannot write output";
	case bv_error_memory: return "out of memory";
	case bv_error_limit: return "limit exceeded";
	case bv_error_damaged: return "damaged file";
	case bv_error_internal: return "internal error";
	}
	return "unknown status";
}
