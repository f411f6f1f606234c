import { validationError } from '#helpdesk/errors.ts';
import { readScript } from '#helpdesk/server-scripts/read.ts';
import type { Hooks } from './types.ts';

/**
 * Server Script: refuses what the simulator could store but not run, so that no test rests on it. API scripts, and
 * Before Insert scripts that ask an address, are run.
 */
export const serverScriptHooks: Hooks = {
  validate(_site, _actor, document) {
    if (document.disabled === 1 || document.script_type === 'API') return;
    const runs = document.script_type === 'DocType Event' && document.doctype_event === 'Before Insert';
    if (runs && readScript(String(document.script ?? '')) !== null) return;
    throw validationError('The simulator runs only API scripts, and Before Insert scripts that ask an address.');
  },
};
