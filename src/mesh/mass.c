// Mass, centre of mass and inertia of the solid that a mesh bounds and of its surface; principal axes.
//
// Each triangle and a reference point span a tetrahedron of signed volume, and the integrals over these add
// up to those over the solid. The integrals are exact polynomials of the corners (Tonon 2004, "Explicit exact
// formulas for the 3-D tetrahedron inertia tensor"; Eberly 2002, "Polyhedral mass properties"). Over the
// triangle itself they are the same polynomials with other factors and the area as measure. The reference
// point is the centre of the mesh's box, lengths are scaled by a power of two so that nothing overflows or
// underflows, and sums carry their rounding errors along (Ogita, Rump, Oishi 2005, Sum2), in the order of the
// triangles.

#include "base/core/vec.h"
#include "base/offline/eigen.h"
#include "bvbuild/mesh.h"
#include "mesh/scale.h"

#include <math.h>

// A sum and what rounding has taken from it.
typedef struct sum
{
	double value;
	double lost;
} sum;

static void accumulate( sum* s, double x )
{
	double value = s->value + x;
	double x_part = value - s->value;
	double s_part = value - x_part;
	s->lost += ( s->value - s_part ) + ( x - x_part );
	s->value = value;
}

static double total( const sum* s )
{
	return s->value + s->lost;
}

// What the sums of a simplex are to be divided by, and the dimension of what they measure.
typedef struct simplex
{
	double measure;
	double first;
	double second;
	int dimension;
} simplex;

static const simplex triangle = { 2, 6, 24, 2 };
static const simplex tetrahedron = { 6, 24, 120, 3 };

// The integrals about the reference point, in scaled units, times the simplex's factors.
typedef struct integrals
{
	sum measure;   // area or volume
	sum first[3];  // of x, y, z
	sum second[6]; // of xx, yy, zz, xy, yz, zx
	double doubt;  // the absolute values of all products that make up the volume, times 6
} integrals;

// Where the mesh is and how large.
typedef struct frame
{
	bv_vec3 origin; // centre of the box of the triangles
	int exponent;   // no coordinate is farther from the origin than 2^exponent
	double unit;    // 2^-exponent
} frame;

static frame find_frame( const bvb_mesh* mesh )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[t].corner[k]];
			lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
			upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
		}
	}
	frame result = { .origin = bv_add( bv_scale( 0.5, lower ), bv_scale( 0.5, upper ) ) };
	frexp( bvb_largest_component( bv_sub( bv_scale( 0.5, upper ), bv_scale( 0.5, lower ) ) ),
	       &result.exponent );

	// The centre is rounded: one more for a corner that is a little beyond. The unit must stay finite.
	result.exponent = result.exponent < -1000 ? -1000 : result.exponent + 1;
	result.unit = ldexp( 1, -result.exponent );
	return result;
}

// Twice the area of the triangle with sides u and v, also where their product underflows.
static double parallelogram( bv_vec3 u, bv_vec3 v, bv_vec3 cross )
{
	if ( bvb_largest_component( cross ) > 0x1p-500 )
	{
		return sqrt( bv_dot( cross, cross ) );
	}
	int eu;
	int ev;
	frexp( bvb_largest_component( u ), &eu );
	frexp( bvb_largest_component( v ), &ev );
	bv_vec3 unit = bv_cross( bvb_shift_exponent( u, -eu ), bvb_shift_exponent( v, -ev ) );
	return ldexp( sqrt( bv_dot( unit, unit ) ), eu + ev );
}

static void add_simplex( integrals* s, double measure, bv_vec3 a, bv_vec3 b, bv_vec3 c )
{
	accumulate( &s->measure, measure );
	double p[3][3] = { { a.x, b.x, c.x }, { a.y, b.y, c.y }, { a.z, b.z, c.z } };
	double sums[3];
	for ( int i = 0; i < 3; ++i )
	{
		sums[i] = ( p[i][0] + p[i][1] ) + p[i][2];
		accumulate( &s->first[i], measure * sums[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		double square = ( p[i][0] * p[i][0] + p[i][1] * p[i][1] ) + p[i][2] * p[i][2];
		double mixed = ( p[i][0] * p[j][0] + p[i][1] * p[j][1] ) + p[i][2] * p[j][2];
		accumulate( &s->second[i], measure * ( sums[i] * sums[i] + square ) );
		accumulate( &s->second[3 + i], measure * ( sums[i] * sums[j] + mixed ) );
	}
}

// The absolute values of the six products that make up a . ( u x v ). Each is off by at most 8 units of 2^-53 of
// itself: three differences, two multiplications, three sums.
static double products_of( bv_vec3 a, bv_vec3 u, bv_vec3 v )
{
	double x = fabs( u.y * v.z ) + fabs( u.z * v.y );
	double y = fabs( u.z * v.x ) + fabs( u.x * v.z );
	double z = fabs( u.x * v.y ) + fabs( u.y * v.x );
	return bv_dot( ( bv_vec3 ){ fabs( a.x ), fabs( a.y ), fabs( a.z ) }, ( bv_vec3 ){ x, y, z } );
}

static void integrate( const bvb_mesh* mesh, const frame* f, const simplex* over, integrals* s )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* index = mesh->triangles[t].corner;
		bv_vec3 corner[3] = { mesh->positions[index[0]], mesh->positions[index[1]],
			                  mesh->positions[index[2]] };
		bv_vec3 a = bv_scale( f->unit, bv_sub( corner[0], f->origin ) );
		bv_vec3 b = bv_scale( f->unit, bv_sub( corner[1], f->origin ) );
		bv_vec3 c = bv_scale( f->unit, bv_sub( corner[2], f->origin ) );

		// Sides come from the corners themselves: small triangles far from the origin keep their digits.
		bv_vec3 u = bv_scale( f->unit, bv_sub( corner[1], corner[0] ) );
		bv_vec3 v = bv_scale( f->unit, bv_sub( corner[2], corner[0] ) );
		bv_vec3 normal = bv_cross( u, v );
		if ( over == &tetrahedron )
		{
			s->doubt += products_of( a, u, v );
			add_simplex( s, bv_dot( a, normal ), a, b, c );
		}
		else
		{
			add_simplex( s, parallelogram( u, v, normal ), a, b, c );
		}
	}
}

