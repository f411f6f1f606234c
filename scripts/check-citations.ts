import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './steps.ts';

/** A file by its path from the root of the repository. */
export interface SourceFile {
  path: string;
  text: string;
}

/** A citation that leads nowhere. `line` counts from 1. */
export interface BrokenCitation {
  path: string;
  line: number;
  problem: string;
}

/** What a document can be cited by. */
interface Headings {
  slugs: ReadonlySet<string>;
  /** Of headings such as `### 10a. One company per ticket`. */
  numbers: ReadonlySet<string>;
}

const decisions = 'docs/decisions.md';
/** Blanks, or the end of a line of a comment and the beginning of the next. */
const gap = String.raw`\s+(?:(?:\*(?!/)|//)\s)?`;
const number = String.raw`\d+[a-z]?(?![\w.]\w)`;
const numbers = `${number}(?:(?:,${gap}(?:and${gap})?|${gap}(?:and|to)${gap})${number})*`;
/** A document, with the slug of a heading or the numbers of decisions; or decisions by their numbers alone. */
const citation = new RegExp(
  String.raw`(?<![\w./#-])((?:[\w-]+/)*[\w-]+\.md)(?:#([\p{L}\p{N}_-]+)|${gap}(${numbers}))?|\b[Dd]ecisions?${gap}(${numbers})`,
  'gu',
);
/** A source file that a document names, by the end of its path; and a test by its title, as it is written in that file. */
const named = /`([\w.-]+(?:\/[\w.-]+)+\.(?:tsx?|mjs|css))`(?:: "([^"\n]+)")?/g;
const link = /\[[^\]]*\]\(([^()\s]+)\)/g;

/** What a file cites; `index`: where in its text. */
interface Citation {
  index: number;
  shown: string;
  /** A document, or another file where a link leads to one. */
  target: string;
  slug: string | undefined;
  numbers: string | undefined;
  /** Of a test. */
  title?: string | undefined;
}

/**
 * Finds what cites a document, heading or decision that does not exist: in sources anywhere in the text, comments most of
 * all; in documents also links, sources that they name by the end of a path, and tests that they name by their title.
 *
 * @param files sources and documents; what ends in `.md` is a document
 * @param exists whether there is such a file, for links to anything but a document
 */
export function findBrokenCitations(files: readonly SourceFile[], exists: (path: string) => boolean): BrokenCitation[] {
  const documents = new Map(files.filter(isDocument).map((file) => [file.path, headingsOf(file.text)]));
  return files.flatMap((file) =>
    (isDocument(file)
      ? [...linksIn(file), ...namesIn(file), ...citationsIn(file.text.replace(link, blank))]
      : citationsIn(file.text)
    ).flatMap((cited) => {
      const problem = problemOf(cited);
      const line = file.text.slice(0, cited.index).split('\n').length;
      return problem === null ? [] : [{ path: file.path, line, problem: `${cited.shown}: ${problem}` }];
    }),
  );

  function namesIn({ text }: SourceFile): Citation[] {
    return [...text.matchAll(named)].map(({ index, 1: shown = '', 2: title }) => {
      const target = files.find(({ path }) => path === shown || path.endsWith(`/${shown}`))?.path ?? shown;
      return { index, shown, target, slug: undefined, numbers: undefined, title };
    });
  }

  function problemOf({ target, slug, numbers = '', title }: Citation): string | null {
    if (!target.endsWith('.md')) {
      const source = files.find(({ path }) => path === target)?.text;
      if (source === undefined) return exists(target) ? null : 'there is no such file';
      const isThere = title === undefined || ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
      return isThere ? null : `there is no test "${title}"`;
    }
    const headings = documents.get(target);
    if (headings === undefined) return 'there is no such document';
    if (slug !== undefined) return headings.slugs.has(slug) ? null : `${target} has no such heading`;
    const missing = (numbers.match(/\d+[a-z]?/g) ?? []).filter((number) => !headings.numbers.has(number));
    return missing.length === 0 ? null : `there is no decision ${missing.join(', ')}`;
  }
}

function citationsIn(text: string): Citation[] {
  return [...text.matchAll(citation)].map(({ index, 0: cited, 1: target = decisions, 2: slug, 3: own, 4: bare }) => ({
    index,
    shown: cited.replace(new RegExp(gap, 'g'), ' '),
    target,
    slug,
    numbers: target === decisions ? (own ?? bare) : undefined,
  }));
}

function linksIn({ path: from, text }: SourceFile): Citation[] {
  return [...text.matchAll(link)].flatMap(({ index, 1: shown = '' }) => {
    if (/^(?:https?|mailto):/.test(shown)) return [];
    const [place = '', slug] = shown.split('#');
    const target = place === '' ? from : path.posix.join(path.posix.dirname(from), place);
    return [{ index, shown, target, slug, numbers: undefined }];
  });
}

function isDocument({ path }: SourceFile): boolean {
  return path.endsWith('.md');
}

function headingsOf(text: string): Headings {
  const slugs = new Set<string>();
  const numbers = new Set<string>();
  for (const [, title = ''] of text.replace(/^```.*?^```/gms, blank).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = slugOf(title);
    let free = slug;
    for (let again = 1; slugs.has(free); again += 1) free = `${slug}-${again}`;
    slugs.add(free);
    const number = /^(\d+[a-z]?)\. /.exec(title)?.[1];
    if (number !== undefined) numbers.add(number);
  }
  return { slugs, numbers };
}

/** The anchor that GitHub gives a heading. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}

if (import.meta.main) process.exit(checkAll() > 0 ? 1 : 0);

/** Every citation in sources and documents leads somewhere: part of `npm run check`. Gives how many do not. */
function checkAll(): number {
  const paths = globSync('**/*.{ts,tsx,mjs,js,css,html,md}', {
    cwd: root,
    // What is installed or built; and recorded pages, which are the helpdesk's text.
    exclude: [
      '**/node_modules/**',
      '**/.*/**',
      'simulators/recordings/*/**',
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
  return broken.length;
}
