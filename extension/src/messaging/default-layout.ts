import type { PanelLayout } from './settings.ts';

/** A newcomer's layout: closed. Not in the schema's file: the panel parses nothing. */
export const defaultLayout: PanelLayout = { open: false };
