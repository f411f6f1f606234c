import { createContext, useEffect, useState } from 'react';
import { watchPage } from '#host-page/watch-page.ts';

/** What the panel does to the page around it, which is not the same for every page. */
export interface Page {
  /**
   * Follows the helpdesk's own column, which the panel may lie over: its box, null for none, and whether the window has
   * room for a column that stays open. `onNeeded`: the page needs one of the fields in it. What it returns ends that.
   */
  watchColumn(onBox: (box: object | null, isRoomy: boolean) => void, onNeeded: () => void): () => void;
  /** Opens the customer on the extension's own page, where nothing of another page can lie over it; null: that is it. */
  openOwn: (() => void) | null;
  /** Which of its two faces the helpdesk's column shows; null: its own alone. */
  setFace(face: 'ticket' | 'customer' | null): void;
}

/** A page without such a column. */
export const unknownPage: Page = { watchColumn: () => () => {}, openOwn: () => {}, setFace: () => {} };

export const PageContext = createContext(unknownPage);

/** Inserts text into the reply that is open; null while there is none. */
export const InsertContext = createContext<((text: string) => boolean) | null>(null);

/** The place in the panel's head for what can be done with the company; null until there is one. */
export const HeadContext = createContext<HTMLElement | null>(null);

/** The folded parts that the agent has opened, by their titles: they are open for the next ticket too. */
export const OpenedContext = createContext(new Set<string>());

/** A value read off the page, kept up to date while `active`. */
export function usePage<T>(read: () => T, active: boolean): T {
  const [, look] = useState('');
  useEffect(() => {
    if (!active) return;
    // A page changes often, what is read off it rarely.
    const changed = () => look(JSON.stringify(read()) ?? '');
    changed();
    return watchPage(changed);
  }, [read, active]);
  return read();
}
