import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { HelpdeskAdmin } from '#helpdesk/admin.ts';
import { HelpdeskError } from '#helpdesk/errors.ts';
import {
  desiredScript,
  scriptName,
  scriptText,
  type TrialReport,
  trialName,
  trialSubject,
  trialText,
} from './before-insert-script.ts';
import { ProvisionError } from './items.ts';

/** A script called only from here: on a site without server scripts the call fails, without affecting any ticket. */
const probe = {
  name: 'Deskside: probe',
  __newname: 'Deskside: probe',
  script_type: 'API',
  api_method: 'deskside_probe',
  allow_guest: 0,
  disabled: 0,
  script: 'frappe.response["message"] = "deskside"\n',
};

/**
 * Creates or changes the Before Insert script, and enables it only after a harmless script has run and the new one has
 * passed a trial. If the site has server scripts off, an enabled script blocks every ticket
 * (docs/helpdesk.md#server-scripts), so it is disabled; if only the trial fails, an existing script is left as it is.
 *
 * @returns the outcome of the trial, as a sentence
 * @throws ProvisionError if it was not enabled; HelpdeskError if something could not be written
 */
export async function installScript(
  admin: HelpdeskAdmin,
  { exists, publicUrl, secret }: { exists: boolean; publicUrl: string; secret: string },
  signal: AbortSignal,
): Promise<string> {
  const document = { ...desiredScript, script: scriptText(publicUrl, secret) };
  if (!exists) {
    await admin.create('Server Script', { name: scriptName, __newname: scriptName, ...document, disabled: 1 }, signal);
  }
  const problem = await tryProbe(admin, signal);
  if (problem !== null) {
    if (exists) await admin.update('Server Script', scriptName, { disabled: 1 }, signal);
    throw new ProvisionError(
      `A trial script did not run (${problem}), so this one was left disabled and blocks nothing. Most often ` +
        'server_script_enabled is off: "bench set-config -g server_script_enabled 1" turns it on; then run this again.',
    );
  }
  const { worked, text } = await tryScript(admin, { publicUrl, secret }, signal);
  if (!worked) {
    const state = exists ? 'The script that is there stays as it is' : 'The script is not switched on';
    throw new ProvisionError(`The trial failed. ${text} ${state}; run this again afterwards.`);
  }
  await admin.update('Server Script', scriptName, { ...document, disabled: 0 }, signal);
  return text;
}

/** What went wrong with the harmless script, in a few words; null if it ran. The script is removed afterwards. */
async function tryProbe(admin: HelpdeskAdmin, signal: AbortSignal): Promise<string | null> {
  try {
    await admin.erase('Server Script', probe.name, signal);
    await admin.create('Server Script', probe, signal);
    const answer = await admin.call(probe.api_method, {}, signal);
    return answer === 'deskside' ? null : 'it returned an unexpected answer';
  } catch (error) {
    if (!(error instanceof HelpdeskError)) throw error;
    return error.message;
  } finally {
    // Leaving it behind does no harm: it only returns a word, to signed-in users.
    await admin.erase('Server Script', probe.name, signal).catch(() => undefined);
  }
}

const Report: z.ZodType<TrialReport> = z.object({ failure: z.string().nullable(), group: z.string().nullable() });

/** The outcome of a trial, in whole sentences. */
interface TrialResult {
  worked: boolean;
  text: string;
}

/**
 * Makes the helpdesk run the Before Insert script on one ticket that the script then rejects
 * (docs/operations.md#the-trial). Tickets that people create meanwhile are not affected. Afterwards everything is as
 * before.
 *
 * @throws HelpdeskError if the trial could not be run
 */
async function tryScript(
  admin: HelpdeskAdmin,
  { publicUrl, secret }: { publicUrl: string; secret: string },
  signal: AbortSignal,
): Promise<TrialResult> {
  const subject = `${trialSubject} ${randomUUID()}`;
  const script = trialText(publicUrl, secret, subject);
  await clearTrials(admin, signal);
  try {
    const document = { name: trialName, __newname: trialName, ...desiredScript, disabled: 0, script };
    await admin.create('Server Script', document, signal);
    const result = await insertMarked(admin, subject, signal);
    await clearTrials(admin, signal);
    return result;
  } catch (error) {
    // Anything that this cannot remove is found by the next run.
    await clearTrials(admin, signal).catch(() => undefined);
    throw error;
  }
}

async function insertMarked(admin: HelpdeskAdmin, subject: string, signal: AbortSignal): Promise<TrialResult> {
  try {
    const answer = await admin.createRefused('HD Ticket', { subject }, `${subject} `, signal);
    if ('message' in answer) return resultOf(answer.message);
    await admin.erase('HD Ticket', answer.created, signal);
    return { worked: false, text: 'The helpdesk did not run the script on a new ticket, which was deleted again.' };
  } catch (error) {
    if (!(error instanceof HelpdeskError) || error.kind !== 'timeout') throw error;
    return { worked: false, text: 'The proxy did not answer the helpdesk in time.' };
  }
}

/**
 * Removes what trials leave behind: the script, if a run was interrupted, and the framework's log of a failed call, which
 * contains the secret.
 */
export async function clearTrials(admin: HelpdeskAdmin, signal: AbortSignal): Promise<void> {
  await admin.erase('Server Script', trialName, signal);
  const filters = [['error', 'like', `%${trialSubject} %`]] as const;
  const logs = await admin.list('Error Log', { fields: ['name'], filters }, signal);
  for (const { name } of logs) await admin.erase('Error Log', name, signal);
}

function resultOf(message: string): TrialResult {
  let report: TrialReport;
  try {
    report = Report.parse(JSON.parse(message));
  } catch {
    throw new HelpdeskError('bad_answer', 'The report of the trial cannot be read.');
  }
  if (report.failure !== null) return { worked: false, text: explain(report.failure) };
  const group = report.group === null ? 'leaves such a ticket to the webhook' : `chose the team ${report.group}`;
  return { worked: true, text: `The proxy answered the helpdesk, and ${group}.` };
}

/** Explains the reason that a script reports: the exception's type, and the status of an HTTP response. */
function explain(failure: string): string {
  const status = /, HTTP (\d{3})$/.exec(failure)?.[1];
  if (status === '401' || status === '403') {
    return `The proxy refuses the secret (${failure}). Restart it with this HELPDESK_SCRIPT_SECRET.`;
  }
  if (status === '404') {
    return `There is no such endpoint at PUBLIC_URL (${failure}). Start the proxy there with this HELPDESK_SCRIPT_SECRET.`;
  }
  if (status !== undefined) return `The server at PUBLIC_URL answers with an error (${failure}).`;
  if (failure === 'SSLError') return `The helpdesk does not trust the certificate at PUBLIC_URL (${failure}).`;
  if (/Connect|Timeout|Proxy/.test(failure)) {
    return `The helpdesk cannot reach the proxy at PUBLIC_URL (${failure}). Start it, and check the way to it from the helpdesk's machine.`;
  }
  return `The server at PUBLIC_URL is not the proxy (${failure}).`;
}
