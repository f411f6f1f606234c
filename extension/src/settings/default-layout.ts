import type { PanelLayout } from './schema.ts';

/** A newcomer's layout: closed, a pop-up, everything folded as designed. Not in the schema's file: the panel parses nothing. */
export const defaultLayout: PanelLayout = { open: false, docked: false, width: 380, folds: {} };
