import * as z from 'zod/mini';
import { PanelLayout } from '#messaging/settings.ts';
import { lastingItem } from './storage.ts';

/** Agents whose layout is kept, those who changed theirs last. */
const maxAgents = 20;

/** A newcomer's layout. */
const defaultLayout: PanelLayout = { open: false };

/** By helpdesk user, latest change last. An invalid entry counts as none, so that it does not cost the others. */
const Stored = z.record(z.string(), z.catch(z.nullable(PanelLayout), null));
const item = lastingItem('panelLayouts');
let last: Promise<unknown> = Promise.resolve();

/** How this helpdesk user has arranged the panel; nobody's and a newcomer's is the default. */
export async function readLayout(user: string): Promise<PanelLayout> {
  return (await readStored())[user] ?? defaultLayout;
}

/** Keeps a change of a user's layout. Changes are made one after another; nobody's are not kept. */
export function changeLayout(user: string, change: Partial<PanelLayout>): Promise<void> {
  const next = last.then(() => write(user, change));
  last = next.catch(() => {});
  return next;
}

async function write(user: string, change: Partial<PanelLayout>): Promise<void> {
  if (user === '') return;
  const { [user]: own, ...others } = await readStored();
  const after = { ...(own ?? defaultLayout), ...change };
  await item.write(Object.fromEntries([...Object.entries(others), [user, after]].slice(-maxAgents)));
}

async function readStored(): Promise<z.infer<typeof Stored>> {
  const parsed = Stored.safeParse(await item.read());
  return parsed.success ? parsed.data : {};
}
