import type { IncomingMessage } from 'node:http';

const lingerMs = 1_000;
const lingerBytes = 64 * 1024;

/**
 * Lets a client that is still sending read its response before the connection closes: after the response the rest of
 * the body is discarded, for at most a second or 64 kB. Closing a connection with unread bytes resets the client, which
 * then may never see the response. The response must carry `Connection: close`.
 */
export function lingerAfter(incoming: IncomingMessage): void {
  const { socket } = incoming;
  let left = lingerBytes;
  // This is how node:http ends a connection after the last response.
  socket.destroySoon = () => {
    const end = () => socket.destroy();
    const timer = setTimeout(end, lingerMs);
    socket.once('close', () => clearTimeout(timer));
    incoming.once('end', end).on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) end();
    });
    socket.end();
  };
}
