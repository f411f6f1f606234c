import { OrgId } from '@deskside/shared/orgid';
import { expect, test, vi } from 'vitest';
import type { ProxyCaller } from './proxy-caller.ts';
import { createRejectService } from './reject-service.ts';

const failed = { ok: false as const, error: { code: 'timeout' as const, requestId: null } };

test('a rejection and its undo are asked once, and the ticket is forgotten, also after a failure', async () => {
  const call = vi.fn(async () => failed);
  const forget = vi.fn();
  const service = createRejectService(call as unknown as ProxyCaller, forget);
  const target = { ticket: '2', companyId: OrgId.parse('1000069001'), bitrixId: '63001', user: 'an' };
  const reason = { code: 'wrong_id' as const, note: 'x' };
  expect(await service.reject({ ...target, expectedCustomer: null, reason })).toEqual(failed);
  expect(await service.undoRejection({ ticket: '2', rejectionId: 'r1', user: 'an' })).toEqual(failed);
  const asked = {
    ...{ ticket: '2', company_id: '1000069001', bitrix_id: '63001', action: 'reject' },
    ...{ reason: 'wrong_id', note: 'x', expected_customer: '' },
  };
  const undone = { ticket: '2', action: 'undo', rejection_id: 'r1' };
  expect(call.mock.calls).toEqual(
    [asked, undone].map((input) => ['rejectCompany', input, expect.any(AbortSignal), 'an']),
  );
  expect(forget.mock.calls).toEqual([['2'], ['2']]);
});
