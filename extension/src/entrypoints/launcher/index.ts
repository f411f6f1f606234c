import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { startLauncher } from '../../host-page/launcher.ts';

const running = Symbol.for('deskside.launcher');

// An unlisted script, registered at run time for the granted helpdesk only, and sometimes injected again into an open
// page: a launcher that runs already stays, one that an update of the extension left behind makes place.
export default defineUnlistedScript({
  async main() {
    const world = globalThis as { [running]?: boolean };
    if (world[running]) return;
    world[running] = true;
    document.querySelector('deskside-launcher')?.remove();
    world[running] = await startLauncher();
  },
});
