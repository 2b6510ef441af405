// Closed forms by separating axes: boxes and triangles with points, segments and each other.
//
// Based on: S. Gottschalk, "Collision queries using oriented bounding boxes", 2000, for the axes: the normals of both and
// the products of their edges, which are the normals of all faces of the difference. The depth is the least distance of
// the origin from such a face's plane.
//
// Boxes need not have right angles: placed ones can be off by 1e-4. Their face normals are products of their axes.
//
// How certain the least distance is. The distance of a plane with unit normal n is h(n), the difference's extent along
// n. That function is Lipschitz, with R, a bound of the difference's points, as the constant. The product of two edges
// of length 1 errs by less than 2^-50, hence its direction by less than d = 2^-48 / |product|, and h by less than d R.
// Edges that are parallel to 2^-36 are left out. Their face, if it is one, is a parallelogram whose points are not
// farther than w = min( length ) |product| from a neighbor along an edge. The neighbor's plane is no farther from the
// origin than h + w then, and the same holds for the neighbor's neighbor if that face is left out too. At most all faces
// that were left out follow each other, two of each product; a face of one of the two cores, which is not left out, ends
// the row. Therefore no face is nearer than the least of h - d R, less the sum of 2 w.

#include "runtime/convex/closed.h"

#include "runtime/triangle/nearest.h"

#include <math.h>

// What separating axes are made of.
typedef struct axes_of_core
{
	int normals;
	bv_vec3 normal[3];
	int edges;
	bv_vec3 edge[3]; // of length 1, to 1e-3
	double length[3];
	bv_vec3 center;
	double reach; // of all points from there
} axes_of_core;

typedef struct axes_search
{
	const bvconvex_cores* cores;
	double reach; // of the difference
	double least; // h of all axes, where no smaller one is possible
	double depth; // the least h
	bv_vec3 normal;
} axes_search;

static const double flat = 0x1p-20;

static bool read_triangle( const bvconvex_core* core, axes_of_core* out )
{
	out->normals = 1;
	out->edges = 3;
	bool thin = false;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 edge = bv_sub( core->corner[( i + 1 ) % 3], core->corner[i] );
		out->length[i] = bv_length( edge );
		thin |= !( out->length[i] > 0 );
		out->edge[i] = bv_scale( 1 / out->length[i], edge );
	}
	out->normal[0] = bv_cross( out->edge[0], out->edge[1] );
	out->center = core->corner[0];
	out->reach = bvmath_max( out->length[0], out->length[2] );
	return !thin && bv_dot( out->normal[0], out->normal[0] ) > flat * flat;
}

static bool read_box( const bvconvex_core* core, axes_of_core* out )
{
	double most = bvmath_max( core->half[0], bvmath_max( core->half[1], core->half[2] ) );
	double least = bvmath_min( core->half[0], bvmath_min( core->half[1], core->half[2] ) );
	out->normals = 3;
	out->edges = 3;
	out->reach = 0;
	for ( int i = 0; i < 3; ++i )
	{
		out->normal[i] = bv_cross( core->axis[( i + 1 ) % 3], core->axis[( i + 2 ) % 3] );
		out->edge[i] = core->axis[i];
		out->length[i] = 2 * core->half[i];
		out->reach += 1.001 * core->half[i];
	}
	out->center = core->center;
	return least > flat * most;
}

// @return false if it is too flat
static bool read_axes( const bvconvex_core* core, axes_of_core* out )
{
	out->normals = 0;
	out->edges = 0;
	out->center = core->corner[0];
	out->reach = 0;
	switch ( core->kind )
	{
	case bvconvex_core_box: return read_box( core, out );
	case bvconvex_core_triangle: return read_triangle( core, out );
	case bvconvex_core_segment:
		out->edge[0] = bv_sub( core->corner[1], core->corner[0] );
		out->length[0] = out->reach = bv_length( out->edge[0] );
		out->edges = out->length[0] > 0;
		out->edge[0] = out->edges ? bv_scale( 1 / out->length[0], out->edge[0] ) : out->edge[0];
		return true;
	default: return true;
	}
}

