import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBrokenCitations } from './find-broken-citations.ts';
import { root } from './steps.ts';

/** Every citation in sources and documents leads somewhere: part of `npm run check`. */
const paths = globSync('**/*.{ts,tsx,mjs,js,css,html,md}', {
  cwd: root,
  // What is installed or built; and recorded pages, which are the helpdesk's text.
  exclude: [
    '**/node_modules/**',
    '**/.*/**',
    'e2e/simulators/recordings/*/**',
    'data/**',
    'screenshots/**',
    'test-results/**',
  ],
});
const files = paths.map((file) => ({
  path: file.replaceAll(path.sep, '/'),
  text: readFileSync(path.join(root, file), 'utf8'),
}));
const broken = findBrokenCitations(files, (file) => existsSync(path.join(root, file)));
for (const { path: file, line, problem } of broken) console.error(`${file}:${line} cites ${problem}`);
process.exit(broken.length > 0 ? 1 : 0);
