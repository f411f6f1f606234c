import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './steps.ts';

/** What every room of the panel may import. */
const panel =
  '@deskside/shared/* @tanstack/react-query clsx react react-dom react-dom/client react-error-boundary #i18n/* #messaging/* !#messaging/page-protocol.ts #panel/parts/* #panel/texts/* #status/* #ui/*';
/** What most rooms of the proxy may import of others: nothing by which they could make a request themselves. */
const offline = 'libraries !undici* node:* !node:http !node:https !node:net !node:tls @deskside/shared/*';
/**
 * Who may import what, imports of types included. For a file the line of the innermost folder holds, for a test and its
 * kit that of its package's tests, if there is one. What lies beside a file or below it may always be imported, all else
 * only if it stands here; a path with `../` is meant by where it leads, from the root. `libraries` are the packages of
 * others, `below` its own room and those in later lines of the proxy, `!` takes something out. The last column is what the line
 * refuses, for example.
 */
const table = `
  shared                        | libraries node:*                                                                               | @deskside/proxy/x
  shared/src                    | zod/mini /shared/src/*                                                                         | node:fs
  tests of shared               | libraries node:* /shared/src/*                                                                 | /proxy/src/x.ts

  proxy                         | libraries node:* @deskside/shared/* #runtime/*                                                 | #crm/x.ts
  proxy/src/main.ts             | libraries below                                                                                | @deskside/simulators/x
  proxy/src/serve.ts            | node:* below !#setup/* !#commands/*                                                            | #setup/x.ts
  proxy/src/setup               | libraries !undici* node:* @deskside/shared/* below                                             | #serve.ts
  proxy/src/commands            | libraries !undici* node:* @deskside/shared/* below                                             | #setup/x.ts
  proxy/src/make-context.ts     | node:* below                                                                                   | #commands/x.ts
  proxy/src/server              | libraries !undici* node:* @deskside/shared/* below                                             | #make-context.ts
  proxy/src/profile             | @deskside/shared/* below !#sync/*                                                              | #sync/x.ts
  proxy/src/sync                | @deskside/shared/* below                                                                       | #profile/x.ts
  proxy/src/routing             | @deskside/shared/* below                                                                       | #sync/x.ts
  proxy/src/customers           | libraries !undici* @deskside/shared/* below                                                    | #routing/x.ts
  proxy/src/trust               | libraries !undici* @deskside/shared/* below                                                    | #customers/x.ts
  proxy/src/context.ts          | libraries node:events @deskside/shared/* below                                                 | #trust/x.ts
  proxy/src/config.ts           | zod node:* @deskside/shared/* below                                                            | #context.ts
  proxy/src/rules.ts            | zod @deskside/shared/* below                                                                   | #config.ts
  proxy/src/crm                 | ${offline} below                                                                               | #rules.ts
  proxy/src/store               | ${offline} below                                                                               | #crm/x.ts
  proxy/src/helpdesk            | ${offline} below                                                                               | #store/x.ts
  proxy/src/intake              | @deskside/shared/* below                                                                       | #helpdesk/x.ts
  proxy/src/net                 | libraries node:* below                                                                         | #intake/x.ts
  proxy/src/runtime             | libraries node:* @deskside/shared/* /package.json                                              | #net/x.ts
  tests of proxy                | libraries node:* @deskside/* !@deskside/e2e/* #*                                               | /shared/src/x.ts

  extension                     | libraries node:* @deskside/shared/* /extension/* /package.json /testing/*                      | @deskside/proxy/x
  extension/src                 |                                                                                                | react
  extension/src/host-page       | @deskside/shared/contract wxt/browser #messaging/*                                             | react
  extension/src/ui              | clsx react                                                                                     | #i18n/x.ts
  extension/src/messaging       | @deskside/shared/* wxt/browser zod/mini                                                        | #host-page/x.ts
  extension/src/i18n            | #messaging/*                                                                                   | #ui/x.ts
  extension/src/status          | @deskside/shared/* #i18n/* #messaging/*                                                        | react
  extension/src/browser         | @deskside/shared/contract wxt/browser zod/mini #messaging/*                                    | #background/x.ts
  extension/src/launcher        | wxt/browser #host-page/* #messaging/*                                                          | react
  extension/src/panel           | ${panel} #panel/* #host-page/*                                                                 | #background/x.ts
  extension/src/panel/texts     | @deskside/shared/* react #i18n/* #messaging/* #status/*                                        | #panel/parts/x.ts
  extension/src/panel/parts     | ${panel} #host-page/*                                                                          | #panel/status/x.ts
  extension/src/panel/status    | ${panel}                                                                                       | #panel/steps/x.ts
  extension/src/panel/query     | ${panel} #panel/status/*                                                                       | #panel/steps/x.ts
  extension/src/panel/facts     | ${panel} #panel/status/*                                                                       | #panel/steps/x.ts
  extension/src/panel/people    | ${panel}                                                                                       | #panel/steps/x.ts
  extension/src/panel/tickets   | ${panel} #panel/query/*                                                                        | #panel/steps/x.ts
  extension/src/panel/company   | ${panel} #panel/status/*                                                                       | #panel/sync/x.ts
  extension/src/panel/find      | ${panel} #panel/query/* #panel/status/*                                                        | #panel/sync/x.ts
  extension/src/panel/routing   | ${panel} #panel/query/* #panel/status/*                                                        | #panel/find/x.ts
  extension/src/panel/steps     | ${panel} #panel/company/* #panel/facts/* #panel/status/*                                       | #panel/sync/x.ts
  extension/src/panel/sync      | ${panel} #panel/find/* #panel/query/* #panel/status/* #panel/steps/*                           | #panel/reject/x.ts
  extension/src/panel/reject    | ${panel} #panel/company/* #panel/query/* #panel/steps/* #panel/sync/*                          | #panel/find/x.ts
  extension/src/pages           | react react-dom/client wxt/browser #browser/* #i18n/* #messaging/*                             | #panel/x.ts
  extension/src/team            | @deskside/shared/* clsx react wxt/browser #i18n/* #messaging/* #panel/* #ui/*                  | #background/x.ts
  extension/src/background      | @deskside/shared/* oauth4webapi wxt/browser zod/mini #browser/* #host-page/* #i18n/* #messaging/* #status/* | #panel/x.ts
  extension/src/entrypoints     | react react-dom/client wxt/* #*                                                                | @deskside/shared/x
  tests of extension            | libraries node:* @deskside/shared/* @deskside/simulators/* #* /testing/*                       | @deskside/proxy/x

  e2e                           | libraries node:* @deskside/* /e2e/*                                                            | /scripts/x.ts
  simulators                    | libraries node:* #*                                                                            | @deskside/shared/x
  scripts                       | libraries node:* /e2e/browser/* /proxy/build/* /testing/*                                      | @deskside/proxy/x
  testing                       | libraries node:*                                                                               | @deskside/shared/x
  vitest.config.ts              | libraries                                                                                      | node:fs
`;