// @param error   of the direction
// @param favour  another axis is preferred unless this one is better by more than that
static void try_axis( axes_search* s, bv_vec3 unit, double error, double favour )
{
	bvconvex_range a = bvconvex_core_range( s->cores->core[0], unit );
	bvconvex_range b = bvconvex_core_range( s->cores->core[1], unit );
	double along = a.most - b.least;
	double against = b.most - a.least;
	double depth = bvmath_min( along, against );
	s->least = bvmath_min( s->least, depth - error * s->reach );
	if ( depth < s->depth - favour )
	{
		s->depth = depth;
		s->normal = against < along ? bv_negate( unit ) : unit;
	}
}

static bool is_apart( const axes_search* s )
{
	return -s->depth - s->cores->doubt > ( s->cores->decides ? s->cores->radius : 0 );
}

// @param slack  receives the sum of 2 w
static void try_edges( axes_search* s, const axes_of_core own[2], double* slack )
{
	for ( int i = 0; i < own[0].edges && !is_apart( s ); ++i )
	{
		for ( int k = 0; k < own[1].edges && !is_apart( s ); ++k )
		{
			bv_vec3 product = bv_cross( own[0].edge[i], own[1].edge[k] );
			double sine = bv_length( product );
			if ( sine > 0x1p-36 )
			{
				try_axis( s, bv_scale( 1 / sine, product ), 0x1p-48 / sine, s->cores->doubt );
			}
			else
			{
				double width = bvmath_min( own[0].length[i], own[1].length[k] ) * ( 1.01 * sine + 0x1p-49 );
				*slack += 2 * width;
			}
		}
	}
}

static bv_vec3 middle_of( const bvconvex_core* core )
{
	return core->kind == bvconvex_core_box ? core->center : core->corner[0];
}

// The axis that separated the cores before, or the one from core to core.
static bv_vec3 likely_axis( const bvconvex_cores* cores )
{
	return bv_dot( cores->hint, cores->hint ) > 0
	           ? cores->hint
	           : bv_normalize( bv_sub( middle_of( cores->core[1] ), middle_of( cores->core[0] ) ) );
}

// The axes of two boxes, with products that several of them share: the product of one axis and the cross product of two others is that
// of a face normal and an axis. Each errs by less than 2^-50, so that extents along a cross product, before it has length 1, err by less than
// 2^-49 R, the way from center to center included. That is less than what is subtracted for the direction anyway. The best axis
// is then evaluated like any other.
typedef struct box_axes
{
	const axes_of_core* own;
	const double* half[2];
	bv_vec3 way;            // from center to center
	double across[2][3][3]; // sizes of products of the face normals of one box and the axes of the other one
	double best;
	bv_vec3 normal; // of the best axis, not yet of length 1
} box_axes;

// @param size    of the axis
// @param extent  of both boxes along it, together
// @param way     from center to center along it
static void try_product( axes_search* s, box_axes* b, bv_vec3 axis, double size, double extent, double way,
                         double favour )
{
	double depth = ( extent - fabs( way ) ) / size;
	s->least = bvmath_min( s->least, depth - 0x1p-48 / size * s->reach );
	if ( depth < b->best - favour )
	{
		b->best = depth;
		b->normal = axis;
	}
}

static void try_faces_of( axes_search* s, box_axes* b, int which )
{
	const axes_of_core* own = b->own + which;
	const double* half = b->half[1 - which];
	for ( int i = 0; i < 3; ++i )
	{
		const double* across = b->across[which][i];
		double extent = b->half[which][i] * fabs( bv_dot( own->normal[i], own->edge[i] ) ) +
		                ( ( half[0] * across[0] + half[1] * across[1] ) + half[2] * across[2] );
		try_product( s, b, own->normal[i], bv_length( own->normal[i] ), extent,
		             bv_dot( own->normal[i], b->way ), 0 );
	}
}

