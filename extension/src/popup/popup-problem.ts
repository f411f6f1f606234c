import { type PopupAction, popupTexts } from '#i18n/pages/popup.ts';
import type { Message } from '#i18n/panel/crm-states.ts';
import { failures } from '#i18n/panel/failures.ts';
import type { PopupProblem } from '#messaging/page-protocol.ts';
import type { PanelErrorCode } from '#messaging/protocol.ts';
import type { UiLanguage } from '#settings/schema.ts';

/** What is wrong, in words. */
export function problemMessage(problem: PopupProblem, language: UiLanguage): Message {
  const own: Partial<Record<PopupProblem, Message>> = popupTexts[language].problems;
  // Every code of the panel's has its words; those that are none have their own.
  return own[problem] ?? failures[language].code[problem as PanelErrorCode];
}

/** What helps against it; null: nothing that the agent can do here. */
export function problemAction(problem: PopupProblem): PopupAction | null {
  switch (problem) {
    case 'signed_out':
      return 'sign_in';
    case 'not_configured':
      return 'set_up';
    case 'no_access':
    case 'no_sign_in':
    case 'unauthenticated':
    case 'other_user':
    case 'bad_answer':
    case 'route_not_found':
      return 'settings';
    case 'not_an_agent':
    case 'other_revision':
      return null;
    default:
      return 'try_again';
  }
}
