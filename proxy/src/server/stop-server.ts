import type { Server } from 'node:http';

const lookEveryMs = 50;

/**
 * Stops a server: it accepts nothing new, and requests under way have the given time to finish. Each connection is closed
 * after the response that is under way on it. Whatever has been sent to this machine when it stops is under way, read or
 * not: a busy process has not looked at its connections for a while.
 */
export async function stopServer(server: Server, patienceMs: number): Promise<void> {
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  await hasRead();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => void hasRead().then(() => server.closeIdleConnections()), lookEveryMs);
  await closed;
  clearInterval(idle);
  clearTimeout(patience);
}

/** Resolves right after all connections were looked at: nothing that had come in by then is left unread. */
function hasRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
