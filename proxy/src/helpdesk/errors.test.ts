import { OrgId } from '@deskside/shared/orgid';
import type { HelpdeskSeed } from '@deskside/simulators/seed/index';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { answerFor, type HelpdeskError, messagesOf, refusalOf } from './errors.ts';
import type { CustomerFacts } from './fields.ts';
import { kind, readCustomer, signal, useSimulatedSite } from './testing/simulated-site.ts';

const envelope = (exc_type: string) => ({
  exc_type,
  exception: `frappe.exceptions.${exc_type}: secret in table tabUser`,
  exc: '["Traceback: secret"]',
  _server_messages: '["secret"]',
});

describe('a refusal', () => {
  it.each([
    [400, 'CSRFTokenError', 'rejected'],
    [401, 'AuthenticationError', 'unauthenticated'],
    [403, 'PermissionError', 'forbidden'],
    [404, 'DoesNotExistError', 'not_found'],
    [409, 'DuplicateEntryError', 'conflict'],
    [409, 'NameError', 'rejected'],
    [417, 'TimestampMismatchError', 'conflict'],
    [417, 'DataError', 'rejected'],
    // A job has the document for a moment.
    [417, 'DocumentLockedError', 'unavailable'],
    [429, 'TooManyRequestsError', 'rate_limited'],
    [500, 'QueryDeadlockError', 'unavailable'],
    [503, 'SessionStopped', 'unavailable'],
  ])('with %i %s is %s', (status, excType, kind) => {
    expect(refusalOf(status, envelope(excType), 'Reading')).toMatchObject({ kind, excType });
  });

  it.each([
    [401, 'bad_answer'],
    [403, 'bad_answer'],
    [404, 'bad_answer'],
    [302, 'bad_answer'],
    [429, 'rate_limited'],
    [502, 'unavailable'],
  ])('with %i that is not in the envelope of Frappe is %s: it says nothing about tickets or rights', (status, kind) => {
    for (const body of [undefined, null, 'text', [], {}, { exc_type: 7 }])
      expect(refusalOf(status, body, 'Reading')).toMatchObject({ kind, excType: null });
  });

  it('never repeats a text of the helpdesk, whatever it answers', () => {
    const types = fc.constantFrom('DataError', 'secret <b>', '');
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), types, (status, type) => {
        const refusal = refusalOf(status, envelope(type), 'Reading');
        expect(`${refusal?.message} ${JSON.stringify(refusal)} ${refusal?.cause}`).not.toContain('secret');
      }),
    );
  });

  it('is no success, even if that carries messages', () => {
    expect(refusalOf(200, envelope('ValidationError'), 'Reading')).toBeNull();
    expect(refusalOf(202, { message: 'ok' }, 'Deleting')).toBeNull();
  });
});

test.each<[string, unknown, string[]]>([
  ['a list of texts', { _server_messages: '["{\\"message\\": \\"a\\"}", "{\\"message\\": \\"b\\"}"]' }, ['a', 'b']],
  ['texts of something else', { _server_messages: '["x", "null", "{}", "{\\"message\\": 1}", 7]' }, []],
  ['no list', { _server_messages: '{"message": "a"}' }, []],
  ['no JSON', { _server_messages: 'a' }, []],
  ['a page', undefined, []],
])('the messages of a refusal: %s', (_what, body, messages) => expect(messagesOf(body)).toEqual(messages));

describe('a limit on requests', () => {
  const wait = (header?: string) => refusalOf(429, envelope('TooManyRequestsError'), 'Reading', header);

  it.each([
    ['30', 30],
    ['0', 1],
    ['999999', 3_600],
    ['soon', 10],
    [undefined, 10],
  ])('with Retry-After %s says %i seconds', (header, retryAfterSeconds) => {
    expect(wait(header)).toMatchObject({ kind: 'rate_limited', retryAfterSeconds });
    const told = { code: 'helpdesk_rate_limited', retryAfterSeconds };
    expect(answerFor(wait(header) as HelpdeskError)).toMatchObject(told);
  });

  it('with a date says how long until then', () => {
    const seconds = wait(new Date(Date.now() + 90_000).toUTCString())?.retryAfterSeconds;
    expect(seconds).toBeGreaterThan(60);
    expect(seconds).toBeLessThanOrEqual(90);
  });
});

