#!/bin/sh
# A hook of a client that lets people trust a hook by its words: CLIENT EVENT LIMIT. They stay the same whatever
# interpreter there is.
[ -x @PYTHON@ ] && exec @PYTHON@ -I -S @CLIENT@ @SOCKET@ "$1" "$2" "$3"
