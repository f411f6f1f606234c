import type { Background } from '#runtime/background.ts';
import type { Clock } from '#runtime/clock.ts';
import type { CrmCompany } from './crm.ts';
import type { BudgetedCrm } from './crm-budget.ts';

/** The CRM's own names of customer segments, for codes that the configuration does not name. */
export interface SegmentNaming {
  /** The companies with the names known by now. Never waits; missing names are read in the background. */
  name(companies: CrmCompany[]): CrmCompany[];
  /** The CRM has announced a change of its fields. */
  forget(): void;
}

/** Names hardly ever change, and the CRM announces it when they do. */
const keepMs = 6 * 3_600_000;
/** After a failure, or for a code without a name, the names are not read again for this long. */
const retryMs = 10 * 60_000;
const readWithinMs = 60_000;

export function createSegmentNaming(deps: { crm: BudgetedCrm; clock: Clock; background: Background }): SegmentNaming {
  const { crm, clock, background } = deps;
  let read: { names: ReadonlyMap<string, string>; at: number } = { names: new Map(), at: Number.NEGATIVE_INFINITY };
  let triedAt = Number.NEGATIVE_INFINITY;

  function readSoon(): void {
    if (clock() - triedAt < retryMs) return;
    triedAt = clock();
    background.run('segment-names', async () => {
      const answer = await crm.readSegmentNames({ lane: 'open', deadline: clock() + readWithinMs });
      if (answer.kind !== 'failed') read = { names: answer.names, at: clock() };
    });
  }

  return {
    name(companies) {
      return companies.map((company) => {
        const { customer_segment, customer_segment_code: code } = company.fields;
        // A code that the configuration does not name is still there as the segment.
        if (code === null || customer_segment !== code) return company;
        const name = read.names.get(code);
        if (name === undefined || clock() - read.at >= keepMs) readSoon();
        return name === undefined ? company : { ...company, fields: { ...company.fields, customer_segment: name } };
      });
    },
    forget() {
      triedAt = Number.NEGATIVE_INFINITY;
      read = { names: read.names, at: Number.NEGATIVE_INFINITY };
    },
  };
}
