// Matrices of bones, the vertices that they move, and the boxes of nodes as they move them. See skin.h.
//
// Both compute a coordinate of M p in the same order, so that rounding errors of this part need no margin: each operation, rounded to
// nearest, is monotone in its operands, so that for p in a box, the computed coordinate is between those computed from the lesser and from
// the greater product of each term at the ends of the box.
//
// Sums with weights then err as follows, with u = 2^-53 and n pairs, at most 16. The products and sums of the numerator err by n u of the
// sum of w |M p| and the sum of weights by (n - 1) u of itself, the quotient by u: together by less than 33 u < 2^-47 of the greatest
// |M p|, second orders included. That is the margin, about twice as much as is needed. Products that underflow, divided by weights of at least
// 2^-149, are less than 2^-900.
//
// Rounding to binary32 is monotone again.

#include "world/deform/skin.h"

#include <math.h>
#include <string.h>

typedef struct interval
{
	double lower;
	double upper;
} interval;

static double least( double a, double b )
{
	return a < b ? a : b;
}

static double greatest( double a, double b )
{
	return a > b ? a : b;
}

// A coordinate of M p.
static double moved( const bvwdeform_bone* m, int i, double x, double y, double z )
{
	return ( ( m->column[0][i] * x + m->column[1][i] * y ) + m->column[2][i] * z ) + m->column[3][i];
}

// The same for a box.
static interval moved_box( const bvwdeform_bone* m, int i, const bvwdeform_bone_box* box )
{
	double a[3];
	double b[3];
	for ( int k = 0; k < 3; ++k )
	{
		double first = m->column[k][i] * box->lower[k];
		double second = m->column[k][i] * box->upper[k];
		a[k] = least( first, second );
		b[k] = greatest( first, second );
	}
	return ( interval ){ ( ( a[0] + a[1] ) + a[2] ) + m->column[3][i],
		                 ( ( b[0] + b[1] ) + b[2] ) + m->column[3][i] };
}

void bvwdeform_skin_vertex( const bvw_skin* skin, uint32_t vertex, float to[3] )
{
	const float* p = skin->rest[vertex];
	double sum[3] = { 0, 0, 0 };
	double weights = 0;
	for ( uint32_t i = skin->first_pair[vertex]; i < skin->first_pair[vertex + 1]; ++i )
	{
		const bvwdeform_bone* m = skin->bones + skin->pair_bone[i];
		double w = skin->pair_weight[i];
		for ( int k = 0; k < 3; ++k )
		{
			sum[k] += w * moved( m, k, p[0], p[1], p[2] );
		}
		weights += w;
	}
	for ( int k = 0; k < 3; ++k )
	{
		to[k] = (float)( sum[k] / weights ) + 0.0f;
	}
}

// @return whether the matrix is finite and affine
static bool read_matrix( const bvw_bones* bones, uint32_t number, double m[16] )
{
	size_t size = bones->matrices ? sizeof( double ) : sizeof( float );
	size_t stride = bones->stride > 0 ? bones->stride : 16 * size;
	const char* from =
		( bones->matrices ? (const char*)bones->matrices : (const char*)bones->floats ) + stride * number;
	bool is_finite = true;
	for ( int i = 0; i < 16; ++i )
	{
		m[i] = bones->matrices ? ( (const double*)(const void*)from )[i]
		                       : ( (const float*)(const void*)from )[i];
		is_finite = is_finite && fabs( m[i] ) <= 0x1.fffffffffffffp1023;
	}
	return is_finite && fabs( m[3] ) <= 1e-6 && fabs( m[7] ) <= 1e-6 && fabs( m[11] ) <= 1e-6 &&
	       fabs( m[15] - 1 ) <= 1e-6;
}

// From coordinates of the mesh to those that are relative to the offset.
static bvwdeform_bone bone_of( const double m[16], bv_vec3 offset )
{
	bvwdeform_bone bone;
	const double o[3] = { offset.x, offset.y, offset.z };
	for ( int i = 0; i < 3; ++i )
	{
		double moves = ( m[i] * o[0] + m[4 + i] * o[1] ) + m[8 + i] * o[2];
		for ( int k = 0; k < 4; ++k )
		{
			bone.column[k][i] = m[4 * k + i];
		}
		bone.column[3][i] = m[12 + i] + ( moves - o[i] );
	}
	return bone;
}

// Written so that a NaN fails. Sums with weights and their rounding stay in the range of binary32, which is far greater.
static bool stays_in_range( const bvwdeform_bone* bone, const bvwdeform_bone_box* box )
{
	bool stays = true;
	for ( int i = 0; i < 3; ++i )
	{
		interval x = moved_box( bone, i, box );
		stays = stays && x.lower >= -BVW_MAX_POSITION && x.upper <= BVW_MAX_POSITION;
	}
	return stays;
}

// @param set  whether matrices are stored; they have been checked then
static bool read_bones( bvw_skin* s, const bvw_bones* bones, bool set )
{
	uint32_t entry = s->first_entry[0];
	for ( uint32_t i = 0; i < s->counts.bones; ++i )
	{
		double m[16];
		if ( !read_matrix( bones, i, m ) )
		{
			return false;
		}
		bvwdeform_bone bone = bone_of( m, s->deform->offset );
		// The root has all bones that are used.
		if ( entry < s->first_entry[1] && s->entry_bone[entry] == i &&
		     !stays_in_range( &bone, s->entry_box + entry++ ) )
		{
			return false;
		}
		if ( set )
		{
			s->bones[i] = bone;
		}
	}
	return true;
}

bool bvwdeform_take_bones( bvw_skin* skin, const bvw_bones* bones )
{
	if ( !bones || ( bones->matrices != NULL ) == ( bones->floats != NULL ) )
	{
		return false;
	}
	uint32_t size = bones->matrices ? sizeof( double ) : sizeof( float );
	bool is_aligned = ( (uintptr_t)bones->matrices | (uintptr_t)bones->floats ) % size == 0;
	return is_aligned && bones->stride % size == 0 && ( bones->stride == 0 || bones->stride >= 16 * size ) &&
	       bones->count >= skin->counts.bones && read_bones( skin, bones, false ) &&
	       read_bones( skin, bones, true );
}

// The box of a node as its bones move it.
void bvwdeform_pose_box( const bvw_skin* skin, uint32_t number )
{
	interval all[3] = { { INFINITY, -INFINITY }, { INFINITY, -INFINITY }, { INFINITY, -INFINITY } };
	for ( uint32_t i = skin->first_entry[number]; i < skin->first_entry[number + 1]; ++i )
	{
		const bvwdeform_bone* m = skin->bones + skin->entry_bone[i];
		for ( int k = 0; k < 3; ++k )
		{
			interval x = moved_box( m, k, skin->entry_box + i );
			all[k].lower = least( all[k].lower, x.lower );
			all[k].upper = greatest( all[k].upper, x.upper );
		}
	}
	bvtree_refit_box* box = skin->deform->refit.boxes + number;
	*box = ( bvtree_refit_box ){ .lower = { 0 } };
	for ( int k = 0; k < 3; ++k )
	{
		double margin = 0x1p-47 * greatest( fabs( all[k].lower ), fabs( all[k].upper ) ) + 0x1p-900;
		box->lower[k] = (float)( all[k].lower - margin ) + 0.0f;
		box->upper[k] = (float)( all[k].upper + margin ) + 0.0f;
	}
}
