import { vi } from 'vitest';

/** In place of `#messaging/send.ts`: every request, repeated or not, reaches `send`. */
export const send = vi.fn();
export const sendOnce = (verb: string, input: unknown) => send(verb, input);
export const noAnswer = vi.fn(() => 'internal');
