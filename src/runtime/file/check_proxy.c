// The check of PRXY. See check.h.

#include "runtime/file/check.h"

// Far above what any mesh reaches, so that differences and squares of coordinates are numbers.
static const double most_coordinate = 0x1p122;

static bool is_interval( const bv_interval* interval )
{
	return bvfile_all_finite_double( &interval->lower, 2 ) && interval->lower >= 0 &&
	       interval->lower <= interval->upper;
}

// Numbered by first use, which also says that all vertices are used and none is out of range.
static const char* check_triangles( const bvfile_proxy_view* v )
{
	uint32_t next = 0;
	for ( uint32_t i = 0; i < v->head->triangles; ++i )
	{
		const uint32_t* c = v->triangles[i];
		for ( int k = 0; k < 3; ++k )
		{
			if ( c[k] > next || c[k] >= v->head->vertices )
			{
				return "the proxy mesh's vertices are not numbered by first use";
			}
			next += c[k] == next;
		}
		if ( c[0] == c[1] || c[1] == c[2] || c[2] == c[0] )
		{
			return "a triangle of the proxy mesh refers to the same vertex twice";
		}
	}
	return next == v->head->vertices ? NULL : "a vertex of the proxy mesh is not used";
}

const char* bvfile_check_proxy( const char* section, uint64_t bytes, const bvfile_content* content )
{
	bvfile_proxy_view v = bvfile_proxy_view_of( section );
	if ( bytes < sizeof *v.head || bytes != sizeof *v.head +
	                                            v.head->vertices * (uint64_t)sizeof *v.positions +
	                                            v.head->triangles * (uint64_t)sizeof *v.triangles )
	{
		return "the proxy section has the wrong size";
	}
	if ( v.head->vertices < 3 || v.head->triangles == 0 || v.head->triangles > content->mesh->triangles ||
	     v.head->enclosed > content->mesh->triangles || v.head->reserved != 0 )
	{
		return "a count of the proxy section is out of range";
	}
	if ( !( v.head->tolerance >= 0 ) || !bvfile_all_finite_double( &v.head->tolerance, 1 ) ||
	     !is_interval( &v.head->from_proxy ) || !is_interval( &v.head->from_mesh ) )
	{
		return "a distance of the proxy section is invalid";
	}
	bool good = true;
	for ( uint32_t i = 0; i < v.head->vertices; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double x = v.positions[i][k];
			good = good && x <= most_coordinate && x >= -most_coordinate;
		}
	}
	return good ? check_triangles( &v ) : "a vertex of the proxy mesh is out of range";
}
