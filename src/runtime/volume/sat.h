// The fifteen separating axes of two oriented boxes.
//
// S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection",
// 1996, section 5. Two boxes are disjoint if and only if their centers are farther apart along one of these
// axes than both boxes reach: the three axes of either box, and the nine products of an axis of each.
//
// Written over the operations of a level, which is included first: sat_double.h has one pair of boxes in
// binary64 (boxes.c, bound.c), the levels of lanes_kernels.h have lanes of pairs in binary32 (lanes_axes.h).
// What an axis says is computed here, in one order of operations. Where the slack belongs, callers derive.

#pragma once

// Two boxes, a and b, whose frames are known to each other.
typedef struct sat_boxes
{
	const lanes_number* half_a; // half extents of a, which is the same box in all lanes
	const lanes* half_b;        // those of b
	const lanes* to;            // from the center of a to that of b, along the axes of a
	const lanes* along;         // the same along the axes of b
	const lanes ( *turn )[3];   // the scalar product of a's axis i and b's axis j
	const lanes ( *size )[3];   // its absolute value
} sat_boxes;

// An axis, times its length.
typedef struct sat_axis
{
	lanes apart;   // how far the centers are apart along it
	lanes reach_a; // how far a reaches from its center
	lanes reach_b; // and b
} sat_axis;

// Axis i of a.
LANES_INLINE sat_axis sat_axis_of_a( const sat_boxes* p, int i )
{
	const lanes* size = p->size[i];
	return ( sat_axis ){
		.apart = lanes_abs( p->to[i] ),
		.reach_a = lanes_all( p->half_a[i] ),
		.reach_b = ( p->half_b[0] * size[0] + p->half_b[1] * size[1] ) + p->half_b[2] * size[2],
	};
}

// Axis j of b.
LANES_INLINE sat_axis sat_axis_of_b( const sat_boxes* p, int j )
{
	const lanes_number* half = p->half_a;
	return ( sat_axis ){
		.apart = lanes_abs( p->along[j] ),
		.reach_a = ( lanes_all( half[0] ) * p->size[0][j] + lanes_all( half[1] ) * p->size[1][j] ) +
		           lanes_all( half[2] ) * p->size[2][j],
		.reach_b = p->half_b[j],
	};
}

// The product of a's axis i and b's axis j. Its length is the sine of the angle between them.
// @param by_b  whether the offset is taken along b's axes, which is the same but for rounding
LANES_INLINE sat_axis sat_axis_of_edges( const sat_boxes* p, int i, int j, bool by_b )
{
	int u = ( i + 1 ) % 3;
	int v = ( i + 2 ) % 3;
	int k = ( j + 1 ) % 3;
	int l = ( j + 2 ) % 3;
	lanes offset = by_b ? p->along[k] * p->turn[i][l] - p->along[l] * p->turn[i][k]
	                    : p->to[v] * p->turn[u][j] - p->to[u] * p->turn[v][j];
	return ( sat_axis ){
		.apart = lanes_abs( offset ),
		.reach_a = lanes_all( p->half_a[u] ) * p->size[v][j] + lanes_all( p->half_a[v] ) * p->size[u][j],
		.reach_b = p->half_b[k] * p->size[i][l] + p->half_b[l] * p->size[i][k],
	};
}

// How far the boxes are apart along the axis, times its length; negative where they overlap.
LANES_INLINE lanes sat_gap( sat_axis x )
{
	return x.apart - ( x.reach_a + x.reach_b );
}

// Whether that is more than slack, as a mask of lanes. The product of parallel axes is close to zero, and so
// are both sides: only the slack keeps that from separating the boxes.
LANES_INLINE uint32_t sat_separates( sat_axis x, lanes slack )
{
	return lanes_above( x.apart, ( x.reach_a + x.reach_b ) + slack );
}
