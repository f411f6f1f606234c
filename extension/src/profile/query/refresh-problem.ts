import type { Texts } from '#i18n/panel/texts.ts';
import { crmErrorMessage } from '#profile/status/crm-message.ts';
import type { PanelState } from './panel-state.ts';

/** Why the data on screen is not what a refresh asked for: the proxy or the CRM did not answer. Null: it is. */
export function refreshProblem(state: PanelState, t: Texts): string | null {
  if (state.kind !== 'profile') return null;
  if (state.failure) return t.failures.code[state.failure.code].title;
  const { before, profile } = state.loaded;
  return before && profile.bitrix.status === 'error' ? crmErrorMessage(profile.bitrix.error?.code, t).title : null;
}
