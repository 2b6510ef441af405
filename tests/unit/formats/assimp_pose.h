// Evaluates animated scenes of Assimp directly: an oracle for clips that shares no code with the library. By the definitions
// of assimp/anim.h, mesh.h and scene.h, in double precision.

#pragma once

#include <assimp/scene.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct pose_matrix
{
	double m[4][4];
} pose_matrix;

static inline pose_matrix pose_matrix_of( const struct aiMatrix4x4* a )
{
	return ( pose_matrix ){ { { a->a1, a->a2, a->a3, a->a4 },
		                      { a->b1, a->b2, a->b3, a->b4 },
		                      { a->c1, a->c2, a->c3, a->c4 },
		                      { 0, 0, 0, 1 } } };
}

static inline pose_matrix pose_product( const pose_matrix* a, const pose_matrix* b )
{
	pose_matrix out = { { { 0 } } };
	for ( int i = 0; i < 64; ++i )
	{
		out.m[i / 16][i / 4 % 4] += a->m[i / 16][i % 4] * b->m[i % 4][i / 4 % 4];
	}
	return out;
}

// The key at or before a time, of keys in any order; the first one before all of them.
#define POSE_FIND( keys, count, ticks, first, second )                                     \
	do                                                                                     \
	{                                                                                      \
		first = second = -1;                                                               \
		for ( int pose_k = 0; pose_k < (int)( count ); ++pose_k )                          \
		{                                                                                  \
			double pose_t = ( keys )[pose_k].mTime;                                        \
			if ( pose_t <= ( ticks ) && ( first < 0 || pose_t >= ( keys )[first].mTime ) ) \
			{                                                                              \
				first = pose_k;                                                            \
			}                                                                              \
			if ( pose_t > ( ticks ) && ( second < 0 || pose_t < ( keys )[second].mTime ) ) \
			{                                                                              \
				second = pose_k;                                                           \
			}                                                                              \
		}                                                                                  \
		first = first < 0 ? second : first;                                                \
		second = second < 0 ? first : second;                                              \
	} while ( 0 )

static inline double pose_share( double from, double to, double ticks )
{
	return to > from ? fmin( fmax( ( ticks - from ) / ( to - from ), 0 ), 1 ) : 0;
}

static inline void pose_vector( const struct aiVectorKey* keys, unsigned count, double ticks, double out[3] )
{
	int a;
	int b;
	POSE_FIND( keys, count, ticks, a, b );
	double s = pose_share( keys[a].mTime, keys[b].mTime, ticks );
	out[0] = keys[a].mValue.x + s * ( (double)keys[b].mValue.x - keys[a].mValue.x );
	out[1] = keys[a].mValue.y + s * ( (double)keys[b].mValue.y - keys[a].mValue.y );
	out[2] = keys[a].mValue.z + s * ( (double)keys[b].mValue.z - keys[a].mValue.z );
}

static inline void pose_quaternion( const struct aiQuaternion* q, double out[4] )
{
	double length =
		sqrt( (double)q->w * q->w + (double)q->x * q->x + (double)q->y * q->y + (double)q->z * q->z );
	out[0] = q->w / length;
	out[1] = q->x / length;
	out[2] = q->y / length;
	out[3] = q->z / length;
}

// Slerp by sines (Shoemake 1985).
static inline void pose_rotation( const struct aiQuatKey* keys, unsigned count, double ticks, double out[4] )
{
	int first;
	int second;
	double a[4];
	double b[4];
	POSE_FIND( keys, count, ticks, first, second );
	double s = pose_share( keys[first].mTime, keys[second].mTime, ticks );
	pose_quaternion( &keys[first].mValue, a );
	pose_quaternion( &keys[second].mValue, b );
	double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
	double sign = cosine < 0 ? -1 : 1;
	double angle = acos( fmin( sign * cosine, 1 ) );
	double p = angle > 1e-6 ? sin( ( 1 - s ) * angle ) / sin( angle ) : 1 - s;
	double q = angle > 1e-6 ? sin( s * angle ) / sin( angle ) : s;
	for ( int i = 0; i < 4; ++i )
	{
		out[i] = p * a[i] + q * sign * b[i];
	}
}

static inline pose_matrix pose_local( const struct aiNode* node, const struct aiAnimation* a, double ticks )
{
	const struct aiNodeAnim* n = NULL;
	for ( unsigned i = 0; i < a->mNumChannels && !n; ++i )
	{
		n = strcmp( a->mChannels[i]->mNodeName.data, node->mName.data ) == 0 ? a->mChannels[i] : NULL;
	}
	if ( !n )
	{
		return pose_matrix_of( &node->mTransformation );
	}
	double t[3];
	double q[4];
	double s[3];
	pose_vector( n->mPositionKeys, n->mNumPositionKeys, ticks, t );
	pose_rotation( n->mRotationKeys, n->mNumRotationKeys, ticks, q );
	pose_vector( n->mScalingKeys, n->mNumScalingKeys, ticks, s );
	double w = q[0];
	double x = q[1];
	double y = q[2];
	double z = q[3];
	return ( pose_matrix ){ {
		{ s[0] * ( 1 - 2 * ( y * y + z * z ) ), s[1] * 2 * ( x * y - z * w ), s[2] * 2 * ( x * z + y * w ),
		  t[0] },
		{ s[0] * 2 * ( x * y + z * w ), s[1] * ( 1 - 2 * ( x * x + z * z ) ), s[2] * 2 * ( y * z - x * w ),
		  t[1] },
		{ s[0] * 2 * ( x * z - y * w ), s[1] * 2 * ( y * z + x * w ), s[2] * ( 1 - 2 * ( x * x + y * y ) ),
		  t[2] },
		{ 0, 0, 0, 1 },
	} };
}

