import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A Firefox in a profile of its own, driven by WebDriver BiDi; closing it removes the profile. */
export interface Firefox {
  /** Sends a command of the protocol. Throws what Firefox says against it. */
  send<T>(method: string, params: object): Promise<T>;
  close(): Promise<void>;
}

/** Preferences: what is asked of a person is allowed, as by a click on Allow. */
const preferences = {
  'extensions.webextOptionalPermissionPrompts': false,
  'intl.accept_languages': 'en-US',
  'datareporting.policy.dataSubmissionEnabled': false,
};

/** Starts it without a window. */
export async function launchFirefox(executablePath: string): Promise<Firefox> {
  const profile = await mkdtemp(path.join(tmpdir(), 'deskside-firefox-'));
  const lines = Object.entries(preferences).map(
    (pair) => `user_pref(${pair.map((x) => JSON.stringify(x)).join(', ')});`,
  );
  await writeFile(path.join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
  const browser = spawn(executablePath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => browser.once('exit', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    browser.once('error', reject);
    browser.once('exit', (code) => reject(new Error(`Firefox ended with ${code}: ${said.slice(-1000)}`)));
    browser.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found?.[1]) resolve(found[1]);
    });
  });
  const send = await connect(`${address}/session`);
  await send('session.new', { capabilities: {} });
  return {
    send,
    async close() {
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Answer {
  id: number;
  type: string;
  result: unknown;
  error?: string;
  message?: string;
}

async function connect(url: string): Promise<Firefox['send']> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`No connection to ${url}`)), { once: true });
  });
  return async <T>(method: string, params: object) => {
    last += 1;
    const id = last;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result as T;
  };
}
