import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { createEgress } from '#net/egress.ts';
import { closers, failureOf, get, listen } from '#net/testing/servers.ts';
import { openBitrix24 } from './bitrix24.ts';
import { FieldMap } from './company.ts';
import { crmUpstreams } from './crm.ts';
import { findUser } from './testing/kit.ts';

const mebibyte = 2 ** 20;

test.each<[string, string, string | null]>([
  ['of 2 MiB', `{"result":[],"more":"${'x'.repeat(2 * mebibyte - 23)}"}`, null],
  ['of more', `{"result":[],"more":"${'x'.repeat(2 * mebibyte - 22)}"}`, 'larger than 2097152 bytes'],
  ['64 deep', `{"result":[],"more":${'['.repeat(63)}${']'.repeat(63)}}`, null],
  ['deeper', `{"result":[],"more":${'['.repeat(64)}${']'.repeat(64)}}`, 'nested deeper than 64'],
])('an answer of the CRM %s', async (_, body, refused) => {
  const origin = await listen(createServer((_request, response) => response.end(body)));
  const egress = createEgress({ allowInsecure: true });
  closers.push(() => egress.close());
  const upstream = crmUpstreams(egress)(origin);
  if (refused !== null) expect((await failureOf(get(upstream))).reason).toBe(refused);
  const webhookUrls = [`${origin}/rest/1/a-secret/`];
  const crm = openBitrix24({
    webhookUrls,
    responsibleWebhookUrls: webhookUrls,
    portalUrl: null,
    fieldMap: FieldMap.parse({}),
    upstream: () => upstream,
  });
  const answer = await findUser(crm, '7', AbortSignal.timeout(60_000));
  expect(answer).toEqual(refused === null ? { kind: 'empty' } : { kind: 'failed', code: 'bad_answer' });
});
