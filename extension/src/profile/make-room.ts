import { send } from '#messaging/send.ts';

/**
 * Keeps the helpdesk's page as narrow as the docked panel needs it. One change is under way at a time, and what was asked
 * for meanwhile is skipped but for the last: a drag asks far more often than a page can be laid out.
 * @param taken the width that has been taken from the page already, null for none
 * @returns asks for another width, null for none
 */
export function createRoomMaker(taken: number | null): (width: number | null) => void {
  let done = taken;
  let wanted = taken;
  let running = false;
  const run = async () => {
    running = true;
    while (wanted !== done) {
      const change = { width: wanted, was: done };
      await send('dock.set', change).catch(() => {});
      done = change.width;
    }
    running = false;
  };
  return (width) => {
    wanted = width;
    if (!running) void run();
  };
}
