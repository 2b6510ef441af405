// Mass, center of mass and inertia of the solid bounded by a mesh and of its surface, and principal axes.
//
// Each triangle and a reference point span a tetrahedron with a signed volume. The integrals over these
// tetrahedra add up to those over the solid. They are polynomials of the corners (Tonon 2004, "Explicit exact
// formulas for the 3-D tetrahedron inertia tensor"; Eberly 2002, "Polyhedral mass properties"). For the
// surface, the same polynomials are used with other factors and with the area as measure.
//
// The reference point is the center of the mesh's box. Lengths are scaled by a power of two to avoid overflow
// and underflow. Sums are compensated (Ogita, Rump, Oishi 2005, Sum2) and run in the order of the triangles.

#include "bvbuild/mesh.h"
#include "offline/base/lanes.h"
#include "offline/mesh/scale.h"
#include "runtime/math/eigen.h"
#include "runtime/math/vec.h"

#include <math.h>

// Four numbers that are treated alike, two in each register. Each has its own sums, so that the bits are
// those of one number at a time.
typedef struct four
{
	bvbase_double2 low;
	bvbase_double2 high;
} four;

static inline four add( four a, four b )
{
	return ( four ){ a.low + b.low, a.high + b.high };
}

static inline four sub( four a, four b )
{
	return ( four ){ a.low - b.low, a.high - b.high };
}

static inline four mul( four a, four b )
{
	return ( four ){ a.low * b.low, a.high * b.high };
}

// Sums and what rounding has taken from them.
typedef struct mass_sums
{
	four value;
	four lost;
} mass_sums;

static inline void accumulate( mass_sums* s, four x )
{
	four value = add( s->value, x );
	four x_part = sub( value, s->value );
	four s_part = sub( value, x_part );
	s->lost = add( s->lost, add( sub( s->value, s_part ), sub( x, x_part ) ) );
	s->value = value;
}

static double total( const mass_sums* s, int i )
{
	return i < 2 ? s->value.low[i] + s->lost.low[i] : s->value.high[i - 2] + s->lost.high[i - 2];
}

// What the sums of a simplex are to be divided by, and the dimension of what they measure.
typedef struct mass_simplex
{
	double measure;
	double first;
	double second;
	int dimension;
} mass_simplex;

static const mass_simplex triangle = { 2, 6, 24, 2 };
static const mass_simplex tetrahedron = { 6, 24, 120, 3 };

// The integrals about the reference point, in scaled units, times the simplex's factors.
typedef struct integrals
{
	mass_sums first;   // of x, y, z, 1: the last is area or volume
	mass_sums squares; // of xx, yy, zz
	mass_sums mixed;   // of xy, yz, zx
	double doubt;      // the absolute values of all products that make up the volume, times 6
} integrals;

// Where the mesh is and how large.
typedef struct mass_frame
{
	bv_vec3 origin; // center of the box of the triangles
	int exponent;   // no coordinate is farther from the origin than 2^exponent
	double unit;    // 2^-exponent
} mass_frame;

static mass_frame find_frame( const bvb_mesh* mesh )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[t].corner[k]];
			lower = ( bv_vec3 ){ bvmath_min( lower.x, p.x ), bvmath_min( lower.y, p.y ),
				                 bvmath_min( lower.z, p.z ) };
			upper = ( bv_vec3 ){ bvmath_max( upper.x, p.x ), bvmath_max( upper.y, p.y ),
				                 bvmath_max( upper.z, p.z ) };
		}
	}
	mass_frame result = { .origin = bv_add( bv_scale( 0.5, lower ), bv_scale( 0.5, upper ) ) };
	frexp( bvmath_largest( bv_sub( bv_scale( 0.5, upper ), bv_scale( 0.5, lower ) ) ), &result.exponent );

	// The center is rounded: one more for a corner that is a little beyond. The unit must stay finite.
	result.exponent = result.exponent < -1000 ? -1000 : result.exponent + 1;
	result.unit = ldexp( 1, -result.exponent );
	return result;
}

// Twice the area of the triangle with sides u and v, also where their product underflows.
static double parallelogram( bv_vec3 u, bv_vec3 v, bv_vec3 cross )
{
	if ( bvmath_largest( cross ) > 0x1p-500 )
	{
		return sqrt( bv_dot( cross, cross ) );
	}
	int eu;
	int ev;
	frexp( bvmath_largest( u ), &eu );
	frexp( bvmath_largest( v ), &ev );
	bv_vec3 unit = bv_cross( bvmesh_shift_exponent( u, -eu ), bvmesh_shift_exponent( v, -ev ) );
	return ldexp( sqrt( bv_dot( unit, unit ) ), eu + ev );
}

// The coordinates, and behind them a number of its own; then the coordinates in turn.
static inline four lanes_of( bv_vec3 p, double last )
{
	return ( four ){ { p.x, p.y }, { p.z, last } };
}

static inline four turned( four p )
{
	return ( four ){ { p.low[1], p.high[0] }, { p.low[0], 0 } };
}