static void try_edges_of_boxes( axes_search* s, box_axes* b, double* slack )
{
	static const int next[3] = { 1, 2, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		int l = next[k];
		int m = next[l];
		bv_vec3 edge = b->own[1].edge[k];
		bv_vec3 turned = bv_cross( edge, b->way );
		for ( int i = 0; i < 3; ++i )
		{
			int j = next[i];
			int h = next[j];
			bv_vec3 product = bv_cross( b->own[0].edge[i], edge );
			double sine = bv_length( product );
			double extent = ( b->half[0][j] * b->across[0][h][k] + b->half[0][h] * b->across[0][j][k] ) +
			                ( b->half[1][l] * b->across[1][m][i] + b->half[1][m] * b->across[1][l][i] );
			if ( sine > 0x1p-36 )
			{
				try_product( s, b, product, sine, extent, bv_dot( b->own[0].edge[i], turned ),
				             s->cores->doubt );
			}
			else
			{
				double width =
					bvmath_min( b->own[0].length[i], b->own[1].length[k] ) * ( 1.01 * sine + 0x1p-49 );
				*slack += 2 * width;
			}
		}
	}
}

static void try_axes_of_boxes( axes_search* s, const axes_of_core own[2], double* slack )
{
	box_axes b = { .own = own,
		           .half = { s->cores->core[0]->half, s->cores->core[1]->half },
		           .way = bv_sub( own[1].center, own[0].center ),
		           .best = INFINITY };
	for ( int which = 0; which < 2; ++which )
	{
		for ( int i = 0; i < 9; ++i )
		{
			b.across[which][i / 3][i % 3] =
				fabs( bv_dot( own[which].normal[i / 3], own[1 - which].edge[i % 3] ) );
		}
	}
	try_faces_of( s, &b, 0 );
	try_faces_of( s, &b, 1 );
	try_edges_of_boxes( s, &b, slack );
	try_axis( s, bv_normalize( b.normal ), 0, 0 );
}

bool bvconvex_test_axes( const bvconvex_cores* cores, bvconvex_axes_result* out )
{
	bool are_boxes = cores->core[0]->kind == bvconvex_core_box && cores->core[1]->kind == bvconvex_core_box;
	axes_search s = { .cores = cores, .least = INFINITY, .depth = INFINITY };
	if ( cores->decides )
	{
		try_axis( &s, likely_axis( cores ), 0, 0 );
	}
	axes_of_core own[2];
	double slack = 0;
	bool solid = true;
	if ( !is_apart( &s ) )
	{
		s.least = s.depth = INFINITY;
		bool first = read_axes( cores->core[0], own );
		solid = read_axes( cores->core[1], own + 1 ) && first;
		s.reach = ( own[0].reach + own[1].reach ) + bv_length( bv_sub( own[0].center, own[1].center ) );
		bool as_boxes = are_boxes && !cores->decides;
		if ( solid && as_boxes )
		{
			try_axes_of_boxes( &s, own, &slack );
		}
		for ( int which = 0; which < 2 && !as_boxes; ++which )
		{
			for ( int i = 0; i < own[which].normals && solid && !is_apart( &s ); ++i )
			{
				double length = bv_length( own[which].normal[i] );
				try_axis( &s, bv_scale( 1 / length, own[which].normal[i] ), 0x1p-48 / length, 0 );
			}
		}
		if ( solid && !as_boxes )
		{
			try_edges( &s, own, &slack );
		}
	}
	out->upper = s.depth + cores->doubt;
	out->lower = ( s.least - slack ) - cores->doubt;
	out->normal = s.normal;
	return solid;
}

