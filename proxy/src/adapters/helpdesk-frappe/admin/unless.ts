import type { HelpdeskErrorKind } from '../../../ports/helpdesk.ts';
import { FrappeError } from '../frappe-error.ts';

/** For `catch`: gives `instead` for Frappe's refusal of one kind, and lets every other failure through. */
export function unless<T>(kind: HelpdeskErrorKind, instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof FrappeError && error.kind === kind) return instead;
    throw error;
  };
}
