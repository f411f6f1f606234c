import { FrappeError } from '#adapters/helpdesk-frappe/client/frappe-error.ts';
import type { HelpdeskErrorKind } from '#ports/helpdesk/helpdesk.ts';

/** For `catch`: returns `instead` for one kind of refusal by Frappe, and rethrows everything else. */
export function unless<T>(kind: HelpdeskErrorKind, instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FrappeError && error.kind === kind) return instead;
    throw error;
  };
}
