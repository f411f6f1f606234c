import { readFileSync } from 'node:fs';
import type { Generation } from '#helpdesk/api.ts';
import type { Field } from '#helpdesk/store/doctype.ts';

export interface Exchange {
  name: string;
  as: string;
  request: {
    method: string;
    path: string;
    json?: unknown;
    form?: Record<string, string>;
    headers?: Record<string, string>;
  };
  response: { status: number; headers: Record<string, string>; body: unknown };
}

function read(generation: Generation, file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../recordings/helpdesk-${generation}/${file}`, import.meta.url), 'utf8'));
}

/** The recorded exchanges of a generation, in the order in which they happened. */
export function recordedExchanges(generation: Generation): Exchange[] {
  return read(generation, 'exchanges.json') as Exchange[];
}

/** The custom fields that the recorded site had in the end, by DocType. */
export function recordedCustomFields(generation: Generation): Record<string, Field[]> {
  const doctypes = read(generation, 'doctypes.json') as Record<string, { fields: Field[] }>;
  const custom = Object.entries(doctypes).map(([name, { fields }]): [string, Field[]] => [
    name,
    fields.filter((field) => field.fieldname.startsWith('custom_')),
  ]);
  return Object.fromEntries(custom.filter(([, fields]) => fields.length > 0));
}
