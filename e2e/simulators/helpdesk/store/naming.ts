import { randomBytes } from 'node:crypto';
import { leadingNumber } from './collation.ts';

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** A random name of ten signs, as Frappe gives to child rows and ToDos. */
export function hashName(): string {
  return [...randomBytes(10)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** The next of a run of numbers, one above the highest that is there. */
export function nextNumber(names: Iterable<string>): number {
  let highest = 0;
  for (const name of names) highest = Math.max(highest, Math.floor(leadingNumber(name)));
  return highest + 1;
}

/** A series name (`.####`): at least four digits. */
export function seriesName(number: number): string {
  return String(number).padStart(4, '0');
}

/** The first of `name`, `name-1`, `name-2`, … that is free. */
export function freeName(name: string, taken: (candidate: string) => boolean): string {
  if (!taken(name)) return name;
  for (let count = 1; ; count += 1) {
    const candidate = `${name}-${count}`;
    if (!taken(candidate)) return candidate;
  }
}
