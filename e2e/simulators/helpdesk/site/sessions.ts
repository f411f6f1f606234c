import { randomBytes } from 'node:crypto';
import type { SiteClock } from './clock.ts';

/** Lifetime of a session in milliseconds: 170 hours, as the recorded cookies say. */
export const sessionLifetimeMs = 612_000_000;

export interface Session {
  sid: string;
  user: string;
  /** Null until the session has been handed a page; from then on every write by cookie must carry it. */
  csrfToken: string | null;
  expiresAt: number;
}

/** Signed-in browsers, by the value of their `sid` cookie. */
export class Sessions {
  private readonly bySid = new Map<string, Session>();
  private readonly clock: SiteClock;

  constructor(clock: SiteClock) {
    this.clock = clock;
  }

  start(user: string): Session {
    const sid = randomBytes(28).toString('hex');
    const session: Session = { sid, user, csrfToken: null, expiresAt: this.clock.epochMs() + sessionLifetimeMs };
    this.bySid.set(sid, session);
    return session;
  }

  find(sid: string): Session | undefined {
    const session = this.bySid.get(sid);
    if (session === undefined || session.expiresAt <= this.clock.epochMs()) return undefined;
    return session;
  }

  end(sid: string): void {
    this.bySid.delete(sid);
  }

  /** The token that pages get and writes have to repeat. */
  csrfToken(session: Session): string {
    session.csrfToken ??= randomBytes(28).toString('hex');
    return session.csrfToken;
  }
}
