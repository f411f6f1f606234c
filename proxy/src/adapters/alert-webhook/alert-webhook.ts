import { setTimeout as wait } from 'node:timers/promises';
import { type AlertNews, minutesBetween, textOf } from '#domain/alerts/alert-causes.ts';
import type { Upstream } from '#net/egress.ts';
import type { AlertChannel } from '#ports/operator/alert-channel.ts';
import type { Logger } from '#ports/runtime/logger.ts';

/** Pauses before each further try, in milliseconds: an hour in all. */
const pausesMs = [1_000, 5_000, 30_000, 2 * 60_000, 10 * 60_000, 20 * 60_000, 30 * 60_000];
const deadlineMs = 10_000;
/** More than there are causes with their ends; a receiver that is down for long gets the newest. */
const mostWaiting = 100;

/** Where the alerts are posted, and what of this installation they name. */
export interface AlertWebhook {
  upstream: Upstream;
  /** Path and query of the address; secret. */
  path: string;
  /** Host of the helpdesk. */
  installation: string;
  version: string;
  logger: Logger;
  /** For a clock that does not follow real time. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Posts alerts as JSON, one after another (docs/monitoring.md#alerts). A receiver has accepted one with any 2xx. */
export function createAlertWebhook({ upstream, path, logger, sleep = pause, ...about }: AlertWebhook): AlertChannel {
  const waiting: AlertNews[] = [];
  const stopped = new AbortController();
  let working: Promise<void> | null = null;

  async function work(): Promise<void> {
    for (let news = waiting.shift(); news && !stopped.signal.aborted; news = waiting.shift()) await deliver(news);
  }

  async function deliver(news: AlertNews): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const problem = await post(news);
      if (problem === null || stopped.signal.aborted) return;
      const pauseMs = pausesMs[tries];
      const fields = { about: news.cause, state: news.state, problem };
      if (tries === 0) logger.warn(fields, 'An alert could not be sent and will be tried again');
      if (pauseMs === undefined) {
        logger.error(fields, 'An alert could not be sent and is given up');
        return;
      }
      await sleep(pauseMs, stopped.signal).catch(() => {});
    }
  }

  /** Null if it was accepted, otherwise why not, without the address. */
  async function post(news: AlertNews): Promise<string | null> {
    try {
      const { status } = await upstream.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', accept: '*/*' },
        body: JSON.stringify(bodyOf(news, about)),
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(deadlineMs)]),
      });
      return status >= 200 && status < 300 ? null : `status ${status}`;
    } catch (error) {
      return error instanceof Error ? error.name : 'unknown';
    }
  }

  return {
    send(news) {
      if (waiting.length >= mostWaiting) waiting.shift();
      waiting.push(news);
      working ??= work().finally(() => {
        working = null;
      });
    },
    async sent(ms) {
      await Promise.race([working, wait(ms, undefined, { ref: false })]);
    },
    stop: () => stopped.abort(),
  };
}

/** `text` is what Slack, Teams and Telegram show, `message` what Bitrix24 does; the rest is for programs. */
function bodyOf(news: AlertNews, { installation, version }: Pick<AlertWebhook, 'installation' | 'version'>) {
  const text = textOf(news, installation);
  return {
    text,
    message: text,
    alert: news.cause,
    kind: news.kind,
    state: news.state,
    since: new Date(news.since).toISOString(),
    until: news.until === null ? null : new Date(news.until).toISOString(),
    minutes: news.until === null ? null : minutesBetween(news.since, news.until),
    service: 'deskside',
    installation,
    version,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal });
}
