import { syncTeamRule } from './assignment-rules.ts';
import type { Hooks } from './types.ts';

/** HD Team: every save brings its native rule back in line (facts/live.md section 5). */
export const teamHooks: Hooks = {
  afterSave(site, _actor, document) {
    syncTeamRule(site, document);
  },
};