// Moves the second moments to the centre of mass (Steiner) and turns them into moments of inertia.
static void set_inertia( const integrals* s, const simplex* over, double measure, const double center[3],
                         int exponent, double inertia[3][3] )
{
	double about[6];
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		about[i] = total( &s->second[i] ) / over->second - measure * center[i] * center[i];
		about[3 + i] = total( &s->second[3 + i] ) / over->second - measure * center[i] * center[j];
	}
	int power = ( over->dimension + 2 ) * exponent;
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		int k = ( i + 2 ) % 3;
		inertia[i][i] = ldexp( about[j] + about[k], power );
		inertia[i][j] = ldexp( 0 - about[3 + i], power );
		inertia[j][i] = inertia[i][j];
	}
}

static bool find_mass( const bvb_mesh* mesh, const simplex* over, bv_mass* out )
{
	*out = ( bv_mass ){ 0 };
	if ( mesh->triangle_count == 0 )
	{
		return false;
	}
	frame f = find_frame( mesh );
	integrals s = { 0 };
	integrate( mesh, &f, over, &s );

	// A sum within its own rounding error is a flat or a double-sided mesh's zero. As many units again as a
	// triangle can lose are for the sum of them all. There is no such doubt in an area.
	double measure = total( &s.measure ) / over->measure;
	double mass = ldexp( measure, over->dimension * f.exponent );
	if ( !( fabs( total( &s.measure ) ) > 0x1p-49 * s.doubt ) || !isfinite( mass ) || mass == 0 )
	{
		return false;
	}
	double center[3];
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = total( &s.first[i] ) / over->first / measure;
	}
	out->mass = mass;
	out->center_of_mass =
		bv_add( f.origin, bvb_shift_exponent( ( bv_vec3 ){ center[0], center[1], center[2] }, f.exponent ) );
	set_inertia( &s, over, measure, center, f.exponent, out->inertia );
	return true;
}

bool bvb_mass_of_solid( const bvb_mesh* mesh, bv_mass* out )
{
	return find_mass( mesh, &tetrahedron, out );
}

bool bvb_mass_of_surface( const bvb_mesh* mesh, bv_mass* out )
{
	return find_mass( mesh, &triangle, out );
}

// The moment of inertia about an axis of length 1.
static double moment_about( double inertia[3][3], bv_vec3 axis )
{
	bv_vec3 row[3];
	for ( int i = 0; i < 3; ++i )
	{
		row[i] = ( bv_vec3 ){ inertia[i][0], inertia[i][1], inertia[i][2] };
	}
	return bv_dot( axis,
	               ( bv_vec3 ){ bv_dot( row[0], axis ), bv_dot( row[1], axis ), bv_dot( row[2], axis ) } );
}

// Turns an axis so that its first component of largest magnitude is positive.
static bv_vec3 point_forwards( bv_vec3 axis )
{
	double largest = bvb_largest_component( axis );
	double first = fabs( axis.x ) == largest ? axis.x : fabs( axis.y ) == largest ? axis.y : axis.z;
	return first < 0 ? ( bv_vec3 ){ 0 - axis.x, 0 - axis.y, 0 - axis.z } : axis;
}

void bvb_principal_axes( const bv_mass* mass, double moments[3], bv_vec3 axes[3] )
{
	double largest = 0;
	for ( int i = 0; i < 9; ++i )
	{
		largest = bv_max( largest, fabs( mass->inertia[i / 3][i % 3] ) );
	}
	int exponent = 0;
	frexp( largest, &exponent );
	double inertia[3][3];
	for ( int i = 0; i < 9; ++i )
	{
		inertia[i / 3][i % 3] = ldexp( mass->inertia[i / 3][i % 3], -exponent );
	}

	// The largest eigenvalue comes first, and last where inertia is negative.
	bv_vec3 found[3];
	bvb_eigen_symmetric( inertia, found );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 axis = found[mass->mass < 0 ? i : 2 - i];
		double moment = moment_about( inertia, axis );
		int k = i;
		for ( ; k > 0 && fabs( moments[k - 1] ) > fabs( moment ); --k )
		{
			moments[k] = moments[k - 1];
			axes[k] = axes[k - 1];
		}
		moments[k] = moment;
		axes[k] = axis;
	}
	for ( int i = 0; i < 3; ++i )
	{
		moments[i] = ldexp( moments[i], exponent );
	}
	axes[0] = point_forwards( axes[0] );
	axes[1] = point_forwards( axes[1] );
	axes[2] = bv_cross( axes[0], axes[1] );
}
