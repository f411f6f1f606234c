import { readFileSync } from 'node:fs';

/** The SQL dump of a store that 0.1 wrote. */
export function formerStoreDump(name: 'sqlite-state' | 'sqlite-cache' | 'postgres'): string {
  return readFileSync(new URL(`./store-0.1/${name}.sql`, import.meta.url), 'utf8');
}
