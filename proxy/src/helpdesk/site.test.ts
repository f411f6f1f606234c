import { describe, expect, it, test } from 'vitest';
import { silent } from '#testing/quiet.ts';
import { HelpdeskError } from './errors.ts';
import { Site, type SiteOptions } from './site.ts';
import { inProcess } from './testing/in-process.ts';

const { signal } = new AbortController();
function siteWith(signs: SiteOptions['signs'] = { emit() {} }): Site {
  const upstream = inProcess(async () => new Response());
  return new Site({ upstream, serviceKey: 'key:secret', logger: silent, clock: Date.now, signs });
}
const deadlock = () => new HelpdeskError('unavailable', 'deadlock', { excType: 'QueryDeadlockError' });

describe('writes', () => {
  it('to one document run one after another, to different documents at once', async () => {
    const site = siteWith();
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    let total = 0;
    let maxTotal = 0;
    const write = (document: string) => async () => {
      running.set(document, (running.get(document) ?? 0) + 1);
      total += 1;
      most.set(document, Math.max(most.get(document) ?? 0, running.get(document) ?? 0));
      maxTotal = Math.max(maxTotal, total);
      await new Promise((resolve) => setImmediate(resolve));
      total -= 1;
      running.set(document, (running.get(document) ?? 0) - 1);
    };
    const documents = ['a', 'b', 'a', 'b', 'a', 'b'];
    await Promise.all(documents.map((document) => site.write('HD Ticket', document, signal, write(document))));
    expect([most.get('a'), most.get('b'), maxTotal]).toEqual([1, 1, 2]);
  });

  it('keep their order, and one that fails does not stop the next', async () => {
    const site = siteWith();
    const order: number[] = [];
    const results = await Promise.allSettled(
      [1, 2, 3].map((n) =>
        site.write('HD Ticket', 'a', signal, async () => {
          order.push(n);
          if (n === 2) throw new HelpdeskError('rejected', 'no');
          return n;
        }),
      ),
    );
    expect(order).toEqual([1, 2, 3]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('that the database gave up on are tried again, four times at most', async () => {
    const site = siteWith();
    let tries = 0;
    const failing = (times: number) => async () => {
      tries += 1;
      if (tries <= times) throw deadlock();
      return tries;
    };
    expect(await site.write('HD Ticket', 'a', signal, failing(3))).toBe(4);
    tries = 0;
    await expect(site.write('HD Ticket', 'a', signal, failing(9))).rejects.toMatchObject({
      excType: 'QueryDeadlockError',
    });
    expect(tries).toBe(4);
  });

  it('that were refused for another reason are not tried again', async () => {
    const site = siteWith();
    let tries = 0;
    const refused = site.write('HD Ticket', 'a', signal, async () => {
      tries += 1;
      throw new HelpdeskError('forbidden', 'no', { excType: 'PermissionError' });
    });
    await expect(refused).rejects.toMatchObject({ kind: 'forbidden' });
    expect(tries).toBe(1);
  });

  it('end with the reason of the signal between two tries, and before the first', async () => {
    const site = siteWith();
    const controller = new AbortController();
    const reason = new Error('stopping');
    const first = site.write('HD Ticket', 'a', controller.signal, async () => {
      controller.abort(reason);
      throw deadlock();
    });
    let started = false;
    const second = site.write('HD Ticket', 'a', controller.signal, async () => {
      started = true;
    });
    await expect(first).rejects.toBe(reason);
    await expect(second).rejects.toBe(reason);
    expect(started).toBe(false);
  });

  it('to tickets are told of once nothing more comes of them, whatever came of them', async () => {
    const told: string[] = [];
    const site = siteWith({ emit: (_, ticket) => told.push(ticket) });
    await site.write('HD Ticket', '1', signal, async () => expect(told).toEqual([]));
    await site.write('HD Customer', 'a', signal, async () => {});
    const failed = site.write('HD Ticket', '2', signal, () =>
      Promise.reject(new HelpdeskError('timeout', 'no answer')),
    );
    await expect(failed).rejects.toMatchObject({ kind: 'timeout' });
    expect(told).toEqual(['1', '2']);
  });
});

test('one who gives up ends neither the reading nor the waiting of others', async () => {
  const answers: ((value: string) => void)[] = [];
  const read = () => new Promise<string>((answer) => answers.push(answer));
  const it = siteWith().metadata('It', read);
  const giveUp = new AbortController();
  const [given, waiting] = [it.get(giveUp.signal), it.get(signal)];
  giveUp.abort(new Error('enough'));
  await expect(given).rejects.toThrow('enough');
  answers[0]?.('read');
  expect(await waiting).toBe('read');
  expect(answers).toHaveLength(1);
});
