import { expect, it } from 'vitest';
import type { OperatorSession } from '#store/operator/sessions.ts';
import type { Store } from '#store/store.ts';

/**
 * Tests of the contract of the operator page's sessions for any store.
 * @param sessionsOf of two processes on one store
 */
export function describeOperatorSessions(sessionsOf: (which: 0 | 1) => Store['operatorSessions']): void {
  const session: OperatorSession = {
    user: 'truong@desk.example',
    fullName: "Đỗ Thị Trưởng ' ; drop table operator_session --",
    language: null,
    roles: ['Agent Manager', 'System Manager'],
    signedInAt: 1_798_000_000_000,
    usedAt: 1_798_000_000_000,
  };

  it('a session of the operator page that began at one process is known to the other, until it ends', async () => {
    await sessionsOf(0).begin('first', session);
    expect(await sessionsOf(1).find('first')).toEqual(session);
    expect(await sessionsOf(1).find('FIRST')).toBeNull();
    await sessionsOf(1).touch('first', session.usedAt + 60_000);
    expect(await sessionsOf(0).find('first')).toEqual({ ...session, usedAt: session.usedAt + 60_000 });
    await sessionsOf(0).end('first');
    await sessionsOf(0).end('first');
    await sessionsOf(1).touch('first', session.usedAt);
    expect(await sessionsOf(1).find('first')).toBeNull();
  });

  it('sessions that are over are deleted, a portion at a time, and no others', async () => {
    const at = session.signedInAt;
    await sessionsOf(0).begin('old', { ...session, signedInAt: at - 10, usedAt: at });
    await sessionsOf(0).begin('idle', { ...session, usedAt: at - 10 });
    await sessionsOf(0).begin('in use', session);
    const before = { signedIn: at, used: at };
    expect(await sessionsOf(1).deleteOver(before, 1)).toBe(1);
    expect(await sessionsOf(1).deleteOver(before, 10)).toBe(1);
    expect(await sessionsOf(1).deleteOver(before, 10)).toBe(0);
    expect(await sessionsOf(0).find('in use')).not.toBeNull();
    await sessionsOf(0).end('in use');
  });
}
