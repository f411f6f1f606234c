import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseConfig } from '@deskside/proxy/config';
import { startProxy } from '@deskside/proxy/start';
import { demo } from '@deskside/simulators/seed/index';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxyEnvironment } from '../../demo/proxy-environment.ts';
import type { World } from '../../demo/world.ts';
import { nativeRules, openTodos, routedWorld, settle, ticketOf } from '../pipeline-kit.ts';

const stranger = 'khach.la@hopthu.example';

/** A second installation with the same service account, records of its own, and other rules for claims. */
async function secondOn({ helpdesk, crm }: World) {
  const data = await mkdtemp(path.join(tmpdir(), 'deskside-second-'));
  const proxy = await startProxy(
    parseConfig({
      ...proxyEnvironment({ helpdesk }, `file:${data}`),
      CRM_WEBHOOK_URL: crm.webhookUrl,
      RULES_FILE: fileURLToPath(new URL('../rules/propose.json', import.meta.url)),
      LOG_LEVEL: 'silent',
    }),
  );
  onTestFinished(async () => {
    await proxy.close();
    await rm(data, { recursive: true, force: true });
  });
  return proxy.pipeline;
}

describe.each([true, false])('native rules %s', (native) => {
  test('two installations on one helpdesk: every ticket has one assignee, who is of its team', async () => {
    const w = await routedWorld({ environment: { LOG_LEVEL: 'silent' } });
    nativeRules(w, native);
    const second = await secondOn(w);
    await second.sweep();
    const names: string[] = [];
    for (let n = 1; n <= 12; n += 1) {
      const values = { subject: `x${n}`, custom_orgid: n % 2 ? '200000376001' : '1000391001', raised_by: stranger };
      names.push(await w.helpdesk.insertTicket(demo.service.name, values));
    }
    await second.sweep();
    await Promise.all([settle(w), second.processInbox()]);
    await Promise.all([settle(w), second.processInbox()]);
    for (const name of names) {
      const todos = await openTodos(w, name);
      const team = w.helpdesk.document('HD Team', ticketOf(w, name).group ?? '');
      const members = ((team?.users ?? []) as { user: string }[]).map(({ user }) => user);
      expect([name, todos.length]).toEqual([name, 1]);
      expect(members).toContain(todos[0]?.allocated_to);
    }
  });
});
