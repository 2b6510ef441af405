// Values are closed forms: extents that are added and subtracted, and lengths of vectors. Numbers of type float in the issues
// have an f here.

#include "tests/reference/battery.h"

#include "tests/reference/random.h"
#include "tests/reference/vectors.h"

#include <string.h>

static const bv_vec3 up_x = { 1, 0, 0 };
static const bv_vec3 up_y = { 0, 1, 0 };
static const bv_vec3 up_z = { 0, 0, 1 };
static const bv_vec3 down_y = { 0, -1, 0 };
static const bv_vec3 down_z = { 0, 0, -1 };

static bv_vec3 vec( double x, double y, double z )
{
	return ( bv_vec3 ){ x, y, z };
}

static battery_shape at( bv_vec3 position, battery_kind kind )
{
	return ( battery_shape ){ .kind = kind,
		                      .rotation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		                      .position = position };
}

static battery_shape ball( bv_vec3 center, double radius )
{
	battery_shape out = at( center, battery_ball );
	out.radius = radius;
	return out;
}

static battery_shape box( bv_vec3 center, bv_vec3 half )
{
	battery_shape out = at( center, battery_box );
	out.half = half;
	return out;
}

static battery_shape round_one( battery_kind kind, bv_vec3 center, double radius, double half_length )
{
	battery_shape out = at( center, kind );
	out.radius = radius;
	out.half.z = half_length;
	return out;
}

static battery_shape hull( const bv_vec3* points, uint32_t count )
{
	battery_shape out = at( vec( 0, 0, 0 ), battery_hull );
	out.count = count;
	memcpy( out.points, points, count * sizeof *points );
	return out;
}

static battery_shape hull_of_box( bv_vec3 center, bv_vec3 half )
{
	bv_vec3 corner[8];
	for ( int i = 0; i < 8; ++i )
	{
		corner[i] = vec( center.x + ( i & 1 ? half.x : -half.x ), center.y + ( i & 2 ? half.y : -half.y ),
		                 center.z + ( i & 4 ? half.z : -half.z ) );
	}
	return hull( corner, 8 );
}

static void set_rotation( battery_shape* shape, const double rows[3][3] )
{
	memcpy( shape->rotation, rows, sizeof shape->rotation );
}

// The axis of z becomes that of y.
static void stand_along_y( battery_shape* shape )
{
	set_rotation( shape, ( const double[3][3] ){ { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 0 } } );
}

static void turn_around_y( battery_shape* shape, double angle )
{
	double c = cos( angle ), s = sin( angle );
	set_rotation( shape, ( const double[3][3] ){ { c, 0, s }, { 0, 1, 0 }, { -s, 0, c } } );
}

static void expect( battery_pair* pair, double value, double doubt, bv_vec3 normal )
{
	pair->value = value;
	pair->doubt = doubt;
	pair->normal = normal;
}

static void move( battery_pair* pair, bv_vec3 first, bv_vec3 second, double limit )
{
	pair->is_cast = true;
	pair->motion[0] = first;
	pair->motion[1] = second;
	pair->limit = limit;
}

// A truncated cube: |x|, |y|, |z| <= h, and |x| + |y| + |z| <= 1 for the triangles at its corners.
static void opengjk_54( uint32_t index, battery_pair* pair )
{
	const double h = 0.414213562373, k = 0.171572875254;
	bv_vec3 corner[24];
	for ( int i = 0; i < 24; ++i )
	{
		double c[3] = { i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h };
		c[i / 8] = c[i / 8] > 0 ? k : -k;
		corner[i] = vec( c[0], c[1], c[2] );
	}
	const double third = 1 / sqrt( 3 );
	static const bv_vec3 queries[] = {
		{ 0.5, 0.5, 0.5 }, { 1, 0.0625, 0.03125 }, { 0.25, 0.0625, 0.03125 }, { 0, 0, 0 }
	};
	pair->shape[0] = hull( corner, 24 );
	pair->shape[1] = hull( &queries[index], 1 );
	pair->value = NAN;
	pair->normal = index == 0 ? vec( third, third, third ) : index < 3 ? up_x : vec( 0, 0, 0 );
}

