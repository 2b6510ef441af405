// Callbacks of queries that store what is found in arrays.

#include "bv/mesh.h"

bool bv_pair_list_add( void* list, uint32_t triangle_a, uint32_t triangle_b )
{
	bv_pair_list* l = list;
	if ( l->count < l->capacity )
	{
		l->pairs[l->count][0] = triangle_a;
		l->pairs[l->count][1] = triangle_b;
	}
	l->count += 1;
	return l->count != l->most;
}

bool bv_triangle_list_add( void* list, uint32_t triangle )
{
	bv_triangle_list* l = list;
	if ( l->count < l->capacity )
	{
		l->triangles[l->count] = triangle;
	}
	l->count += 1;
	return l->count != l->most;
}
