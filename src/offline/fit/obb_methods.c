// The table of methods of fitting oriented boxes. To add one: a file with the function, which declares it,
// and here its declaration and its row.

#include "offline/fit/obb_method.h"

#include <string.h>

bvfit_obb_method_function bvfit_obb_pca_points;
bvfit_obb_method_function bvfit_obb_pca_vertices;
bvfit_obb_method_function bvfit_obb_pca_min;
bvfit_obb_method_function bvfit_obb_pca_max;

// Of the first one all points count.
static const bvfit_obb_method methods[] = {
	{ "pca-points", "principal axes of the points", bvfit_obb_pca_points, false, true },
	{ "pca-vertices", "principal axes of the hull's corners", bvfit_obb_pca_vertices, true, true },
	{ "pca-hull", "principal axes of the hull's surface (Gottschalk 1996)", bvfit_obb_pca_hull, true, true },
	{ "pca-min", "smallest rectangle seen along the last of these axes (Barequet 1996)", bvfit_obb_pca_min,
	  true, true },
	{ "pca-max", "the same along the first axis", bvfit_obb_pca_max, true, true },
	{ "pca-all", "the same along each axis; best of the three", bvfit_obb_pca_all, true, true },
	{ "dito", "DiTO-14: extremal points along seven directions (Larsson, Kallberg 2011)", bvfit_obb_dito,
	  false, false },
	{ "refined", "the best of several methods, refined by local search (Nelder, Mead 1965)",
	  bvfit_obb_refined, true, false },
	{ "optimal", "minimum volume, by a search over pairs of hull edges (O'Rourke 1985)", bvfit_obb_optimal,
	  true, false },
};

enum
{
	method_count = sizeof methods / sizeof methods[0],
};

const bvfit_obb_method* bvfit_obb_method_find( const char* name )
{
	for ( int i = 0; i < method_count; ++i )
	{
		if ( strcmp( methods[i].name, name ) == 0 )
		{
			return methods + i;
		}
	}
	return NULL;
}

const char* bvb_obb_method_name( uint32_t index, const char** summary )
{
	if ( index >= method_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = methods[index].summary;
	}
	return methods[index].name;
}

bool bvfit_obb_needs_inner( const char* name )
{
	return strcmp( name, methods[0].name ) == 0;
}
