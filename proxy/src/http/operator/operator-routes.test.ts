import { operatorContract, operatorHeader } from '@deskside/shared/operator/contract';
import { Hono } from 'hono';
import { expect, it, vi } from 'vitest';
import type { OperatorContext } from '#app/context.ts';
import type { AppEnv } from '#http/context.ts';
import { addOperatorRoutes } from './operator-routes.ts';

const origin = 'https://deskside.example.com';

it('signing out without a session makes nobody known: a stranger keeps to a stranger’s limits', async () => {
  const app = new Hono<AppEnv>();
  addOperatorRoutes(app, { origin, files: [], signInKey: 'key' }, { operatorGate: undefined } as OperatorContext);
  const markKnown = vi.fn();
  const { method, path } = operatorContract.signOut;
  const answer = await app.request(path, { method, headers: { origin, [operatorHeader]: '1' } }, {
    markKnown,
  } as never);
  expect([answer.status, markKnown.mock.calls]).toEqual([200, []]);
});
