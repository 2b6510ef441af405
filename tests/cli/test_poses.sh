#!/bin/sh
# Poses and points from files: every form that docs/cli.md describes, and how the tools of robots and artists write
# them. Each row is placed as the same pose in the form of columns r00 ... r22, tx, ty, tz.
# shellcheck disable=SC2154

. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

# A box of 1 x 2 x 3 at the origin. What moves it by 10 along x, turned by 90 degrees about z, is 8 away: it reaches
# from 8 to 10.
box_obj 0 0 0 1 2 3 > box.obj
run 0 "$bvbuild" -q box.obj -o box.bvh

# distances FILE: of the box to itself in each pose, rounded, in one line.
distances()
{
	run 0 "$bvinspect" -q box.bvh --distance box.bvh --poses "$1"
	placed=$(tail -n +2 out | cut -d, -f2 | awk '{ printf "%s%.6g", blank, $1; blank = " " }')
	check "$1: quiet" test ! -s err
}

# reads NAME EXPECTED, with the file as printf's format on stdin: the distances are the expected ones.
reads()
{
	printf "$(cat)" > "$1"
	distances "$1"
	if [ "$placed" = "$2" ]; then pass; else fail "$1: $placed and not $2"; fi
}

# wrong NAME MESSAGE, with the file on stdin: refused with this message and without output.
wrong()
{
	printf "$(cat)" > "$1"
	run 2 "$bvinspect" box.bvh --distance box.bvh --poses "$1"
	says "bvinspect: $1$2"
	check "$1: no output" test ! -s out
}

wrong decimal_commas.csv ":1: '2,5' is neither a number nor the name of a column" <<P
2,5;0,0;0,0
P
h=0.70710678118654752
reads columns.csv '7 8' <<P
name,tx,ty,tz,r00,r01,r02,r10,r11,r12,r20,r21,r22
there,8,0,0,1,0,0,0,1,0,0,0,1
turned,11,0,0,0,-1,0,1,0,0,0,0,1
P
reads translations.csv '7 4 5' <<P
tx,ty,tz
8,0,0
0,6,0
0,0,-8
P
reads headless.txt '7 4' <<P
8 0 0
0\t6   0
P
reads tum.txt '7 8' <<P
# timestamp tx ty tz qx qy qz qw
1305031102.1758 8 0 0 0 0 0 1
1305031102.2758 11 0 0 0 0 $h $h
P
reads tum_bare.txt '7 8' <<P
1305031102.1758 8 0 0 0 0 0 1
1305031102.2758 11 0 0 0 0 $h $h
P
reads xyzw.txt '7 8' <<P
8 0 0 0 0 0 1
11 0 0 0 0 $h $h
P
reads ros.csv '7 8' <<P
time,.pose.position.x,.pose.position.y,.pose.position.z,.pose.orientation.x,.pose.orientation.y,.pose.orientation.z,.pose.orientation.w
0,8,0,0,0,0,0,1
0,11,0,0,0,0,$h,$h
P
reads w_first.csv '7 8' <<P
qw,qx,qy,qz,x,y,z
1,0,0,0,8,0,0
$h,0,0,$h,11,0,0
P
reads savetxt.txt '7 8' <<P
# qw qx qy qz tx ty tz
1 0 0 0 8 0 0
$h 0 0 $h 11 0 0
P
reads kitti.txt '7 8' <<P
1 0 0 8 0 1 0 0 0 0 1 0
0 -1 0 11 1 0 0 0 0 0 1 0
P
reads trimesh.csv '7 8' <<P
1,0,0,8,0,1,0,0,0,0,1,0,0,0,0,1
0,-1,0,11,1,0,0,0,0,0,1,0,0,0,0,1
P
reads matrix.csv 7 <<P
m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23,m30,m31,m32,m33
1,0,0,8,0,1,0,0,0,0,1,0,0,0,0,1
P

# How it is written: a mark, quotes, semicolons, tabs, comments, blank lines, line ends, names in capitals.
reads excel.csv '7 8' <<P
\357\273\277"name";"TX";"TY";"TZ";"QX";"QY";"QZ";"QW"\r
"a; ""b""";"8";"0";"0";"0";"0";"0";"1"\r
\r
c;11;0;0;0;0;$h;$h;\r
P
reads comments.csv '7 4 5' <<P
# three of them

