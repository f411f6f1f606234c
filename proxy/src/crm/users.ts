import { isRecord } from '@deskside/shared/json';
import type { UserAnswer } from './crm.ts';
import { scalar } from './values.ts';

const yes = ['true', '1', 'y', 'yes'];

/**
 * Reads one of the requested users in a `user.get` response. A user counts only under the requested id: without a
 * filter the method lists everyone, so a row for anyone else means that the filter was lost, and then the absence of a
 * requested user means nothing.
 */
export function userOf(result: unknown, id: string, asked: readonly string[] = [id]): UserAnswer {
  const rows = isRecord(result) ? [result] : result;
  if (!Array.isArray(rows)) return { kind: 'failed', code: 'bad_answer' };
  const row = rows.filter(isRecord).find((r) => scalar(r.ID) === id);
  if (!row) {
    const filtered = rows.every((r) => isRecord(r) && asked.includes(scalar(r.ID) ?? ''));
    return filtered ? { kind: 'empty' } : { kind: 'failed', code: 'bad_answer' };
  }
  const name = [row.NAME, row.LAST_NAME].flatMap((part) => scalar(part) ?? []).join(' ');
  return {
    kind: 'found',
    user: {
      id,
      active: yes.includes(String(row.ACTIVE).toLowerCase()),
      email: scalar(row.EMAIL),
      name: name || scalar(row.EMAIL),
      userType: scalar(row.USER_TYPE),
    },
  };
}
