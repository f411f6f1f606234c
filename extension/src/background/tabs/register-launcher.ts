import { matchPattern } from '#platform/match-pattern.ts';
import type { Registration, Scripting } from '#platform/scripting.ts';

/** Path of the built launcher in the package. */
export const launcherFile = '/launcher.js';

/** The registration that should exist: the launcher on the granted helpdesk. Null: no helpdesk configured or granted. */
export function desiredRegistration(helpdesk: string | null): Registration | null {
  if (!helpdesk) return null;
  return { id: 'launcher', js: [launcherFile], matches: [matchPattern(helpdesk, '/helpdesk/*')] };
}

/**
 * Keeps the registered content script in line with settings and permissions. The returned function is idempotent, and
 * its runs never overlap.
 */
export function createLauncherRegistration(scripting: Scripting, grantedHelpdesk: () => Promise<string | null>) {
  let last: Promise<unknown> = Promise.resolve();

  /** `intoOpenTabs`: also start the launcher in pages that are already open, as after an installation or an update. */
  async function run(intoOpenTabs: boolean): Promise<void> {
    const desired = desiredRegistration(await grantedHelpdesk());
    const present = await scripting.registered();
    const current = present.filter((script) => desired && same(script, desired));
    const outdated = present.filter((script) => !current.includes(script));
    if (outdated.length > 0) await scripting.unregister(outdated.map(({ id }) => id));
    if (desired && current.length === 0) await scripting.register(desired);
    if (!desired || !(intoOpenTabs || current.length === 0)) return;
    const tabs = await scripting.openTabs(desired.matches);
    await Promise.all(tabs.map((tab) => scripting.inject(tab, launcherFile)));
  }

  return (intoOpenTabs: boolean): Promise<void> => {
    const next = last.then(() => run(intoOpenTabs));
    last = next.catch(() => {});
    return next;
  };
}

function same(a: Registration, b: Registration): boolean {
  // Browsers may return paths without the leading slash.
  const key = ({ id, js, matches }: Registration) =>
    JSON.stringify([id, js.map((file) => file.replace(/^\//, '')), matches]);
  return key(a) === key(b);
}
