import { expect, test } from 'vitest';
import { draftOf } from '#adapters/store-sql/testing/decision-draft.ts';
import { fakeDecisions } from '#app/testing/fake-pipeline-store.ts';
import { countedDecisions } from './metrics.ts';

test('a decision is counted when it is recorded, but not again when it is taken over after a restore', async () => {
  const counted: string[] = [];
  const decisions = countedDecisions(fakeDecisions(), { ticketDecided: ({ ticket }) => void counted.push(ticket) });
  await decisions.add(draftOf('decided'), 0, null);
  await decisions.add({ ...draftOf('taken over'), state: 'applied' }, 0, null);
  expect(await decisions.latest('taken over')).not.toBeNull();
  expect(counted).toEqual(['decided']);
});
