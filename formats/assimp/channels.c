// Channels of Assimp's animations. See channels.h.
//
// A channel of Assimp replaces the node's matrix by a scale, then a rotation, then a translation. Where it
// has no keys for one of them, that of the node stays. Between keys values are linear, and rotations by
// slerp, as in glTF.

#include "formats/assimp/channels.h"

#include "offline/base/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	default_ticks = 25, // per second, Assimp's convention for animations that do not say
};

// Shear that a placement may have and still be a scale and a rotation: rounding of products of floats.
#define SHEAR_ROUNDING 1e-5

static void take_earlier( double ticks, double rate, double* first )
{
	double time = ticks / rate;
	*first = isfinite( (float)time ) && time < *first ? time : *first;
}

bvassimp_clock bvassimp_channels_clock( const struct aiAnimation* a )
{
	double rate = a->mTicksPerSecond;
	rate = rate > 0 && isfinite( rate ) ? rate : default_ticks;
	double first = 0;
	for ( unsigned i = 0; i < a->mNumChannels; ++i )
	{
		const struct aiNodeAnim* channel = a->mChannels[i];
		for ( unsigned k = 0; channel && k < channel->mNumPositionKeys; ++k )
		{
			take_earlier( channel->mPositionKeys[k].mTime, rate, &first );
		}
		for ( unsigned k = 0; channel && k < channel->mNumRotationKeys; ++k )
		{
			take_earlier( channel->mRotationKeys[k].mTime, rate, &first );
		}
		for ( unsigned k = 0; channel && k < channel->mNumScalingKeys; ++k )
		{
			take_earlier( channel->mScalingKeys[k].mTime, rate, &first );
		}
	}
	for ( unsigned i = 0; i < a->mNumMorphMeshChannels; ++i )
	{
		const struct aiMeshMorphAnim* channel = a->mMorphMeshChannels[i];
		for ( unsigned k = 0; channel && k < channel->mNumKeys; ++k )
		{
			take_earlier( channel->mKeys[k].mTime, rate, &first );
		}
	}
	return ( bvassimp_clock ){ rate, first < 0 ? -first : 0 };
}

void bvassimp_animation_add( bvassimp_animation* to, uint32_t node, const char* path, uint32_t times,
                             uint32_t values )
{
	const char* comma = to->count > 0 ? "," : "";
	bvassimp_put( &to->samplers, "%s{\"input\":%u,\"output\":%u}", comma, times, values );
	bvassimp_put( &to->channels, "%s{\"sampler\":%u,\"target\":{\"node\":%u,\"path\":\"%s\"}}", comma,
	              to->count, node, path );
	to->count += 1;
}

static bvassimp_key* make_keys( uint32_t count )
{
	bvassimp_key* keys = bvbase_memory_resize( NULL, count, sizeof *keys );
	if ( !keys )
	{
		bvassimp_leave_out_of_memory();
	}
	return keys;
}

static bvassimp_key* take_vectors( const struct aiVectorKey* from, uint32_t count,
                                   const bvassimp_clock* clock )
{
	bvassimp_key* keys = make_keys( count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const struct aiVector3D* v = &from[i].mValue;
		double time = bvassimp_clock_seconds( clock, from[i].mTime );
		keys[i] = ( bvassimp_key ){ time, { v->x, v->y, v->z, 0 }, i };
	}
	return keys;
}

static bvassimp_key* take_rotations( const struct aiQuatKey* from, uint32_t count,
                                     const bvassimp_clock* clock )
{
	bvassimp_key* keys = make_keys( count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		const struct aiQuaternion* q = &from[i].mValue;
		double time = bvassimp_clock_seconds( clock, from[i].mTime );
		keys[i] = ( bvassimp_key ){ time, { q->x, q->y, q->z, q->w }, i };
	}
	return keys;
}

// @param keys  are freed
// @return whether there was one
static bool add_track( bvassimp_container* c, bvassimp_key* keys, uint32_t count, const char* path,
                       uint32_t node, bvassimp_animation* to )
{
	bool rotation = strcmp( path, "rotation" ) == 0;
	uint32_t width = rotation ? 4 : 3;
	count = bvassimp_keys_clean( keys, count, width, rotation, &to->faults );
	if ( count > 0 )
	{
		uint32_t times = bvassimp_keys_add( c, keys, count, width );
		bvassimp_animation_add( to, node, path, times, times + 1 );
	}
	free( keys );
	return count > 0;
}

static bool goes_on( enum aiAnimBehaviour behaviour )
{
	return behaviour == aiAnimBehaviour_LINEAR || behaviour == aiAnimBehaviour_REPEAT;
}

// Whether the channel does not stay where it is before its first and after its last key, while the clip
// plays.
static bool moves_outside( const struct aiNodeAnim* n, double duration )
{
	const struct aiVectorKey* keys = n->mPositionKeys;
	unsigned count = n->mNumPositionKeys;
	return count > 0 && ( ( goes_on( n->mPreState ) && keys[0].mTime > 0 ) ||
	                      ( goes_on( n->mPostState ) && keys[count - 1].mTime < duration ) );
}

