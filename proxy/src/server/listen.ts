import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The start failed for a reason outside the configuration; the message is one sentence for a person. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Where a server is to listen, and the settings that say so. */
interface Place {
  host: string;
  port: number;
  settings: { host: string | null; port: string };
}

/** Has a server listen; returns its address, such as http://127.0.0.1:8787. Throws StartError if it cannot. */
export async function listenAt(server: Server, place: Place): Promise<string> {
  const { host } = place;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve).once('error', reject);
      server.listen(place.port, host);
    });
  } catch (error) {
    throw new StartError(problemOf(error, place));
  }
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function problemOf(error: unknown, { host, port, settings }: Place): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is already in use; set ${settings.port} to a free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this account; set ${settings.port} to one above 1023.`;
  if (settings.host !== null && (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'))
    return `${host} is not an address of this machine; set ${settings.host} to one, or to 0.0.0.0 for all.`;
  return `The proxy could not listen on ${host}:${port} (${code ?? 'unknown reason'}).`;
}
