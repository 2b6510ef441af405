#!/bin/sh
# The npm package: answers with all bits of native ones in Node.js and Chromium, errors, memory, sizes, types, and what its README says,
# installed from what `npm pack` makes. Needs `make wasm`, node and npm, which fetches the compiler of TypeScript once.

. "$(dirname "$0")/../cli/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
package=$BUILD/npm
typescript=typescript@5.9.3
types=@types/node@20.19.0

# Gives up with a reason that can be told from a finding.
give_up()
{
	echo "test_npm: cannot run: $*"
	fail "it could not run"
	finish
}

command -v npm > /dev/null || give_up 'npm is missing (make deps-check installs it)'

# The same answers.
files="$here/../golden/*.bvh $OTHER_FILE"
# shellcheck disable=SC2086
{
	check 'native answers' sh -c '"$1" $2 > "$3"' - "$BUILD/wasm/answers" "$files" "$scratch/native"
	check 'answers in Node.js' sh -c 'node "$1" "$2" $3 > "$4"' - "$here/answers.mjs" "$package/index.js" "$files" "$scratch/node"
	check 'answers in Node.js are native ones' cmp "$scratch/native" "$scratch/node"
	check 'there are many answers' test "$(wc -l < "$scratch/native")" -gt 15000
	check 'answers in Chromium are native ones' /usr/bin/python3 "$here/test_browser.py" "$BUILD" "$scratch/native" $files
}

# Errors and memory.
check 'a file without hierarchy and hull' "$BUILD/bvbuild" --quiet --sections none,mesh,bounds -o "$scratch/bare.bvh" "$(dirname "$OTHER_FILE")/rock.obj"
run 0 env BV_PACKAGE="$package" BV_FILE="$OTHER_FILE" BV_BARE="$scratch/bare.bvh" node --expose-gc "$here/test_package.mjs"
[ "$got" = 0 ] || sed 's/^/    /' "$scratch/out"

# The builder.
run 0 env BV_PACKAGE="$package" BV_BUILD="$BUILD" BV_MESHES="$MESHES" node "$here/test_builder.mjs"
[ "$got" = 0 ] || sed 's/^/    /' "$scratch/out"

# Sizes: as servers send it.
bytes=$(gzip -9 < "$package/bv.wasm" | wc -c)
check "bv.wasm has $bytes bytes as gzip, at most 200 KiB" test "$bytes" -le 204800
bytes=$(wc -c < "$package/bv.wasm")
check "bv.wasm has $bytes bytes, at most 480,000" test "$bytes" -le 480000

bytes=$(wc -c < "$package/build.wasm")
check "build.wasm has $bytes bytes, at most 3,000,000" test "$bytes" -le 3000000

# Installed from a tarball, the README's example runs.
mkdir "$scratch/user"
(cd "$package" && npm pack --silent --pack-destination "$scratch" > /dev/null)
tarball=$(echo "$scratch"/bvbuild-*.tgz)
check 'npm pack' test -f "$tarball"
(cd "$scratch/user" && npm init -y > /dev/null)
run 0 npm install --prefix "$scratch/user" --offline --no-audit --no-fund "$tarball"
for file in index.js index.d.ts builder.js builder.d.ts bv.wasm build.wasm README.md LICENSE; do
	check "the package has $file" test -f "$scratch/user/node_modules/bvbuild/$file"
done
awk '/^```js$/ { inside = 1; next } /^```$/ { exit } inside' "$package/README.md" > "$scratch/user/example.mjs"
cp "$OTHER_FILE" "$scratch/user/rock.bvh"
check 'the example has at most 24 lines' test "$(wc -l < "$scratch/user/example.mjs")" -le 24
(cd "$scratch/user" && node example.mjs > ../out 2> ../err) || fail "the example of the README: $(cat "$scratch/err")"
check 'the example finds a triangle' grep -q '^triangle [0-9]* at ' "$scratch/out"
check 'the example is apart from itself' grep -qx 'true 0' "$scratch/out"
check 'the example brackets an impact' grep -qx 'true true' "$scratch/out"

# The first result of docs/web.md.
awk '/^<!-- file: try.mjs -->$/ { wanted = 1; next } /^```js$/ && wanted { inside = 1; next } /^```$/ && inside { exit } inside' \
	"$here/../../docs/web.md" > "$scratch/user/try.mjs"
cp "$(dirname "$OTHER_FILE")/rock.obj" "$scratch/user"
(cd "$scratch/user" && node try.mjs > ../out 2> ../err) || fail "the first result of docs/web.md: $(cat "$scratch/err")"
check 'the first result of docs/web.md' grep -qE '^[0-9]+ triangles, [0-9]+ parts; hit [0-9]+ at \[' "$scratch/out"

# Types.
tools=$BUILD/npm-tools
if [ "$(cat "$tools/packages" 2> /dev/null)" != "$typescript $types" ]; then
	mkdir -p "$tools"
	timeout 300 npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts "$typescript" "$types" > "$tools/npm.log" 2>&1 ||
		{ sed 's/^/    /' "$tools/npm.log"; give_up "npm could not install $typescript"; }
	echo "$typescript $types" > "$tools/packages"
fi
cp "$here/types.ts" "$scratch/user/types.mts"
run 0 "$tools/node_modules/.bin/tsc" --strict --noEmit --skipLibCheck false --target es2022 --module nodenext --lib es2022,esnext.disposable,dom \
	--types node --typeRoots "$tools/node_modules/@types" "$scratch/user/types.mts"
[ -s "$scratch/out" ] && cat "$scratch/out"

finish
