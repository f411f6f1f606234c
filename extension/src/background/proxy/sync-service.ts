import type { Input } from '@deskside/shared/contract';
import type { SyncResult, SyncTarget } from '#messaging/protocol.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import { createRejectService } from './reject-service.ts';

/** The company on screen, and the customer made by hand that the agent says it is. */
type Adopting = SyncTarget & { adopt: string | null };

/** Whom the page that asks shows. */
interface Asker {
  user: string;
}

/**
 * Sync customer for tabs, and Wrong customer. Nothing is retried automatically. A preview can be cancelled; a write always runs to its end,
 * because the effect of an aborted one would be unknown. After a write, `forget` is called for the ticket, whatever the
 * result.
 */
export function createSyncService(call: ProxyCaller, forget: (ticket: string) => void) {
  const previews = new Map<string, AbortController>();
  const keyOf = (tabId: number, id: string) => JSON.stringify([tabId, id]);

  async function ask(input: Input<'syncTicketCustomer'>, user: string, signal: AbortSignal): Promise<SyncResult> {
    const result = await call('syncTicketCustomer', input, signal, user);
    return result.ok ? { ok: true, sync: result.data } : result;
  }

  function write(input: Input<'syncTicketCustomer'> & { ticket: string }, user: string): Promise<SyncResult> {
    return ask(input, user, new AbortController().signal).finally(() => forget(input.ticket));
  }

  return {
    async preview({
      tabId,
      call: id,
      user,
      ...target
    }: Adopting & Asker & { tabId: number; call: string }): Promise<SyncResult> {
      const key = keyOf(tabId, id);
      const abort = new AbortController();
      previews.set(key, abort);
      try {
        return await ask({ ...asked(target), action: 'preview' }, user, abort.signal);
      } finally {
        previews.delete(key);
      }
    },

    apply: ({
      expectedCustomer,
      moveTo,
      user,
      ...target
    }: Adopting & Asker & { expectedCustomer: string | null; moveTo: string | null }) =>
      write({ ...asked(target), expected_customer: expectedCustomer ?? '', move_to: moveTo, action: 'apply' }, user),

    undo: ({ ticket, syncId, user }: Asker & { ticket: string; syncId: string }) =>
      write({ ticket, sync_id: syncId, action: 'undo' }, user),

    ...createRejectService(call, forget),

    /** Cancels a preview. */
    cancel(tabId: number, id: string): void {
      previews.get(keyOf(tabId, id))?.abort();
    },
  };
}

export type SyncService = ReturnType<typeof createSyncService>;

function asked({ ticket, companyId, bitrixId, adopt }: Adopting) {
  return { ticket, company_id: companyId, bitrix_id: bitrixId, adopt };
}
