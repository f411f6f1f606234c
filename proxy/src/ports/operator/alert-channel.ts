import type { AlertNews } from '#domain/alerts/alert-causes.ts';

/** Where alerts go besides the log. Takes its time, tries again, keeps the order; never throws, nobody waits for it. */
export interface AlertChannel {
  send(news: AlertNews): void;
  /** Waits until everything has been sent or given up, at most the given milliseconds. */
  sent(ms: number): Promise<void>;
  /** What has not been sent yet is given up. */
  stop(): void;
}
