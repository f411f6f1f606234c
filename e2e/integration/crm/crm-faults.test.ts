import type { CrmFault } from '@deskside/simulators/crm/server';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, test } from 'vitest';
import { profileOf, world } from '../kit.ts';

const faults: [CrmFault, string][] = [
  ['hang', 'timeout'],
  ['cut', 'unreachable'],
  ['truncated', 'unreachable'],
  ['html', 'bad_answer'],
  ['html_502', 'server_error'],
  ['redirect', 'redirected'],
  ['null_result', 'bad_answer'],
  ['limit', 'rate_limited'],
  ['operation_limit', 'operation_limit'],
  ['overload', 'overloaded'],
  ['unauthorized', 'unauthorized'],
  ['insufficient_scope', 'insufficient_scope'],
  ['empty_error', 'bad_answer'],
  ['error_200', 'bad_answer'],
  ['error_100', 'bad_answer'],
  ['server_error', 'server_error'],
  ['huge', 'bad_answer'],
  ['slow_body', 'timeout'],
];

/** The service waits 4.5 s for a profile. Were it to wait this long for the CRM, the client would have given up. */
const environment = { CRM_TIMEOUT_SECONDS: '55' };

describe.concurrent('a failing CRM', () => {
  test.for(faults)(
    '%s: a cold profile does not wait for the CRM, and says why, never "not found"',
    async ([fault], { expect, onTestFinished }) => {
      const w = await world({ environment }, onTestFinished);
      w.crm.fault = fault;
      const { bitrix } = await profileOf(w, demo.tickets.matched);
      expect(bitrix).toMatchObject({ status: 'error', outcome: null, company: null, stale: false });
      expect(bitrix.error?.code).toBeTruthy();
    },
  );

  test.for(faults)(
    '%s: a known company is shown, marked old, with the reason',
    async ([fault, code], { expect, onTestFinished }) => {
      const w = await world({ environment }, onTestFinished);
      const good = await profileOf(w, demo.tickets.matched);
      w.crm.fault = fault;
      const refresh = async () => {
        const { bitrix } = await profileOf(w, demo.tickets.matched, { refresh: 1 });
        expect(bitrix).toMatchObject({ status: 'error', outcome: 'matched', stale: true, as_of: good.bitrix.as_of });
        expect(bitrix.company).toEqual(good.bitrix.company);
        expect(bitrix.responsible).toEqual(good.bitrix.responsible);
        return bitrix.error?.code;
      };
      // On a busy machine the CRM's answer may take longer than the service waits: then the next refresh says it.
      let told = await refresh();
      for (let again = 0; again < 4 && told === 'timeout' && code !== 'timeout'; again += 1) told = await refresh();
      expect(told).toBe(code);
    },
  );
});

test('wrong_company: a company that is not the one asked for is never shown, nor called "not found"', async () => {
  const w = await world();
  w.crm.fault = 'wrong_company';
  const { bitrix } = await profileOf(w, demo.tickets.matched);
  expect(bitrix).toMatchObject({ status: 'error', company: null, error: { code: 'bad_answer' } });
});

test('ignored_filter: among all companies, only the one asked for is shown', async () => {
  const w = await world();
  w.crm.fault = 'ignored_filter';
  const { bitrix } = await profileOf(w, demo.tickets.matched);
  expect(bitrix.company?.company_id).toBe(bitrix.lookup_value);
  expect(bitrix.alternatives).toEqual([]);
});
