import { expect, test } from 'vitest';
import type { MissingAnchor } from '#store/missing-anchors.ts';
import type { ReadRecords } from './records.ts';
import { gatherTicketPage, judgeTicketPage } from './ticket-page.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const missing = { anchor: 'ticket_header', extension: '0.1.0', helpdesk: '1.29.0', at: noon };
const told = (...missing: MissingAnchor[]): ReadRecords<'missingAnchors'> => {
  return (read) => read({ missingAnchors: { list: async () => missing } });
};

test('what an extension did not find lately is a warning that names both versions and the day', async () => {
  const records = told(missing, { ...missing, anchor: 'older', at: noon - 2 });
  const { findings, passed } = judgeTicketPage(await gatherTicketPage(records, noon - 1));
  expect(findings).toEqual([
    {
      code: 'ticket_page_changed',
      severity: 'warning',
      problem:
        'Extension 0.1.0 has not found "ticket_header" on the ticket page of Helpdesk 1.29.0, last on 2026-11-20.',
      remedy: 'Install a newer extension; if there is none, report both versions.',
    },
  ]);
  expect(passed).toEqual([]);
});

test('without a report, or without records at all, all is well', async () => {
  for (const records of [told(), async () => null]) {
    const { findings, passed } = judgeTicketPage(await gatherTicketPage(records, noon));
    expect(findings).toEqual([]);
    expect(passed).toHaveLength(1);
  }
});