static inline void add_simplex( integrals* s, double measure, bv_vec3 corner[3] )
{
	four a = lanes_of( corner[0], 0 );
	four b = lanes_of( corner[1], 0 );
	four c = lanes_of( corner[2], 0 );
	four factor = { { measure, measure }, { measure, measure } };
	four sum = add( add( a, b ), c );
	four square = add( add( mul( a, a ), mul( b, b ) ), mul( c, c ) );
	four mixed = add( add( mul( a, turned( a ) ), mul( b, turned( b ) ) ), mul( c, turned( c ) ) );
	accumulate( &s->squares, mul( factor, add( mul( sum, sum ), square ) ) );
	accumulate( &s->mixed, mul( factor, add( mul( sum, turned( sum ) ), mixed ) ) );
	sum.high[1] = 1;
	accumulate( &s->first, mul( factor, sum ) );
}

// The absolute values of the six products that make up a . ( u x v ). Each is off by at most 8 units of 2^-53
// of itself: three differences, two multiplications, three sums.
static double products_of( bv_vec3 a, bv_vec3 u, bv_vec3 v )
{
	double x = fabs( u.y * v.z ) + fabs( u.z * v.y );
	double y = fabs( u.z * v.x ) + fabs( u.x * v.z );
	double z = fabs( u.x * v.y ) + fabs( u.y * v.x );
	return bv_dot( ( bv_vec3 ){ fabs( a.x ), fabs( a.y ), fabs( a.z ) }, ( bv_vec3 ){ x, y, z } );
}

// Inlined twice, so that the compiler knows what is asked for.
static inline void integrate( const bvb_mesh* mesh, const mass_frame* f, bool solid, integrals* out )
{
	integrals s = *out;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* index = mesh->triangles[t].corner;
		bv_vec3 corner[3] = { mesh->positions[index[0]], mesh->positions[index[1]],
			                  mesh->positions[index[2]] };

		// Sides come from the corners themselves: small triangles far from the origin keep their digits.
		bv_vec3 u = bv_scale( f->unit, bv_sub( corner[1], corner[0] ) );
		bv_vec3 v = bv_scale( f->unit, bv_sub( corner[2], corner[0] ) );
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = bv_scale( f->unit, bv_sub( corner[k], f->origin ) );
		}
		bv_vec3 normal = bv_cross( u, v );
		s.doubt += solid ? products_of( corner[0], u, v ) : 0;
		add_simplex( &s, solid ? bv_dot( corner[0], normal ) : parallelogram( u, v, normal ), corner );
	}
	*out = s;
}

// Moves the second moments to the center of mass (Steiner) and turns them into moments of inertia.
static void set_inertia( const integrals* s, const mass_simplex* over, double measure, const double center[3],
                         int exponent, double inertia[3][3] )
{
	double about[6];
	for ( int i = 0; i < 3; ++i )
	{
		int j = ( i + 1 ) % 3;
		about[i] = total( &s->squares, i ) / over->second - measure * center[i] * center[i];
		about[3 + i] = total( &s->mixed, i ) / over->second - measure * center[i] * center[j];
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

static bool find_mass( const bvb_mesh* mesh, const mass_simplex* over, bv_mass* out )
{
	*out = ( bv_mass ){ 0 };
	if ( mesh->triangle_count == 0 )
	{
		return false;
	}
	mass_frame f = find_frame( mesh );
	integrals s = { .doubt = 0 };
	if ( over == &tetrahedron )
	{
		integrate( mesh, &f, true, &s );
	}
	else
	{
		integrate( mesh, &f, false, &s );
	}

	// A sum within its own rounding error is a flat or a double-sided mesh's zero. As many units again as a
	// triangle can lose are for the sum of them all. There is no such doubt in an area.
	double sum = total( &s.first, 3 );
	double measure = sum / over->measure;
	double mass = ldexp( measure, over->dimension * f.exponent );
	if ( !( fabs( sum ) > 0x1p-49 * s.doubt ) || !isfinite( mass ) || mass == 0 )
	{
		return false;
	}
	double center[3];
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = total( &s.first, i ) / over->first / measure;
	}
	out->mass = mass;
	out->center_of_mass = bv_add(
		f.origin, bvmesh_shift_exponent( ( bv_vec3 ){ center[0], center[1], center[2] }, f.exponent ) );
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
	double largest = bvmath_largest( axis );
	double first = fabs( axis.x ) == largest ? axis.x : fabs( axis.y ) == largest ? axis.y : axis.z;
	return first < 0 ? ( bv_vec3 ){ 0 - axis.x, 0 - axis.y, 0 - axis.z } : axis;
}

void bvb_principal_axes( const bv_mass* mass, double moments[3], bv_vec3 axes[3] )
{
	double largest = 0;
	for ( int i = 0; i < 9; ++i )
	{
		largest = bvmath_max( largest, fabs( mass->inertia[i / 3][i % 3] ) );
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
	bvmath_eigen_symmetric( inertia, found );
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