// Rotations of random quaternions. The center of each is within the other one.
static void opengjk_13( uint32_t index, battery_pair* pair )
{
	uint64_t random = 4711 + index;
	for ( int s = 0; s < 2; ++s )
	{
		double q[4], square = 0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = random_coordinate( &random );
			square += q[i] * q[i];
		}
		double w = q[0], x = q[1], y = q[2], z = q[3], n = 2 / square;
		bv_vec3 center =
			along( vec( 0, 0, 0 ), s * 0.5 * random_coordinate( &random ), random_direction( &random ) );
		bv_vec3 column[3] = { { 1 - n * ( y * y + z * z ), n * ( x * y + w * z ), n * ( x * z - w * y ) },
			                  { n * ( x * y - w * z ), 1 - n * ( x * x + z * z ), n * ( y * z + w * x ) },
			                  { n * ( x * z + w * y ), n * ( y * z - w * x ), 1 - n * ( x * x + y * y ) } };
		bv_vec3 corner[8];
		for ( int i = 0; i < 8; ++i )
		{
			corner[i] =
				along( along( along( center, i & 1 ? 0.5 : -0.5, column[0] ), i & 2 ? 0.5 : -0.5, column[1] ),
			           i & 4 ? 0.5 : -0.5, column[2] );
		}
		pair->shape[s] = hull( corner, 8 );
	}
	pair->value = NAN;
}

static void libccd_25( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 1, 1, 1 ) );
	pair->shape[1] = box( vec( 0, 0, 1.9 ), vec( 1, 1, 1 ) );
	expect( pair, 1.9 - 2, 0, up_z );
}

static void libccd_17( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 2.5, 2.5, 2.5 ) );
	pair->shape[1] = box( vec( 1.3, 0.7, 2.55 ), vec( 0.1, 0.1, 0.1 ) );
	expect( pair, 2.55 - 2.6, 0x1p-50, up_z );
}

static void fcl_545( uint32_t index, battery_pair* pair )
{
	bv_vec3 center = vec( 0.4, 0.4, 0.4 ), small = vec( 0.05, 0.05, 0.05 ), large = vec( 0.5, 0.5, 0.5 );
	pair->shape[0] = hull_of_box( vec( 0, 0, 0 ), large );
	pair->shape[1] = index == 0 ? box( center, small ) : hull_of_box( center, small );
	expect( pair, 0.4 - 0.05 - 0.5, 0x1p-52, vec( 0, 0, 0 ) );
}

static void fcl_495( uint32_t index, battery_pair* pair )
{
	(void)index;
	const double rows[3][3] = { { 0.94096063217417758029, 0.29296840037289501035, 0.16959541586174811667 },
		                        { -0.23569836841299879326, 0.92661523595848427348, -0.29296840037289506586 },
		                        { -0.2429801799032638987, 0.23569836841299884878, 0.94096063217417758029 } };
	bv_vec3 half = vec( 0.125, 0.125, 0.125 );
	pair->shape[0] =
		box( vec( 0.073242100093223821977, 0.2316538089896212349, 1.3089245921032497399 ), half );
	pair->shape[1] = box( vec( 0, 0, 1.25 ), half );
	set_rotation( &pair->shape[0], rows );
	set_rotation( &pair->shape[1], rows );
	expect( pair, NAN, 0, vec( -rows[0][1], -rows[1][1], -rows[2][1] ) );
}

static void fcl_375( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( -0.25, 0, 0 ), vec( 0.49 / 2, 0.63 / 2, 0.015 / 2 ) );
	set_rotation( &pair->shape[0], ( const double[3][3] ){ { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } } );
	pair->shape[1] = round_one( battery_cylinder, vec( 0, 0, 0.0085 ), 0.08, 0.002 / 2 );
	expect( pair, 0, 0x1p-57, up_z );
}

static void coal_307( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = ball( vec( 0, 0, 0.5 ), 0.5 );
	pair->shape[1] = box( vec( 0, 0, 0 ), vec( 0.5, 0.5, 0.5 ) );
	expect( pair, -0.5, 0, down_z );
}

static void coal_144( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 1, 1, 1 ) );
	pair->shape[1] = box( vec( 1.9999, 0, 0 ), vec( 1, 1, 1 ) );
	expect( pair, 1.9999 - 2, 0, up_x );
}

