import { createHmac, timingSafeEqual } from 'node:crypto';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A process of its own: `node durable-http.ts FILE SECRET` checks a webhook's signature, appends its body to the file, waits
 * until the disk has it, and answers. Less cannot be done by whoever must not lose what was acknowledged.
 */
const [, , file = '', secret = ''] = process.argv;
const log = openSync(file, 'a');
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const signature = Buffer.from(String(request.headers['x-frappe-webhook-signature']), 'base64');
  const isSigned = timingSafeEqual(signature, createHmac('sha256', secret).update(body).digest());
  if (isSigned) {
    writeSync(log, body);
    fdatasyncSync(log);
  }
  response.writeHead(isSigned ? 202 : 403, { 'content-length': 2 }).end('{}');
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
