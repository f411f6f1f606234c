import type { SyncData } from '@deskside/shared/enrichment';
import type { OrgId } from '@deskside/shared/orgid';
import { expect, test, vi } from 'vitest';
import type { ProxyCaller, ProxyResult } from './proxy-caller.ts';
import { createSyncService } from './sync-service.ts';

const target = { ticket: '2', companyId: '1000069001' as OrgId, bitrixId: '63001', adopt: 'Acme' };
const failed: ProxyResult<SyncData> = { ok: false, error: { code: 'helpdesk_timeout', requestId: 'r1' } };

function setUp() {
  const asked: {
    endpoint: string;
    input: unknown;
    signal: AbortSignal;
    user: string | null;
    answer: (result: unknown) => void;
  }[] = [];
  const call = ((endpoint, input, signal, user) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    asked.push({ endpoint, input, signal, user, answer: resolve });
    return promise as never;
  }) as ProxyCaller;
  const forget = vi.fn();
  return { syncs: createSyncService(call, forget), asked, forget };
}

test('a preview asks what would change and leaves cached profiles alone', async () => {
  const { syncs, asked, forget } = setUp();
  const result = syncs.preview({ ...target, tabId: 7, user: 'an', call: 'c' });
  expect(asked).toMatchObject([
    {
      endpoint: 'syncTicketCustomer',
      input: { ticket: '2', company_id: '1000069001', bitrix_id: '63001', adopt: 'Acme', action: 'preview' },
    },
  ]);
  asked[0]?.answer(failed);
  expect(await result).toEqual(failed);
  expect(forget).not.toHaveBeenCalled();
});

test('only the tab that asked can cancel its preview, and only until it is answered', () => {
  const { syncs, asked } = setUp();
  void syncs.preview({ ...target, tabId: 7, user: 'an', call: 'c' });
  syncs.cancel(8, 'c');
  syncs.cancel(7, 'd');
  expect(asked[0]?.signal.aborted).toBe(false);
  syncs.cancel(7, 'c');
  expect(asked[0]?.signal.aborted).toBe(true);
});

test.each(['apply', 'undo'] as const)(
  '%s asks once, and forgets the ticket when it has ended, also badly',
  async (action) => {
    const { syncs, asked, forget } = setUp();
    const result =
      action === 'apply'
        ? syncs.apply({ ...target, user: 'an', expectedCustomer: 'Shop', moveTo: 'Medium - Scale' })
        : syncs.undo({ ticket: '2', user: 'an', syncId: 's1' });
    expect(forget).not.toHaveBeenCalled();
    asked[0]?.answer(failed);
    expect(await result).toEqual(failed);
    expect(forget).toHaveBeenCalledExactlyOnceWith('2');
    expect(asked.map(({ user }) => user)).toEqual(['an']);
    expect(asked[0]?.input).toEqual(
      action === 'apply'
        ? {
            ticket: '2',
            company_id: '1000069001',
            bitrix_id: '63001',
            adopt: 'Acme',
            expected_customer: 'Shop',
            move_to: 'Medium - Scale',
            action,
          }
        : { ticket: '2', sync_id: 's1', action },
    );
  },
);
