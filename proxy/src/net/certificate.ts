import { connect } from 'node:tls';

/**
 * Until when the certificate at an https origin is valid, in epoch milliseconds; null if it does not say. It is only read:
 * whether it is accepted, a request says. Rejects if there is no connection, and with the signal's reason once that fires.
 */
export function certificateEnd(origin: string, signal: AbortSignal): Promise<number | null> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || 443, servername: host, rejectUnauthorized: false }, () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to ?? '');
      socket.destroy();
      resolve(Number.isNaN(ends) ? null : ends);
    });
    socket.on('error', reject);
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true });
  });
}
