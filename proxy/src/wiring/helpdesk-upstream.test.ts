import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { parseConfig } from '#config/environment.ts';
import { createEgress } from '#net/egress.ts';
import { closers, listen } from '#net/testing/servers.ts';
import { wireHelpdeskUpstream } from './helpdesk-upstream.ts';

test('a refusal of the service account is reported whoever asks as it; a refused caller is not', async () => {
  const statuses = [200, 401, 403, 401];
  const url = await listen(createServer((_, response) => response.writeHead(statuses.shift() ?? 200).end('{}')));
  const egress = createEgress({ allowInsecure: true });
  closers.push(() => egress.close());
  const config = parseConfig({
    ...{ HELPDESK_URL: url, HELPDESK_API_KEY: 'key', HELPDESK_API_SECRET: 'the-secret', ALLOW_INSECURE_UPSTREAMS: '1' },
  });
  let refused = 0;
  const upstream = wireHelpdeskUpstream(config, egress, () => {
    refused += 1;
  });
  const ask = async (authorization: string) => {
    const { signal } = new AbortController();
    await upstream.request({ method: 'GET', path: '/', headers: { authorization }, signal });
    return refused;
  };
  const service = 'token key:the-secret';
  expect(await ask(service)).toBe(0);
  expect(await ask('token agent:their-secret')).toBe(0);
  expect(await ask(service)).toBe(0);
  expect(await ask(service)).toBe(1);
});
