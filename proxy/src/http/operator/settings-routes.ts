import { operatorContract } from '@deskside/shared/operator/contract';
import type { Context, Handler } from 'hono';
import { AppError } from '#app/runtime/app-error.ts';
import type { Actor } from '#app/settings/actor.ts';
import type { ChangeSetting } from '#app/settings/change-setting.ts';
import type { ListAudit } from '#app/settings/list-audit.ts';
import type { ListSettings } from '#app/settings/list-settings.ts';
import { type PreviewNeeds, previewRule } from '#app/settings/preview-rule.ts';
import { SettingRefused } from '#app/settings/setting-refused.ts';
import { bodyOf } from '#http/body.ts';
import type { AppEnv } from '#http/context.ts';
import { parseInput } from '#http/input.ts';

/** What the settings page shows and changes. */
export interface SettingVerbs {
  listSettings: ListSettings;
  listAudit: ListAudit;
  changeSetting: ChangeSetting;
  preview: PreviewNeeds;
}

/**
 * The settings' part of the operator page's data. Every operator sees them, System Managers change them.
 *
 * @param actorOf who is signed in, with the roles of this moment if they want to change something; throws `unauthenticated`,
 *   or `helpdesk_…` if that cannot be known
 */
export function settingsRoutes(
  verbs: SettingVerbs,
  actorOf: (c: Context<AppEnv>, isChange: boolean) => Promise<Actor>,
): Record<'settings' | 'settingsAudit' | 'previewRule' | 'changeSetting' | 'promoteSetting', Handler<AppEnv>> {
  const { settingsAudit, changeSetting, promoteSetting } = operatorContract;
  return {
    settings: async (c) => {
      await actorOf(c, false);
      return c.json({ success: true, data: await verbs.listSettings(), message: 'These settings are in force.' });
    },
    settingsAudit: async (c) => {
      await actorOf(c, false);
      const { limit, before } = parseInput(settingsAudit.input, c.req.query());
      const changes = await verbs.listAudit({ limit, ...(before !== undefined && { before }) });
      return c.json({ success: true, data: { changes }, message: 'This has become of the settings.' });
    },
    previewRule: (c) =>
      answering(c, async () => {
        const actor = await actorOf(c, false);
        return previewRule(verbs.preview, actor, parseInput(operatorContract.previewRule.input, await bodyOf(c)));
      }),
    changeSetting: (c) =>
      answering(c, async () => {
        const actor = await actorOf(c, true);
        const wanted = parseInput(changeSetting.input, await bodyOf(c));
        return verbs.changeSetting.change(actor, wanted, c.req.raw.signal);
      }),
    promoteSetting: (c) =>
      answering(c, async () => {
        const actor = await actorOf(c, true);
        const { name } = parseInput(promoteSetting.input, await bodyOf(c));
        return verbs.changeSetting.promote(actor, name, c.req.raw.signal);
      }),
  };
}

/** Answers a change, or why there was none. */
async function answering(c: Context<AppEnv>, change: () => Promise<object>): Promise<Response> {
  try {
    return c.json({ success: true, data: await change(), message: 'In force on every proxy within five seconds.' });
  } catch (error) {
    if (!(error instanceof SettingRefused)) throw error;
    if (error.why === 'changed_since') throw new AppError('changed_since');
    if (error.why === 'not_allowed') throw new AppError('not_a_system_manager');
    const field = error.setting ?? 'value';
    const issues = error.remarks.map((said) => ({ field, ...said }));
    throw new AppError('bad_input', issues.length > 0 ? issues : [{ field, message: error.message }]);
  }
}
