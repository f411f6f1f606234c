import { demo, keyOf } from '@deskside/simulators/seed/index';
import { describe, type ExpectStatic, test } from 'vitest';
import { startCanaryWorld } from '../canary.ts';

type CanaryWorld = Awaited<ReturnType<typeof startCanaryWorld>>;

/** Has the proxy wait for a helpdesk that hangs, for a caller and for the service account. */
async function hang(world: CanaryWorld, { poll }: ExpectStatic): Promise<void> {
  world.helpdesk.fault = () => 'hang';
  const headers = { authorization: keyOf(demo.agent) };
  void fetch(`${world.url}/api/whoami`, { headers }).catch(() => {});
  void fetch(`${world.url}/readyz`).catch(() => {});
  await poll(() => world.helpdesk.journal.filter(({ status }) => status === 0).length).toBeGreaterThanOrEqual(2);
}

const timeOf = (world: CanaryWorld, message: string | RegExp) => {
  const line = world.lines().find(({ msg }) => (typeof message === 'string' ? msg === message : message.test(msg)));
  return Date.parse(String(line?.time));
};

/** No timer of the proxy that is as long as this fires: what ends all the same has not waited for it. */
const withoutTimersFrom = (ms: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    const { setTimeout } = globalThis, { timeout } = AbortSignal;
    const stretched = (ms) => (ms < ${ms} ? ms : 2 ** 31 - 1);
    globalThis.setTimeout = (then, ms, ...more) => setTimeout(then, stretched(ms), ...more);
    AbortSignal.timeout = (ms) => timeout(stretched(ms))`)}`,
});

// Each waits for a process of its own to end.
describe.concurrent('a proxy', () => {
  test('it stops within its promise though the helpdesk hangs', async ({ expect, onTestFinished }) => {
    // The promise is five seconds; the helpdesk itself would be waited for eight.
    const world = await startCanaryWorld(onTestFinished, withoutTimersFrom(8_000));
    await hang(world, expect);
    world.kill('SIGTERM');
    expect(await world.ended).toBe(0);
    expect(timeOf(world, /^Stopped/)).not.toBeNaN();
  });

  test('it stops at once where nothing is under way, though connections are open', async ({
    expect,
    onTestFinished,
  }) => {
    // A request under way would be given four seconds.
    const world = await startCanaryWorld(onTestFinished, withoutTimersFrom(4_000));
    await fetch(`${world.url}/livez`);
    world.kill('SIGTERM');
    expect(await world.ended).toBe(0);
    expect(timeOf(world, 'Stopped')).not.toBeNaN();
  });

  test('the same Ctrl-C may come twice; a second one ends it', async ({ expect, onTestFinished }) => {
    const world = await startCanaryWorld(onTestFinished);
    await hang(world, expect);
    world.kill('SIGINT');
    world.kill('SIGINT');
    await expect.poll(() => timeOf(world, 'Stopping')).not.toBeNaN();
    const again = setInterval(() => world.kill('SIGINT'), 100);
    onTestFinished(() => clearInterval(again));
    expect(await world.ended).toBe(130);
    expect(timeOf(world, 'Stopped at once') - timeOf(world, 'Stopping')).toBeGreaterThanOrEqual(500);
  });

  test.for([
    [
      'a rejection that nobody handles is logged, and the service goes on',
      'Promise.reject',
      'unhandled_rejection',
      null,
    ],
    ['an exception that nobody catches is logged before the end', 'throw', 'uncaught_exception', 1],
  ])('%s; neither says what the error said', async ([, how, fault, code], { expect, onTestFinished }) => {
    const fails =
      how === 'throw' ? 'throw new Error(process.env.CANARY)' : 'Promise.reject(new Error(process.env.CANARY))';
    const preload = `process.on('SIGUSR2', () => { ${fails}; })`;
    const world = await startCanaryWorld(onTestFinished, {
      CANARY: 's3cr3t',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    });
    world.kill('SIGUSR2');
    await expect.poll(world.lines).toContainEqual(expect.objectContaining({ fault, level: 50, error: 'Error' }));
    if (code === null) expect((await fetch(`${world.url}/livez`)).status).toBe(200);
    else expect(await world.ended).toBe(code);
    expect(world.printed()).not.toContain('s3cr3t');
  });
});
