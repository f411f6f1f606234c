import type { CrmErrorCode } from '@deskside/shared/status';
import type { Texts } from '#i18n/panel/texts.ts';

/** What happened to a CRM request, in a few words. */
export function crmErrorTitle(code: CrmErrorCode | undefined, { crm }: Texts): string {
  return code ? crm.error[code] : crm.unknownError;
}

/** Whether an error may resolve itself; the others need an administrator. */
export function passesByItself(code: CrmErrorCode | undefined): boolean {
  return code !== 'unauthorized' && code !== 'insufficient_scope' && code !== 'redirected';
}
