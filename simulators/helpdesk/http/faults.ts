import type { HttpBindings } from '@hono/node-server';
import type { ApiAnswer, ApiRequest, SimulatedFault } from '#helpdesk/api.ts';
import { FrappeError } from '#helpdesk/errors.ts';
import { errorBody } from './envelope.ts';

const gatewayTitles = { 502: '502 Bad Gateway', 503: '503 Service Temporarily Unavailable' } as const;

/** Where the bytes of an answer go; null without a connection. */
export type Outgoing = HttpBindings['outgoing'] | null;

/** Answers a request the way a broken site would. */
export function faultAnswer(fault: SimulatedFault, outgoing: Outgoing): ApiAnswer | Promise<ApiAnswer> {
  switch (fault) {
    case 'hang':
      return new Promise<never>(() => {});
    case 'cut':
      return cut(outgoing);
    case 'html':
      return page(200, 'Updating', 'This site is being updated. Please refresh this page again in a while.');
    case 502:
    case 503:
      return page(fault, gatewayTitles[fault], 'nginx');
    case 429:
      return envelope(limited, [['retry-after', '1']]);
    case 'deadlock':
      return envelope(deadlock);
    case 500:
      return envelope(new FrappeError({ status: 500, excType: 'Exception', message: null, exception: 'Exception' }));
  }
}

const deadlock = new FrappeError({
  status: 500,
  excType: 'QueryDeadlockError',
  message: null,
  exception:
    "frappe.exceptions.QueryDeadlockError: (1213, 'Deadlock found when trying to get lock; try restarting transaction')",
});
const limited = new FrappeError({ status: 429, excType: 'TooManyRequestsError', message: 'Too Many Requests' });

/** Sends headers and half a body, then breaks the connection off. */
function cut(outgoing: Outgoing): ApiAnswer | Promise<ApiAnswer> {
  if (outgoing === null) return { status: 200, headers: [], body: null };
  outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '4096' });
  outgoing.write('{"data": [{"name": "', () => outgoing.destroy());
  return new Promise<never>(() => {});
}

/** As the real site's server, gunicorn, has it by default, in bytes without the end of the line. */
const maxRequestLine = 4_094;

/** What that server answers to a request line that is too long, before the helpdesk hears of it; null if it is not. */
export function refusedLine({ method, url }: ApiRequest): ApiAnswer | null {
  const { length } = `${method} ${url.pathname}${url.search} HTTP/1.1`;
  if (length <= maxRequestLine) return null;
  const html = `<html>\n  <head>\n    <title>Bad Request</title>\n  </head>\n  <body>\n    <h1><p>Bad Request</p></h1>\n    Request Line is too large (${length} &gt; ${maxRequestLine})\n  </body>\n</html>\n`;
  return { status: 400, headers: [['content-type', 'text/html']], body: html };
}

function page(status: number, title: string, text: string): ApiAnswer {
  const html = `<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1><p>${text}</p></body>\n</html>\n`;
  return { status, headers: [['content-type', 'text/html; charset=utf-8']], body: html };
}

function envelope(error: FrappeError, headers: ApiAnswer['headers'] = []): ApiAnswer {
  const body = JSON.stringify(errorBody(error, [], true));
  return { status: error.status, headers: [['content-type', 'application/json'], ...headers], body };
}
