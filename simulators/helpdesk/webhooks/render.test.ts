import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Exchange, recordedExchanges } from '#helpdesk/testing/replay-seed.ts';
import { pythonJson, renderTemplate } from './render.ts';
import { compose } from './sender.ts';

const file = new URL('../../recordings/helpdesk-1.24/webhooks.json', import.meta.url);
const [recorded] = JSON.parse(readFileSync(file, 'utf8')) as [{ headers: Record<string, string>; body: string }];
const signature = 'X-Frappe-Webhook-Signature';

it('what a webhook sends is byte for byte what was recorded, with the recorded signature', () => {
  const created = recordedExchanges('1.24').find(({ name }) => name === 'webhook-create') as Exchange;
  const stamp = '2026-11-21 05:03:45.920547';
  const message = compose(created.request.json as Record<string, unknown> & { name: string }, {
    ...{ name: 3, modified: stamp, creation: stamp, agent_group: null, custom_orgid: null },
    customer: 'Vinamilk Shop - 200000001',
  });
  expect(message).toEqual({ body: recorded.body, headers: { [signature]: recorded.headers[signature] } });
});

it('it carries the signature of the vector in docs/helpdesk.md#webhooks', () => {
  const webhook_json = '{"name":"0001","subject":{{ doc.subject|tojson }},"custom_orgid":null,"n":1,"f":1.0}';
  const webhook = { name: 'x', enable_security: 1, webhook_secret: 's3cret', webhook_json };
  const message = compose(webhook, { subject: 'Héllo / "q"' });
  expect(message?.body).toBe(
    '{"name": "0001", "subject": "H\\u00e9llo / \\"q\\"", "custom_orgid": null, "n": 1, "f": 1.0}',
  );
  expect(message?.headers[signature]).toBe('YGE6LNS9uzTL2MV9V/UNODmRonK36d5aPWvNYULaEZo=');
});

it('it is nothing where the template gives no JSON', () => {
  const broken = { name: 'x', webhook_json: '{"subject":"{{ doc.subject }}"}' };
  expect(compose(broken, { subject: 'a "quoted" word' })).toBeNull();
  expect(compose({ name: 'x', webhook_json: '{{ frappe.db.sql() }}' }, {})).toBeNull();
});

it.each([
  ['{{ doc.name }}/{{doc.subject}}', '0007/a'],
  ['{{ doc.empty }}', 'None'],
  ['{{ doc.no_such_field }}', ''],
  ['{{ doc.zero or doc.empty or "y" }}', 'y'],
  ['{{ (doc.empty or "")|tojson }}', '""'],
  ['{{ doc.number | string | tojson }}', '"3"'],
  ['{{ doc.empty|tojson }} {{ doc.zero | tojson }}', 'null 0'],
])('%s is rendered as %s', (template, text) => {
  expect(renderTemplate(template, { name: '0007', number: 3, subject: 'a', empty: null, zero: 0 })).toBe(text);
});

it.each([
  '{{ doc.name|upper }}',
  '{{ doc.get("x") }}',
  '{{ (doc.name }}',
  '{{ doc.name doc.name }}',
  '{{ }}',
  '{{ doc.empty or doc.name|tojson }}',
])('%s is not understood', (template) => {
  expect(() => renderTemplate(template, { name: '0007' })).toThrow();
});

it.each([
  ['{"b":1,"a":[true,null,{}],"2":-1.50}', '{"b": 1, "a": [true, null, {}], "2": -1.50}'],
  ['"\\u007f\\n\\/\u{1f6d2}<"', '"\\u007f\\n/\\ud83d\\uded2<"'],
  [' [ 1 , "a,b:c" ] ', '[1, "a,b:c"]'],
])('%s is written as %s', (json, text) => {
  expect(pythonJson(json)).toBe(text);
});
