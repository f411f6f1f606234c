import { settingNames } from './config.ts';

/** What a text of settings says, and what is wrong with it: each problem a sentence that quotes no value. */
export interface SettingsText {
  values: Record<string, string>;
  problems: string[];
}

/** Of the connections to helpdesk and CRM, under the names that every program knows (net/egress.ts). */
const proxyNames = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
const known: ReadonlySet<string> = new Set([...settingNames, ...proxyNames]);

const assignment = /^(\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*)(.*)$/;

/**
 * Reads `NAME=value`, a line each (docs/operate.md#the-files). A `#` at the beginning of a line or after a blank begins a
 * comment. A value in quotes may hold anything; in double ones `\"` and `\\` stand for `"` and `\`.
 */
export function parseSettings(text: string): SettingsText {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1;
    if (/^\s*(#|$)/.test(line)) continue;
    const [, , name, rest] = assignment.exec(line) ?? [];
    if (name === undefined || rest === undefined) {
      problems.push(`line ${number}: expected NAME=value, or # before a comment`);
      continue;
    }
    const earlier = lines.get(name);
    lines.set(name, number);
    const value = readValue(rest);
    if (earlier !== undefined) problems.push(`${name}: stands twice, in lines ${earlier} and ${number}`);
    else if (!known.has(name)) problems.push(unknown(name, number));
    else if (value === null) problems.push(`${name}: in line ${number} a quote has no end, or something follows it`);
    else values[name] = value.text;
  }
  return { values, problems };
}

/** `comment`: with the blanks before it. Null for a quote without end, and for what follows one. */
function readValue(rest: string): { text: string; comment: string } | null {
  const form = rest.startsWith("'")
    ? /^'([^']*)'(\s+#.*|\s*)$/
    : rest.startsWith('"')
      ? /^"((?:[^"\\]|\\.)*)"(\s+#.*|\s*)$/
      : /^((?!#).*?)(\s+#.*|\s*)$|^()(#.*)$/;
  const found = form.exec(rest);
  if (found === null) return null;
  const text = found[1] ?? '';
  const comment = (found[2] ?? found[4] ?? '').trimEnd();
  return { text: rest.startsWith('"') ? text.replaceAll(/\\(["\\])/g, '$1') : text, comment };
}

function unknown(name: string, line: number): string {
  if (name === 'DESKSIDE_ADMIN_KEY')
    return `${name}: is kept in no file of settings: use --admin-key-file, or the environment of the command (line ${line})`;
  const longer = settingNames.find((one) => one.startsWith(`${name}_`));
  const near = longer ?? settingNames.toSorted((a, b) => distance(a, name) - distance(b, name))[0] ?? '';
  const isNear = longer !== undefined || distance(near, name) <= Math.max(2, near.length / 4);
  const hint = isNear ? `did you mean ${near}?` : 'variables of other programs belong in the environment';
  return `${name}: is no setting; ${hint} (line ${line})`;
}

/** Edits that make one word of the other, whatever the case. */
function distance(a: string, b: string): number {
  const word = b.toLowerCase();
  let row = Array.from({ length: word.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a.toLowerCase()].entries()) {
    const next = [i + 1];
    for (let j = 0; j < word.length; j += 1)
      next.push(Math.min((row[j] ?? 0) + (word[j] === letter ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/**
 * The text with these values, each in the place of the one before or at the end; null takes the line out. Other lines,
 * comments and the order stay as they are.
 *
 * @param values without line breaks
 */
export function changeSettings(text: string, values: Readonly<Record<string, string | null>>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const left = new Map(Object.entries(values));
  const changed = text
    .split(/(?<=\n)/)
    .flatMap((line) => {
      const [, before = '', name = '', rest = ''] = assignment.exec(line.trimEnd()) ?? [];
      const value = left.get(name);
      if (value === undefined) return [line];
      left.delete(name);
      if (value === null) return [];
      return [`${before}${writeValue(value)}${readValue(rest)?.comment ?? ''}${/\r?\n$/.exec(line)?.[0] ?? ''}`];
    })
    .join('');
  const added = [...left].flatMap(([name, value]) => (value === null ? [] : [`${name}=${writeValue(value)}${end}`]));
  const gap = added.length === 0 || changed === '' || changed.endsWith('\n') ? '' : end;
  return changed + gap + added.join('');
}

/** As `readValue` reads it back. */
function writeValue(value: string): string {
  const isPlain = value === value.trim() && !/^['"#]|\s#/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
