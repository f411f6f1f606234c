import { inspect } from 'node:util';
import { OrgId } from '@deskside/shared/orgid';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it, test } from 'vitest';
import { silent } from '#runtime/testing/quiet.ts';
import { HelpdeskError } from './errors.ts';
import type { JudgedData } from './fields.ts';
import { Site, type SiteOptions } from './site.ts';
import { inProcess } from './testing/in-process.ts';
import { as, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

function siteWith(signs: SiteOptions['signs'] = { emit() {} }): Site {
  const upstream = inProcess(async () => ({ status: 200, headers: [], body: '' }));
  return new Site({ upstream, serviceKey: 'key:secret', logger: silent, clock: Date.now, signs });
}

describe('writes', () => {
  const write = <T>(work: () => Promise<T>, ticket = 'a', within = signal, site = siteWith()) =>
    site.write('HD Ticket', ticket, within, work);
  const deadlock = () => new HelpdeskError('unavailable', 'deadlock', { excType: 'QueryDeadlockError' });

  it('to one document run in their order, one after another whatever came of it, to different documents at once', async () => {
    const site = siteWith();
    const running = new Set<string>();
    const order: number[] = [];
    let most = 0;
    const work = (document: string, n: number) => async () => {
      if (running.has(document)) throw new Error('Two at once.');
      running.add(document);
      most = Math.max(most, running.size);
      await new Promise((resolve) => setImmediate(resolve));
      running.delete(document);
      if (document === 'a') order.push(n);
      if (n === 2) throw new HelpdeskError('rejected', 'no');
    };
    const documents = ['a', 'b', 'a', 'b', 'a', 'b'];
    const results = await Promise.allSettled(documents.map((one, n) => write(work(one, n), one, signal, site)));
    expect([order, most]).toEqual([[0, 2, 4], 2]);
    expect(
      results.flatMap((result, n) => (result.status === 'rejected' ? [n, `${result.reason.message}`] : [])),
    ).toEqual([2, 'no']);
  });

  it.each([
    ['that the database gave up on are tried again, four times at most', deadlock(), 4],
    ['that were refused for another reason are not', new HelpdeskError('forbidden', 'no'), 1],
  ])('%s', async (_, error, tries) => {
    let tried = 0;
    const failing = async () => {
      tried += 1;
      throw error;
    };
    await expect(write(failing)).rejects.toBe(error);
    expect(tried).toBe(tries);
  });

  it('end with the reason of the signal between two tries, and before the first', async () => {
    const site = siteWith();
    const controller = new AbortController();
    const reason = new Error('stopping');
    const started: string[] = [];
    const first = write(
      async () => {
        controller.abort(reason);
        throw deadlock();
      },
      'a',
      controller.signal,
      site,
    );
    const second = write(async () => started.push('second'), 'a', controller.signal, site);
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    expect(started).toEqual([]);
  });

  it('to tickets are told of once nothing more comes of them, whatever came of them', async () => {
    const told: string[] = [];
    const site = siteWith({ emit: (_, ticket) => told.push(ticket) });
    await write(async () => expect(told).toEqual([]), '1', signal, site);
    await site.write('HD Customer', 'a', signal, async () => {});
    const failed = write(() => Promise.reject(new HelpdeskError('timeout', 'no answer')), '2', signal, site);
    await expect(failed).rejects.toMatchObject({ kind: 'timeout' });
    expect(told).toEqual(['1', '2']);
  });
});

test('one who gives up ends neither the reading nor the waiting of others', async () => {
  const answers: ((value: string) => void)[] = [];
  const read = () => new Promise<string>((answer) => answers.push(answer));
  const it = siteWith().metadata('It', read);
  const giveUp = new AbortController();
  const [given, waiting] = [it.get(giveUp.signal), it.get(signal)];
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answers[0]?.('read');
  expect(await waiting).toBe('read');
  expect(answers).toHaveLength(1);
});

describe('the fields of a site', () => {
  const site = useSimulatedSite();
  const orgId = OrgId.parse('200000376001');
  const { matched, likely, confirmed } = demo.tickets;
  const readAs = (helpdesk = site.adapter(), name: string = matched) =>
    helpdesk.tickets.readAs(as(demo.agent), name, signal);
  const gone = ['custom_platform_profile_orgid', 'custom_org_id', 'custom_responsible', 'custom_crm_company_id'];
  const without = (seed: HelpdeskSeed) => {
    for (const [doctype, fields] of Object.entries(seed.customFields))
      seed.customFields[doctype] = fields.filter(({ fieldname }) => !gone.includes(fieldname));
  };
  const current = [{ field: 'custom_orgid', kind: 'current', value: orgId }];

  it('are read once by simultaneous cold requests, and not again', async () => {
    const helpdesk = site.adapter();
    await Promise.all([matched, likely, confirmed].map((name) => readAs(helpdesk, name)));
    await helpdesk.warm(signal);
    const discovery = site.simulator.journal.filter(({ path }) => path.includes('getdoctype'));
    expect(discovery.map(({ query, user }) => [query.doctype, user])).toEqual(
      ['HD Ticket', 'HD Customer', 'Contact'].map((doctype) => [doctype, demo.service.name]),
    );
    expect(site.simulator.journal).toHaveLength(6);
  });

  it('are complete on a site that has all of the specification, the platform domain perhaps by its older name', async () => {
    expect(site.adapter().missingFields()).toBeNull();
    expect((await site.warmed()).missingFields()).toEqual([]);
    site.seeded(({ customFields }) => {
      for (const field of customFields['HD Ticket'] ?? [])
        if (field.fieldname === 'custom_myplatform_domain') field.fieldname = 'custom_my_platform_domain';
    });
    expect((await site.warmed()).missingFields()).toEqual([]);
  });

  it('that are missing are left out and named', async () => {
    site.seeded(without);
    const helpdesk = site.adapter();
    const { ticket, customer } = await readAs(helpdesk);
    expect([ticket.orgIdFields, ticket.responsible]).toEqual([current, undefined]);
    expect(customer).toMatchObject({ custom_crm_company_id: null, custom_platform_orgid: orgId });
    expect(helpdesk.missingFields()).toEqual(['HD Customer.custom_crm_company_id', 'HD Ticket.custom_responsible']);
    const read = await helpdesk.tickets.read(matched, signal);
    const responsible = { responsible: 'an@crm.example' } as JudgedData;
    expect(await helpdesk.tickets.write(read, responsible, signal)).toMatchObject({ changes: [] });
  });

  it('that disappear later are noticed by the next reading, which still succeeds', async () => {
    const helpdesk = await site.warmed();
    const changed = site.seeded(without);
    expect((await readAs(helpdesk)).ticket.orgIdFields).toEqual(current);
    expect(changed.journal.map(({ path, status }) => `${path.split('.').at(-1)} ${status}`)).toEqual([
      '/api/resource/HD Ticket 417',
      ...['getdoctype 200', 'getdoctype 200', 'getdoctype 200'],
      '/api/resource/HD Ticket 200',
    ]);
  });

  it('are read again in the background after 45 seconds, and stay known if that fails', async () => {
    const helpdesk = await site.warmed();
    site.now += 45_000 - 1;
    await helpdesk.warm(signal);
    expect(site.simulator.journal).toEqual([]);
    site.now += 1;
    site.simulator.fault = () => 503;
    await helpdesk.warm(signal);
    await expect.poll(() => site.warnings).toEqual([[{ kind: 'unavailable' }, expect.stringContaining('fields')]]);
    // The first failure is the read's; the other two requests are under way, and must not find the helpdesk well again.
    const answered = (code: number) => site.simulator.journal.filter(({ status }) => status === code).length;
    await expect.poll(() => answered(503)).toBe(3);
    expect(helpdesk.missingFields()).toEqual([]);
    site.simulator.fault = null;
    await helpdesk.warm(signal);
    await expect.poll(() => answered(200)).toBe(3);
    await helpdesk.warm(signal);
    expect(answered(200)).toBe(3);
  });

  it('cannot be read by a wrong service account: its own calls are refused, a caller is told that the helpdesk fails', async () => {
    const helpdesk = site.adapter({ apiSecret: 'canary-7788' });
    await expect(helpdesk.warm(signal)).rejects.toMatchObject(kind('unauthenticated'));
    expect(helpdesk.missingFields()).toBeNull();
    const read = readAs(helpdesk);
    await expect(read).rejects.toMatchObject(kind('unavailable'));
    expect(inspect(await read.catch((error: unknown) => error), { depth: 9 })).not.toContain('canary');
  });

  it('come with a version', async () => {
    expect(await site.adapter().version(signal)).toMatch(/^1\.28\.\d+$/);
  });
});
