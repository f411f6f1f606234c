import { OrgId } from '@deskside/shared/orgid';
import { demo, type HelpdeskSeed } from '@deskside/simulators/seed/index';
import { describe, expect, it, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { type HelpdeskError, refusalOf } from './errors.ts';
import { generations, kind, signal, useSimulatedSite } from './testing/simulated-site.ts';

type CustomField = HelpdeskSeed['customFields'][string][number];

const industry = { fieldname: 'custom_industry', fieldtype: 'Data', label: 'Industry' };
const shop = 'Gốm Sứ Làng Mơ - 200000376001';

describe.each(generations)('Helpdesk %s', (generation) => {
  const site = useSimulatedSite(generation);

  function withField(doctype: string, field: CustomField) {
    const simulator = site.seeded((seed) => {
      const others = (seed.customFields[doctype] ?? []).filter(({ fieldname }) => fieldname !== field.fieldname);
      seed.customFields = { ...seed.customFields, [doctype]: [...others, field] };
    });
    return { simulator, helpdesk: site.adapter() };
  }
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => Promise.reject(new Error('It was not refused.')),
      (error: unknown) => error,
    );

  it.each([
    ['Industry', 'HD Customer needs Industry'],
    // As a translated helpdesk has it.
    ['Ngành nghề', 'HD Customer needs Ngành nghề'],
  ])(
    'a mandatory field that nobody fills, %s, is named when a customer is made and when one is changed',
    async (label, refusal) => {
      const { helpdesk } = withField('HD Customer', { ...industry, label, reqd: 1 });
      const refused = { ...kind('rejected'), excType: 'MandatoryError', refusal, refusedFields: ['custom_industry'] };
      expect(await failureOf(helpdesk.customers.create('New shop', {}, signal))).toMatchObject(refused);
      const record = await helpdesk.customers.read(shop, signal);
      if (record === null) throw new Error('The seed has no such customer.');
      const error = await failureOf(helpdesk.customers.update(record, { shopPlan: 'OMNI GROW' }, signal));
      expect(error).toMatchObject(refused);
      expect(AppError.of(error as HelpdeskError)).toMatchObject({
        code: 'helpdesk_refused',
        message: `The helpdesk refuses what Deskside would write: ${refusal}.`,
        conflict: { code: 'write_refused', asked: '', found: refusal },
      });
    },
  );

  it('a mandatory field is named where the site tells no tracebacks', async () => {
    const { simulator, helpdesk } = withField('HD Customer', { ...industry, reqd: 1 });
    simulator.settings.allowErrorTraceback = false;
    const error = await failureOf(helpdesk.customers.create('New shop', {}, signal));
    expect(error).toMatchObject({ refusal: 'HD Customer needs Industry' });
  });

  it('a unique field of the site’s own is named', async () => {
    const taken = { ...industry, fieldname: 'custom_shopplan_name', label: 'Plan', unique: 1 };
    const { helpdesk } = withField('HD Customer', taken);
    const present = await helpdesk.customers.read(shop, signal);
    const made = helpdesk.customers.create('Twin', { shopPlan: present?.shopPlan ?? '' }, signal);
    expect(await failureOf(made)).toMatchObject({
      ...kind('rejected'),
      refusal: 'HD Customer refuses Plan (UniqueValidationError)',
    });
  });

  it('a unique field by which customers are found means that this one is there already', async () => {
    const id = { ...industry, fieldname: 'custom_crm_company_id', label: 'CRM ID', unique: 1 };
    const { helpdesk } = withField('HD Customer', id);
    const present = await helpdesk.customers.read(shop, signal);
    expect(await helpdesk.customers.create('Twin', { crmCompanyId: present?.crmCompanyId ?? '' }, signal)).toBeNull();
  });

  it('a team that is not there and a customer’s impossible name are refused for good, and named', async () => {
    const helpdesk = await site.warmed();
    expect(await failureOf(helpdesk.customers.create('a < b', {}, signal))).toMatchObject({
      ...kind('rejected'),
      excType: 'NameError',
      refusal: 'HD Customer refuses the write (NameError)',
    });
    const ticket = await helpdesk.tickets.read(demo.tickets.missingOrgId, signal);
    expect(await failureOf(helpdesk.tickets.write(ticket, { agentGroup: 'No Such Team' }, signal))).toMatchObject({
      ...kind('rejected'),
      excType: 'LinkValidationError',
      refusal: 'HD Ticket refuses Team (LinkValidationError)',
    });
  });

  it('an account that may not write is told what it may not write', async () => {
    const { simulator } = site;
    const helpdesk = site.adapter();
    const record = await helpdesk.customers.read(shop, signal);
    if (record === null) throw new Error('The seed has no such customer.');
    // What reads customers, and on neither version writes them.
    simulator.setRoles(await helpdesk.people.serviceUser(signal), ['Sales User']);
    const error = await failureOf(helpdesk.customers.update(record, { shopPlan: 'OMNI GROW' }, signal));
    expect(error).toMatchObject({ ...kind('rejected'), refusal: "Deskside's account may not write HD Customer" });
  });

  it('no value of a record gets into what is said of it', async () => {
    const { helpdesk } = withField('HD Customer', { ...industry, reqd: 1 });
    const orgId = OrgId.parse('200000999001');
    const error = await failureOf(helpdesk.customers.create('Canary Ltd', { platformOrgId: orgId }, signal));
    expect(`${(error as Error).message} ${JSON.stringify(error)}`).not.toMatch(/Canary|200000999001|Traceback/);
  });

  it('a limit on requests is told with the time after which to ask again', async () => {
    const helpdesk = site.adapter();
    site.simulator.fault = () => 429;
    await expect(helpdesk.warm(signal)).rejects.toMatchObject({ ...kind('rate_limited'), retryAfterSeconds: 1 });
  });
});

describe('a limit on requests', () => {
  const wait = (header?: string) => refusalOf(429, { exc_type: 'TooManyRequestsError' }, 'Reading', header);

  it.each([
    ['30', 30],
    ['0', 1],
    ['999999', 3_600],
    ['soon', 10],
    [undefined, 10],
  ])('with Retry-After %s says %i seconds', (header, seconds) => {
    expect(wait(header)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds: seconds });
    expect(AppError.of(wait(header) as HelpdeskError)).toMatchObject({
      code: 'helpdesk_rate_limited',
      retryAfterSeconds: seconds,
    });
  });

  it('with a date says how long until then', () => {
    const seconds = wait(new Date(Date.now() + 90_000).toUTCString())?.retryAfterSeconds;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(90);
  });
});

test('a document that a job has locked is free again in a moment', () => {
  expect(refusalOf(417, { exc_type: 'DocumentLockedError' }, 'Writing')).toMatchObject({ kind: 'unavailable' });
});
