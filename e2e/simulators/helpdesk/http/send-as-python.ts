import http from 'node:http';
import https from 'node:https';

/** What Python's requests sends along with everything, as recorded (recordings/helpdesk-1.24/webhooks.json). */
const pythonHeaders = {
  'User-Agent': 'python-requests/2.32.5',
  'Accept-Encoding': 'gzip, deflate, br',
  Accept: '*/*',
  Connection: 'keep-alive',
};

export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
  /** Milliseconds without an answer; waits for ever where it is left out. */
  timeoutMs?: number;
}

/** The other side did not answer in time. */
export class AnswerTimeout extends Error {}

/**
 * Sends a request the way the helpdesk's HTTP library does, with its headers and no others, on a connection of its own.
 * Throws AnswerTimeout, and any other error where there was no whole answer.
 */
export function sendAsPython(request: OutgoingRequest): Promise<{ status: number; text: string }> {
  const { method, url, headers, body, signal, timeoutMs } = request;
  const send = url.startsWith('https:') ? https.request : http.request;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      agent: false,
      headers: { ...pythonHeaders, ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      signal,
    });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => outgoing.destroy(new AnswerTimeout()), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('error', fail);
      response.once('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
        // The connection said that it could be kept; nothing else will be sent on it.
        outgoing.destroy();
      });
    });
    outgoing.end(body);
  });
}