// The difference is a cylinder of radius 0.5 and half length 0.1.
static void coal_779( uint32_t index, battery_pair* pair )
{
	double x = -1 + index / 16.0;
	pair->shape[0] = round_one( battery_cylinder, vec( 0, 0, 0 ), 0.25, 0.05 );
	pair->shape[1] = round_one( battery_cylinder, vec( x, 0, 0 ), 0.25, 0.05 );
	bool is_side = fabs( x ) > 0.4;
	expect( pair, is_side ? fabs( x ) - 0.5 : -0.1, 0x1p-52, vec( !is_side ? 0 : x > 0 ? 1 : -1, 0, 0 ) );
}

static void distance3d_72( uint32_t index, battery_pair* pair )
{
	(void)index;
	static const bv_vec3 second[] = {
		{ -90.0, -120.14644661, -120.85355335 },        { -90.0, -120.85355339, -120.14644656 },
		{ -90.70710679, -119.64644658, -120.35355338 }, { -90.70710679, -120.35355336, -119.64644659 },
		{ -89.29289321, -119.64644664, -120.35355341 }, { -89.29289321, -120.35355342, -119.64644662 },
		{ -90.0, -119.14644661, -119.85355344 },        { -90.0, -119.85355339, -119.14644665 },
	};
	pair->shape[0] = hull_of_box( vec( -104.5, -120, -120 ), vec( 15, 0.5, 0.5 ) );
	pair->shape[1] = hull( second, 8 );
	pair->value = NAN;
}

static void distance3d_27( uint32_t index, battery_pair* pair )
{
	(void)index;
	static const bv_vec3 first[] = {
		{ 1.9408982677575293, 1.7555630101186028, 0.18558370457138618 },
		{ 0.8325772811802072, 0.07348739881751665, 1.7363835855830982 },
		{ 0.4647979626331866, 0.7802364656205514, 0.7683352436509485 },
		{ 1.8147849498111688, 0.1710650007346617, 1.802196858095821 },
		{ 0.05742372721610556, 1.6599005060005285, 0.014474511746654706 },
		{ 1.5270861966500002, 0.4945624540164677, 0.7162419894551117 },
	};
	static const bv_vec3 second[] = {
		{ 0.13746727993941066, 0.20129636190312772, 0.34482818309629215 },
		{ 0.5315223185064999, 0.859293459032485, 0.6275795914219559 },
		{ 0.5810087058274663, 0.42871589938255994, 0.6201313431197037 },
		{ 0.48395328848552066, 0.35710287272501984, 0.27586601014041534 },
		{ 0.1586377710691551, 0.6421620047252284, 0.6487788989727401 },
		{ 0.5185197562895357, 0.058044153658207476, 0.4020269780737239 },
	};
	pair->shape[0] = hull( first, 6 );
	pair->shape[1] = hull( second, 6 );
	pair->value = NAN;
}

// Of a rectangle in the plane.
static void parry_378( uint32_t index, battery_pair* pair )
{
	double y = 1.5 - ( index == 0 ? 2.75 : 2.7391 );
	pair->shape[0] = round_one( battery_capsule, vec( 0, 0, 0 ), 0.5, 0.25 );
	stand_along_y( &pair->shape[0] );
	pair->shape[1] = box( vec( 4 - 6.0373735, y, 0 ), vec( 4, 0.5, 0.5 ) );
	expect( pair, -0.75 - ( y + 0.5 ), 0x1p-52, down_y );
}

// The cylinder is beside the straight part of the capsule, and parallel to it.
static void jolt_2103( uint32_t index, battery_pair* pair )
{
	(void)index;
	bv_vec3 center = vec( -0.951660156f, -2.09155273f, -7.63574218f );
	pair->shape[0] = round_one( battery_capsule, vec( 0, 0, 0 ), 7.19732189f, 2.03114343f );
	pair->shape[1] = round_one( battery_cylinder, center, 0.4975f, 0.3f );
	stand_along_y( &pair->shape[0] );
	stand_along_y( &pair->shape[1] );
	double across = sqrt( center.x * center.x + center.z * center.z );
	expect( pair, across - ( (double)7.19732189f + (double)0.4975f ), 0x1p-49,
	        vec( center.x / across, 0, center.z / across ) );
}

