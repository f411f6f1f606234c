import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Has the engine collect what nothing holds any more, for tests of what a value is held by. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
