#!/bin/sh
# tools.sh FOLDER BUILD WINDOWS WINE: a folder like BUILD in which bvbuild and bvinspect are those in WINDOWS, run by Wine. Everything
# else is what BUILD has. A prefix for Wine is in WINDOWS; nothing needs a display.
set -eu

mkdir -p "$1"
folder=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
windows=$(cd "$3" && pwd)
find "$folder" -mindepth 1 -delete
for file in "$build"/*; do
	case $(basename "$file") in
	bvbuild | bvinspect | windows) ;;
	*) ln -s "$file" "$folder" ;;
	esac
done
for tool in bvbuild bvinspect; do
	cat > "$folder/$tool" <<EOF
#!/bin/sh
WINEPREFIX=$windows/prefix WINEDEBUG=-all exec $4 $windows/$tool.exe "\$@"
EOF
	chmod +x "$folder/$tool"
done
