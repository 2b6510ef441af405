// Collision queries of .bvh files in Node.js and browsers. See README.md.

export { BvError, init, memoryBytes } from './module.js';
export { BvConvex, convexCast, convexContacts, convexDistance, convexOverlap } from './convex.js';
export { BvFile, NO_TRIANGLE } from './file.js';
export { timeOfImpact } from './motion.js';
export { BvScene } from './scene.js';
