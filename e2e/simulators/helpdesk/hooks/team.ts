import { syncTeamRule } from './assignment-rules.ts';
import type { Hooks } from './types.ts';

/** HD Team: every save brings its native rule back in line (docs/helpdesk.md#assignment). */
export const teamHooks: Hooks = {
  afterSave(site, _actor, document) {
    syncTeamRule(site, document);
  },
};
