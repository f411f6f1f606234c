import { describe, expect, it } from 'vitest';
import { type Exchange, recordedExchanges } from '#helpdesk/testing/replay-seed.ts';
import { apiAnswer, readScript } from './read.ts';

const ours = `# Made by "somebody" who doesn't ask http://here.example
if not doc.agent_group:
    try:
        answer = frappe.make_post_request(
            "https://proxy.example/webhooks/helpdesk/ticket/before-insert",
            headers={"X-Deskside-Secret": "a\\\\b'c"},
            json={
                "key": str(doc.get("key")),
                "subject": doc.subject,
                "user": frappe.session.user,
            },
        )
        fields = answer["data"]["fields"]
        for field in ["agent_group", "custom_platform_routing_reason"]:
            if fields.get(field):
                doc.set(field, fields.get(field))
    except Exception:
        frappe.log_error("Deskside", "no answer")
`;

describe('a Before Insert script is read for what it does', () => {
  it('with an envelope, as provisioning writes it', () => {
    expect(readScript(ours)).toMatchObject({
      url: 'https://proxy.example/webhooks/helpdesk/ticket/before-insert',
      secret: "a\\b'c",
      skipsWhenSet: 'agent_group',
      sends: [
        ['key', 'key'],
        ['subject', 'subject'],
        ['user', 'owner'],
      ],
      readsEnvelope: true,
      catches: true,
    });
    expect(readScript(ours)?.texts).toEqual(new Set(['key']));
    expect(readScript(ours)?.literals).toContain('custom_platform_routing_reason');
  });

  it('without one, as recorded', () => {
    const recorded = recordedExchanges('1.24').find(({ name }) => name === 'server-script-create') as Exchange;
    const { script } = recorded.request.json as { script: string };
    expect(readScript(script)).toMatchObject({
      url: 'http://127.0.0.1:8099/before',
      secret: null,
      readsEnvelope: false,
      sends: ['name', 'customer', 'contact', 'custom_orgid', 'raised_by', 'subject'].map((field) => [field, field]),
    });
  });

  it('where it lists no pairs, everything that it mentions goes along', () => {
    const script =
      'r = frappe.make_post_request("http://p.example", json=told)\nif doc.custom_store_url: doc.set("x", 1)';
    const read = readScript(script);
    expect(read?.catches).toBe(false);
    expect(read?.sends.map(([key]) => key)).toEqual([
      ...['key', 'subject', 'owner', 'raised_by', 'customer', 'contact', 'custom_orgid', 'agent_group'],
      'custom_store_url',
    ]);
  });

  it('one that asks nobody is not read', () => {
    expect(readScript('doc.agent_group = "CS 60p"')).toBeNull();
  });
});

it.each([
  ['frappe.response["message"] = "pong"', 'pong'],
  ["frappe.response['message'] = 'pong'", 'pong'],
  ['x = 1', null],
])('an API script %s answers %s', (script, answer) => {
  expect(apiAnswer(script)).toBe(answer);
});