// Both turn around the y axis, and stay where they are to each other.
static void jolt_671( uint32_t index, battery_pair* pair )
{
	double angle = index * 0.75 * 3.14159265358979 / 180, c = cos( angle ), s = sin( angle );
	pair->shape[0] = hull_of_box( vec( 0, 0, 0 ), vec( 2.5, 0.25, 1.5 ) );
	pair->shape[1] = box( vec( c * 0.1 - s * 0.5, 1.0005, -s * 0.1 - c * 0.5 ), vec( 0.25, 0.75, 0.375 ) );
	turn_around_y( &pair->shape[0], angle );
	turn_around_y( &pair->shape[1], angle - 3.14159265358979 / 4 );
	expect( pair, 1.0005 - 1, 0x1p-52, up_y );
}

// The capsule is parallel to an edge of the box.
static void jolt_419( uint32_t index, battery_pair* pair )
{
	(void)index;
	double across = sqrt( 0.037024 * 0.037024 + 0.034514 * 0.034514 );
	bv_vec3 normal = vec( 0.037024 / across, 0.034514 / across, 0 );
	pair->shape[0] = box( vec( 6.92188, 0, 6.5 ), vec( 0.5, 0.5, 2 ) );
	pair->shape[1] =
		round_one( battery_capsule, along( vec( 6.92188 + 0.5, 0.5, 6.5 ), 0.3 + 0.01, normal ), 0.3, 0.5 );
	expect( pair, 0.01, 0x1p-49, normal );
}

// The cylinder is next to an edge of the triangle, parallel to it.
static void jolt_1008( uint32_t index, battery_pair* pair )
{
	(void)index;
	const bv_vec3 corner[] = { { -42.7954292f, -0.647318780f, 12.4227943f },
		                       { -29.9111290f, -0.647318780f, 12.4227943f },
		                       { -42.7954292f, -4.86970234f, 12.4227943f } };
	bv_vec3 center = vec( -42.8155518f, -4.32299995f, 12.1734285f );
	pair->shape[0] = hull( corner, 3 );
	pair->shape[1] = round_one( battery_cylinder, center, 0.25, 0.85f );
	stand_along_y( &pair->shape[1] );
	double x = center.x - corner[0].x, z = center.z - corner[0].z, across = sqrt( x * x + z * z );
	expect( pair, across - 0.25, 0x1p-48, vec( x / across, 0, z / across ) );
}

// An upright triangle in a plane that is 0.2 from the axis of an upright capsule.
static void jolt_2065( uint32_t index, battery_pair* pair )
{
	(void)index;
	bv_vec3 axis = vec( 0.236910969, 0, -0.1233688 );
	bv_vec3 normal = along( vec( 0, 0, 0 ), 1 / length_of( axis ), axis ), side = cross( normal, up_y );
	bv_vec3 center = vec( -142.7733, 19.7557, 174.7865 ),
			foot = along( along( center, 0.2, normal ), -2, up_y );
	const bv_vec3 corner[] = { along( foot, -1, side ), along( foot, 2, side ),
		                       along( along( foot, -1, side ), 84, up_y ) };
	pair->shape[0] = round_one( battery_capsule, center, 0.25, 0.5 );
	stand_along_y( &pair->shape[0] );
	pair->shape[1] = hull( corner, 3 );
	expect( pair, 0.2 - 0.25, 0x1p-44, normal );
}

static void mujoco_warp_1430( uint32_t index, battery_pair* pair )
{
	static const double size[] = { 1, 10, 25, 50, 100 };
	double depth = index < 5 ? 0x1p-10 : 0;
	pair->shape[0] = box( vec( 0, 0, 0.25 ), vec( size[index % 5], size[index % 5], 0.25 ) );
	pair->shape[1] = box( vec( 0, 0, 0.6 - depth ), vec( 0.1, 0.1, 0.1 ) );
	expect( pair, -depth, 0x1p-52, up_z );
}

static void mujoco_warp_1526( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 0, 0, 0.2 ), vec( 0.2, 0.2, 0.2 ) );
	pair->shape[1] = box( vec( 0, 0, 0.5 - 2.5e-4 ), vec( 0.1, 0.1, 0.1 ) );
	expect( pair, -2.5e-4, 0x1p-51, up_z );
}

