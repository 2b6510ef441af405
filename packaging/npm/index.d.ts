// Types of the npm package. README.md explains it.

/** [ x, y, z ], any array of three numbers, or an object such as three.js's Vector3. */
export type Vector = readonly [ number, number, number ] | readonly number[] | Float32Array | Float64Array | { readonly x: number; readonly y: number; readonly z: number };

export type Vector3 = [ number, number, number ];

/** Four numbers x, y, z, w, or an object such as three.js's Quaternion. */
export type Quaternion = readonly number[] | Float32Array | Float64Array | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

/** A column-major matrix, an object with one, such as three.js's Matrix4, or position, rotation and uniform scale. */
export type Pose =
	| readonly number[] | Float32Array | Float64Array
	| { readonly elements: readonly number[] | Float32Array | Float64Array }
	| { readonly position?: Vector; readonly quaternion?: Quaternion; readonly scale?: number };

export type Bytes = ArrayBufferLike | ArrayBufferView;

/** The name of a bv_status without `bv_error_`. */
export type Status = 'argument' | 'input' | 'unsupported' | 'output' | 'memory' | 'limit' | 'damaged' | 'internal';

/** An error of the library: a broken file, an argument that it rejects, a lack of memory. */
export class BvError extends Error
{
	constructor( status: Status, message: string );
	readonly status: Status;
}

/** Loads the module, from bv.wasm beside the package's files unless something else is given. Later calls wait for the first one. */
export function init( source?: string | URL | Bytes | Response | WebAssembly.Module | Promise<Response> ): Promise<void>;

/** How many bytes the memory of the module has; it never shrinks. */
export function memoryBytes(): number;

/** Something in the memory of the module. */
export interface Freeable
{
	/** Frees the memory. Using the object afterwards throws; freeing it again does not. */
	free(): void;
	[Symbol.dispose](): void;
}

/** An interval that contains the true value. */
export interface Interval
{
	lower: number;
	upper: number;
}

export type Feature = 'corner 0' | 'corner 1' | 'corner 2' | 'edge 0' | 'edge 1' | 'edge 2' | 'face';

/** A point on the surface of a mesh. */
export interface SurfacePoint
{
	triangle: number;
	feature: Feature;
	/** Barycentric coordinates. */
	weights: Vector3;
	/** In coordinates of the query. */
	point: Vector3;
	/** In coordinates of the file. */
	local: Vector3;
	/** Unit normal of the triangle's front. */
	normal: Vector3;
}

export interface RayHit extends SurfacePoint
{
	/** The hit is at origin + time * direction. */
	time: number;
	/** The ray hits the back of the triangle. */
	back: boolean;
}

export interface RayOptions
{
	/** Start of the time range; default 0. */
	from?: number;
	/** End of the time range; default 0, which is no end. */
	to?: number;
	/** End at any hit instead of the first one. */
	any?: boolean;
	noFronts?: boolean;
	noBacks?: boolean;
	/** From coordinates of the file to those of the ray. */
	pose?: Pose;
}

/** One entry per ray, or three. */
export interface RayHits
{
	/** Infinity where a ray hits nothing. */
	time: Float64Array;
	/** NO_TRIANGLE there. */
	triangle: Uint32Array;
	point: Float64Array;
	normal: Float64Array;
	/** 1 where the back of the triangle is hit. */
	back: Uint8Array;
}

export interface Surface
{
	/** x, y, z of each vertex. */
	positions: Float64Array;
	/** Three vertices of each triangle, counterclockwise seen from outside. */
	triangles: Uint32Array;
}

export interface Mass
{
	mass: number;
	centerOfMass: Vector3;
	/** About the center of mass; rows of a symmetric matrix. */
	inertia: [ Vector3, Vector3, Vector3 ];
}

export interface Part extends Surface, Mass
{
	/** Maximum distance from a point of the part to the shape. */
	concavity: Interval;
	/** Parts that have a point in common with it. */
	neighbors: Uint32Array;
}

export interface Box
{
	center: Vector3;
	axes: [ Vector3, Vector3, Vector3 ];
	halfExtents: Vector3;
}

export interface Ball
{
	center: Vector3;
	radius: number;
}

export interface Rod
{
	ends: [ Vector3, Vector3 ];
	radius: number;
}

export interface FileInfo
{
	readonly vertices: number;
	readonly triangles: number;
	readonly edges: number;
	readonly components: number;
	readonly closed: boolean;
	readonly manifold: boolean;
	readonly oriented: boolean;
	readonly area: number;
	readonly hasTriangles: boolean;
	readonly hullVertices: number;
	readonly parts: number;
	readonly nodes: number;
	readonly depth: number;
	/** Of the format, such as "1.4". */
	readonly version: string;
	readonly bytes: number;
	readonly offset: Vector3;
	readonly tool: string;
	readonly sourceName: string;
	readonly sourceFormat: string;
	/** The options of the build, one per line. */
	readonly parameters: string;
}

