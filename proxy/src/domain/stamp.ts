/**
 * The helpdesk's stamp of so many milliseconds before another: `YYYY-MM-DD HH:MM:SS` with up to six decimals, naive, so
 * that a change of clocks in between is not seen. What is no stamp is given back as it is.
 */
export function stampBefore(stamp: string, ms: number): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?$/.exec(stamp);
  const instant = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}Z`) - ms;
  if (Number.isNaN(instant)) return stamp;
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ') + (match?.[3] ?? '');
}
