// Includes the complete API of libbvworld: broadphase.h (pairs of objects that touch, and objects in a box), queries.h (rays and
// shapes, also moving ones), scene.h (objects made of .bvh files), scene_tree.h (objects that move with others), control.h (how far
// objects can move before they touch), contacts.h (contact points that last), pool.h (one budget for many searches), particles.h
// (neighbors of particles), deform.h (meshes that bend), skin.h (meshes that follow bones).

#pragma once

#include "bvworld/broadphase.h"
#include "bvworld/contacts.h"
#include "bvworld/control.h"
#include "bvworld/deform.h"
#include "bvworld/deform_contact.h"
#include "bvworld/particles.h"
#include "bvworld/pool.h"
#include "bvworld/queries.h"
#include "bvworld/scene.h"
#include "bvworld/scene_tree.h"
#include "bvworld/skin.h"
