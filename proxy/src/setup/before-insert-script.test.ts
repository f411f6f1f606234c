import { readScript } from '@deskside/simulators/helpdesk/read-script';
import { describe, expect, test } from 'vitest';
import { desiredFields } from '#helpdesk/desired-fields.ts';
import { scriptText } from './before-insert-script.ts';

const secret = 'a "quoted" \\ secret'.replaceAll(' ', '');
const script = scriptText('https://deskside.example', secret);
const code = script.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').replaceAll(/#.*$/gm, '');

describe('the Before Insert script', () => {
  test('keeps to the Python that Frappe allows', () => {
    expect(code).not.toMatch(/\bimport\b|\bformat\b|\beval\b|\bf"/);
    expect(code).not.toMatch(/\b_\w|\._/);
  });

  test('asks the proxy only for a ticket without a group, with the secret in the header alone', () => {
    const read = readScript(script);
    expect(read).toMatchObject({
      url: 'https://deskside.example/webhooks/helpdesk/ticket/before-insert',
      secret,
      skipsWhenSet: 'agent_group',
      readsEnvelope: true,
      catches: true,
    });
    expect(Object.fromEntries(read?.sends ?? [])).toMatchObject({
      key: 'key',
      owner: 'owner',
      raised_by: 'raised_by',
      custom_orgid: 'custom_orgid',
      custom_store_url: 'custom_store_url',
    });
    expect(script.split(JSON.stringify(secret))).toHaveLength(2);
  });

  test('sets only fields of a closed list, all of them desired or standard', () => {
    const list = /for field in \[([^\]]*)\]/.exec(script)?.[1] ?? '';
    const names = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
    const desired = desiredFields['HD Ticket'].map(({ fieldname }) => fieldname);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(['agent_group', ...desired]).toContain(name);
  });

  test('every failure is caught, and the log is given a message of ours', () => {
    expect(code.indexOf('try:')).toBeLessThan(code.indexOf('make_post_request'));
    expect(code.indexOf('    except Exception as error:')).toBeGreaterThan(code.indexOf('doc.set('));
    expect(code).toMatch(/frappe\.log_error\(\s*"",\s*"" \+ reason \+ ""/);
  });
});