// The corners of a core that are farthest along a unit vector, in order around them.
// @param within  what counts as equally far
// @return how many
static int farthest_corners( const bvconvex_core* core, bv_vec3 along, double within, bv_vec3 out[4] )
{
	if ( core->kind != bvconvex_core_box )
	{
		double most = bvconvex_core_range( core, along ).most;
		int count = 0;
		for ( int i = 0; i < core->corners; ++i )
		{
			if ( bv_dot( along, core->corner[i] ) >= most - within )
			{
				out[count++] = core->corner[i];
			}
		}
		return count;
	}
	bv_vec3 level[3];
	int levels = 0;
	bv_vec3 at = core->center;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 half = bv_scale( core->half[i], core->axis[i] );
		double rise = bv_dot( along, half );
		if ( 2 * fabs( rise ) <= within )
		{
			level[levels++] = half;
		}
		else
		{
			at = rise > 0 ? bv_add( at, half ) : bv_sub( at, half );
		}
	}
	if ( levels == 0 )
	{
		out[0] = at;
		return 1;
	}
	if ( levels == 1 )
	{
		out[0] = bv_sub( at, level[0] );
		out[1] = bv_add( at, level[0] );
		return 2;
	}
	bv_vec3 sum = bv_add( level[0], level[1] );
	bv_vec3 difference = bv_sub( level[0], level[1] );
	out[0] = bv_sub( at, sum );
	out[1] = bv_add( at, difference );
	out[2] = bv_add( at, sum );
	out[3] = bv_sub( at, difference );
	return 4;
}

enum
{
	most_corners = 16, // a quadrangle that is cut four times has 8, and more only by rounding
};

// Cuts a polygon or a segment by a plane.
// @param out  has room for most_corners
static int cut( const bv_vec3* polygon, int count, bv_vec3 normal, double offset, bv_vec3* out )
{
	int kept = 0;
	for ( int i = 0; i < count && kept + 2 <= most_corners; ++i )
	{
		bv_vec3 here = polygon[i];
		bv_vec3 next = polygon[( i + 1 ) % count];
		double height = bv_dot( normal, here ) - offset;
		double other = bv_dot( normal, next ) - offset;
		if ( height <= 0 )
		{
			out[kept++] = here;
		}
		if ( ( height < 0 && other > 0 ) || ( height > 0 && other < 0 ) )
		{
			out[kept++] = bv_add( here, bv_scale( height / ( height - other ), bv_sub( next, here ) ) );
		}
	}
	return kept;
}

static bv_vec3 mean( const bv_vec3* point, int count )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < count; ++i )
	{
		sum = bv_add( sum, point[i] );
	}
	return bv_scale( 1.0 / count, sum );
}

static bv_vec3 lowest( const bv_vec3* point, int count, bv_vec3 along )
{
	int best = 0;
	for ( int i = 1; i < count; ++i )
	{
		best = bv_dot( along, point[i] ) < bv_dot( along, point[best] ) ? i : best;
	}
	return point[best];
}

// A point of the second polygon that is above or below the first one as seen along the normal of both: the center of all
// of them.
static bv_vec3 common_point( const bv_vec3* face, int corners, const bv_vec3* other, int others,
                             bv_vec3 normal )
{
	bv_vec3 room[2][most_corners];
	bv_vec3 inside = mean( face, corners );
	int count = others;
	for ( int i = 0; i < others; ++i )
	{
		room[0][i] = other[i];
	}
	for ( int i = 0; i < corners; ++i )
	{
		bv_vec3 out = bv_cross( bv_sub( face[( i + 1 ) % corners], face[i] ), normal );
		out = bv_dot( out, bv_sub( inside, face[i] ) ) > 0 ? bv_negate( out ) : out;
		int left = cut( room[i % 2], count, out, bv_dot( out, face[i] ), room[( i + 1 ) % 2] );
		if ( left == 0 )
		{
			return lowest( room[i % 2], count, out );
		}
		count = left;
	}
	return mean( room[corners % 2], count );
}