// A plate of 489 by 1 and one of 670 by 1; a ball and a square, whose size is not in the issue.
static void rapier_js_258( uint32_t index, battery_pair* pair )
{
	bool second = index > 1;
	bv_vec3 from = second ? vec( 894, 328, 0 ) : vec( 380, 241, 0 ), half = vec( 0.5, 0.5, 0.5 );
	pair->shape[0] = second ? box( vec( 408, 286.5, 0 ), vec( 335, 0.5, 0.5 ) )
	                        : box( vec( 884.5, 188.5, 0 ), vec( 244.5, 0.5, 0.5 ) );
	pair->shape[1] = index % 2 ? box( from, half ) : ball( from, 0.5 );
	move( pair, vec( 0, 0, 0 ), second ? vec( 385 - 894, 217 - 328, 0 ) : vec( 1004 - 380, 137 - 241, 0 ),
	      1 );
	expect( pair, second ? 40.5 / 111 : 51.5 / 104, 0x1p-53, up_y );
}

static void jolt_1786( uint32_t index, battery_pair* pair )
{
	static const bv_vec3 ways[] = { { 0, 0, -10 }, { 0, 0, 10 }, { 3, 0, 0 } };
	static const bv_vec3 corner[] = { { -1, -1, 1 }, { 1, -1, 1 }, { 1, 1, 1 }, { -1, 1, 1 } };
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 5, 5, 1 ) );
	pair->shape[1] = hull( corner, 4 );
	move( pair, vec( 0, 0, 0 ), ways[index], 1 );
	expect( pair, 0, 0, up_z );
}

static void jolt_2049( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 0.5, 0.5, 0.5 ) );
	pair->shape[1] = box( vec( 0.01, 0.95, 0 ), vec( 0.5, 0.5, 0.5 ) );
	move( pair, vec( 0, 0, 0 ), vec( 0, -0.5, 0 ), 1 );
	expect( pair, 0, 0, up_y );
}

// The bottom of the box is 4.4e-5 above the corner's top, and sinks by 0.0011445 a second: not in the step of 0.02 s.
static void physx_509( uint32_t index, battery_pair* pair )
{
	pair->shape[0] = box( vec( 5, 2.5, 0 ), vec( 2, 0.5, 0.5 ) );
	pair->shape[1] = box( vec( 6.559144, 3.712804, 0 ), vec( 0.45, 0.71276, 0.5 ) );
	move( pair, vec( 0, 0, 0 ), vec( 20.42682, -0.0011445, 0 ), index == 0 ? 0.02 : 0.1 );
	expect( pair, index == 0 ? INFINITY : ( 3.712804 - 0.71276 - 3 ) / 0.0011445, 1e-12, up_y );
}

static void fcl_555( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( 1, 0, 2.5 ), vec( 1, 1, 0.5 ) );
	pair->shape[1] = box( vec( -2, 0, 0.25 ), vec( 10, 10, 0.25 ) );
	move( pair, vec( 0, 0, -1 ), vec( 4, 0, 1.5 ), 1 );
	expect( pair, 0.6, 0x1p-53, down_z );
}

// The box's face at -9.5 moves by 20, to the rim at -1.
static void python_fcl_11( uint32_t index, battery_pair* pair )
{
	(void)index;
	pair->shape[0] = box( vec( -10, 0, 0 ), vec( 0.5, 1, 1.5 ) );
	pair->shape[1] = round_one( battery_cone, vec( 0, 0, 0 ), 1, 1.5 );
	move( pair, vec( 20, 0, 0 ), vec( 0, 0, 0 ), 1 );
	expect( pair, 0.425, 1e-12, up_x );
}

static void bevy_rapier_119( uint32_t index, battery_pair* pair )
{
	pair->shape[0] = box( vec( 0, 0, 0 ), vec( 500, 1, 500 ) );
	pair->shape[1] = ball( vec( 0.01 * index, 3, 0.01 * ( index * 7 % 100 ) ), 1 );
	move( pair, vec( 0, 0, 0 ), down_y, 2 );
	expect( pair, 1, 0, up_y );
}

// The box is 2^-10 above the ground, and leaves it, moves along it, or sinks so slowly that it arrives at time 2.
static void box3d_32( uint32_t index, battery_pair* pair )
{
	static const bv_vec3 ways[] = { { 0, 1, 0 }, { 8, 0, 1 }, { 8, -0x1p-11, 1 }, { 8, -0x1p-11, 1 } };
	pair->shape[0] = box( vec( 0, -1, 0 ), vec( 50, 1, 50 ) );
	pair->shape[1] = box( vec( 0, 0.5 + 0x1p-10, 0 ), vec( 0.5, 0.5, 0.5 ) );
	move( pair, vec( 0, 0, 0 ), ways[index], index < 3 ? 1 : 4 );
	expect( pair, index < 3 ? INFINITY : 2, 0x1p-40, up_y );
}

