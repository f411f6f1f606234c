import { jsonOf } from '@deskside/shared/json';
import { type SettingName, settingNames } from '@deskside/shared/settings';
import type * as z from 'zod';
import type { SettingKinds } from '#ports/runtime/settings.ts';
import type { Config } from './environment.ts';
import { Rules, ruleExamples, suchAs } from './rules.ts';
import { Environment } from './variables.ts';

const secrets: ReadonlySet<SettingName> = new Set([
  'CRM_WEBHOOK_URL',
  'CRM_RESPONSIBLE_WEBHOOK_URL',
  'CRM_EVENT_TOKEN',
  'HELPDESK_WEBHOOK_SECRET',
  'HELPDESK_SCRIPT_SECRET',
]);

/** Variables are named and written as in the environment, rules as in `RULES_FILE`; the schemas are theirs. */
export const settingKinds: SettingKinds = {
  isSecret: (name) => secrets.has(name),

  read(name, given) {
    const text = given.trim();
    if (secrets.has(name) && text.includes(','))
      return onlyProblem(
        name,
        `${name}: expected one value without a comma; the one that replaces it has a place of its own`,
      );
    const isRule = name in Rules.shape;
    const value = isRule ? jsonOr(text) : text;
    const parsed = schemaOf(name).safeParse(value);
    if (!parsed.success) {
      if (isRule && value === text && /^["[{]/.test(text))
        return onlyProblem(name, `${name}: expected JSON${suchAs(name)}`);
      const problems = new Map<string, string>();
      for (const { path, message } of parsed.error.issues) {
        const at = [name, ...(isRule ? path : [])].join('.');
        problems.set(`${at}: ${message}`, at);
      }
      const last = problems.size - 1;
      return {
        problems: [...problems].map(([problem, at], nth) => ({
          problem: nth === last ? `${problem}${suchAs(name)}` : problem,
          at,
        })),
      };
    }
    if (isRule) return { text: JSON.stringify(value) };
    return { text: secrets.has(name) ? text : (shown(parsed.data) ?? '') };
  },

  defaultOf: (name) => shown(schemaOf(name).parse(undefined)),
  example: (name) => (name in ruleExamples ? shown(ruleExamples[name as keyof Rules]) : null),
  shown: (name, text) => (name in Rules.shape ? shown(jsonOr(text)) : text),
};

function onlyProblem(at: SettingName, problem: string) {
  return { problems: [{ problem, at }] };
}

/** What is in force, as it would be set; null if nothing is. A secret is null, too. */
export function shownIn(config: Config, name: SettingName): string | null {
  return secrets.has(name) ? null : shown(valueIn(config, name));
}

/** Whether a secret is in force. */
export function hasSecret(config: Config, name: SettingName): boolean {
  return valueIn(config, name) !== undefined;
}

function valueIn(config: Config, name: SettingName): unknown {
  return name in Rules.shape ? config.rules[name as keyof Rules] : config[name as keyof Config];
}

function schemaOf(name: SettingName): z.ZodType {
  return { ...Environment.shape, ...Rules.shape }[name];
}

/** As it is set; JSON if it is more than a word. */
function shown(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonOr(text: string): unknown {
  const value = jsonOf(text);
  return value === undefined ? text : value;
}

/**
 * Why this is no setting that can change at run time: it is the environment's alone, or perhaps meant to be another one.
 *
 * @returns a sentence
 */
export function noSetting(text: string): string {
  const names = [...settingNames, ...Object.keys(Environment.shape)];
  const near = names.toSorted((a, b) => distance(a, text) - distance(b, text))[0] ?? '';
  if (distance(near, text) > Math.max(2, near.length / 4)) return `Expected one of ${settingNames.join(', ')}.`;
  const isSetting = settingNames.some((name) => name === near);
  const alone = "is the environment's alone: set it there and restart (docs/settings.md#settings-at-run-time).";
  if (near === text) return `${text} ${alone}`;
  return `Did you mean ${near}?${isSetting ? '' : ` It ${alone}`}`;
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
