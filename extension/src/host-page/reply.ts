import { findApp } from './anchors.ts';

/** What an agent writes in: the editors of the helpdesk's page that can be written in. */
function editors(): HTMLElement[] {
  return [...(findApp()?.querySelectorAll<HTMLElement>('[contenteditable=true]') ?? [])];
}

/** The helpdesk's open editor, for a reply or a comment. It stands below the conversation, where comments can be edited. */
function openEditor(): HTMLElement | undefined {
  return editors().findLast((editor) => editor.getClientRects().length > 0);
}

export function canInsert(): boolean {
  return openEditor() !== undefined;
}

/** Inserts text at the cursor of the open editor, as if it had been typed: never as markup. False: there is none. */
export function insertText(text: string): boolean {
  const editor = openEditor();
  if (!editor) return false;
  // It has kept where its cursor was.
  if (!editor.contains(document.activeElement)) editor.focus();
  return document.execCommand('insertText', false, text);
}

/** Inserts text that the open editor does not hold yet, apart from the word before its cursor. */
export function insertOnce(text: string): boolean {
  const editor = openEditor();
  if (editor?.textContent.includes(text)) return true;
  const { anchorNode, anchorOffset } = document.getSelection() ?? {};
  const before =
    editor?.contains(anchorNode ?? null) && anchorNode instanceof Text ? anchorNode.data[(anchorOffset ?? 0) - 1] : '';
  return insertText(before?.trim() ? ` ${text}` : text);
}

/**
 * The text of the conversation's last message from an address, which each message names, without what it quotes; null if
 * there is none (1.24.1 to the release after 1.28.1).
 */
export function lastMessageFrom(address: string): string | null {
  const messages = [...(findApp()?.querySelectorAll('[id^="communication-"]') ?? [])];
  const last = messages.findLast(({ textContent }) => textContent.toLowerCase().includes(`<${address.toLowerCase()}>`));
  const body = last?.querySelector('iframe')?.contentDocument?.body.cloneNode(true) as HTMLElement | undefined;
  for (const quoted of body?.querySelectorAll('blockquote, .gmail_quote, style') ?? []) quoted.remove();
  return body?.textContent ?? null;
}

/** How long the page may take to open its editor, in milliseconds. */
const openWithinMs = 2_000;

/** Opens the helpdesk's reply by its own button, the first one below the conversation; false: no editor is open then. */
export async function openReply(): Promise<boolean> {
  if (!canInsert()) findApp()?.querySelector<HTMLElement>('.comm-area button')?.click();
  const latest = performance.now() + openWithinMs;
  while (!canInsert() && performance.now() < latest) await new Promise(requestAnimationFrame);
  return canInsert();
}

/** Whether somebody is writing: an editor of the page has words in it. */
export function hasDraft(): boolean {
  return editors().some((editor) => editor.textContent.trim());
}
