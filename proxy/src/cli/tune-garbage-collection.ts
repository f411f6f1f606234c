import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 look for garbage once the heap has grown by two fifths since it last did, instead of to up to four times its size:
 * most of what is kept is kept for seconds. And has it put nothing straight among what is old because much of what the same
 * code made before had stayed: what a request needs must not end there (docs/decisions.md 41). The flags count from now on,
 * however Node was started.
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=40');
  setFlagsFromString('--no-allocation-site-pretenuring');
}
