import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Words of Frappe Helpdesk and Bitrix24: field names, DocTypes, accounts, events. The contract's own keys are none. */
const vendorWords = /custom_[a-z]|\bUF_|\bHD [A-Z]|DocType|\bToDo\b|Administrator|\bGuest\b|ONCRM|Frappe|Bitrix/;

/** Lines of production code that match, as `folder/file.ts: line`. */
function linesWith(pattern: RegExp, folders: string): string[] {
  const files = globSync(`${folders}/**/*.ts`, { cwd: import.meta.dirname });
  const own = files.filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  expect(own.length).toBeGreaterThan(50);
  return own.flatMap((file) =>
    readFileSync(path.join(import.meta.dirname, file), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

test('domain, app and ports know neither the helpdesk’s nor the CRM’s own words', () => {
  expect(linesWith(vendorWords, '{domain,app,ports}')).toEqual([]);
});

test('one line chooses the CRM', () => {
  const elsewhere = linesWith(/crm-bitrix24\//, '.').filter((line) => !line.startsWith('adapters/crm-bitrix24/'));
  expect(elsewhere).toEqual([
    "config/crm-adapter.ts: export { bitrix24Adapter as crmAdapter } from '#adapters/crm-bitrix24/adapter.ts';",
  ]);
});
