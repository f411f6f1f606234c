import type { CrmErrorCode } from '@deskside/shared/status';
import * as z from 'zod';
import type { CertificateFault } from '#net/egress-error.ts';

/**
 * `certificate`: why that of the portal is not accepted, if it was that. `cause`: the host that did not respond, and why, as
 * a part of a sentence.
 */
type CrmRefusal = { ok: false; code: CrmErrorCode; certificate?: CertificateFault | null; cause?: string };
type CrmAnswer = { ok: true; result: unknown } | CrmRefusal;

/** Calls one method through one webhook, within a deadline; never throws. */
export type AskCrm = (method: string, params: Record<string, number | string[]>) => Promise<CrmAnswer>;

/** What one incoming webhook says about itself. `scopes`: null if it responds in an unexpected way. */
export type HookFacts = CrmRefusal | { ok: true; scopes: string[] | null };

interface CrmField {
  type: string;
  /** Values of a list, by id. */
  items: { id: string; value: string }[];
}

export interface CrmFacts {
  hook: HookFacts;
  /** How far the portal's clock is ahead of ours, in milliseconds. */
  clockAhead: number | null;
  /** Null if unknown. */
  fields: ReadonlyMap<string, CrmField> | null;
  seesCompanies: boolean | null;
  /** The first of these calls that failed, and why. */
  failed: { method: string; code: CrmErrorCode } | null;
}

const Scopes = z.array(z.string());
const Fields = z.record(
  z.string(),
  z.object({
    type: z.string(),
    items: z.array(z.object({ ID: z.union([z.string(), z.number()]).transform(String), VALUE: z.string() })).optional(),
  }),
);

/** Asks for a webhook's scopes, which itself requires none. */
export async function gatherHook(ask: AskCrm): Promise<HookFacts> {
  const answer = await ask('scope', {});
  if (!answer.ok) return answer;
  const scopes = Scopes.safeParse(answer.result);
  return { ok: true, scopes: scopes.success ? scopes.data.map((scope) => scope.toLowerCase()) : null };
}

/**
 * Asks the lookup webhook for its scopes, the portal's time, the fields of companies, and whether it sees any
 * companies.
 */
export async function gatherCrm(ask: AskCrm, clock: () => number): Promise<CrmFacts> {
  const hook = await gatherHook(ask);
  const nothing = { clockAhead: null, fields: null, seesCompanies: null, failed: null };
  if (!hook.ok) return { hook, ...nothing };
  const asked = clock();
  const time = await ask('server.time', {});
  const between = (asked + clock()) / 2;
  const told = time.ok && typeof time.result === 'string' ? Date.parse(time.result) : Number.NaN;
  const clockAhead = Number.isNaN(told) ? null : told - between;
  if (hook.scopes !== null && !hook.scopes.includes('crm')) return { hook, ...nothing, clockAhead };
  const [described, companies] = await Promise.all([
    ask('crm.company.fields', {}),
    ask('crm.company.list', { select: ['ID'], start: -1 }),
  ]);
  const fields = described.ok ? Fields.safeParse(described.result) : null;
  return {
    hook,
    clockAhead,
    fields: fields?.success ? fieldsOf(fields.data) : null,
    seesCompanies: companies.ok && Array.isArray(companies.result) ? companies.result.length > 0 : null,
    failed: failureOf('crm.company.fields', described) ?? failureOf('crm.company.list', companies),
  };
}

function fieldsOf(described: z.output<typeof Fields>): Map<string, CrmField> {
  return new Map(
    Object.entries(described).map(([name, { type, items = [] }]) => [
      name,
      { type, items: items.map(({ ID, VALUE }) => ({ id: ID, value: VALUE })) },
    ]),
  );
}

function failureOf(method: string, answer: CrmAnswer): CrmFacts['failed'] {
  return answer.ok ? null : { method, code: answer.code };
}
