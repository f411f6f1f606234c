#!/bin/sh
# Deskside: the service and its commands, with the Node that comes along. `deskside --help` lists them.
set -eu
# A link to this file may stand in a folder of the PATH; a PATH need not be set.
self=$(PATH=/usr/bin:/bin readlink -f -- "$0")
lib=${self%/bin/deskside}/lib
# It trusts the authorities that this machine trusts, as every other program here does.
exec "$lib/node/bin/node" --use-system-ca --disable-warning=ExperimentalWarning -- "$lib/deskside.js" "$@"
