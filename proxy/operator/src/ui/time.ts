/** A time of day in the browser's own zone, as `15:04`. */
export function timeOfDay(instant: string | number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(instant));
}

/** Where the reader's day began, as an ISO instant. */
export function startOfToday(): string {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate()).toISOString();
}
