import { matchPattern } from '../platform/match-pattern.ts';
import type { Registration, Scripting } from '../platform/scripting.ts';

/** Path of the built launcher inside of the package. */
export const launcherFile = '/launcher.js';

/** What should be registered: the launcher on the granted helpdesk, or nothing (null: none set up or none granted). */
export function wantedRegistration(helpdesk: string | null): Registration | null {
  if (!helpdesk) return null;
  return { id: 'launcher', js: [launcherFile], matches: [matchPattern(helpdesk, '/helpdesk/*')] };
}

/**
 * Keeps the registered content script in line with settings and permissions. A run may be repeated at any time: one that
 * finds everything in order changes nothing. Runs never overlap.
 */
export function createLauncherSync(scripting: Scripting, grantedHelpdesk: () => Promise<string | null>) {
  let queue: Promise<unknown> = Promise.resolve();

  /** `intoOpenTabs`: also start the launcher in pages that are open already, as after an installation or an update. */
  async function run(intoOpenTabs: boolean): Promise<void> {
    const wanted = wantedRegistration(await grantedHelpdesk());
    const present = await scripting.registered();
    const right = present.filter((script) => wanted && same(script, wanted));
    const wrong = present.filter((script) => !right.includes(script));
    if (wrong.length > 0) await scripting.unregister(wrong.map(({ id }) => id));
    if (wanted && right.length === 0) await scripting.register(wanted);
    if (!wanted || !(intoOpenTabs || right.length === 0)) return;
    const tabs = await scripting.openTabs(wanted.matches);
    await Promise.all(tabs.map((tab) => scripting.inject(tab, launcherFile)));
  }

  return (intoOpenTabs: boolean): Promise<void> => {
    const turn = queue.then(() => run(intoOpenTabs));
    queue = turn.catch(() => {});
    return turn;
  };
}

function same(a: Registration, b: Registration): boolean {
  // Browsers may give paths back without the leading slash.
  const key = ({ id, js, matches }: Registration) =>
    JSON.stringify([id, js.map((file) => file.replace(/^\//, '')), matches]);
  return key(a) === key(b);
}
