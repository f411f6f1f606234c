import { findApp } from './anchors.ts';

/** What an agent writes in: the editors of the helpdesk's page that can be written in. */
function editors(): HTMLElement[] {
  return [...(findApp()?.querySelectorAll<HTMLElement>('[contenteditable=true]') ?? [])];
}

/** The helpdesk's open editor, for a reply or a comment. It stands below the conversation, where comments can be edited. */
function openEditor(): HTMLElement | undefined {
  return editors().findLast((editor) => editor.getClientRects().length > 0);
}

/** Whether an editor is open that text can be inserted into. */
export function canInsert(): boolean {
  return openEditor() !== undefined;
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

/** Whether somebody is writing: an editor of the page has words in it. */
export function hasDraft(): boolean {
  return editors().some((editor) => editor.textContent.trim());
}
