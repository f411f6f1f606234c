import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sized } from '@deskside/testing/size';
import type { Page } from 'playwright';
import { expect } from 'playwright/test';
import { axeViolations } from './axe.ts';
import type { PanelPage } from './panel-page.ts';

/** In which every state is shown. Helpdesk 1.24 has no dark theme (docs/helpdesk.md#the-ticket-page). */
const looks = [
  { generation: '1.28', language: 'en', themes: ['light', 'dark'] },
  { generation: '1.24', language: 'vi', themes: ['light'] },
] as const;

interface Look {
  generation: '1.28' | '1.24';
  language: 'en' | 'vi';
  themes: readonly ('light' | 'dark')[];
}

const keepsPictures = process.env.PICTURES === '1';

/** Windows of which pictures are kept: the usual one; a telephone's beside it; where it matters wider ones, and 150 % zoom. */
const desk = [{ width: 1280, height: 800 }];
export const alsoOnPhone = [...desk, { width: 420, height: 800 }];
export const everywhere = [
  ...alsoOnPhone,
  { width: 1440, height: 900 },
  { width: 1920, height: 1080 },
  { width: 853, height: 533 },
];

/**
 * For what is the panel's alone, and the same beside either generation: one look where time counts, all of them in
 * `npm run test:full` and for the pictures.
 */
export const looksOfPanel: readonly Look[] = keepsPictures
  ? [...looks, { generation: '1.28', language: 'vi', themes: ['dark'] }]
  : sized<readonly Look[]>({ small: [looks[0]], full: looks });

const pictures = fileURLToPath(new URL('../../../screenshots/', import.meta.url));

/** What axe looks at again in another theme of the same page: a theme changes colours and nothing else. */
export const rulesOnColours = ['color-contrast', 'link-in-text-block'];

/**
 * What is on screen, in every theme of the look: axe finds nothing in it; `npm run screenshots` keeps a picture of it in each
 * window. On a telephone the panel is opened anew: what was asked for in it is gone.
 */
export async function expectAccessible(panel: PanelPage, look: Look, name: string, windows = desk): Promise<void> {
  await expectNoFaults(panel, look);
  if (!keepsPictures) return;
  const before = panel.page.viewportSize();
  for (const size of windows) {
    await panel.page.setViewportSize(size);
    await openAgain(panel);
    for (const theme of look.themes) {
      await panel.switchTheme(theme);
      await keepPicture(panel, `${look.generation}-${theme}-${look.language}-${name}-${size.width}`);
    }
  }
  if (before) await panel.page.setViewportSize(before);
  await panel.rests();
}

/** Axe finds nothing in what is on screen, in every theme of the look, and first of all in the one that it is in. */
export async function expectNoFaults(panel: PanelPage, look: Look): Promise<void> {
  const current = await panel.page.evaluate(() => document.documentElement.dataset.theme);
  const themes = look.themes.toSorted((one, other) => Number(other === current) - Number(one === current));
  for (const [nth, theme] of themes.entries()) {
    await panel.switchTheme(theme);
    const only = nth === 0 ? undefined : rulesOnColours;
    expect(await axeViolations(panel.page, ['deskside-panel', 'deskside-launcher'], only)).toEqual([]);
    expect(await paleFields(panel), 'fields whose edge is too pale').toEqual([]);
  }
}

/** Where the page has no column any more, the panel waits for the agent; a page is told of its window's size with a frame. */
export async function openAgain(panel: PanelPage): Promise<void> {
  await panel.page.evaluate(() => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(told))));
  if (!(await panel.rail.isVisible())) await panel.launcher.click();
  await panel.settled();
}

/** A whole page of the extension's own, for the pictures. */
export async function keepPage(page: Page, name: string): Promise<void> {
  if (!keepsPictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
}

/** Names of text fields whose edge stands out from their ground by less than 3:1 (WCAG 1.4.11): axe does not look at it. */
function paleFields({ page }: PanelPage): Promise<string[]> {
  return page.locator('deskside-panel input[type=text]').evaluateAll((fields) => {
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const isPale = (field: Element) => {
      // The edge may be that of what the field stands in.
      const { borderTopColor, backgroundColor } = getComputedStyle(field.closest('.field') ?? field);
      const [edge, ground] = [luminance(borderTopColor), luminance(backgroundColor)];
      return (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05) < 3;
    };
    return fields.filter(isPale).map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? '');
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
  await page.screenshot({ ...options, animations: 'disabled', path: path.join(pictures, `${name}.png`) });
}
