import type { ServerResponse } from 'node:http';
import { errors, type RestError } from '#crm/http/request.ts';

/** Everything that can be made to go wrong on demand. */
export const crmFaults = [
  'hang',
  'cut',
  'truncated',
  'html',
  'html_502',
  'redirect',
  'null_result',
  'limit',
  'operation_limit',
  'overload',
  'unauthorized',
  'no_auth',
  'insufficient_scope',
  'empty_error',
  'error_200',
  'error_100',
  'server_error',
  'huge',
  'slow_body',
  'wrong_company',
  'ignored_filter',
] as const;
export type CrmFault = (typeof crmFaults)[number];

/** Faults that a batch reports per command, under HTTP 200 (docs/crm.md#calling). */
export const commandFaults: Partial<Record<CrmFault, () => RestError>> = {
  operation_limit: errors.operationLimit,
  insufficient_scope: errors.scope,
};

/** Faults that are an error of the whole request. */
export const requestFaults: Partial<Record<CrmFault, () => RestError>> = {
  limit: errors.limit,
  overload: errors.overload,
  unauthorized: errors.credentials,
  no_auth: errors.noAuth,
  empty_error: () => errors.notArray('order'),
  error_100: errors.missingArgument,
  server_error: errors.server,
};

const page = '<!DOCTYPE html><html><head><title>Site</title></head><body><h1>Something went wrong</h1></body></html>';
const huge = 3 * 2 ** 20;

/**
 * Sends an answer that a fault has spoilt on its way. Returns the HTTP status that went out, 0 where none did, or
 * null where the fault is none of this kind.
 */
export function sendSpoilt(fault: CrmFault | null, response: ServerResponse, json: string): number | null {
  switch (fault) {
    case 'hang':
      return 0;
    case 'cut':
      response.destroy();
      return 0;
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) });
      response.write(json.slice(0, Math.floor(json.length / 2)), () => response.destroy());
      return 200;
    case 'slow_body':
      response.writeHead(200, { 'content-type': 'application/json' });
      drip(response, json);
      return 200;
    case 'html':
    case 'html_502': {
      const status = fault === 'html' ? 200 : 502;
      response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8' }).end(page);
      return status;
    }
    case 'redirect':
      response.writeHead(302, { location: 'https://moved.crm.example/rest/', 'content-type': 'text/html' }).end();
      return 302;
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"result":{},"padding":"${'x'.repeat(huge)}"}`);
      return 200;
    default:
      return null;
  }
}

/** A byte now and then, for as long as the caller stays. */
function drip(response: ServerResponse, json: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    response.write(json.charAt(sent) || ' ');
    sent += 1;
  }, 100);
  response.on('close', () => clearInterval(timer));
}
