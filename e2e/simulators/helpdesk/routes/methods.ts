import { methodMissing, notWhitelisted, permissionDenied } from '#helpdesk/errors.ts';
import { type Call, RawBody } from '#helpdesk/http/call.ts';
import { callApiScript } from '#helpdesk/server-scripts/run.ts';
import { assignMethods } from './assign-methods.ts';
import { clientMethods } from './client-methods.ts';
import { helpdeskMethods } from './helpdesk-methods.ts';
import { permissionMethods } from './permission-methods.ts';
import { siteMethods } from './site-methods.ts';
import { ticketMethods } from './ticket-methods.ts';

const tables = [siteMethods, clientMethods, assignMethods, permissionMethods, ticketMethods, helpdeskMethods];
const methods = new Map(tables.flatMap((table) => Object.entries(table)));

/** Runs a method by its dotted name, a script's before one of the code, and gives the answer's body. Throws FrappeErrors. */
export async function callMethod(call: Call, name: string): Promise<Record<string, unknown>> {
  const script = callApiScript(call.site, name);
  const method = script ?? methods.get(name);
  if (call.user === 'Guest' && method?.guest !== true) throw notWhitelisted(name);
  if (method === undefined) throw methodMissing(name);
  if ('writes' in method && call.method === 'GET') throw permissionDenied('Not permitted');
  const result = await method.run(call);
  if (result instanceof RawBody) return result.body;
  return result === undefined || result === null ? {} : { message: result };
}
