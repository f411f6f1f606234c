import { expect, test } from 'vitest';
import { findBrokenCitations } from './check-citations.ts';

// Put together, so that this file passes the check itself.
const md = '.md';
const decisions = `docs/decisions${md}`;
const helpdesk = `docs/helpdesk${md}`;

const none = (number: number) => `no decision ${number}`;

const documents = [
  {
    path: decisions,
    text: '# Decisions\n\n### 9. Confirmed\n\n### 10a. One company\n\n```\n### 77. An example\n```\n',
  },
  { path: helpdesk, text: "# The helpdesk\n\n## Date's and `times`\n\n## Twice\n\n## Twice\n" },
];

function problemsIn(text: string, path = 'proxy/src/main.ts'): string[] {
  const broken = findBrokenCitations([...documents, { path, text }], (file) => file === 'docs/panel.png');
  return broken.map(({ line, problem }) => `${line} ${problem}`);
}

test.each([
  `// see ${decisions} 9`,
  `/** by ${decisions} 9 and 10a, ${helpdesk}#dates-and-times */`,
  `/**\n * by ${decisions}\n * 9, 10a.\n */`,
  `/** the second of two (${helpdesk}#twice-1) */`,
  "test('what trust is (decision 9)', run);",
  `/** all of ${helpdesk} */`,
  `const page = 'https://docs.example/guide/nowhere${md}';`,
])('%j resolves', (text) => {
  expect(problemsIn(text)).toEqual([]);
});

test.each([
  [`\n// see docs/nowhere${md}#names`, '2', 'no such document'],
  [`// see facts/live${md} 3`, '1', 'no such document'],
  [`/** see ${helpdesk}#clocks */`, '1', 'no such heading'],
  [`/**\n * by ${decisions} 9\n * and 11 */`, '2', none(11)],
  [`// ${decisions} 77 is only an example`, '1', none(77)],
  [`test('what a claim does (decision ${10})', run);`, '1', none(10)],
])('%j does not', (text, line, problem) => {
  expect(problemsIn(text)).toEqual([expect.stringMatching(new RegExp(`^${line} .*: .*${problem}`))]);
});

test('links of documents resolve from where the document is', () => {
  const good = `[a](helpdesk${md}#twice) [b](../README${md}#top) [c](#here) ![d](panel.png) [e](https://x.example)`;
  const text = `# Here\n\n${good}\n[f](nowhere${md}) [g](helpdesk${md}#clocks)\n[h](#there) ![i](gone.png)\n`;
  const readme = { path: `README${md}`, text: '# Top\n' };
  const page = { path: `docs/page${md}`, text };
  const broken = findBrokenCitations([...documents, readme, page], (file) => file === 'docs/panel.png');
  expect(broken.map(({ line, problem }) => `${line} ${problem}`)).toEqual([
    `4 nowhere${md}: there is no such document`,
    `4 helpdesk${md}#clocks: ${helpdesk} has no such heading`,
    `5 #there: docs/page${md} has no such heading`,
    '5 gone.png: there is no such file',
  ]);
});

test('sources that a document names exist', () => {
  const source = { path: 'proxy/src/domain/routing/segment.ts', text: '' };
  const page = { path: `docs/page${md}`, text: 'In `routing/segment.ts`,\n`routing/segments.ts` and `segment.ts`.\n' };
  const broken = findBrokenCitations([...documents, source, page], () => false);
  expect(broken).toEqual([{ path: page.path, line: 2, problem: 'routing/segments.ts: there is no such file' }]);
});

test('a test that a document names stands in its file under this title', () => {
  const file = {
    path: 'proxy/src/app/a.test.ts',
    text: "test('it works', run);",
  };
  const page = (name: string) => ({ path: `docs/page${md}`, text: `\n| x | \`app/a.test.ts\`: "${name}" |` });
  const problems = (name: string) => findBrokenCitations([file, page(name)], () => false).map(({ problem }) => problem);
  expect(problems('it works')).toEqual([]);
  expect(problems('it')).toEqual(['app/a.test.ts: there is no test "it"']);
  const gone = { path: `docs/page${md}`, text: '`app/b.test.ts`: "it works"' };
  expect(findBrokenCitations([file, gone], () => false)).toEqual([
    { path: gone.path, line: 1, problem: 'app/b.test.ts: there is no such file' },
  ]);
});
