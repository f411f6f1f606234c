import type { Page } from 'playwright';
import { expect } from 'playwright/test';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A picture of the page, once two in a row are the same: nothing is left to be drawn. */
export async function steadyPicture(page: Page): Promise<Buffer> {
  const take = () => page.screenshot({ animations: 'disabled' });
  let latest = await take();
  const isSteady = async () => {
    const before = latest;
    latest = await take();
    return latest.equals(before);
  };
  await expect.poll(isSteady).toBe(true);
  return latest;
}

/**
 * How many pixels of two screenshots differ, by how much at most (of 255), and the box around them; null if none do. A few
 * pixels that differ by what nobody sees are none: how the browser smooths a rounded corner depends on how it has split
 * the page into layers.
 * @param page any page: its canvas reads the pictures
 * @param except what is left out, in CSS pixels
 */
export async function difference(
  page: Page,
  before: Buffer,
  after: Buffer,
  except: Box[] = [],
): Promise<{ pixels: number; box: Box; most: number } | null> {
  const pictures = [before, after].map((picture) => picture.toString('base64'));
  return page.evaluate(
    async ([first, second, holes]) => {
      const read = async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
        if (!context) throw new Error('No canvas.');
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [one, other] = [await read(first), await read(second)];
      if (one.width !== other.width || one.height !== other.height) throw new Error('The pictures differ in size.');
      const words = [one, other].map(({ data }) => new Uint32Array(data.buffer));
      let pixels = 0;
      let most = 0;
      let [left, top, right, bottom] = [one.width, one.height, 0, 0];
      for (let y = 0; y < one.height; y += 1) {
        for (let x = 0; x < one.width; x += 1) {
          const at = y * one.width + x;
          if (words[0]?.[at] === words[1]?.[at]) continue;
          if (holes.some((h) => x >= h.x && x < h.x + h.width && y >= h.y && y < h.y + h.height)) continue;
          pixels += 1;
          for (let i = at * 4; i < at * 4 + 4; i += 1)
            most = Math.max(most, Math.abs((one.data[i] ?? 0) - (other.data[i] ?? 0)));
          [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
        }
      }
      return pixels === 0 || (pixels <= 20 && most <= 24)
        ? null
        : { pixels, box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, most };
    },
    [pictures[0] ?? '', pictures[1] ?? '', except] as const,
  );
}
