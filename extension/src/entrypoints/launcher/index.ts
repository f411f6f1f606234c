import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { startLauncher } from '#launcher/launcher.ts';

const running = Symbol.for('deskside.launcher');

// An unlisted script, registered at run time for the granted helpdesk only, and sometimes injected into open pages as
// well: a running launcher stays, one orphaned by an update of the extension is replaced.
export default defineUnlistedScript({
  async main() {
    const world = globalThis as { [running]?: boolean };
    if (world[running]) return;
    world[running] = true;
    document.querySelector('deskside-launcher')?.remove();
    world[running] = await startLauncher();
  },
});
