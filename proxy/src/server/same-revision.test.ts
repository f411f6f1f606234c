import { contract } from '@deskside/shared/contract';
import { contractRevision, revisionHeader } from '@deskside/shared/revision';
import { expect, test } from 'vitest';
import { testApp } from './testing/test-app.ts';

const app = testApp({
  verbs: { routingDecisions: async ({ ticket }) => ({ ticket, decisions: [], names: {} }) },
});
const ask = (headers: Record<string, string>) =>
  app.request(`${contract.routingDecisions.path}?ticket=7`, { headers: { authorization: 'Bearer t', ...headers } });

test('an extension of this revision is served, and so is who names none', async () => {
  expect((await ask({ [revisionHeader]: String(contractRevision) })).status).toBe(200);
  expect((await ask({})).status).toBe(200);
});

test.each(['', '1', String(contractRevision - 1), String(contractRevision + 1), 'two'])(
  'revision %j is told that extension and proxy do not fit together, before anything is done',
  async (revision) => {
    const response = await ask({ [revisionHeader]: revision });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      data: { code: 'other_revision' },
      message: expect.stringContaining('versions that do not work together'),
    });
  },
);
