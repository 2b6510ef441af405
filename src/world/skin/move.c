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
//
// Leaves whose weights differ little have another bound. Let weights w have the sum 1, and m be the middles of those of the leaf's vertices
// and d their spreads, and let A be the mean of the matrices with the weights m. Since sum w (M - A) = sum m (M - A) + sum (w - m) (M - A), and
// the first part is 0,
//
//     x = A p + sum (w - m) (M - A) p
//
// The first term is an affine function of p in the box, and the sum is at most sum d |(M - A) p|. Let s be the greatest bound of |M p| among
// the bones, from absolute values of all terms. Each of the steps, those of the position included, errs by few u of partial sums that are at most
// s times 2 + sum m + 2 sum d, and less than 100 steps follow one another: the margin is 2^-40 of that.

#include "world/skin/skin.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

typedef struct interval
{
	double lower;
	double upper;
} interval;

// A coordinate of M p.
static double moved( const bvwskin_bone* m, int i, double x, double y, double z )
{
	return ( ( m->column[0][i] * x + m->column[1][i] * y ) + m->column[2][i] * z ) + m->column[3][i];
}

// The same for a box.
static interval moved_box( const bvwskin_bone* m, int i, const bvwskin_bone_box* box )
{
	double a[3];
	double b[3];
	for ( int k = 0; k < 3; ++k )
	{
		double first = m->column[k][i] * box->lower[k];
		double second = m->column[k][i] * box->upper[k];
		a[k] = bvmath_min( first, second );
		b[k] = bvmath_max( first, second );
	}
	return ( interval ){ ( ( a[0] + a[1] ) + a[2] ) + m->column[3][i],
		                 ( ( b[0] + b[1] ) + b[2] ) + m->column[3][i] };
}

