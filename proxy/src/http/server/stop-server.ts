import type { Server } from 'node:http';

const lookEveryMs = 50;

/**
 * Stops a server: it accepts nothing new, and requests under way have the given time to finish. Each connection is closed
 * after the response that is under way on it.
 */
export async function stopServer(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}
