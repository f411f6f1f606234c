/** The site's time: naive datetimes in its zone, with microseconds (docs/helpdesk.md#writing). */
export interface SiteClock {
  epochMs(): number;
  /** `YYYY-MM-DD HH:MM:SS.ffffff`; every call gives a later one, so that `modified` always moves. */
  now(): string;
  /** The naive datetime of an instant, without a fraction. */
  format(epochMs: number): string;
  timeZone: string;
}

export function siteClock(timeZone: string, epochMs: () => number): SiteClock {
  const formatter = formatterOf(timeZone);
  let lastMicros = 0;
  const spell = (ms: number): string => {
    const part = new Map(formatter.formatToParts(ms).map((piece) => [piece.type, piece.value]));
    const get = (type: Intl.DateTimeFormatPartTypes): string => part.get(type) ?? '';
    return `${get('year')}-${get('month')}-${get('day')} ${get('hour')}:${get('minute')}:${get('second')}`;
  };
  // A seed places hundreds of documents in the same second.
  let last = { second: Number.NaN, text: '' };
  const format = (ms: number): string => {
    const second = Math.floor(ms / 1000);
    if (second !== last.second) last = { second, text: spell(ms) };
    return last.text;
  };
  return {
    timeZone,
    epochMs,
    format,
    now() {
      lastMicros = Math.max(Math.floor(epochMs()) * 1000, lastMicros + 1);
      const fraction = String(lastMicros % 1_000_000).padStart(6, '0');
      return `${format(Math.floor(lastMicros / 1000))}.${fraction}`;
    },
  };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Making one takes milliseconds, and tests start many sites. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, made);
  return made;
}
