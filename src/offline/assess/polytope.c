// Convex polyhedra that are cut by planes (runtime/convex/clip.h), and their volumes.

#include "offline/assess/polytope.h"

#include "runtime/math/vec.h"

#include <string.h>

static bvconvex_polytope arrays_of( bvassess_cut_polytope* p )
{
	return ( bvconvex_polytope ){ .corners = p->corners, .loops = p->loops, .first = p->first };
}

void bvassess_polytope_begin( bvassess_cut_polytope* out )
{
	static const uint32_t loops[24] = {
		0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5
	};
	out->of = arrays_of( out );
	out->of.corner_count = 8;
	out->of.face_count = 6;
	memcpy( out->loops, loops, sizeof loops );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		out->corners[i] = ( bv_vec3 ){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 };
	}
	for ( uint32_t i = 0; i <= 6; ++i )
	{
		out->first[i] = 4 * i;
	}
}

bvassess_cut_polytope* bvassess_polytope_cut_by( bvassess_cut_polytope* polytope,
                                                 bvassess_cut_polytope* other, bv_vec3 normal, double offset )
{
	static const bvconvex_polytope_room room = { bvassess_polytope_corners, bvassess_polytope_sides,
		                                         bvassess_polytope_faces };
	double height[bvassess_polytope_corners];
	bvconvex_crossing crossing[bvassess_polytope_corners];
	uint32_t number[bvassess_polytope_corners];
	const bvconvex_polytope* whole = &polytope->of;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < whole->corner_count; ++i )
	{
		height[i] = bv_dot( normal, whole->corners[i] ) - offset;
		kept += !( height[i] > 0 );
	}
	if ( kept == whole->corner_count )
	{
		return polytope;
	}
	bvconvex_clip clip = { .order = bvconvex_clip_with_old,
		                   .crossing = crossing,
		                   .most = bvassess_polytope_corners,
		                   .number = number };
	other->of = arrays_of( other );
	if ( kept == 0 )
	{
		return other;
	}

	// Only rounding could make more of them than the planes can; such a plane takes nothing away.
	bool fits = bvconvex_clip_find( whole, height, &clip ) &&
	            bvconvex_clip_half( whole, height, &clip, false, &room, &other->of );
	return fits ? other : polytope;
}

// Tetrahedra from one of the corners to all triangles of the faces.
double bvassess_polytope_volume( const bvassess_cut_polytope* polytope )
{
	double sum = 0;
	for ( uint32_t i = 0; i < polytope->of.face_count; ++i )
	{
		const uint32_t* loop = polytope->loops + polytope->first[i];
		uint32_t count = polytope->first[i + 1] - polytope->first[i];
		bv_vec3 a = polytope->corners[loop[0]];
		bv_vec3 to_a = bv_sub( a, polytope->corners[0] );
		for ( uint32_t k = 2; k < count; ++k )
		{
			bv_vec3 b = bv_sub( polytope->corners[loop[k - 1]], a );
			sum += bv_dot( to_a, bv_cross( b, bv_sub( polytope->corners[loop[k]], a ) ) );
		}
	}
	return sum / 6;
}
