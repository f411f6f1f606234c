import { expect, it } from 'vitest';
import { type Exchange, recordedExchanges } from '#helpdesk/testing/replay-seed.ts';
import { readScript } from './read-script.ts';

it('a Before Insert script is read for what it does, as provisioning writes it', () => {
  const ours = `# Made by "somebody" who doesn't ask http://here.example
if not doc.agent_group:
    try:
        answer = frappe.make_post_request(
            "https://proxy.example/webhooks/helpdesk/ticket/before-insert",
            headers={"X-Deskside-Secret": "a\\\\b'c"},
            json={"key": str(doc.get("key")), "subject": doc.subject, "user": doc.get("owner")},
        )
        fields = answer["data"]["fields"]
        for field in ["agent_group", "custom_platform_routing_reason"]:
            if fields.get(field):
                doc.set(field, fields.get(field))
    except Exception:
        frappe.log_error("Deskside", "no answer")
`;
  expect(readScript(ours)).toMatchObject({
    ...{ url: 'https://proxy.example/webhooks/helpdesk/ticket/before-insert', secret: "a\\b'c" },
    ...{ skipsWhenSet: 'agent_group', readsEnvelope: true, catches: true, texts: new Set(['key']) },
    sends: Object.entries({ key: 'key', subject: 'subject', user: 'owner' }),
  });
  expect(readScript(ours)?.literals).toContain('custom_platform_routing_reason');
  expect(readScript('doc.agent_group = "CS 60p"')).toBeNull();
});

it('one without an envelope, as recorded', () => {
  const recorded = recordedExchanges('1.24').find(({ name }) => name === 'server-script-create') as Exchange;
  expect(readScript((recorded.request.json as { script: string }).script)).toMatchObject({
    ...{ url: 'http://127.0.0.1:8099/before', secret: null, readsEnvelope: false },
    sends: ['name', 'customer', 'contact', 'custom_orgid', 'raised_by', 'subject'].map((field) => [field, field]),
  });
});
