import { startReceiver } from '@deskside/simulators/helpdesk/testing/receiver';

/** A receiver of alerts on this machine; it accepts each. */
export async function receiveAlerts() {
  const bodies: string[] = [];
  const { url, close } = await startReceiver(({ body }) => {
    bodies.push(body);
    return { status: 200 };
  });
  return { url, bodies, close };
}