const battery_case battery_cases[] = {
	{ "MattiaMontanari/openGJK #54",
	  "hull of 24 points and a point: wrong distance; the four query points are not the issue's", 4,
	  opengjk_54 },
	{ "MattiaMontanari/openGJK #13",
	  "deep cubes, 2 of 10,000 reported apart; random ones, rebuilt from its description", 1000, opengjk_13 },
	{ "danfis/libccd #25", "cubes of side 2, 1.9 apart: NaN", 1, libccd_25 },
	{ "danfis/libccd #17", "boxes of 5 and 0.2: contact elsewhere; rebuilt from its description", 1,
	  libccd_17 },
	{ "flexible-collision-library/fcl #545",
	  "cubes, the small one on the diagonal: depth sqrt(3) times too large; the small one's size is not the "
	  "issue's",
	  2, fcl_545 },
	{ "flexible-collision-library/fcl #495", "boxes of 0.25 that almost touch: GJK and EPA disagree", 1,
	  fcl_495 },
	{ "flexible-collision-library/fcl #375", "cylinder that stands on a box: normal 0", 1, fcl_375 },
	{ "coal-library/coal #307", "ball whose center is on a box: GJK and closed form disagree on points", 1,
	  coal_307 },
	{ "coal-library/coal #144", "boxes of 2, 1.9999 apart: one point, in a corner", 1, coal_144 },
	{ "coal-library/coal #779", "cylinder that slides through another one: depths", 33, coal_779 },
	{ "AlexanderFabisch/distance3d #72", "a long box and a turned one, of 8 points each: assertion", 1,
	  distance3d_72 },
	{ "AlexanderFabisch/distance3d #27", "hulls of 6 points: error in GJK", 1, distance3d_27 },
	{ "dimforge/parry #378", "capsule that touches a box: wrong point; in the plane there", 2, parry_378 },
	{ "jrouwe/JoltPhysics #2103", "capsule and cylinder that touch: depth 7.25", 1, jolt_2103 },
	{ "jrouwe/JoltPhysics #671", "box 0.0005 above a hull: normal reversed", 480, jolt_671 },
	{ "jrouwe/JoltPhysics #419",
	  "box and capsule with a gap of 0.01: depth 0.5; rebuilt from its description", 1, jolt_419 },
	{ "jrouwe/JoltPhysics #1008", "cylinder at the edge of a triangle: depth 0.397", 1, jolt_1008 },
	{ "jrouwe/JoltPhysics #2065",
	  "capsule 0.05 deep in a triangle of 84: point meters outside; the triangle is rebuilt from its "
	  "description",
	  1, jolt_2065 },
	{ "google-deepmind/mujoco_warp #1430",
	  "box of 0.1 on boxes of 1 to 100: lost contacts; depths 2^-10 and 0", 10, mujoco_warp_1430 },
	{ "google-deepmind/mujoco_warp #1526", "box 2.5e-4 deep in another one: contact dropped", 1,
	  mujoco_warp_1526 },
	{ "dimforge/rapier.js #258", "shapes cast against plates: missed; their size is not in the issue", 4,
	  rapier_js_258 },
	{ "jrouwe/JoltPhysics #1786", "flat square that touches a box at the start: missed", 3, jolt_1786 },
	{ "jrouwe/JoltPhysics #2049", "box that begins in a box: missed", 1, jolt_2049 },
	{ "NVIDIA-Omniverse/PhysX #509", "box that slides over a corner: contact at its center", 2, physx_509 },
	{ "flexible-collision-library/fcl #555", "boxes that both move: missed", 1, fcl_555 },
	{ "BerkeleyAutomation/python-fcl #11", "box and cone: missed", 1, python_fcl_11 },
	{ "dimforge/bevy_rapier #119", "ball cast on a floor of 1,000: the points' heights differ by up to 0.06",
	  200, bevy_rapier_119 },
	{ "erincatto/box3d #32", "box that leaves the ground or moves along it: hit", 4, box3d_32 },
};
const uint32_t battery_case_count = sizeof battery_cases / sizeof *battery_cases;

