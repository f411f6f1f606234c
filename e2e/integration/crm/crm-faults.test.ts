import { demo } from '@deskside/simulators/seed/index';
import { expect, test, vi } from 'vitest';
import { profileOf, world } from '../kit.ts';

/** The service waits 4.5 s for a profile. Were it to wait this long for the CRM, the client would have given up. */
const environment = { CRM_TIMEOUT_SECONDS: '55' };

test.each([
  ['hang', 'timeout'],
  ['server_error', 'server_error'],
] as const)(
  '%s: a profile does not wait for the CRM and says why, never "not found"; a known company is shown, marked old',
  async (fault, code) => {
    const w = await world({ environment });
    const { responsibleSet, matched } = demo.tickets;
    /** On a busy machine an answer may come after the 4.5 s; it is kept, and there when one asks again. */
    const eventually = <T>(check: () => Promise<T>) => vi.waitFor(check, { timeout: 60_000, interval: 100 });
    const good = await eventually(async () => {
      const profile = await profileOf(w, responsibleSet);
      expect(profile.bitrix.company).not.toBeNull();
      return profile;
    });
    w.crm.fault = fault;
    await eventually(async () => {
      const known = await profileOf(w, responsibleSet, { refresh: 1 });
      expect(known.bitrix).toMatchObject({ status: 'error', outcome: 'matched', stale: true, error: { code } });
      expect(known.bitrix).toMatchObject({ company: good.bitrix.company, as_of: good.bitrix.as_of });
    });
    const { bitrix } = await profileOf(w, matched);
    expect(bitrix).toMatchObject({ status: 'error', outcome: null, company: null, stale: false });
    expect(bitrix.error?.code).toBeTruthy();
  },
);
