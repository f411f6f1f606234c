import { expect, test } from 'vitest';
import { pipelineWorld, withOrgId } from '#app/testing/pipeline/pipeline-kit.ts';
import { cs, grow, routingConfig, scale } from '#app/testing/pipeline/pipeline-rules.ts';
import { growing, medium } from '#app/testing/sample-companies.ts';
import { settingKinds } from '#config/settings-catalogue.ts';
import type { RoutingConfig } from '#domain/routing/decide-routing.ts';
import { memoryStore } from '#store/testing/memory-store.ts';
import { previewRule } from './preview-rule.ts';

const lan = { name: 'lan@desk.example', mayChangeSettings: true };

/** Three tickets, and what a rule would have made of them; the values of the store are rules, as JSON. */
async function setUp() {
  const w = pipelineWorld();
  for (const [ticket, orgId] of [
    ['1', medium],
    ['2', growing],
    ['3', null],
  ] as const) {
    w.desk.insert(ticket, withOrgId(orgId));
    await w.run(ticket);
  }
  const routingUnder = (stored: Readonly<Record<string, string>>): RoutingConfig => ({
    ...routingConfig,
    ...Object.fromEntries(Object.entries(stored).map(([name, text]) => [name, JSON.parse(text)])),
  });
  const { settings: store } = memoryStore();
  const settings = { store, kinds: settingKinds, sealer: null, routingUnder };
  return { w, store, ctx: { decisions: w.decisions, settings } };
}

test('a rule says where the latest tickets would have gone under it, and changes nothing', async () => {
  const { w, ctx } = await setUp();
  const before = structuredClone(w.decisions.all);
  const value = JSON.stringify({ scale: ['grow'], grow: ['scale'] });
  expect(await previewRule(ctx, { actor: lan, name: 'plan_words', value })).toEqual({
    looked: 3,
    moved: 2,
    untold: 0,
    ways: expect.arrayContaining([
      { from: scale, to: grow, tickets: 1 },
      { from: grow, to: scale, tickets: 1 },
    ]),
  });
  expect(w.decisions.all).toEqual(before);
  expect(await ctx.settings.store.version()).toBe(0);
});

test('without its value in the store a rule is the default again; other values stay as they are', async () => {
  const { ctx, store } = await setUp();
  const edit = (name: 'medium_segments' | 'plan_words', value: string) => ({
    name,
    slot: 'current' as const,
    action: 'set' as const,
    old: null,
    new: value,
    default: null,
    row: { value, isSealed: false },
  });
  const edits = [edit('medium_segments', '["Nobody"]'), edit('plan_words', '{"scale":["grow"],"grow":["scale"]}')];
  await store.change(edits, { since: 0, at: 0, author: 'x' });
  const { moved, ways } = await previewRule(ctx, { actor: lan, name: 'plan_words', value: null });
  expect(moved).toBe(2);
  expect(ways.map(({ to }) => to)).toEqual([cs, cs]);
});

test('a value that could not be set is refused with each part that is wrong, and nobody else may ask', async () => {
  const { ctx } = await setUp();
  const wrong = JSON.stringify({ sme: '', medium_scale: '' });
  await expect(previewRule(ctx, { actor: lan, name: 'teams', value: wrong })).rejects.toMatchObject({
    why: 'refused',
    remarks: [
      { code: 'value_unusable', params: { at: 'teams.medium_scale' } },
      { code: 'value_unusable', params: { at: 'teams.sme' } },
    ],
  });
  const manager = { name: 'binh@desk.example', mayChangeSettings: false };
  await expect(previewRule(ctx, { actor: manager, name: 'claims', value: 'accept' })).rejects.toMatchObject({
    why: 'not_allowed',
  });
});
