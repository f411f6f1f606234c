import * as z from 'zod';
import type { Upstream } from '#net/egress.ts';
import { createKeyedMutex, unlessAborted } from '#runtime/concurrency.ts';
import type { Logger } from '#runtime/log.ts';
import { machine } from '#runtime/machine.ts';
import { type Clock, type Memory, memoryBy } from '#runtime/memory.ts';
import { HelpdeskError } from './errors.ts';
import { Frappe, readDoctypeFields } from './frappe.ts';
import { type SiteZone, siteZone } from './site-time.ts';
import type { DoctypeFields } from './values.ts';
import type { WritePlan } from './write-plan.ts';

/** A caller's own credential, passed on as received: the value of an Authorization header. Never logged. */
export interface Credential {
  readonly authorization: string;
}

export interface SiteOptions {
  upstream: Upstream;
  /** The service account's `key:secret`. */
  serviceKey: string;
  logger: Logger;
  clock: Clock;
  /** Who wants to know of writes. `written`: we may have written to the ticket, whatever came of it. */
  signs: { emit(sign: 'written', ticket: string): unknown };
}

/** DocTypes whose fields are discovered before they are read or written. */
const doctypes = ['HD Ticket', 'HD Customer', 'Contact'] as const;
type Doctype = (typeof doctypes)[number];

/** Which fields the site's DocTypes have. */
export interface SiteFields {
  has(doctype: Doctype, field: string): boolean;
  of(doctype: Doctype): DoctypeFields;
}

const forAMinute = { ttlMs: 60_000, max: 20 };

const TimeZone = z.object({ message: z.object({ time_zone: z.string() }) });

/** How often a write is tried in all if the database aborts it. */
const maxTries = 4;
const firstPauseMs = 50;

/** Metadata is far larger than other responses (docs/helpdesk.md#reading) and may take long. */
const readTimeoutMs = 15_000;
const metadataForMs = 10 * 60_000;
/** A field that an operator makes is used within a minute: who looks whether it is there comes each ten seconds. */
const fieldsForMs = 45_000;

/** A fact about the site that seldom changes. Simultaneous callers share a single read, which none of them alone can abort. */
export interface Metadata<T> {
  /** The known value; reads it only if there is none. Once it is old it is renewed in the background. */
  get(signal: AbortSignal): Promise<T>;
  /** Reads again: the helpdesk has shown the known value to be wrong. */
  renew(signal: AbortSignal): Promise<T>;
  /** The known value; undefined if there is none yet. */
  known(): T | undefined;
}

/** One helpdesk, version 1.24 or later: its connections, what is known of it, and the order of our writes to it. */
export class Site {
  /** The helpdesk as the service account. */
  readonly service: Frappe;
  /** The same, but a refusal of the account is told as it is. */
  readonly account: Frappe;
  readonly fields: Metadata<SiteFields>;
  readonly zone: Metadata<SiteZone>;
  /** What is asked of the site and kept for a moment. */
  readonly memory: Memory;
  readonly logger: Logger;
  readonly clock: Clock;
  private readonly upstream: Upstream;
  private readonly signs: SiteOptions['signs'];
  private readonly oneByOne = createKeyedMutex();
  private readonly skippedBefore = new Set<string>();

  constructor({ upstream, serviceKey, logger, clock, signs }: SiteOptions) {
    this.upstream = upstream;
    this.logger = logger;
    this.clock = clock;
    this.signs = signs;
    this.account = this.as({ authorization: `token ${serviceKey}` });
    this.memory = memoryBy(clock);
    const described = this.memory.readings<DoctypeFields>(forAMinute);
    this.service = new Frappe(upstream, `token ${serviceKey}`, {
      describe: (doctype, signal) =>
        described.get(doctype, (within) => readDoctypeFields(this.account, doctype, within), signal),
    });
    const readFields = async (signal: AbortSignal): Promise<SiteFields> => {
      const read = async (doctype: Doctype) =>
        [doctype, await readDoctypeFields(this.account, doctype, signal)] as const;
      const byDoctype = new Map(await Promise.all(doctypes.map(read)));
      const of = (doctype: Doctype): DoctypeFields => byDoctype.get(doctype) ?? new Map();
      return { of, has: (doctype, field) => of(doctype).has(field) };
    };
    this.fields = this.metadata('The fields of the helpdesk', readFields, fieldsForMs);
    this.zone = this.metadata('The time zone of the helpdesk', async (signal) => {
      const { message } = await this.service.call('frappe.client.get_time_zone', {}, TimeZone, signal);
      try {
        return siteZone(message.time_zone);
      } catch {
        throw new HelpdeskError('bad_answer', 'The helpdesk reports a time zone that does not exist.');
      }
    });
  }

