#!/bin/sh
# Proxies from the command line: options and errors, and the description of proxies in files, summaries,
# reports and exports.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# On small meshes threads do little but wait; what is said of threads below names its number of them.
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

"$BUILD/make_samples" . || fail 'make_samples'
# A torus of 640 triangles, whose proxies take 0.1 s. Those of the rock take 0.5 s.
torus 32 10 > torus.obj
closed=torus
[ -z "${BV_THOROUGH:-}" ] || closed=rock

# What is refused.
for value in -1 -1% nan x % '1 %' inf; do
	refused 1 "--simplify takes a length, or N%, or 0, not '$value'" rock.obj --simplify "$value"
done
refused 1 "--simplify takes at most 100%, not '101%'" rock.obj --simplify 101%
refused 1 '--simplify adds the section that --sections -proxy removes' rock.obj --simplify 1% --sections -proxy

# A proxy is there when it is asked for, by the option or by the section's name.
run 0 "$bvbuild" -q $closed.obj -o none.bvh
check 'without the option there is no proxy' sh -c "! '$bvinspect' none.bvh | grep -q proxy"
run 2 "$bvinspect" --export proxy,none.obj none.bvh
check 'exporting it says so' grep -qxF 'bvinspect: none.bvh: has no proxy mesh (bvbuild --simplify makes one)' err
run 0 "$bvbuild" -q --simplify 1% $closed.obj -o option.bvh
run 0 "$bvbuild" -q --sections proxy $closed.obj -o section.bvh
check 'the section is within 1 % by default' cmp option.bvh section.bvh
check 'the tolerance is written down' sh -c "'$bvinspect' --json option.bvh | grep -q '\"simplify\":.\"1%\"'"
check 'the summary says how many triangles there are and that they enclose the mesh' \
	sh -c "'$bvinspect' option.bvh | tr '\n' ' ' | grep -q '  proxy  *[0-9,]* triangles,.*Hausdorff distance to the mesh .*, *encloses all of the mesh'"

# What is built, proved and exported of each sample, and what the report says of it.
# Small ones within each tolerance, large ones within one, without the hierarchy, which is
# not the proxy's.
combinations='crate:0 crate:1% crate:5% torus:0 torus:1% torus:5% rock:5% gear:1% knot:5%'
sections='--sections none,mesh'
if [ "${BV_THOROUGH:-}" ]; then
	combinations=$(for mesh in crate rock gear knot torus; do echo $mesh:0 $mesh:1% $mesh:5%; done)
	sections=
fi
for combination in $combinations; do
	mesh=${combination%:*}
	tolerance=${combination#*:}
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q --simplify $tolerance --threads 1 $sections $mesh.obj -o $mesh.bvh
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q --simplify $tolerance --threads 2 $sections $mesh.obj -o threads.bvh
	check "$mesh within $tolerance is the same with two threads" cmp $mesh.bvh threads.bvh
	run 0 "$bvinspect" --verify $mesh.bvh
	run 0 "$bvinspect" --export proxy,proxy.obj --export mesh,mesh.obj $mesh.bvh
	"$bvinspect" --json $mesh.bvh > report.json
	check "$mesh within $tolerance encloses no less, and is as near as was asked for" python3 -c '
import json, sys

def read(path):
    corners, faces = [], []
    for line in open(path):
        word, *rest = line.split() or [""]
        if word == "v":
            corners.append([float(x) for x in rest])
        elif word == "f":
            faces.append([int(x.split("/")[0]) - 1 for x in rest])
    return corners, faces

def volume(corners, faces):
    total = 0
    for a, b, c in ([corners[i] for i in face] for face in faces):
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total

report = json.load(open("report.json"))
proxy = report["proxy"]
corners, faces = read("proxy.obj")
assert len(corners) == proxy["vertices"] and len(faces) == proxy["triangles"] <= report["mesh"]["triangles"], proxy
sides = {(f[k], f[(k + 1) % 3]) for f in faces for k in range(3)}
assert all((b, a) in sides for a, b in sides), "it is not closed"
assert volume(corners, faces) >= volume(*read("mesh.obj")) * (1 - 1e-12), "it lost volume"
allowed = max(proxy["tolerance"], 1e-9)
assert proxy["from_proxy"]["upper"] <= allowed and proxy["from_mesh"]["upper"] <= allowed, proxy
assert sys.argv[1] == "0" or proxy["triangles"] <= report["mesh"]["triangles"] * (0.9 if report["mesh"]["triangles"] > 500 else 1), proxy
' "$tolerance"
done

# Open meshes have a proxy, which encloses nothing.
run 0 "$bvbuild" -q --simplify 2% terrain.obj -o terrain.bvh
run 0 "$bvinspect" --verify terrain.bvh
run 0 "$bvinspect" --gate 'proxy.triangles < mesh.triangles / 2 and proxy.enclosed == 0' terrain.bvh
run 0 "$bvbuild" -q --simplify 2% --gate 'proxy.enclosed == mesh.triangles' $closed.obj -o closed.bvh

# Without the mesh, and with quantised positions.
run 0 "$bvbuild" -q --simplify 2% --sections none $closed.obj -o alone.bvh
run 0 "$bvinspect" --verify alone.bvh
run 0 "$bvbuild" -q --simplify 2% --positions quantized --scale 1000 $closed.obj -o quantized.bvh
run 0 "$bvinspect" --verify quantized.bvh
finish
