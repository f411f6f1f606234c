import { expect, test } from 'vitest';
import { memoryBy } from '#runtime/lru-memory.ts';
import { fakeClock } from '#testing/quiet.ts';
import { rememberMeta } from './store-meta.ts';
import type { StoreMetaAnswer } from './store-meta-port.ts';

function setUp(answer: Partial<StoreMetaAnswer>) {
  const clock = fakeClock();
  const asked: string[] = [];
  const meta = rememberMeta(
    {
      async read(host) {
        asked.push(host);
        return { address: `https://${host}/meta.json`, ...answer } as StoreMetaAnswer;
      },
    },
    memoryBy(clock),
  );
  const read = (host: string) => meta.read(host, new AbortController().signal);
  return { clock, asked, read };
}

test.each([
  ['found', { kind: 'found', orgId: '1', domains: [], name: null }, 300_000],
  ['none', { kind: 'none', why: 'not_found' }, 300_000],
  ['failed', { kind: 'failed', why: 'timeout' }, 50_000],
] as [string, Partial<StoreMetaAnswer>, number][])(
  'an answer %s is remembered for a while, for its host alone',
  async (_, answer, forMs) => {
    const { clock, asked, read } = setUp(answer);
    const first = await read('a.example');
    clock.advance(forMs - 1);
    expect(await read('a.example')).toEqual(first);
    await read('b.example');
    expect(asked).toEqual(['a.example', 'b.example']);
    clock.advance(1);
    await read('a.example');
    expect(asked).toHaveLength(3);
  },
);