  /** The helpdesk as a caller. */
  as({ authorization }: Credential): Frappe {
    return new Frappe(this.upstream, authorization);
  }

  /** A fact about the site that seldom changes. `subject`: the beginning of a sentence about failing to read it again. */
  metadata<T>(subject: string, read: (signal: AbortSignal) => Promise<T>, forMs: number = metadataForMs): Metadata<T> {
    const { logger, clock } = this;
    let value: { is: T; at: number } | undefined;
    let reading: Promise<T> | undefined;

    async function readNow(): Promise<T> {
      try {
        const is = await read(machine.timeout(readTimeoutMs));
        value = { is, at: clock() };
        return is;
      } catch (error) {
        const kind = error instanceof HelpdeskError ? error.kind : 'unknown';
        if (value) logger.warn({ kind }, `${subject} could not be read again; the last known value stays in use`);
        throw error;
      } finally {
        reading = undefined;
      }
    }

    const readOnce = () => {
      reading ??= readNow();
      return reading;
    };
    return {
      async get(signal) {
        signal.throwIfAborted();
        if (value === undefined) return unlessAborted(readOnce(), signal);
        if (clock() - value.at >= forMs) readOnce().catch(() => {});
        return value.is;
      },
      renew: (signal) => unlessAborted(readOnce(), signal),
      known: () => value?.is,
    };
  }

  /** Which fields there are. To whoever asks, a refusal of the service account is an outage. */
  async knownFields(signal: AbortSignal): Promise<SiteFields> {
    return this.fields.get(signal).catch(asOutage);
  }

  /** Runs a read that names fields, and once more with freshly discovered fields if one of them has disappeared. */
  async withFields<T>(signal: AbortSignal, read: (fields: SiteFields) => Promise<T>): Promise<T> {
    try {
      return await read(await this.knownFields(signal));
    } catch (error) {
      if (!isFieldGone(error)) throw error;
      return read(await this.fields.renew(signal).catch(asOutage));
    }
  }

  /**
   * Runs a write to a document after those that came before it: of simultaneous ones, the helpdesk's database aborts most
   * (docs/helpdesk.md#writing). One that fails because of other writers is run again after a random pause
   * (decision 18: what is written).
   */
  async write<T>(doctype: string, name: string, signal: AbortSignal, write: () => Promise<T>): Promise<T> {
    try {
      return await this.oneByOne(`${doctype} ${name}`, () => tryWrite(signal, write));
    } finally {
      if (doctype === 'HD Ticket') this.signs.emit('written', name);
    }
  }

  /**
   * Tells the operator what was left out of a write. Each field and reason once: what a site lacks, it lacks at every
   * write. Values are never logged.
   */
  reportSkipped(doctype: string, skippedFields: WritePlan['skippedFields']): void {
    for (const { field, reason } of skippedFields) {
      const key = `${doctype}.${field} ${reason}`;
      if (this.skippedBefore.has(key)) continue;
      this.skippedBefore.add(key);
      this.logger.warn({ doctype, field, reason }, 'A value was left out of a write because the field cannot hold it');
    }
  }
}

/** A subject of the helpdesk: what is done in one site. */
export abstract class SitePart {
  readonly site: Site;
  constructor(site: Site) {
    this.site = site;
  }
}

/** Whether the site no longer has a field that a list named. */
export function isFieldGone(error: unknown): boolean {
  return error instanceof HelpdeskError && error.excType === 'DataError';
}

function asOutage(error: unknown): never {
  if (!(error instanceof HelpdeskError) || error.kind === 'timeout') throw error;
  throw new HelpdeskError('unavailable', `The service account cannot read the fields. ${error.message}`);
}

async function tryWrite<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    try {
      return await write();
    } catch (error) {
      const deadlock = error instanceof HelpdeskError && error.excType === 'QueryDeadlockError';
      if (!deadlock || attempt === maxTries) throw error;
    }
    await machine.wait(firstPauseMs * 2 ** (attempt - 1) * (0.5 + machine.random()), signal).catch(() => {});
  }
}
