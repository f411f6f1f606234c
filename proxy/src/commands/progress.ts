/** Shows how far something has come, on one line of a terminal; on anything else it says nothing. */
export interface Progress {
  show(done: number, total: number): void;
  /** Ends the line. */
  end(): void;
}

const everyMs = 200;

/** A line such as `Moving rows  42 % · 1300 of 3100 · 210/s · done at 02:14`. */
export function progressOf(what: string, terminal: NodeJS.WriteStream = process.stderr): Progress {
  const began = Date.now();
  let shown = 0;
  return {
    show(done, total) {
      const now = Date.now();
      if (!terminal.isTTY || (now - shown < everyMs && done < total)) return;
      shown = now;
      terminal.write(`\r\u001b[K${what} ${progressText({ done, total, began, now })}`);
    },
    end() {
      if (shown > 0) terminal.write('\n');
    },
  };
}

/** The figures alone. Times are epoch milliseconds. */
export function progressText(at: { done: number; total: number; began: number; now: number }): string {
  const { done, total, began, now } = at;
  const share = total === 0 ? 100 : Math.floor((done / total) * 100);
  const perMs = done / Math.max(1, now - began);
  const rate = perMs * 1_000;
  const figures = `${String(share).padStart(3)} % · ${done} of ${total} · ${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`;
  if (done === 0 || done >= total) return figures;
  const end = new Date(now + (total - done) / perMs);
  const clock = `${end.getHours()}:${String(end.getMinutes()).padStart(2, '0')}`;
  return `${figures} · done at ${clock}`;
}
