import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 look for garbage once the heap has grown by two fifths since it last did, instead of to up to four times its size:
 * most of what is kept is kept for seconds (docs/decisions.md 41). The flag counts from now on, however Node was started.
 */
export function growSlowly(): void {
  setFlagsFromString('--heap-growing-percent=40');
}
