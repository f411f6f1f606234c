import { vi } from 'vitest';

/*
 * In place of `#messaging/send.ts`, where `vi.mock` has that be an import of this file. Every request, repeated or not, reaches
 * `send`.
 */
export const send = vi.fn<(verb: string, input: object, signal?: AbortSignal) => Promise<unknown>>();
export const sendOnce = (verb: string, input: object) => send(verb, input);
export const noAnswer = vi.fn(() => 'internal');

/** What a request of the panel asks for. */
export interface TestInput {
  ticket: string;
  query?: string | null;
  refresh?: boolean;
  maxAgeMs?: number;
}
interface TestRequest {
  verb: string;
  input: TestInput;
  signal: AbortSignal | undefined;
  answer: (result: unknown) => void;
}
let asked: TestRequest[];

/** The requests of a kind so far. */
export const of = (verb: string) => asked.filter((one) => one.verb === verb);

/**
 * Keeps requests for the test to answer, from now on.
 * @param answered what is answered at once; undefined waits for the test
 */
export function keepRequests(answered: (verb: string, input: TestInput) => unknown): void {
  asked = [];
  send.mockImplementation((verb, sent, signal) => {
    const input = sent as TestInput;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const result = answered(verb, input);
    if (result === undefined) asked.push({ verb, input, signal, answer: resolve });
    else resolve(result);
    return promise;
  });
}
