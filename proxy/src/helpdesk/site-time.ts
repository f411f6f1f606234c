/** How a site writes time: naive, in its own zone (docs/helpdesk.md#writing). */
export interface SiteZone {
  /** An instant as `YYYY-MM-DD HH:MM:SS`, without fraction of a second; null if a database could not hold it. */
  fromInstant(epochMs: number): string | null;
  /**
   * The instant of a stored datetime, without fraction of a second; null for anything else. In the hour that clocks
   * repeat, always the earlier one. A time that clocks skip is read as if they had not been changed yet.
   */
  toInstant(stored: unknown): number | null;
}

const dayMs = 86_400_000;
const earliest = Date.UTC(1000, 0, 2);
const latest = Date.UTC(9999, 11, 30);
const notation = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?)?$/;

/** `name` is from the IANA database. Throws RangeError if there is no such zone. */
export function siteZone(name: string): SiteZone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

  function fromInstant(epochMs: number): string | null {
    if (!(epochMs >= earliest && epochMs <= latest)) return null;
    const parts = Object.fromEntries(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
    const { year = '', month, day, hour, minute, second } = parts;
    return `${year.padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}`;
  }

  /** What the clocks show at an instant, minus the instant. */
  function offsetAt(epochMs: number): number | null {
    const shown = asUtc(fromInstant(epochMs));
    return shown === null ? null : shown - epochMs;
  }

  return {
    fromInstant,
    toInstant(stored) {
      const shown = asUtc(stored);
      if (shown === null) return null;
      const [before, after] = [offsetAt(shown - dayMs), offsetAt(shown + dayMs)];
      if (before === null || after === null) return null;
      const fitting = [shown - before, shown - after].filter((instant) => asUtc(fromInstant(instant)) === shown);
      return fitting.length === 0 ? shown - before : Math.min(...fitting);
    },
  };
}

/** A naive datetime read as UTC, in whole seconds; null if it is not one. */
function asUtc(naive: unknown): number | null {
  const match = typeof naive === 'string' ? notation.exec(naive) : null;
  if (match === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(time);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && hour < 24 && minute < 60 && second < 60 ? time : null;
}

/**
 * The helpdesk's timestamp the given milliseconds before another: `YYYY-MM-DD HH:MM:SS` with up to six decimals, naive,
 * so a clock change in between is not noticed. Anything that is not a timestamp is returned unchanged.
 */
export function stampBefore(stamp: string, ms: number): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?$/.exec(stamp);
  const instant = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}Z`) - ms;
  if (Number.isNaN(instant)) return stamp;
  return new Date(instant).toISOString().slice(0, 19).replace('T', ' ') + (match?.[3] ?? '');
}
