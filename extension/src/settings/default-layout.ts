import type { PanelLayout } from './schema.ts';

/** A newcomer's layout: closed. Not in the schema's file: the panel parses nothing. */
export const defaultLayout: PanelLayout = { open: false };
