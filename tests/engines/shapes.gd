# Prints the convex shapes of an imported scene, one line each, its points after it: what Godot 3 made of a file with its names.
# godot3-server --path PROJECT -s shapes.gd SCENE
extends SceneTree

func walk(node):
	if node is CollisionShape:
		var kind = "convex" if node.shape is ConvexPolygonShape else "concave"
		var points = node.shape.points if node.shape is ConvexPolygonShape else node.shape.get_faces()
		var line = kind + " " + node.get_parent().name
		for point in points:
			var place = node.global_transform.xform(point)
			line += " %.9f,%.9f,%.9f" % [place.x, place.y, place.z]
		print("shape " + line)
	for child in node.get_children():
		walk(child)

func _init():
	var scene = load(OS.get_cmdline_args()[-1]).instance()
	get_root().add_child(scene)
	walk(scene)
	quit()