describe('a write that the helpdesk refuses', () => {
  const site = useSimulatedSite();
  const industry = { fieldname: 'custom_industry', fieldtype: 'Data', label: 'Industry' };

  function siteWith(field: HelpdeskSeed['customFields'][string][number]) {
    site.seeded((seed) => {
      const others = (seed.customFields['HD Customer'] ?? []).filter(({ fieldname }) => fieldname !== field.fieldname);
      seed.customFields = { ...seed.customFields, 'HD Customer': [...others, field] };
    });
    return site.adapter();
  }
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => Promise.reject(new Error('It was not refused.')),
      (error: unknown) => error,
    );
  const create = (helpdesk = site.adapter(), facts: CustomerFacts = {}, name = 'Canary Ltd') =>
    helpdesk.customers.create(name, facts, signal);

  it.each([
    ['Industry', true],
    // As a translated helpdesk has it, and one that tells no tracebacks.
    ['Ngành nghề', false],
  ])('for a mandatory field that nobody fills names it, %s, and no value of the record', async (label, tells) => {
    const helpdesk = siteWith({ ...industry, label, reqd: 1 });
    site.simulator.settings.allowErrorTraceback = tells;
    const refusal = `HD Customer needs ${label}`;
    const refused = { ...kind('rejected'), excType: 'MandatoryError', refusal, refusedFields: ['custom_industry'] };
    const created = await failureOf(create(helpdesk, { platformOrgId: OrgId.parse('200000999001') }));
    expect(created).toMatchObject(refused);
    expect(`${created} ${JSON.stringify(created)}`).not.toMatch(/Canary|200000999001|Traceback/);
    const record = await readCustomer(helpdesk);
    const error = await failureOf(helpdesk.customers.update(record, { shopPlan: 'OMNI GROW' }, signal));
    expect(error).toMatchObject(refused);
    expect(answerFor(error as HelpdeskError)).toMatchObject({
      code: 'helpdesk_refused',
      message: `The helpdesk refuses what Deskside would write: ${refusal}.`,
      conflict: { code: 'write_refused', asked: '', found: refusal },
    });
  });

  it('for a unique field of the site’s own names it; one by which customers are found means that this one is there', async () => {
    const plan = siteWith({ ...industry, fieldname: 'custom_shopplan_name', label: 'Plan', unique: 1 });
    const { shopPlan, crmCompanyId } = await readCustomer(plan);
    const refusal = 'HD Customer refuses Plan (UniqueValidationError)';
    const refused = await failureOf(create(plan, { shopPlan: shopPlan ?? '' }));
    expect(refused).toMatchObject({ ...kind('rejected'), refusal });
    const id = siteWith({ ...industry, fieldname: 'custom_crm_company_id', label: 'CRM ID', unique: 1 });
    expect(await create(id, { crmCompanyId: crmCompanyId ?? '' })).toBeNull();
  });

  it('for an impossible name says so, for an account that may not write what it may not write', async () => {
    const helpdesk = site.adapter();
    const refusal = 'HD Customer refuses the write (NameError)';
    const named = await failureOf(create(helpdesk, {}, 'a < b'));
    expect(named).toMatchObject({ ...kind('rejected'), excType: 'NameError', refusal });
    const record = await readCustomer(helpdesk);
    // What reads customers, and on neither version writes them.
    site.simulator.setRoles(await helpdesk.people.serviceUser(signal), ['Sales User']);
    const closed = await failureOf(helpdesk.customers.update(record, { shopPlan: 'OMNI GROW' }, signal));
    expect(closed).toMatchObject({ ...kind('rejected'), refusal: "Deskside's account may not write HD Customer" });
  });
});
