import { invisible } from '@deskside/shared/text';

/**
 * Text in the form in which the helpdesk stores it: well-formed, trimmed, and without angle brackets, because anything
 * like markup is changed on saving and would then be written again every time.
 */
export function plain(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(/[<>]/g, '').trim();
}

/** Whether both are the same to a reader: what nobody sees does not count, and accents may be signs of their own. */
export function isSameText(one: string, other: string): boolean {
  const shown = (text: string) => text.replace(invisible, '').normalize('NFC');
  return one === other || shown(one) === shown(other);
}

/** A value as the panel shows it. In the helpdesk both null and '' mean 'not set', and Int fields hold numbers. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}
