import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { chromeKey } from '../../../extension/build/chrome-key.ts';
import { manifestFor } from '../../../extension/build/manifest.ts';
import { specificationFields } from '../adapters/helpdesk-frappe/specification-fields.ts';
import { builtExtensionIds, redirectUriOf, wantedFields, wantedOAuthClient, wantedWebhook } from './wanted.ts';

describe('what is wanted', () => {
  test.each(['HD Ticket', 'HD Customer'] as const)('the fields of %s are those that the service writes', (doctype) => {
    const wanted = wantedFields[doctype].map(({ fieldname }) => fieldname);
    expect(wanted.toSorted()).toEqual([...specificationFields[doctype]].sort());
  });

  test('every wanted type suits, and a Select offers what is written', () => {
    for (const field of Object.values(wantedFields).flat()) {
      expect(field.suits).toContain(field.fieldtype);
      if (field.fieldtype === 'Select') expect(field.options?.split('\n')).toEqual(['', ...(field.values ?? [])]);
    }
  });

  test('the extension ids are those of the build', () => {
    const firefox = manifestFor('firefox', { helpdesk: null, proxy: null });
    const gecko = 'browser_specific_settings' in firefox ? firefox.browser_specific_settings?.gecko.id : undefined;
    const digest = createHash('sha256').update(Buffer.from(chromeKey, 'base64')).digest('hex').slice(0, 32);
    const chromium = digest.replace(/./g, (hex) => String.fromCharCode(97 + Number.parseInt(hex, 16)));
    expect(builtExtensionIds).toEqual({ chrome: chromium, edge: chromium, firefox: gecko });
  });

  test('redirect addresses are those that the browsers make', () => {
    expect(redirectUriOf('edge', builtExtensionIds.edge)).toBe(
      'https://jhjoljfecgnnofpkppemifcbcoihkgho.chromiumapp.org/cb',
    );
    // sha1sum of "id@example"
    expect(redirectUriOf('firefox', 'id@example')).toBe(
      'https://e34292855fc251d66a7ab0d4afe8f6d9f3bf3079.extensions.allizom.org/cb',
    );
    expect(wantedOAuthClient('firefox', 'id@example').app_name).toBe('Deskside (Firefox)');
  });

  test('the body of the webhook holds only texts, also for a name that is a number', () => {
    const body = wantedWebhook('https://deskside.example').webhook_json.replaceAll(/\{\{ doc\.(\w+) \}\}/g, '3');
    expect(JSON.parse(body)).toEqual({ event: 'after_insert', name: '3', modified: '3', creation: '3' });
  });
});
