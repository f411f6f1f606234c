import type { PanelLayout } from './schema.ts';

/** A newcomer's layout: closed, over the helpdesk's sidebar, everything folded as designed. Not in the schema's file: the panel parses nothing. */
export const defaultLayout: PanelLayout = { open: false, docked: false, width: 380, folds: {} };
