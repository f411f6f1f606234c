const mark = 'CRM error: ';

/** What a ticket shows of a CRM that failed (docs/decisions.md 23). */
export function crmFailure(code: string | null) {
  return { status: 'API Error', error: `${mark}${code ?? 'bad_answer'}` } as const;
}

/** Whether the error on a ticket is such a failure. */
export function isCrmFailure(error: string | null): boolean {
  return error?.startsWith(mark) ?? false;
}