type PrimitiveKind = 'box' | 'sphere' | 'capsule' | 'cylinder';

export interface Primitives
{
	tolerance: number;
	best: PrimitiveKind | null;
	box?: Box & { error: Interval };
	sphere?: Ball & { error: Interval };
	capsule?: Rod & { error: Interval };
	cylinder?: Rod & { error: Interval };
}

/** A .bvh file in memory: what it holds, and queries of its mesh. */
export class BvFile implements Freeable
{
	private constructor();

	/** Loads the module if needed, copies the bytes of a file and checks them. */
	static open( bytes: Bytes | Promise<Bytes> ): Promise<BvFile>;
	/** The same, if the module is loaded. */
	static openSync( bytes: Bytes ): BvFile;

	readonly info: FileInfo;
	/** The mesh of record, copied at each call; null if the file has none. */
	readonly mesh: Surface | null;
	readonly hull: Surface | null;
	readonly proxy: Surface | null;
	readonly parts: Part[];
	readonly bounds: { box: { lower: Vector3; upper: Vector3 }; sphere: Ball; orientedBox: Box; capsule: Rod } | null;
	readonly primitives: Primitives | null;
	readonly body: ( Mass & { of: 'solid' | 'surface' | 'hull'; density: number; fromMass: boolean } ) | null;
	/** At density 1. */
	mass( of?: 'solid' | 'surface' | 'hull' ): Mass | null;
	/** Where a triangle is from. */
	source( triangle: number ): { face: number; object: string; group: string; material: string } | null;

	/** The first hit of a ray. */
	castRay( origin: Vector, direction: Vector, options?: RayOptions ): RayHit | null;
	/** Many rays at a time: origin and direction of each, six numbers. */
	castRays( rays: Float64Array | Float32Array | readonly number[], options?: Omit<RayOptions, 'from' | 'to'> ): RayHits;
	/** The point of the mesh that is closest to a point; null if none is nearer than the limit. */
	closestPoint( point: Vector, options?: { limit?: number; pose?: Pose } ): ( SurfacePoint & { distance: number; back: boolean } ) | null;
	/** Whether a point is in the solid that the mesh bounds; undefined if that is not known, as for a mesh that is not closed. */
	contains( point: Vector, options?: { limit?: number; pose?: Pose } ): boolean | undefined;
	/** The distance of two meshes; null if it is not smaller than the limit. `pose`: from coordinates of `other` to those of this file. */
	distance( other: BvFile, pose?: Pose | null, options?: { limit?: number; relative?: number; absolute?: number } ): { distance: number; a: SurfacePoint; b: SurfacePoint } | null;
	/** The pairs of triangles that intersect, of this file and of `other` in turns. `first` ends at any pair. */
	collide( other: BvFile, pose?: Pose | null, options?: { first?: boolean } ): Uint32Array;
	/** The triangles that intersect a solid. */
	overlapSphere( center: Vector, radius: number, options?: { first?: boolean; pose?: Pose } ): Uint32Array;
	overlapBox( lower: Vector, upper: Vector, options?: { first?: boolean; pose?: Pose } ): Uint32Array;
	overlapConvex( shape: BvConvex, options?: { first?: boolean; pose?: Pose } ): Uint32Array;
	/** The distance of a shape from the surface; null if it is not smaller than the limit. */
	distanceConvex( shape: BvConvex, options?: { limit?: number; pose?: Pose } ): ( Interval & { point: Vector3; normal: Vector3; surface: SurfacePoint } ) | null;
	/** The first contact with a shape that moves along a line. */
	castConvex( shape: BvConvex, motion: Vector, options?: { limit?: number; tolerance?: number; pose?: Pose } ): { atStart: boolean; time: number; back: boolean; normal: Vector3; surface: SurfacePoint } | null;

	free(): void;
	[Symbol.dispose](): void;
}

/** The number of a triangle in RayHits where a ray hits nothing. */
export const NO_TRIANGLE: number;

/**
 * A convex shape: all points within a radius of a sphere, box, hull and so on. What queries would reject cannot be made: the hull of a file
 * without one, axes that are not a right-handed frame, a cylinder whose ends are equal.
 */
