import { textsFor } from '@deskside/extension/texts';
import { demo } from '@deskside/simulators/seed/index';
import { expect, test } from './setup/fixtures.ts';

const { shell } = textsFor('en');

test('the browser ends the background while the panel waits for its answer: the panel asks again', async ({
  sharedBrowser,
  gateway,
  panel,
}) => {
  await panel.goto(demo.tickets.planExpired);
  await expect.poll(() => gateway.open.size).toBe(0);
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  gateway.delay = () => held;
  await panel.moveTo(demo.tickets.matched);
  await panel.launcher.click();
  await expect(panel.rail.getByText(shell.loading).first()).toBeAttached();
  await sharedBrowser.endBackground();
  goOn();
  await expect(panel.rail).toContainText('OMNI SCALE');
});
