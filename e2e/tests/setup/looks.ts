import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sized } from '@deskside/testing/size';
import { expect } from 'playwright/test';
import { axeViolations } from './axe.ts';
import type { PanelPage } from './panel-page.ts';

/** In which every state is shown. Helpdesk 1.24 has no dark theme (docs/helpdesk.md#the-ticket-page). */
export const looks = [
  { generation: '1.28', language: 'en', themes: ['light', 'dark'] },
  { generation: '1.24', language: 'vi', themes: ['light'] },
] as const;

type Look = (typeof looks)[number];

const keepsPictures = process.env.PICTURES === '1';

/**
 * For what is the panel's alone, and the same beside either generation: one look where time counts, all of them in
 * `npm run test:full` and for the pictures.
 */
export const looksOfPanel = keepsPictures ? looks : sized<readonly Look[]>({ small: [looks[0]], full: looks });

const pictures = fileURLToPath(new URL('../../../screenshots/', import.meta.url));

/** What axe looks at again in another theme of the same page: a theme changes colours and nothing else. */
const rulesOnColours = ['color-contrast', 'link-in-text-block'];

/** What is on screen, in every theme of the look: axe finds nothing in it; `npm run screenshots` keeps a picture of it. */
export async function expectAccessible(panel: PanelPage, look: Look, name: string): Promise<void> {
  for (const [nth, theme] of look.themes.entries()) {
    await panel.switchTheme(theme);
    await appeared(panel);
    const only = nth === 0 ? undefined : rulesOnColours;
    expect(await axeViolations(panel.page, ['deskside-panel', 'deskside-launcher'], only)).toEqual([]);
    await keepPicture(panel, `${look.generation}-${theme}-${look.language}-${name}`);
  }
}

/** What fades in has done so: on its way it is paler than it is meant to be. */
async function appeared({ page }: PanelPage): Promise<void> {
  await page.evaluate(async () => {
    const roots = ['deskside-panel', 'deskside-launcher'].map((name) => document.querySelector(name)?.shadowRoot);
    const running = [document, ...roots].flatMap((root) => root?.getAnimations() ?? []);
    const ending = running.filter(
      (animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    );
    await Promise.all(ending.map((animation) => animation.finished));
  });
}

/** Keeps a picture in `screenshots/` where pictures are wanted: tests do not look at them, and taking them takes time. */
export async function keepPicture(
  { page }: Pick<PanelPage, 'page'>,
  name: string,
  options: { fullPage?: boolean } = {},
): Promise<void> {
  if (!keepsPictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ ...options, path: path.join(pictures, `${name}.png`) });
}
