import type { CrmErrorCode } from '@deskside/shared/status';
import type { CompanyAnswer, Crm } from '#ports/crm/crm.ts';
import type { CrmRequestKind, Metrics } from '#ports/runtime/metrics.ts';

/** The CRM with every request to it counted and timed. One request fails as a whole if all of its answers do. */
export function measuredCrm(crm: Crm, metrics: Pick<Metrics, 'crmAnswered' | 'companiesRead'>): Crm {
  async function timed<T>(
    kind: CrmRequestKind,
    send: () => Promise<T>,
    codesOf: (answers: T) => (CrmErrorCode | null)[],
  ): Promise<T> {
    const startedAt = performance.now();
    const answers = await send();
    const codes = codesOf(answers);
    const outcome = codes.includes(null) ? 'ok' : (codes[0] ?? 'ok');
    metrics.crmAnswered({ kind, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    return answers;
  }

  return {
    ...crm,
    async findCompanies(orgIds, by, signal) {
      const found = await timed(
        'companies',
        () => crm.findCompanies(orgIds, by, signal),
        ({ companies }) => [...companies.values()].map(failureOf),
      );
      for (const answer of found.companies.values()) metrics.companiesRead('crm', results[answer.kind], 1);
      return found;
    },
    findUsers: (ids, signal) =>
      timed(
        'users',
        () => crm.findUsers(ids, signal),
        (users) => [...users.values()].map(failureOf),
      ),
    searchCompanies: (searches, signal) =>
      timed(
        'searches',
        () => crm.searchCompanies(searches, signal),
        (answers) => answers.map(({ failed }) => failed),
      ),
    readSegmentNames: (signal) =>
      timed(
        'segments',
        () => crm.readSegmentNames(signal),
        (names) => [failureOf(names)],
      ),
  };
}

const results = { found: 'hit', empty: 'miss', failed: 'failed' } as const satisfies Record<
  CompanyAnswer['kind'],
  string
>;

function failureOf(answer: { kind: string; code?: CrmErrorCode }): CrmErrorCode | null {
  return answer.code ?? null;
}
