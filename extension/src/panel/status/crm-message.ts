import type { CrmBlock } from '@deskside/shared/profile';
import type { CrmErrorCode } from '@deskside/shared/status';
import { list } from '#i18n/format.ts';
import type { Message } from '#i18n/panel/crm-states.ts';
import type { Texts } from '#i18n/panel/texts.ts';
import { agePhrase, freshnessLine } from './freshness.ts';

/** Why there is no company, and whether it makes sense to try again. */
interface CrmMessage extends Message {
  icon: 'search' | 'off' | 'alert' | 'id';
  canRetry: boolean;
  /** How fresh the answer is. */
  footnote: string | null;
}

/** The message for a look-up without a company. */
export function crmMessage(bitrix: CrmBlock, now: number, t: Texts): CrmMessage {
  const more = { footnote: null };
  switch (bitrix.status) {
    case 'missing_orgid':
      if (bitrix.rejected.length > 0) {
        const [title, body] = [t.reject.noneTitle, t.reject.noneBody];
        return { title, body, icon: 'search', canRetry: false, ...more };
      }
      return { ...t.crm.missingOrgid, icon: 'id', canRetry: true, ...more };
    case 'disabled':
      return { ...t.crm.disabled, icon: 'off', canRetry: false, ...more };
    case 'missing_config':
      return { ...t.crm.missingConfig, icon: 'off', canRetry: false, ...more };
    case 'error':
      return { ...errorMessage(bitrix, now, t), icon: 'alert', canRetry: passesByItself(bitrix.error?.code), ...more };
    case 'matched':
    case 'cached':
    case 'not_found':
      return {
        ...notFound(bitrix, t),
        icon: 'search',
        canRetry: true,
        ...more,
        footnote: freshnessLine(bitrix, now, t),
      };
    default:
      return bitrix.status satisfies never;
  }
}

/** The message for a failed CRM request. */
export function crmErrorMessage(code: CrmErrorCode | undefined, t: Texts): Message {
  return code ? t.crm.error[code] : t.crm.unknownError;
}

/** Whether an error may resolve itself; the others need an administrator. */
export function passesByItself(code: CrmErrorCode | undefined): boolean {
  return code !== 'unauthorized' && code !== 'insufficient_scope' && code !== 'redirected';
}

function errorMessage({ error, outcome, as_of }: CrmBlock, now: number, t: Texts): Message {
  const { title, body } = crmErrorMessage(error?.code, t);
  const earlier = agePhrase(as_of, now, t);
  const sentences = [
    body,
    outcome === 'not_found' && earlier ? t.crm.lastNotFound(earlier) : t.crm.notMeansAbsent,
    passesByItself(error?.code) ? t.crm.retrying : '',
  ];
  return { title, body: sentences.filter(Boolean).join(' ') };
}

function notFound({ lookup_candidates }: CrmBlock, t: Texts): Message {
  return lookup_candidates.length > 0 ? t.crm.notFound(list(t.language, lookup_candidates)) : t.crm.notFoundAnything;
}