static inline pose_matrix pose_world( const struct aiNode* node, const struct aiAnimation* a, double ticks )
{
	pose_matrix out = pose_local( node, a, ticks );
	for ( node = node->mParent; node; node = node->mParent )
	{
		pose_matrix outer = pose_local( node, a, ticks );
		out = pose_product( &outer, &out );
	}
	return out;
}

static inline const struct aiNode* pose_find( const struct aiNode* node, const char* name )
{
	const struct aiNode* found = strcmp( node->mName.data, name ) == 0 ? node : NULL;
	for ( unsigned i = 0; i < node->mNumChildren && !found; ++i )
	{
		found = pose_find( node->mChildren[i], name );
	}
	return found;
}

// A weight of a target at a time: linear between the keys that have it.
static inline double pose_weight( const struct aiMeshMorphAnim* n, unsigned target, double ticks )
{
	double times[2] = { -INFINITY, INFINITY };
	double weights[2] = { 0, 0 };
	for ( unsigned k = 0; k < n->mNumKeys; ++k )
	{
		for ( unsigned v = 0; v < n->mKeys[k].mNumValuesAndWeights; ++v )
		{
			double t = n->mKeys[k].mTime;
			int side = t > ticks;
			if ( n->mKeys[k].mValues[v] == target && ( side ? t < times[1] : t >= times[0] ) )
			{
				times[side] = t;
				weights[side] = n->mKeys[k].mWeights[v];
			}
		}
	}
	return isinf( times[0] ) ? weights[1]
	       : isinf( times[1] )
	           ? weights[0]
	           : weights[0] + ( weights[1] - weights[0] ) * ( ticks - times[0] ) / ( times[1] - times[0] );
}

static inline void pose_point( const pose_matrix* m, const double p[3], double weight, double out[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		out[i] += weight * ( m->m[i][0] * p[0] + m->m[i][1] * p[1] + m->m[i][2] * p[2] + m->m[i][3] );
	}
}

static inline bool pose_has_triangles( const struct aiMesh* mesh )
{
	for ( unsigned i = 0; i < mesh->mNumFaces; ++i )
	{
		if ( mesh->mFaces[i].mNumIndices > 2 )
		{
			return true;
		}
	}
	return false;
}

// @param out  receives x, y, z of each vertex
static inline void pose_mesh( const struct aiScene* scene, const struct aiNode* node,
                              const struct aiMesh* mesh, const struct aiAnimation* a, double ticks,
                              double* out )
{
	double* base = malloc( 3 * sizeof( double ) * mesh->mNumVertices );
	double* totals = calloc( mesh->mNumVertices, sizeof( double ) );
	memset( out, 0, 3 * sizeof( double ) * mesh->mNumVertices );
	for ( unsigned i = 0; i < mesh->mNumVertices; ++i )
	{
		base[3 * i] = mesh->mVertices[i].x;
		base[3 * i + 1] = mesh->mVertices[i].y;
		base[3 * i + 2] = mesh->mVertices[i].z;
		for ( unsigned k = 0; k < mesh->mNumAnimMeshes && a->mNumMorphMeshChannels > 0; ++k )
		{
			const struct aiVector3D* target = &mesh->mAnimMeshes[k]->mVertices[i];
			double w = pose_weight( a->mMorphMeshChannels[0], k, ticks );
			base[3 * i] += w * ( target->x - mesh->mVertices[i].x );
			base[3 * i + 1] += w * ( target->y - mesh->mVertices[i].y );
			base[3 * i + 2] += w * ( target->z - mesh->mVertices[i].z );
		}
	}
	for ( unsigned k = 0; k < mesh->mNumBones; ++k )
	{
		const struct aiBone* bone = mesh->mBones[k];
		const struct aiNode* joint = pose_find( scene->mRootNode, bone->mName.data );
		if ( joint )
		{
			pose_matrix offset = pose_matrix_of( &bone->mOffsetMatrix );
			pose_matrix world = pose_world( joint, a, ticks );
			pose_matrix m = pose_product( &world, &offset );
			for ( unsigned i = 0; i < bone->mNumWeights; ++i )
			{
				unsigned v = bone->mWeights[i].mVertexId;
				pose_point( &m, base + 3 * v, bone->mWeights[i].mWeight, out + 3 * v );
				totals[v] += bone->mWeights[i].mWeight;
			}
		}
	}
	pose_matrix world = pose_world( node, a, ticks );
	for ( unsigned i = 0; i < mesh->mNumVertices; ++i )
	{
		for ( int k = 0; k < 3 && totals[i] > 0; ++k )
		{
			out[3 * i + (unsigned)k] /= totals[i];
		}
		if ( totals[i] == 0 )
		{
			pose_point( &world, base + 3 * i, 1, out + 3 * i );
		}
	}
	free( base );
	free( totals );
}

// All vertices of meshes with triangles, node by node, parents first.
// @param out    may be null for counting
// @return how many
static inline size_t pose_scene( const struct aiScene* scene, const struct aiNode* node,
                                 const struct aiAnimation* a, double ticks, double* out )
{
	size_t count = 0;
	for ( unsigned i = 0; i < node->mNumMeshes; ++i )
	{
		const struct aiMesh* mesh = scene->mMeshes[node->mMeshes[i]];
		if ( pose_has_triangles( mesh ) )
		{
			if ( out )
			{
				pose_mesh( scene, node, mesh, a, ticks, out + 3 * count );
			}
			count += mesh->mNumVertices;
		}
	}
	for ( unsigned i = 0; i < node->mNumChildren; ++i )
	{
		count += pose_scene( scene, node->mChildren[i], a, ticks, out ? out + 3 * count : NULL );
	}
	return count;
}
