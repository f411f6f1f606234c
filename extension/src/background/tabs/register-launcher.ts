import { matchPattern } from '#platform/match-pattern.ts';
import type { Registration, Scripting } from '#platform/scripting.ts';

/** Path of the built script in the package. */
export const launcherFile = '/launcher.js';

/** The match pattern of the helpdesk's pages that get the launcher. */
export const launcherPages = (helpdesk: string) => matchPattern(helpdesk, '/helpdesk/*');

/**
 * The registration that should exist on the granted helpdesk. None: no helpdesk configured or granted.
 */
export function desiredRegistrations(helpdesk: string | null): Registration[] {
  if (!helpdesk) return [];
  return [{ id: 'launcher', js: [launcherFile], matches: [launcherPages(helpdesk)] }];
}

/**
 * Keeps the registered content scripts in line with settings and permissions. The returned function is idempotent, and
 * its runs never overlap.
 */
export function createLauncherRegistration(scripting: Scripting, grantedHelpdesk: () => Promise<string | null>) {
  let last: Promise<unknown> = Promise.resolve();

  /** `intoOpenTabs`: also start the launcher in pages that are already open, as after an installation or an update. */
  async function run(intoOpenTabs: boolean): Promise<void> {
    const desired = desiredRegistrations(await grantedHelpdesk());
    const present = await scripting.registered();
    const outdated = present.filter((script) => !desired.some((one) => same(one, script)));
    const missing = desired.filter((script) => !present.some((one) => same(one, script)));
    if (outdated.length > 0) await scripting.unregister(outdated.map(({ id }) => id));
    for (const script of missing) await scripting.register(script);
    const [launcher] = desired;
    if (!launcher || !(intoOpenTabs || missing.includes(launcher))) return;
    const tabs = await scripting.openTabs(launcher.matches);
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