void bvassimp_channels_add( bvassimp_container* c, const struct aiAnimation* a, const bvassimp_clock* clock,
                            const bvassimp_tree* tree, uint8_t* moved, bvassimp_animation* to )
{
	for ( unsigned i = 0; i < a->mNumChannels; ++i )
	{
		const struct aiNodeAnim* n = a->mChannels[i];
		uint32_t node = n ? bvassimp_tree_find( tree, n->mNodeName.data ) : BVASSIMP_NONE;
		if ( node == BVASSIMP_NONE || moved[node] > 0 )
		{
			to->missing += node == BVASSIMP_NONE;
			to->duplicate += node != BVASSIMP_NONE;
			continue;
		}
		to->outside += moves_outside( n, a->mDuration );
		moved[node] += add_track( c, take_vectors( n->mPositionKeys, n->mNumPositionKeys, clock ),
		                          n->mNumPositionKeys, "translation", node, to );
		moved[node] += add_track( c, take_rotations( n->mRotationKeys, n->mNumRotationKeys, clock ),
		                          n->mNumRotationKeys, "rotation", node, to );
		moved[node] += add_track( c, take_vectors( n->mScalingKeys, n->mNumScalingKeys, clock ),
		                          n->mNumScalingKeys, "scale", node, to );
	}
}

// By the largest of the four numbers, so that none is divided by little (Shepperd 1978).
// @param r  rows of a rotation
static void find_rotation( double r[3][3], double out[4] )
{
	double trace = r[0][0] + r[1][1] + r[2][2];
	int i = r[0][0] >= r[1][1] && r[0][0] >= r[2][2] ? 0 : r[1][1] >= r[2][2] ? 1 : 2;
	if ( trace >= r[i][i] )
	{
		out[0] = r[2][1] - r[1][2];
		out[1] = r[0][2] - r[2][0];
		out[2] = r[1][0] - r[0][1];
		out[3] = 1 + trace;
	}
	else
	{
		int k = ( i + 1 ) % 3;
		int m = ( i + 2 ) % 3;
		out[i] = 1 + r[i][i] - r[k][k] - r[m][m];
		out[k] = r[i][k] + r[k][i];
		out[m] = r[i][m] + r[m][i];
		out[3] = r[m][k] - r[k][m];
	}
	double length = sqrt( out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3] );
	for ( int k = 0; k < 4; ++k )
	{
		out[k] = length > 0 ? out[k] / length : k == 3;
	}
}

// @return rows of the rotation of a unit quaternion
static void make_rotation( const double q[4], double out[3][3] )
{
	double x = q[0];
	double y = q[1];
	double z = q[2];
	double w = q[3];
	const double rows[3][3] = {
		{ 1 - 2 * ( y * y + z * z ), 2 * ( x * y - z * w ), 2 * ( x * z + y * w ) },
		{ 2 * ( x * y + z * w ), 1 - 2 * ( x * x + z * z ), 2 * ( y * z - x * w ) },
		{ 2 * ( x * z - y * w ), 2 * ( y * z + x * w ), 1 - 2 * ( x * x + y * y ) },
	};
	memcpy( out, rows, sizeof rows );
}

bvassimp_rest bvassimp_channels_rest( const struct aiMatrix4x4* m )
{
	const double rows[3][3] = { { m->a1, m->a2, m->a3 }, { m->b1, m->b2, m->b3 }, { m->c1, m->c2, m->c3 } };
	bvassimp_rest out = { { m->a4, m->b4, m->c4 }, { 0, 0, 0, 1 }, { 0, 0, 0 }, false };
	double r[3][3];
	double most = 0;
	double worst = 0;
	double determinant = rows[0][0] * ( rows[1][1] * rows[2][2] - rows[1][2] * rows[2][1] ) -
	                     rows[0][1] * ( rows[1][0] * rows[2][2] - rows[1][2] * rows[2][0] ) +
	                     rows[0][2] * ( rows[1][0] * rows[2][1] - rows[1][1] * rows[2][0] );
	for ( int k = 0; k < 3; ++k )
	{
		double length = sqrt( rows[0][k] * rows[0][k] + rows[1][k] * rows[1][k] + rows[2][k] * rows[2][k] );
		out.scale[k] = k == 0 && determinant < 0 ? -length : length;
		for ( int i = 0; i < 3; ++i )
		{
			r[i][k] = length > 0 ? rows[i][k] / out.scale[k] : 0;
		}
	}
	if ( determinant != 0 )
	{
		find_rotation( r, out.rotation );
	}
	make_rotation( out.rotation, r );
	for ( int i = 0; i < 9; ++i )
	{
		double exact = rows[i / 3][i % 3];
		most = fmax( most, fabs( exact ) );
		worst = fmax( worst, fabs( exact - r[i / 3][i % 3] * out.scale[i % 3] ) );
	}
	out.sheared = worst > SHEAR_ROUNDING * most;
	return out;
}
