import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonOf } from '#runtime/json.ts';
import { isNestedDeeper } from './egress.ts';

test('a page is not looked at', () => {
  expect(isNestedDeeper(`<script>${'{'.repeat(100)}</script>`, 64)).toBe(false);
});

test('it is as deep as what JSON.parse makes of it', () => {
  const drawn = fc.oneof(
    fc.json({ maxDepth: 5 }),
    // Seldom JSON, and then full of what could be taken for depth.
    fc.string({ unit: fc.constantFrom('[', ']', '{}', '"', '\\', ',', '1', ' '), maxLength: 12 }),
  );
  fc.assert(
    fc.property(drawn, fc.nat(10), (json, limit) => {
      const value = jsonOf(json);
      fc.pre(value !== undefined);
      expect(isNestedDeeper(json, limit)).toBe(depthOf(value) > limit);
    }),
    { numRuns: 300 },
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
