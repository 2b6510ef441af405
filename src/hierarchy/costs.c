// What tests cost: the matrix that is shipped, and one that is read.

#include "base/offline/error.h"
#include "bvbuild/hierarchy.h"

#include <stdlib.h>
#include <string.h>

// Nanoseconds a test of volumes, in the order of bv_volume_type, and of triangles.
static const bv_costs shipped = {
	.volumes = { { 35, 35, 12, 30, 40, 40, 45 },
	             { 35, 35, 12, 30, 40, 40, 45 },
	             { 12, 12, 3, 10, 15, 15, 20 },
	             { 30, 30, 10, 40, 40, 40, 45 },
	             { 40, 40, 15, 40, 25, 30, 35 },
	             { 40, 40, 15, 40, 30, 30, 40 },
	             { 45, 45, 20, 45, 35, 40, 40 } },
	.triangles = 60,
};

bv_costs bvb_costs_default( void )
{
	return shipped;
}

bv_status bvb_costs_parse( const char* text, size_t size, bv_costs* out, bvb_error* error )
{
	(void)text, (void)size, (void)out;
	return bvb_fail( error, bv_error_unsupported, "not yet" );
}
