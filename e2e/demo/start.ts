import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { demo } from '@deskside/simulators/seed/index';
import { buildExtension } from '../browser/build-extension.ts';
import { ensureChromium } from '../browser/ensure-chromium.ts';
import { findChromium } from '../browser/find-chromium.ts';
import { launchWithExtension } from '../browser/launch.ts';
import { type DemoWorld, startWorld } from './world.ts';

/** `npm start`: the whole product at work, with simulators for helpdesk and CRM. Ctrl-C ends all of it. */
const { values: options } = parseArgs({
  options: {
    generation: { type: 'string', default: '1.28' },
    ticket: { type: 'string', default: demo.tickets.matched },
    headless: { type: 'boolean', default: false },
  },
});
if (options.generation !== '1.24' && options.generation !== '1.28') fail('--generation is 1.24 or 1.28.');

const { tickets } = demo;
const worthALook = [
  [tickets.matched, 'a confirmed customer with a running plan'],
  [tickets.claimed, "a stranger who typed this customer's org id"],
  [tickets.forgedLink, 'a portal customer who linked himself to it'],
  [tickets.planExpiringSoon, 'a plan that ends soon'],
  [tickets.ownerDismissed, 'an account owner who has left'],
  [tickets.newerOfTwo, 'two companies under one org id'],
  [tickets.notFound, 'an org id that the CRM does not know'],
  [tickets.missingOrgId, 'no org id at all'],
  [tickets.hostileText, 'text that must stay text'],
] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'deskside-demo-'));
const cleanUp: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0));

try {
  const world = await startWorld({
    generation: options.generation === '1.24' ? '1.24' : '1.28',
    data: path.join(folder, 'data'),
    pipeline: true,
    claims: 'accept',
  });
  cleanUp.unshift(world.close);
  const routed = await routeOne(world);
  const ticketUrl = `${world.helpdesk.url}/helpdesk/tickets/${options.ticket}`;
  console.log('Building the extension…');
  const extension = await buildExtension({
    out: path.join(folder, 'extension'),
    helpdeskOrigin: world.helpdesk.url,
    proxyOrigin: world.proxyUrl,
  });

  const hasScreen =
    process.platform === 'win32' ||
    process.platform === 'darwin' ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const headless = options.headless || !hasScreen;
  const executablePath = (await ensureChromium()) ? findChromium() : null;
  const browser = executablePath && (await openBrowser(executablePath, extension, headless));
  if (browser) {
    cleanUp.unshift(browser.close);
    await browser.context.addCookies([
      { name: 'sid', value: world.helpdesk.sessionFor(demo.agent.name), url: world.helpdesk.url },
    ]);
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    await page.goto(ticketUrl);
    browser.context.on('close', () => void end(0));
  }
  console.log(`
Deskside is running.

  Ticket     ${ticketUrl}
  Helpdesk   ${world.helpdesk.url}/helpdesk   (simulated Frappe Helpdesk ${world.helpdesk.generation})
  CRM        ${world.crm.url}   (simulated Bitrix24)
  Proxy      ${world.proxyUrl}
  Extension  ${extension}

  Sign in as ${demo.agent.name} with the password ${demo.agent.password}

${browserLine(Boolean(browser), headless)}

  Try: press Customer Profile in the ticket's header; open its menu and press Refresh CRM Profile;
  go to the next ticket while the panel is open. Some tickets worth a look:
${worthALook.map(([ticket, why]) => `    ${ticket.padEnd(8)}${why}`).join('\n')}
    ${routed.padEnd(8)}came in just now and was routed: see "Why this team?" at the bottom of its panel
  A new ticket of your own, to be routed a second later:
    curl -s ${world.helpdesk.url}/api/resource/HD%20Ticket -H 'Authorization: token ${demo.agent.apiKey}:${demo.agent.apiSecret}' \\
      -H 'Content-Type: application/json' -d '{"subject":"Không in được đơn","raised_by":"owner@caphesuongnui.example","custom_orgid":"1000391001"}'

Ctrl-C stops everything and removes what it made.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await end(1);
}

/** A customer writes while the demo starts, so that there is a decision to look at. */
async function routeOne({ helpdesk, pipeline }: DemoWorld): Promise<string> {
  const values = {
    subject: 'Đơn hàng không đồng bộ sang kho',
    description: '<p>Từ sáng nay.</p>',
    custom_orgid: '200000376001',
  };
  const name = await helpdesk.insertTicket(demo.portal.name, values, { portal: true });
  await helpdesk.webhooks.idle();
  await pipeline.processInbox();
  return name;
}

/** A Chromium that does not start is no reason to end the rest. */
async function openBrowser(executablePath: string, extension: string, headless: boolean) {
  const viewport = headless ? { width: 1440, height: 900 } : null;
  return launchWithExtension({ executablePath, extension, headless, viewport }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'unknown reason';
    console.error(`Chromium (${executablePath}) could not be started: ${reason}`);
    return null;
  });
}

function browserLine(hasBrowser: boolean, headless: boolean): string {
  if (hasBrowser && !headless) return '  A Chromium with the extension is open on the ticket, signed in.';
  if (hasBrowser)
    return '  There is no display, so Chromium runs headless, signed in on the ticket. To see it, load the extension into a\n  browser of yours on this machine: chrome://extensions, Developer mode, Load unpacked: the folder above.';
  return '  There is no Chromium here that could be started with the extension. Load it by hand: open chrome://extensions,\n  switch on Developer mode, press Load unpacked and choose the folder above; then open the ticket.';
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  for (const step of cleanUp) await step().catch(() => {});
  process.exit(code);
}
