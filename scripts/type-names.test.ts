import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

/** What a type is not called: none of these is a noun of the field, and each once meant several things. */
const refused =
  'Answered Arranged Asked Because Carrying Decided Described Done Enriched Exposed Failing Found Given HeardOf Kept Lasting Lived Looked Made Met Named Nothing Opened Played Purged Raised Ran Read Received Recorded Refreshed Regularly Remembered Replayed Said Saying Searched Searching Seen Sent Served Shared Shown Spoken Starting Stopped Stored Vouched Wanted Ways'.split(
    ' ',
  );
const declared = /^(export )?(?:declare )?(?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm;

interface TypeName {
  file: string;
  name: string;
  isExported: boolean;
}

function typesIn(file: string, text: string): TypeName[] {
  return [...text.matchAll(declared)].map(([, exported, name = '']) => ({ file, name, isExported: !!exported }));
}

/** Names that two files export for a type each, with the files. */
function sharedNames(types: readonly TypeName[]): string[] {
  const byName = Map.groupBy(
    types.filter(({ isExported }) => isExported),
    ({ name }) => name,
  );
  return [...byName].filter(([, all]) => all.length > 1).map(([name, all]) => `${name}: ${all.map((t) => t.file)}`);
}

const noNouns = (types: readonly TypeName[]) =>
  types.filter(({ name }) => refused.includes(name)).map(({ file, name }) => `${file}: ${name}`);

const types = globSync('{shared,proxy,extension,e2e,scripts,testing}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/.*/**'],
}).flatMap((file) => typesIn(file.replaceAll(path.sep, '/'), readFileSync(path.join(root, file), 'utf8')));

test('one exported name means one type', () => {
  expect(types.length).toBeGreaterThan(800);
  expect(sharedNames(types)).toEqual([]);
});

test('types are nouns', () => {
  expect(noNouns(types)).toEqual([]);
});

test('what is refused is noticed', () => {
  const planted = ['a', 'b'].flatMap((file) => typesIn(file, 'export interface Shop {}\ntype Said = string;\n'));
  expect(sharedNames(planted)).toEqual(['Shop: a,b']);
  expect(noNouns(planted)).toEqual(['a: Said', 'b: Said']);
});
