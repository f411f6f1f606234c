import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf, refusalOf } from './errors.ts';

const envelope = (exc_type: string) => ({
  exc_type,
  exception: `frappe.exceptions.${exc_type}: secret in table tabUser`,
  exc: '["Traceback: secret"]',
  _server_messages: '["secret"]',
});

describe('a refusal', () => {
  it.each([
    [400, 'CSRFTokenError', 'rejected'],
    [401, 'AuthenticationError', 'unauthenticated'],
    [403, 'PermissionError', 'forbidden'],
    [404, 'DoesNotExistError', 'not_found'],
    [409, 'DuplicateEntryError', 'conflict'],
    [409, 'NameError', 'rejected'],
    [417, 'TimestampMismatchError', 'conflict'],
    [417, 'DataError', 'rejected'],
    [429, 'TooManyRequestsError', 'rate_limited'],
    [500, 'QueryDeadlockError', 'unavailable'],
    [503, 'SessionStopped', 'unavailable'],
  ])('with %i %s is %s', (status, excType, kind) => {
    expect(refusalOf(status, envelope(excType), 'Reading')).toMatchObject({ kind, excType });
  });

  it.each([
    [401, 'bad_answer'],
    [403, 'bad_answer'],
    [404, 'bad_answer'],
    [302, 'bad_answer'],
    [429, 'rate_limited'],
    [502, 'unavailable'],
  ])('with %i that is not in the envelope of Frappe is %s: it says nothing about tickets or rights', (status, kind) => {
    for (const body of [undefined, null, 'text', [], {}, { exc_type: 7 }]) {
      expect(refusalOf(status, body, 'Reading')).toMatchObject({ kind, excType: null });
    }
  });

  it('never repeats a text of the helpdesk, whatever it answers', () => {
    const canary = 'secret';
    fc.assert(
      fc.property(
        fc.integer({ min: 300, max: 599 }),
        fc.constantFrom('DataError', `${canary} <b>`, ''),
        (status, type) => {
          const refusal = refusalOf(status, envelope(type), 'Reading');
          expect(`${refusal?.message} ${JSON.stringify(refusal)} ${refusal?.cause}`).not.toContain(canary);
        },
      ),
    );
  });
});

describe('a success', () => {
  it('is no refusal, even if the answer carries messages', () => {
    expect(refusalOf(200, envelope('ValidationError'), 'Reading')).toBeNull();
    expect(refusalOf(202, { message: 'ok' }, 'Deleting')).toBeNull();
  });
});

describe('the messages of a refusal', () => {
  it.each<[string, unknown, string[]]>([
    ['a list of texts', { _server_messages: '["{\\"message\\": \\"a\\"}", "{\\"message\\": \\"b\\"}"]' }, ['a', 'b']],
    ['texts of something else', { _server_messages: '["x", "null", "{}", "{\\"message\\": 1}", 7]' }, []],
    ['no list', { _server_messages: '{"message": "a"}' }, []],
    ['no JSON', { _server_messages: 'a' }, []],
    ['none', {}, []],
    ['a page', undefined, []],
  ])('%s', (_what, body, messages) => {
    expect(messagesOf(body)).toEqual(messages);
  });
});
