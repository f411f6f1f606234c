import { appFrame } from './anchors.ts';

/** The helpdesk's open editor, for a reply or a comment. 2026-11: 1.24.1 and 1.28.1. */
function openEditor(): HTMLElement | null {
  const editors = document.querySelectorAll<HTMLElement>(`${appFrame} .comm-area [contenteditable=true]`);
  return [...editors].find((editor) => editor.getClientRects().length > 0) ?? null;
}

/** Whether an editor is open that text can be inserted into. */
export function canInsert(): boolean {
  return openEditor() !== null;
}

/**
 * Inserts text at the cursor of the open editor, as if it had been typed: never as markup. Sends nothing.
 * @returns whether there was one
 */
export function insertText(text: string): boolean {
  const editor = openEditor();
  if (!editor) return false;
  // It has kept where its cursor was.
  if (!editor.contains(document.activeElement)) editor.focus();
  return document.execCommand('insertText', false, text);
}
