import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A process of its own: `node node-http.ts FILE` answers everything with the bytes of the file, and does nothing else. */
const body = readFileSync(process.argv[2] ?? '');
const server = createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    // For the nginx in front of it.
    'cache-control': 'max-age=3600',
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
