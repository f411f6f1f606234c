import type { OrgId } from '@deskside/shared/orgid';
import { expect, test } from 'vitest';
import { AppError } from '#runtime/app-error.ts';
import { enrichmentWorld, otherAgent } from '#testing/enrichment-kit.ts';
import { notFound } from '#testing/sample-companies.ts';

test('who posts hundreds of org ids fills a short queue and is told to come back; other agents are served', async () => {
  const w = enrichmentWorld();
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  w.crm.hold = promise;
  w.crm.answer = () => notFound;
  const orgIds = Array.from({ length: 500 }, (_, i) => String(300_000_000 + i) as OrgId);
  const posted = orgIds.map((orgId) => w.enrich({ orgId }).catch((error: unknown) => error));
  // The last one is refused at once, while the first are still being looked up.
  expect(await posted.at(-1)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
  const other = w.enrich({ caller: otherAgent, orgId: '1000069002' as OrgId });
  await expect.poll(() => w.asked.some(({ orgId }) => orgId === '1000069002')).toBe(true);
  expect(w.asked.length).toBeLessThanOrEqual(33);
  letGo();
  expect(await other).toMatchObject({ status: 'not_found' });
  const refused = (await Promise.all(posted)).filter((answer) => answer instanceof AppError);
  expect(refused.length).toBe(500 - 232);
  expect(await w.enrich({ orgId: orgIds[499] })).toMatchObject({ status: 'not_found' });
});
