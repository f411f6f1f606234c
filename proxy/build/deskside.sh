#!/bin/sh
# Deskside: the service and its commands, with the Node that comes along. `deskside --help` lists them.
set -eu
# A link to this file may stand in a folder of the PATH; a PATH need not be set.
self=$(PATH=/usr/bin:/bin readlink -f -- "$0")
lib=${self%/bin/deskside}/lib
# Of what a busy service holds up to a quarter goes by these two, for a tenth more processor time: young objects get 8 MB at a
# time, and the C library keeps one heap for all threads.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}"
# The check of a reload runs beside the service, within one limit of memory: so it takes 47 MB instead of 78.
if [ "${1:-}" = check ]; then
  export UV_THREADPOOL_SIZE=1
  set -- --liftoff-only --max-semi-space-size=1 -- "$lib/deskside.js" "$@"
else
  set -- --max-semi-space-size=8 -- "$lib/deskside.js" "$@"
fi
# It trusts the authorities that this machine trusts, as every other program here does.
exec "$lib/node/bin/node" --use-system-ca --disable-warning=ExperimentalWarning "$@"
