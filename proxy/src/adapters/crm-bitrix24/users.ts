import { scalar } from '../../domain/crm-values.ts';
import type { UserAnswer } from '../../ports/crm.ts';
import { isRecord } from './records.ts';

const yes = ['true', '1', 'y', 'yes'];

/**
 * Reads one of the asked users in a `user.get` answer. A user counts only under the id asked for: without a filter the
 * method lists everybody, so a row of somebody who was not asked for means that the filter was lost, and the absence of
 * one who was means nothing.
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
