import type { Call } from '#helpdesk/http/call.ts';

/** A function that can be called under /api/method/. */
export interface Method {
  /** Open to Guest. */
  guest?: true;
  /** Changes something: refused by GET, which never commits. */
  writes?: true;
  /** What becomes `message`, or the whole body; also by a promise. */
  run(call: Call): unknown;
}

export type MethodTable = Record<string, Method>;
