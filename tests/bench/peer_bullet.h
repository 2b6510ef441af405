// Queries of two meshes by Bullet's GImpact: btGImpactMeshShape, whose trees of quantized boxes are
// traversed together by btGImpactQuantizedBvh::find_collision. Pairs of triangles are tested as in
// btGImpactCollisionAlgorithm (collide_sat_triangles: planes first, then clipping), with margins of 0.
// Contact points in a manifold are omitted; they would only take longer. All pairs of boxes are found before
// the first triangles are tested, because GImpact has no other way. In C++, with 32-bit floats, as in
// Debian's libBulletCollision.

#pragma once

#include "tests/bench/peer_fcl.h"

#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

// A mesh in Bullet's own arrays, and its tree.
struct bullet_tree
{
	std::vector<float> positions;
	std::vector<int> corners;
	std::unique_ptr<btTriangleIndexVertexArray> mesh;
	std::unique_ptr<btGImpactMeshShape> shape;
	double seconds; // of processor time, that the tree took

	explicit bullet_tree( const fcl_tree& like )
	{
		for ( int i = 0; i < like.num_vertices; ++i )
		{
			const fcl::Vector3d& p = like.vertices[i];
			positions.insert( positions.end(), { (float)p[0], (float)p[1], (float)p[2] } );
		}
		for ( int i = 0; i < like.num_tris; ++i )
		{
			const fcl::Triangle& t = like.tri_indices[i];
			corners.insert( corners.end(), { (int)t[0], (int)t[1], (int)t[2] } );
		}
		btIndexedMesh part;
		part.m_numTriangles = like.num_tris;
		part.m_triangleIndexBase = (const unsigned char*)corners.data();
		part.m_triangleIndexStride = 3 * sizeof( int );
		part.m_numVertices = like.num_vertices;
		part.m_vertexBase = (const unsigned char*)positions.data();
		part.m_vertexStride = 3 * sizeof( float );
		part.m_vertexType = PHY_FLOAT;
		mesh = std::make_unique<btTriangleIndexVertexArray>();
		mesh->addIndexedMesh( part, PHY_INTEGER );
		double start = core_now();
		shape = std::make_unique<btGImpactMeshShape>( mesh.get() );
		shape->setMargin( 0 );
		shape->updateBound();
		seconds = core_now() - start;
		shape->getMeshPart( 0 )->lockChildShapes();
	}

	bullet_tree( const bullet_tree& ) = delete;

	~bullet_tree()
	{
		shape->getMeshPart( 0 )->unlockChildShapes();
	}

	// Of the mesh and its tree.
	double bytes() const
	{
		return (double)positions.size() * sizeof( float ) + (double)corners.size() * sizeof( int ) +
		       (double)shape->getMeshPart( 0 )->getBoxSet()->getNodeCount() * sizeof( BT_QUANTIZED_BVH_NODE );
	}
};

static inline uint64_t bullet_pairs( const bullet_tree& a, const bullet_tree& b, const bv_pose& pose,
                                     bool first )
{
	const auto& r = pose.rotation;
	btMatrix3x3 rotation( (btScalar)r[0][0], (btScalar)r[0][1], (btScalar)r[0][2], (btScalar)r[1][0],
	                      (btScalar)r[1][1], (btScalar)r[1][2], (btScalar)r[2][0], (btScalar)r[2][1],
	                      (btScalar)r[2][2] );
	const bv_vec3& t = pose.translation;
	btTransform there( rotation, btVector3( (btScalar)t.x, (btScalar)t.y, (btScalar)t.z ) );
	const btGImpactMeshShapePart* shape_a = a.shape->getMeshPart( 0 );
	const btGImpactMeshShapePart* shape_b = b.shape->getMeshPart( 0 );
	btPairSet pairs;
	btGImpactBoxSet::find_collision( shape_a->getBoxSet(), btTransform::getIdentity(), shape_b->getBoxSet(),
	                                 there, pairs );
	uint64_t found = 0;
	for ( int i = 0; i < pairs.size(); ++i )
	{
		btPrimitiveTriangle triangle_a;
		btPrimitiveTriangle triangle_b;
		GIM_TRIANGLE_CONTACT contact;
		shape_a->getPrimitiveTriangle( pairs[i].m_index1, triangle_a );
		shape_b->getPrimitiveTriangle( pairs[i].m_index2, triangle_b );
		triangle_b.applyTransform( there );
		triangle_a.buildTriPlane();
		triangle_b.buildTriPlane();
		if ( triangle_a.overlap_test_conservative( triangle_b ) &&
		     triangle_a.find_triangle_collision_clip_method( triangle_b, contact ) )
		{
			found += 1;
			if ( first )
			{
				break;
			}
		}
	}
	return found;
}
