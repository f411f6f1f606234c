import type { ProfileData } from '@deskside/shared/profile';

/** Whether there is a CRM in which the ticket's company can be looked for. */
export function canFind({ bitrix }: ProfileData): boolean {
  return bitrix.status !== 'disabled' && bitrix.status !== 'missing_config';
}
