import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { alertKindOf, alertNames, textOf } from './alert-causes.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const raised = { cause: 'crm_unauthorized', kind: 'users', state: 'raised', since: noon, until: null } as const;

describe('an alert in words', () => {
  test('says where, what, which part of it, and what to do', () => {
    expect(textOf(raised, 'help.example')).toBe(
      'Deskside of help.example: The CRM refuses a webhook. Affected: looking account owners up. ' +
        'Make a new webhook and set CRM_WEBHOOK_URL or CRM_RESPONSIBLE_WEBHOOK_URL.',
    );
  });

  test('says at its end how long it lasted', () => {
    expect(textOf({ ...raised, kind: null, state: 'resolved', until: noon + 12 * 60_000 }, 'help.example')).toBe(
      'Deskside of help.example: resolved after 12 min: The CRM refuses a webhook.',
    );
  });

  test('does not claim that what nobody reports as over is mended', () => {
    const quiet = { ...raised, cause: 'ticket_write_rejected', kind: null, state: 'resolved', until: noon } as const;
    expect(textOf(quiet, 'help.example')).toContain('not seen any more, after 1 min');
  });
});

test('a kind that is not one of ours is none: it could say anything', () => {
  expect(['companies', 'lan@shop.example', 'toString', 7].map(alertKindOf)).toEqual(['companies', null, null, null]);
});

test('docs/monitoring.md explains each of them, and no other', () => {
  const docs = readFileSync(path.join(import.meta.dirname, '../../../../docs/monitoring.md'), 'utf8');
  const section = docs.split('\n## Alerts\n')[1]?.split('\n## ')[0]?.split('\n### ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual([...alertNames].sort());
});