void bvwskin_move_vertex( const bvw_skin* skin, uint32_t vertex, float to[3] )
{
	const float* p = skin->rest[vertex];
	if ( skin->first_pair[vertex] == skin->first_pair[vertex + 1] )
	{
		memcpy( to, p, sizeof *skin->rest );
		return;
	}
	double sum[3] = { 0, 0, 0 };
	double weights = 0;
	for ( uint32_t i = skin->first_pair[vertex]; i < skin->first_pair[vertex + 1]; ++i )
	{
		const bvwskin_bone* m = skin->bones + skin->pair_bone[i];
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
static bvwskin_bone bone_of( const double m[16], bv_vec3 offset )
{
	bvwskin_bone bone;
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
static bool stays_in_range( const bvwskin_bone* bone, const bvwskin_bone_box* box )
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
		bvwskin_bone bone = bone_of( m, s->deform->offset );
		// The root has all bones that are used.
		if ( entry < s->first_entry[1] && s->entry_bone[entry] == i )
		{
			if ( !stays_in_range( &bone, bvwskin_box_at( s, 0, entry ) ) )
			{
				return false;
			}
			entry += 1;
		}
		if ( set )
		{
			s->bones[i] = bone;
		}
	}
	return true;
}

bool bvwskin_take_bones( bvw_skin* skin, const bvw_bones* bones )
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

// The mean of the matrices of a leaf's bones.
static bvwskin_bone mean_bone( const bvw_skin* s, uint32_t number )
{
	bvwskin_bone mean = { .column = { { 0 } } };
	double sum = 0;
	for ( uint32_t k = s->first_entry[number]; k < s->first_entry[number + 1]; ++k )
	{
		const bvwskin_bone* m = s->bones + s->entry_bone[k];
		for ( int i = 0; i < 12; ++i )
		{
			mean.column[i / 3][i % 3] += s->entry_weight[k] * m->column[i / 3][i % 3];
		}
		sum += s->entry_weight[k];
	}
	for ( int i = 0; i < 12; ++i )
	{
		mean.column[i / 3][i % 3] /= sum;
	}
	return mean;
}

typedef struct center_box
{
	double center[3];
	double half[3];
} center_box;

// A bound of the absolute value of (M - A) p for all points of a box.
static double apart( const bvwskin_bone* m, const bvwskin_bone* a, int i, const center_box* box )
{
	double at = m->column[3][i] - a->column[3][i];
	double reach = 0;
	for ( int j = 0; j < 3; ++j )
	{
		double factor = m->column[j][i] - a->column[j][i];
		at += factor * box->center[j];
		reach += fabs( factor ) * box->half[j];
	}
	return fabs( at ) + reach;
}

// A bound of the sum of absolute values of the terms of M p.
static double size_of( const bvwskin_bone* m, int i, const center_box* box )
{
	double size = fabs( m->column[3][i] );
	for ( int j = 0; j < 3; ++j )
	{
		size += fabs( m->column[j][i] ) * ( fabs( box->center[j] ) + box->half[j] );
	}
	return size;
}

static interval blended( const bvw_skin* s, uint32_t number, int i, const bvwskin_bone* mean,
                         const center_box* box )
{
	double size = 0;
	double total = 2;
	double at = moved( mean, i, box->center[0], box->center[1], box->center[2] );
	double reach = 0;
	for ( int j = 0; j < 3; ++j )
	{
		reach += fabs( mean->column[j][i] ) * box->half[j];
	}
	for ( uint32_t k = s->first_entry[number]; k < s->first_entry[number + 1]; ++k )
	{
		const bvwskin_bone* m = s->bones + s->entry_bone[k];
		reach += s->entry_spread[k] * apart( m, mean, i, box );
		size = bvmath_max( size, size_of( m, i, box ) );
		total += s->entry_weight[k] + 2.0 * s->entry_spread[k];
	}
	reach += 0x1p-40 * ( size * total ) + 0x1p-900;
	return ( interval ){ at - reach, at + reach };
}

// The box that encloses the boxes of a node's entries as their bones move them.
static interval joined( const bvw_skin* s, uint32_t number, int i )
{
	uint32_t first = s->first_entry[number];
	interval all = { INFINITY, -INFINITY };
	for ( uint32_t k = first; k < s->first_entry[number + 1]; ++k )
	{
		interval x = moved_box( s->bones + s->entry_bone[k], i, bvwskin_box_at( s, number, k - first ) );
		all.lower = bvmath_min( all.lower, x.lower );
		all.upper = bvmath_max( all.upper, x.upper );
	}
	double margin = 0x1p-47 * bvmath_max( fabs( all.lower ), fabs( all.upper ) ) + 0x1p-900;
	return ( interval ){ all.lower - margin, all.upper + margin };
}

static void set_bounds( bvtree_refit_box* box, int i, interval x )
{
	box->lower[i] = (float)x.lower + 0.0f;
	box->upper[i] = (float)x.upper + 0.0f;
}

static void pose_blended( const bvw_skin* s, uint32_t number, bvtree_refit_box* out )
{
	const bvwskin_bone_box* box = s->boxes + s->first_box[number];
	bvwskin_bone mean = mean_bone( s, number );
	center_box c;
	for ( int i = 0; i < 3; ++i )
	{
		c.center[i] = ( (double)box->lower[i] + box->upper[i] ) / 2;
		c.half[i] = ( (double)box->upper[i] - box->lower[i] ) / 2;
	}
	for ( int i = 0; i < 3; ++i )
	{
		interval x = blended( s, number, i, &mean, &c );
		// Terms that cancel each other can be out of range. Written so that a NaN is.
		bool is_in_range = x.lower >= -BVW_MAX_POSITION && x.upper <= BVW_MAX_POSITION;
		set_bounds( out, i, is_in_range ? x : joined( s, number, i ) );
	}
}

void bvwskin_pose_box( const bvw_skin* skin, uint32_t number )
{
	bvtree_refit_box* box = skin->deform->refit.boxes + number;
	*box = ( bvtree_refit_box ){ .lower = { 0 } };
	if ( bvwskin_is_blended( skin, number ) )
	{
		pose_blended( skin, number, box );
		return;
	}
	for ( int i = 0; i < 3; ++i )
	{
		set_bounds( box, i, joined( skin, number, i ) );
	}
}