tx , ty , tz , name # the header
8 , 0 , 0 , a #1
  # in between
0 , 6 , 0 # the second, with a comma
+0,-0.0,-8e0
P
reads mac.csv '7 4' <<P
tx,ty,tz\r8,0,0\r0,6,0
P
reads tabs.tsv 7 <<P
tx\tty\ttz\r
8\t0\t0
P
# Three digits of a quaternion are enough: it is normalized.
reads rounded.csv 8 <<P
tx,ty,tz,qx,qy,qz,qw
11,0,0,0,0,0.707,0.707
P
printf '1,0,0,0,0,0,1\n' > bare.csv
run 0 "$bvinspect" box.bvh --distance box.bvh --poses bare.csv
says 'bvinspect: bare.csv: without a header, rows of 7 are read as tx ty tz qx qy qz qw'
printf 'tx,ty,tz,qx,qy,qz,qw,speed\n1,0,0,0,0,0,1,9\n' > more.csv
run 0 "$bvinspect" box.bvh --distance box.bvh --poses more.csv
says "bvinspect: more.csv: column 'speed' is not used"

wrong twice.csv ":3: the quaternion has the length 2; within 1 % of 1 it is normalized" <<P
tx,ty,tz,qx,qy,qz,qw
8,0,0,0,0,0,1
8,0,0,0,0,0,2
P
wrong zero.csv ":2: the quaternion has the length 0; within 1 % of 1 it is normalized" <<P
tx,ty,tz,qx,qy,qz,qw
8,0,0,0,0,0,0
P
wrong no_w.csv ":1: column qw is missing" <<P
tx,ty,tz,qx,qy,qz
8,0,0,0,0,0
P
wrong both.csv ":1: columns of a quaternion and of a matrix" <<P
tx,ty,tz,qx,r00
8,0,0,0,0
P
wrong euler.csv ":1: column 'roll' is not known; a rotation is qx, qy, qz, qw or r00 ... r22" <<P
id,tx,ty,tz,roll,pitch,yaw
1,8,0,0,0,0,0
P
wrong same.csv ":1: columns 1 and 4 mean the same: 'tx' and 'x'" <<P
tx,ty,tz,x
8,0,0,0
P
wrong four.csv ":1: 4 values and no header; without a header poses have 3, 7, 8, 12 or 16 values" <<P
1,0,0,0
P
wrong comma.csv ":2: column 1: tx is not a number: '0,5'" <<P
tx;ty;tz
0,5;1,0;2,0
P
wrong decimals.csv ":2: 6 values for 3 columns" <<P
tx,ty,tz
0,5,1,0,2,0
P
wrong short.csv ":3: column 3: tz has no value" <<P
tx,ty,tz
0,5,1
0,5
P
wrong open.csv ":2: column 2: the quote is not closed" <<P
tx,ty,tz
0,"5,1
P
wrong behind.csv ":2: column 2: text behind a quoted value" <<P
tx,ty,tz
0,"5"x,1
P
wrong transposed.csv ":1: the last row of the matrix is 8 0 0 1 and not 0 0 0 1 (matrices are row by row)" <<P
1,0,0,0,0,1,0,0,0,0,1,0,8,0,0,1
P
wrong comment.txt ":1: the comment names 8 columns, and line 2 has 7 values" <<P
# rows: tx ty tz qw qx qy qz
8 0 0 1 0 0 0
P
wrong hex.csv ":2: column 1: tx is not a number: '0x10'" <<P
tx,ty,tz
0x10,0,0
P
wrong utf16.csv ": is UTF-16 text (convert it: iconv -f UTF-16 -t UTF-8)" <<P
\377\376t\000x\000
P
wrong pointer.csv ": a Git LFS pointer, not the file (run: git lfs pull)" <<P
version https://git-lfs.github.com/spec/v1
oid sha256:aa
P
wrong binary.csv ": binary data, not text" <<P
tx,ty,tz\n1,\000,3\n
P

# Points are read in the same way.
printf '\357\273\277# inside\n"0.5";"1";"1.5"\r\n2;1;1\n' > points.txt
run 0 "$bvinspect" box.bvh --inside points.txt
check 'points without a header' test "$(tail -n +2 out | cut -d, -f3 | tr -d '\n')" = 10

finish