export class BvConvex implements Freeable
{
	private constructor();
	static point( point: Vector ): BvConvex;
	static sphere( center: Vector, radius: number ): BvConvex;
	static segment( from: Vector, to: Vector ): BvConvex;
	static capsule( from: Vector, to: Vector, radius: number ): BvConvex;
	static cylinder( from: Vector, to: Vector, radius: number ): BvConvex;
	static cone( base: Vector, apex: Vector, radius: number ): BvConvex;
	static triangle( a: Vector, b: Vector, c: Vector ): BvConvex;
	static box( center: Vector, halfExtents: Vector ): BvConvex;
	static orientedBox( box: { center: Vector; axes: readonly Vector[]; halfExtents: Vector } ): BvConvex;
	static ellipsoid( frame: { center: Vector; axes: readonly Vector[]; halfExtents: Vector } ): BvConvex;
	/** All points x with dot( normal, x ) <= offset: only for pairs of shapes. */
	static halfSpace( normal: Vector, offset: number ): BvConvex;
	/** The convex hull of points, which are copied: x, y, z of each. */
	static points( points: Float64Array | Float32Array | readonly number[], radius?: number ): BvConvex;
	/** The convex hull of a file, or of points. */
	static hull( of: BvFile | Float64Array | Float32Array | readonly number[] ): BvConvex;
	/** One of the convex parts of a file. */
	static part( file: BvFile, part: number ): BvConvex;
	/** The primitive that a file was recognized as, `primitives.best`, which must not be null. */
	static primitive( file: BvFile ): BvConvex;
	/** Rounds the edges: all points within this distance of the shape. */
	round( radius: number ): this;
	free(): void;
	[Symbol.dispose](): void;
}

/** Whether two shapes have a point in common; in doubt true. `pose`: from coordinates of b to those of a. */
export function convexOverlap( a: BvConvex, b: BvConvex, pose?: Pose | null ): boolean;
/** The signed distance of two shapes: negative if they overlap. */
export function convexDistance( a: BvConvex, b: BvConvex, pose?: Pose | null, options?: { tolerance?: number } ): Interval & { points: [ Vector3, Vector3 ]; normal: Vector3 };
/** The first contact of two shapes that move along lines; null if they do not meet. */
export function convexCast( a: BvConvex, b: BvConvex, pose: Pose | null | undefined, motionA: Vector, motionB: Vector, options?: { limit?: number; tolerance?: number } ): ( Interval & { certain: boolean; atStart: boolean; points: [ Vector3, Vector3 ]; normal: Vector3 } ) | null;
/** At most four contact points of two shapes. */
export function convexContacts( a: BvConvex, b: BvConvex, pose?: Pose | null, options?: { speculative?: number } ): Interval & {
	normal: Vector3;
	contacts: { position: Vector3; points: [ Vector3, Vector3 ]; separation: number; identity: [ number, number ] }[];
};

/** How an object moves from time 0 to 1. */
export type Motion =
	| { start?: Pose; kind?: 'still' }
	| { start?: Pose; end: Pose; pivot?: Vector; kind?: 'slerp' | 'nlerp' | 'screwBetween' }
	| { start?: Pose; point?: Vector; axis: Vector; angle?: number; shift?: number; kind?: 'screw' };

/** Brackets the time at which two moving objects first touch: not before `lower`; until `upper`, if that is finite. */
export function timeOfImpact( a: BvFile | BvConvex, motionA: Motion | null | undefined, b: BvFile | BvConvex, motionB: Motion | null | undefined, options?: { from?: number; limit?: number; tolerance?: number; separation?: number } ): Interval & {
	found: boolean;
	certain: boolean;
	complete: boolean;
	atStart: boolean;
	triangles: [ number, number ];
	features: [ Feature, Feature ];
	points: [ Vector3, Vector3 ];
	normal: Vector3;
};

/** Many objects made of files. */
export class BvScene implements Freeable
{
	constructor( options?: { objects?: number; pairs?: number; margin?: number } );
	/** Adds an object and returns its number. */
	add( file: BvFile, pose?: Pose | null, options?: { category?: number; mask?: number; group?: number } ): number;
	move( number: number, pose?: Pose | null ): void;
	remove( number: number ): void;
	file( number: number ): BvFile;
	/** Pairs of objects whose boxes begin and end to touch since the last update, two numbers each. BvError 'limit' if there are more than `pairs`. */
	update(): { begun: Uint32Array; ended: Uint32Array };
	/** The pairs whose boxes touched at the last update. */
	readonly pairs: Uint32Array;
	/** The objects whose boxes touch a box. */
	overlapBox( lower: Vector, upper: Vector ): Uint32Array;
	/** The first object whose mesh a ray hits. */
	castRay( origin: Vector, direction: Vector, options?: { from?: number; to?: number; any?: boolean } ): ( RayHit & { number: number } ) | null;
	/** The first object that a shape meets, which moves along a line. */
	castConvex( shape: BvConvex, motion: Vector ): { number: number; time: number; atStart: boolean; normal: Vector3; surface: SurfacePoint } | null;
	free(): void;
	[Symbol.dispose](): void;
}
