import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { needs } from '@deskside/testing/needs';
import { describe, expect, test } from 'vitest';
import { scriptText, trialText } from './before-insert-script.ts';

const secret = 'before-insert-secret';
const script = scriptText('https://deskside.example', secret);
const runner = fileURLToPath(new URL('../testing/server_script.py', import.meta.url));

/** How the proxy answers: with a value, with an error status, or, without either, not at all. */
type Answer = { value: unknown } | { status: number } | Record<string, never>;

interface ScriptRun {
  sent: { url: string; headers: Record<string, string>; body: string }[];
  fields: Record<string, unknown>;
  logged: [title: string, message: string][];
  response: object;
}

needs('restrictedpython')('the Before Insert script, run as Frappe runs it', (python) => {
  function run(
    answer: Answer,
    values: Record<string, unknown> = {},
    text = script,
    customers: Record<string, unknown>[] = [],
  ): ScriptRun {
    const input = JSON.stringify({ script: text, values, answer, teams: ['CS 60p', 'CS "60p"'], customers });
    const { status, stdout, stderr } = spawnSync(python, [runner], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return JSON.parse(stdout) as ScriptRun;
  }

  test('sends what the new ticket has, its key as text, and sets what is answered', () => {
    const fields = { agent_group: 'CS 60p', custom_customer_segment: '', custom_orgid: '12', priority: 'High' };
    const ran = run({ value: { success: true, data: { fields } } }, { subject: 'Lỗi in', custom_orgid: 200000376001 });
    expect(ran.fields).toEqual({ agent_group: 'CS 60p' });
    expect(ran.logged).toEqual([]);
    const [request] = ran.sent;
    expect(request).toMatchObject({
      url: 'https://deskside.example/webhooks/helpdesk/ticket/before-insert',
      headers: { 'X-Deskside-Secret': secret },
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      subject: 'Lỗi in',
      owner: 'vy@shop.example',
      raised_by: null,
      custom_orgid: 200000376001,
    });
  });

  test.each([
    ['the one that has it', ['12'], { customer_segment: 'Medium', customer_shop_plan: 'Scale 1' }],
    ['none of several that have it', ['12', '12'], { customer_segment: null, customer_shop_plan: null }],
    ['none of another org id', ['1'], { customer_segment: null, customer_shop_plan: null }],
  ])('sends segment and plan of the customer with the ticket’s org id: %s', (_, orgIds, sent) => {
    const customers = orgIds.map((custom_platform_orgid) => ({
      ...{ custom_platform_orgid, custom_customer_segment: 'Medium', custom_shopplan_name: 'Scale 1' },
    }));
    const ran = run({ value: { data: { fields: {} } } }, { custom_orgid: 12 }, script, customers);
    expect(ran.logged).toEqual([]);
    expect(JSON.parse(ran.sent[0]?.body ?? '')).toMatchObject(sent);
  });

  test('sets nothing where the team does not exist: a link to nothing would keep the ticket from being saved', () => {
    const fields = { agent_group: 'Medium - Grow', custom_platform_profile_status: 'Complete' };
    expect(run({ value: { data: { fields } } })).toMatchObject({ fields: {}, logged: [] });
  });

  test('asks nobody for a ticket that has a group', () => {
    expect(run({ status: 500 }, { agent_group: 'CS 60p' })).toEqual({
      sent: [],
      fields: {},
      logged: [],
      response: {},
    });
  });

  test.each<[string, Answer, string]>([
    ['an error of the proxy', { status: 502 }, 'HTTPError, HTTP 502'],
    ['a secret that is not taken', { status: 401 }, 'HTTPError, HTTP 401'],
    ['nobody there', {}, 'ConnectionError'],
    ['an empty answer', { value: null }, 'TypeError'],
    ['an answer of something else', { value: { message: 'hello' } }, 'KeyError'],
    ['a page', { value: '<html>' }, 'TypeError'],
  ])('%s: the ticket is saved, and the Error Log says what happened but no secret', (_what, answer, says) => {
    const { fields, logged } = run(answer);
    expect(fields).toEqual({});
    expect(logged).toEqual([
      ['Deskside: before insert', `Deskside's answer could not be used (${says}); the ticket was saved as it came.`],
    ]);
    expect(JSON.stringify(logged)).not.toContain(secret);
  });

  describe('its trial', () => {
    const trial = trialText('https://deskside.example', secret);
    const routed = { value: { success: true, data: { fields: { agent_group: 'CS "60p"' } } } };

    test('sends what the script sends, and answers with the group', () => {
      const [sent, ofTicket] = [run(routed, {}, trial), run(routed)].map((ran) => ran.sent[0]);
      expect(sent).toMatchObject({ url: ofTicket?.url, headers: ofTicket?.headers });
      expect(Object.keys(JSON.parse(sent?.body ?? ''))).toEqual(Object.keys(JSON.parse(ofTicket?.body ?? '')));
      expect(run(routed, {}, trial).response).toEqual({ message: { failure: null, group: 'CS "60p"' } });
    });

    test('answers what failed, which nothing logs', () => {
      const ran = run({ status: 403 }, {}, trial);
      expect(ran.response).toEqual({ message: { failure: 'HTTPError, HTTP 403', group: null } });
      expect(ran.logged).toEqual([]);
    });
  });
});