const lines = table
  .split('\n')
  .filter((line) => line.includes('|'))
  .map((line) => line.split('|').map((column) => column.trim()));
const rules = lines.map(([place = '', terms = '', refused = ''], at) => {
  const below = () => lines.slice(at).flatMap(([room = '']) => roomIn(room));
  const all = terms.split(' ').flatMap((term) => (term === 'below' ? below() : [term]));
  const taken = all.filter((term) => term.startsWith('!')).map((term) => term.slice(1));
  return { place, given: all.filter((term) => !term.startsWith('!')), taken, refused };
});

/** As an import names a room of the proxy. */
function roomIn(place: string): string[] {
  const [, room] = /^proxy\/src\/(.+)$/.exec(place) ?? [];
  if (room === undefined) return [];
  return [`#${room}${room.endsWith('.ts') ? '' : '/*'}`];
}

const isTest = (file: string) => /\.(test|contract)\.tsx?$|\/testing\//.test(file);

function ruleFor(file: string) {
  const innermost = (name: string) =>
    rules
      .filter(({ place }) => `${name}/`.startsWith(`${place}/`))
      .sort((a, b) => b.place.length - a.place.length)
      .at(0);
  return (isTest(file) && innermost(`tests of ${file}`)) || innermost(file);
}

function fits(target: string, term: string): boolean {
  if (term === 'libraries') return !/^(#|\/|node:|@deskside\/)/.test(target);
  return term.endsWith('*') ? target.startsWith(term.slice(0, -1)) : target === term;
}

/** Every form of an import as the formatter leaves it, of types as well. */
const imports =
  /^(?:(?:import|export) [^'\n]*|\}) from '([^']+)'|^\s*import '([^']+)'|\b(?:import|require)\(\s*'([^']+)'/gm;

/** The imports of a file that its rule refuses, as `file: import`; and a file for which there is no rule. */
function refusedIn(file: string, text: string): string[] {
  const rule = ruleFor(file);
  if (!rule) return [`${file}: no rule`];
  const folder = path.posix.join('/', path.posix.dirname(file), '/');
  return [...text.matchAll(imports)]
    .map(([, from, alone, called]) => from ?? alone ?? called ?? '')
    .filter((name) => {
      const target = name.startsWith('.') ? path.posix.join(folder, name) : name;
      if (target.startsWith(folder)) return false;
      return rule.taken.some((term) => fits(target, term)) || !rule.given.some((term) => fits(target, term));
    })
    .map((name) => `${file}: ${name}`);
}

/** Where `#` leads to, by package. Between packages the table alone rules out circles. */
const own: Record<string, string> = { proxy: 'proxy/src', extension: 'extension/src', simulators: 'simulators' };

/** The files of its own package that a file imports. */
function* targetsIn(file: string, text: string): Generator<string> {
  for (const [, from, alone, called] of text.matchAll(imports)) {
    const name = from ?? alone ?? called ?? '';
    if (name.startsWith('.')) yield path.posix.join(path.posix.dirname(file), name);
    if (name.startsWith('#')) yield `${own[file.split('/')[0] ?? '']}/${name.slice(1)}`;
  }
}

/** Files in a circle, with those that lead into one: what is left once all are gone that import nothing of what is left. */
function circling(importsOf: ReadonlyMap<string, string[]>): string[] {
  const left = new Map(importsOf);
  for (let before = 0; before !== left.size; ) {
    before = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  return [...left.keys()];
}

const sources = globSync(
  ['{shared,proxy,extension,e2e,simulators,scripts,testing}/**/*.{ts,tsx,mts,js,mjs}', '*.{ts,js,mjs}'],
  {
    cwd: root,
    exclude: ['**/node_modules/**', '**/.*/**', 'simulators/recordings/**'],
  },
).map((file) => ({ file: file.replaceAll(path.sep, '/'), text: readFileSync(path.join(root, file), 'utf8') }));

test('every file imports only what its folder may', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(({ file, text }) => refusedIn(file, text))).toEqual([]);
});

test('no file imports itself, by whatever way', () => {
  const known = new Map(sources.map(({ file, text }) => [file, [...targetsIn(file, text)]]));
  expect(circling(known)).toEqual([]);
  // As if a file were imported by one that it imports.
  for (const [file, [target = ''] = []] of [...known].filter(([, targets]) => known.has(targets[0] ?? '')).slice(0, 9))
    expect(circling(new Map(known).set(target, [file]))).toEqual(expect.arrayContaining([file, target]));
});

test('company data for a ticket come from the one place that judges whether they may stand there', () => {
  const makes = sources.filter(
    ({ file, text }) => !isTest(file) && /\bas (?:unknown as )?Judged(?:Data|Changes)\b/.test(text),
  );
  expect(makes.map(({ file }) => file)).toEqual(['proxy/src/customers/ticket-writes.ts']);
});

test.each(rules)('$place may not import $refused', ({ place, refused }) => {
  const [, tests, folder = ''] = /^(tests of )?(.*)$/.exec(place) ?? [];
  const file = folder.endsWith('.ts') ? folder : `${folder}/planted${tests ? '.test' : ''}.ts`;
  const from = refused.startsWith('/') ? path.posix.relative(`/${path.posix.dirname(file)}`, refused) : refused;
  expect(refusedIn(file, `import { a } from '${from}';\n`)).toEqual([`${file}: ${from}`]);
});

test.each([
  "import type { A } from 'zod';",
  "import { type A, b as c } from 'zod';",
  "import {\n  a, // why\n} from 'zod';",
  "import * as a from 'zod';",
  "import a from 'zod';",
  "import 'zod';",
  "export * from 'zod';",
  "export type { A } from 'zod';",
  "const { a } = await import('zod');",
  "let a: import('zod').A;",
])('it is an import: %j', (text) => {
  expect(refusedIn('extension/src/host-page/planted.ts', `const b = 1;\n${text}\n`)).toHaveLength(1);
});
