import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

/** What a type is not called: none of these is a noun of the field, and each once meant several things. */
const refused =
  'Answered Arranged Asked Assigned Because Changed Carrying Decided Described Done Enriched Exposed Failing Found Given HeardOf Inserted Kept Lasting Lived Looked LookedAt Made Met Named Nameless Nothing Opened Owned Played Purged Raised Ran Read Received Recorded Refreshed Regularly Remembered Replayed Said Saved Saying Searched Searching Seen Sent Served Shared Shown SignedOut Spoken Stamped Starting Stopped Stored Swept Taken Unsaved Vouched Wanted Ways'.split(
    ' ',
  );
/** Schemas are types as well. */
const declared = /^(export )?(?:declare )?(?:abstract )?(?:interface|type|class|const) ([A-Z]\w*)/gm;
const isTest = (file: string) => /\.(test|contract|spec)\.tsx?$|\/testing\//.test(file);

interface TypeName {
  file: string;
  name: string;
  isExported: boolean;
}

function typesIn(file: string, text: string): TypeName[] {
  return [...text.matchAll(declared)].map(([, exported, name = '']) => ({ file, name, isExported: !!exported }));
}

/** Names that two files have for a type each, with the files: both export it, or one exports what the service or the extension has in another. */
function sharedNames(types: readonly TypeName[]): string[] {
  return [...Map.groupBy(types, ({ name }) => name)].flatMap(([name, all]) => {
    const exporting = new Set(all.filter(({ isExported }) => isExported).map(({ file }) => file));
    const running = all.filter(({ file }) => /^(shared|proxy|extension)\//.test(file) && !isTest(file));
    const isExportedThere = running.some(({ isExported }) => isExported);
    const files = new Set([...exporting, ...(isExportedThere ? running.map(({ file }) => file) : [])]);
    return files.size > 1 ? [`${name}: ${[...files]}`] : [];
  });
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
  const planted = ['a', 'b'].flatMap((file) => typesIn(file, 'export interface Shop {}\nconst Said = z.string();\n'));
  expect(sharedNames(planted)).toEqual(['Shop: a,b']);
  expect(noNouns(planted)).toEqual(['a: Said', 'b: Said']);
  const ofService = typesIn('proxy/src/a.ts', 'export interface Shop {}');
  expect(sharedNames([...ofService, ...typesIn('shared/src/b.ts', 'type Shop = string;')])).toHaveLength(1);
  expect(sharedNames([...ofService, ...typesIn('proxy/src/b.test.ts', 'type Shop = string;')])).toEqual([]);
});