void battery_make( const battery_case* of, uint32_t index, battery_pair* pair )
{
	memset( pair, 0, sizeof *pair );
	of->make( index, pair );
}

const battery_case* battery_find( const char* issue )
{
	for ( uint32_t i = 0; i < battery_case_count; ++i )
	{
		if ( strcmp( battery_cases[i].issue, issue ) == 0 )
		{
			return &battery_cases[i];
		}
	}
	return NULL;
}

static bv_vec3 column_of( const battery_shape* shape, int c )
{
	return vec( shape->rotation[0][c], shape->rotation[1][c], shape->rotation[2][c] );
}

bv_convex battery_convex( const battery_shape* shape, bv_vec3 room[battery_most_points] )
{
	bv_vec3 axis = column_of( shape, 2 );
	bv_vec3 from = along( shape->position, -shape->half.z, axis ),
			to = along( shape->position, shape->half.z, axis );
	bv_obb turned = { .center = shape->position,
		              .axis = { column_of( shape, 0 ), column_of( shape, 1 ), axis },
		              .half_extents = { shape->half.x, shape->half.y, shape->half.z } };
	switch ( shape->kind )
	{
	case battery_ball: return bv_convex_sphere( shape->position, shape->radius );
	case battery_box: return bv_convex_obb( &turned );
	case battery_capsule: return bv_convex_capsule( from, to, shape->radius );
	case battery_cylinder: return bv_convex_cylinder( from, to, shape->radius );
	case battery_cone: return bv_convex_cone( from, to, shape->radius );
	default: break;
	}
	for ( uint32_t i = 0; i < shape->count; ++i )
	{
		bv_vec3 p = shape->points[i], moved = shape->position;
		moved = along( along( along( moved, p.x, column_of( shape, 0 ) ), p.y, column_of( shape, 1 ) ), p.z,
		               axis );
		room[i] = moved;
	}
	return bv_convex_points( room, shape->count, 0 );
}

static bv_vec3 in_own_axes( const battery_shape* shape, bv_vec3 v )
{
	return vec( dot( column_of( shape, 0 ), v ), dot( column_of( shape, 1 ), v ),
	            dot( column_of( shape, 2 ), v ) );
}

double battery_extent( const battery_shape* shape, const bv_vec3* points, bv_vec3 normal )
{
	bv_vec3 d = in_own_axes( shape, normal );
	double center = dot( normal, shape->position ), across = sqrt( d.x * d.x + d.y * d.y );
	double along_axis = shape->half.z * fabs( d.z );
	switch ( shape->kind )
	{
	case battery_ball: return center + shape->radius;
	case battery_box: return center + shape->half.x * fabs( d.x ) + shape->half.y * fabs( d.y ) + along_axis;
	case battery_capsule: return center + along_axis + shape->radius;
	case battery_cylinder: return center + along_axis + shape->radius * across;
	case battery_cone:
		return center + fmax( shape->half.z * d.z, shape->radius * across - shape->half.z * d.z );
	default: break;
	}
	double most = dot( normal, points[0] );
	for ( uint32_t i = 1; i < shape->count; ++i )
	{
		most = fmax( most, dot( normal, points[i] ) );
	}
	return most;
}

double battery_outside( const battery_shape* shape, bv_vec3 point )
{
	bv_vec3 d = in_own_axes( shape, sub( point, shape->position ) );
	double across = sqrt( d.x * d.x + d.y * d.y ), beyond = fmax( fabs( d.z ) - shape->half.z, 0 );
	switch ( shape->kind )
	{
	case battery_ball: return length_of( d ) - shape->radius;
	case battery_box:
		return fmax( fmax( fabs( d.x ) - shape->half.x, fabs( d.y ) - shape->half.y ),
		             fabs( d.z ) - shape->half.z );
	case battery_capsule: return sqrt( across * across + beyond * beyond ) - shape->radius;
	case battery_cylinder: return fmax( across - shape->radius, fabs( d.z ) - shape->half.z );
	case battery_cone:
	{
		// Normal to the side: ( height, radius ) of the triangle that turns around the axis.
		double height = 2 * shape->half.z, side = sqrt( height * height + shape->radius * shape->radius );
		return fmax( -d.z - shape->half.z,
		             ( height * across + shape->radius * ( d.z - shape->half.z ) ) / side );
	}
	default: return NAN;
	}
}