// Points of both cores that touch when the second one is moved by its depth along the axis, or by minus its distance.
// @param within  corners that are farthest along the axis up to that count as equally far
static void touching_points( const bvconvex_cores* cores, const bvconvex_axes_result* axes, double within,
                             bv_vec3 out[2] )
{
	bv_vec3 corner[2][4];
	bv_vec3 way = bv_scale( axes->upper - cores->doubt, axes->normal );
	int count[2] = {
		farthest_corners( cores->core[0], axes->normal, within, corner[0] ),
		farthest_corners( cores->core[1], bv_negate( axes->normal ), within, corner[1] ),
	};
	for ( int i = 0; i < count[1]; ++i )
	{
		corner[1][i] = bv_add( corner[1][i], way );
	}
	if ( count[0] == 1 || count[1] == 1 )
	{
		out[0] = out[1] = count[0] == 1 ? corner[0][0] : corner[1][0];
	}
	else if ( count[0] == 2 && count[1] == 2 )
	{
		bvtri_nearest_pair near;
		bvtri_nearest_on_segments( corner[0][0], bv_sub( corner[0][1], corner[0][0] ), corner[1][0],
		                           bv_sub( corner[1][1], corner[1][0] ), &near );
		out[0] = near.a;
		out[1] = near.b;
	}
	else
	{
		int face = count[0] > 2 ? 0 : 1;
		out[0] = out[1] =
			common_point( corner[face], count[face], corner[1 - face], count[1 - face], axes->normal );
	}
	out[1] = bv_sub( out[1], way );
}

// @return the nearest point of a core, to rounding; of a box without right angles only some point of it
static bv_vec3 nearest_of_core( const bvconvex_core* core, bv_vec3 point )
{
	bv_vec3 none = { 0, 0, 0 };
	bv_vec3 near = core->center;
	bvtri_nearest on_face;
	bvtri_nearest_pair on_side;
	switch ( core->kind )
	{
	case bvconvex_core_box:
		for ( int i = 0; i < 3; ++i )
		{
			double at = bv_dot( bv_sub( point, core->center ), core->axis[i] );
			double limited = bvmath_max( -core->half[i], bvmath_min( at, core->half[i] ) );
			near = bv_add( near, bv_scale( limited, core->axis[i] ) );
		}
		return near;
	case bvconvex_core_triangle:
		bvtri_nearest_on_triangle( point, core->corner, &on_face );
		return on_face.point;
	case bvconvex_core_segment:
		bvtri_nearest_on_segments( core->corner[0], bv_sub( core->corner[1], core->corner[0] ), point, none,
		                           &on_side );
		return on_side.a;
	default: return core->corner[0];
	}
}

// The face of the difference that the depth belongs to may be one next to that of the axis, because both are equally far up
// to what is not known. Their corners then are, as seen along the axis, as far as that times the ratio of their distances,
// which is found by trying.
void bvconvex_take_overlap( const bvconvex_cores* cores, const bvconvex_axes_result* axes,
                            bv_convex_result* out )
{
	out->lower = -axes->upper;
	out->upper = -axes->lower;
	out->normal = axes->normal;
	if ( cores->decides && axes->lower > 0 )
	{
		return;
	}
	double within = 4 * ( axes->upper - axes->lower );
	for ( int i = 0; i < 3; ++i )
	{
		touching_points( cores, axes, within, out->point );
		double off = 0;
		for ( int k = 0; k < 2; ++k )
		{
			bv_vec3 near = nearest_of_core( cores->core[k], out->point[k] );
			off = bvmath_max( off, bvmath_norm1( bv_sub( near, out->point[k] ) ) );
		}
		if ( off <= 4 * within )
		{
			break;
		}
		within *= 0x1p10;
	}
}

// There is no formula for the distance of a box: GJK takes less time than all features of both. If it is not known whether
// the cores are apart, some of their points may be near enough for the radius.
void bvconvex_closed_axes( const bvconvex_cores* cores, bv_convex_result* out )
{
	bvconvex_axes_result axes;
	if ( !bvconvex_test_axes( cores, &axes ) )
	{
		return;
	}
	out->lower = -axes.upper;
	out->normal = axes.normal;
	if ( bvconvex_axes_separate( cores, &axes ) )
	{
		return;
	}
	bvconvex_take_overlap( cores, &axes, out );
	if ( !( axes.lower > 0 ) )
	{
		bv_vec3 a = nearest_of_core( cores->core[0], out->point[0] );
		bv_vec3 b = nearest_of_core( cores->core[1], a );
		out->upper = INFINITY;
		bvconvex_take_points( cores, nearest_of_core( cores->core[0], b ), b, axes.normal, out );
	}
}
