// Felger and Zachmann's rule: cut a box by a plane normal to a coordinate axis so that each half meets as few
// faces as possible. Faces that cross the plane count on both sides. Among the cuts along the three axes, the
// most balanced one is used.
//
// Position of the cut: with n faces, L of them begin before a plane and U end after it. L - U + n is the
// number of beginnings and ends before the plane. L and U are therefore balanced, and the greater of them is
// minimal, anywhere between the two middle values of all 2 n beginnings and ends. The plane in this interval
// nearest to the median of the midpoints is used. It separates the faces whenever their midpoints differ
// along the axis. (Some midpoint is not before the lower middle value. Otherwise all n ends would be after
// it, and it would be the beginning of a face whose midpoint is before it. The same holds for the upper one.)
//
// In the original both halves get a crossing face. Here each face belongs to one part: crossing faces go to
// the side of their midpoints, those with the midpoint in the plane to the smaller part. If axes are equally
// balanced, the one with fewer midpoints in the larger part is used, then the first. In the original an empty
// box ends the division; here axes that separate nothing are skipped. The trees are binary: for more parts
// the rule is applied again to the part with the most faces.
//
// Based on: W. Felger, G. Zachmann 1995, and G. Zachmann 1997, as described by J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.2.2.

#include "offline/literature/split_felger.h"

#include "offline/hierarchy/bisect.h"
#include "runtime/math/vec.h"

#include <string.h>

// How well an axis halves.
typedef struct halving
{
	uint32_t met;     // by the half that meets more faces
	uint32_t largest; // part
} halving;

// Where a face begins and ends along an axis, relative to a point.
static void get_ends( const bvfit_face* face, int axis, double origin, double ends[2] )
{
	double a = bvmath_component( face->corner[0], axis );
	double b = bvmath_component( face->corner[1], axis );
	double c = bvmath_component( face->corner[2], axis );
	ends[0] = bvmath_min( bvmath_min( a, b ), c ) - origin;
	ends[1] = bvmath_max( bvmath_max( a, b ), c ) - origin;
}

static double origin_of( const bvfit_face_list* list, int axis )
{
	return bvmath_component( list->faces[list->order[0]].midpoint, axis );
}

// The plane that halves best.
static double find_cut( const bvhier_face_set* set, int axis )
{
	uint32_t count = set->list.count;
	double* values = (double*)set->list.corners;
	memcpy( values, set->keys, count * sizeof *values );
	double middle = bvhier_median( values, count );
	double origin = origin_of( &set->list, axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		get_ends( set->list.faces + set->list.order[i], axis, origin, values + 2 * (size_t)i );
	}
	double upper = bvhier_select( values, 2 * (uint64_t)count, count );
	double lower = bvhier_select( values, 2 * (uint64_t)count, count - 1 );
	return bvmath_min( bvmath_max( middle, lower ), upper );
}

static halving judge( const bvhier_face_set* set, int axis, double cut, const uint8_t* part, uint32_t below )
{
	double origin = origin_of( &set->list, axis );
	uint32_t count = set->list.count;
	uint32_t met[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		double ends[2];
		get_ends( set->list.faces + set->list.order[i], axis, origin, ends );
		met[0] += ends[0] < cut || !part[i];
		met[1] += ends[1] > cut || part[i];
	}
	return ( halving ){ met[0] > met[1] ? met[0] : met[1], below > count - below ? below : count - below };
}

static void bisect( const bvhier_face_set* set, const void* how, uint8_t* part )
{
	(void)how;
	uint32_t count = set->list.count;
	int best = -1;
	double best_cut = 0;
	halving least = { 0, 0 };
	for ( int axis = 0; axis < 3; ++axis )
	{
		bvhier_project_midpoints( &set->list, axis, set->keys );
		double cut = find_cut( set, axis );
		uint32_t below = bvhier_cut_at( set->keys, count, cut, part );
		if ( below == 0 || below == count )
		{
			continue;
		}
		halving h = judge( set, axis, cut, part, below );
		if ( best < 0 || h.met < least.met || ( h.met == least.met && h.largest < least.largest ) )
		{
			best = axis;
			best_cut = cut;
			least = h;
		}
	}
	if ( best >= 0 )
	{
		bvhier_project_midpoints( &set->list, best, set->keys );
		bvhier_cut_at( set->keys, count, best_cut, part );
	}
}

bool bvlit_split_felger( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	return bvhier_bisect( set, degree, bisect, how, part );
}
