"""Presses the tabulator in a real shell: complete.py bash|zsh FOLDER LINE EXPECTED

Completion comes from the folder share below FOLDER. Types LINE and a tabulator in a terminal of its own and waits for EXPECTED to
stand there, for twenty seconds at most."""

import os
import pty
import re
import select
import sys
import time

shell, folder, line, expected = sys.argv[1:]
SETUP = {
    "bash": "bind 'set enable-bracketed-paste off'; . '%s/bash-completion/completions/%s'" % (folder, line.split()[0]),
    "zsh": "fpath=('%s/zsh/site-functions' $fpath); autoload -Uz compinit; compinit -u -D; bindkey '^I' complete-word" % folder,
}
START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}

pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(TERM="dumb", PS1="ready> ", PROMPT="ready> ", COLUMNS="400", HISTFILE="/dev/null")
    os.execvp(START[shell][0], START[shell])

seen = ""


def wait_for(pattern, seconds=20):
    """Reads until the pattern stands in what was not yet passed over; passes over that."""
    global seen
    end = time.monotonic() + seconds
    while True:
        found = re.search(pattern, seen)
        if found:
            seen = seen[found.end():]
            return True
        left = end - time.monotonic()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            return False
        try:
            seen += os.read(terminal, 65536).decode(errors="replace")
        except OSError:
            return False


os.write(terminal, ("stty columns 400; PS1='go''> '; " + SETUP[shell] + "\n").encode())
good = wait_for("go> ")
os.write(terminal, (line + "\t").encode())
good = good and wait_for(re.escape(expected))
if not good:
    print("%s: '%s' was not completed to '%s' but to %r" % (shell, line, expected, seen))
os.kill(pid, 9)
os.waitpid(pid, 0)
sys.exit(not good)
