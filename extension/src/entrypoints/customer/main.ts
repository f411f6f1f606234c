import { ask } from '#messaging/page-protocol.ts';
import { createPanel } from '#panel/panel-controller.tsx';
import { unknownPage } from '#panel/parts/page.ts';
import { createQueryClient } from '#panel/query/profile-query.ts';
import './customer.css';

// The customer of the ticket in the address, for whom the helpdesk's page keeps from pressing a button: no other page can lie
// over this one.
const state = await ask('options.state', {});
const ticket = new URLSearchParams(location.search).get('ticket');
const root = document.querySelector<HTMLElement>('#root');
if (ticket && root) {
  const arranged = { layout: { open: false }, shortcut: null };
  const page = { ...unknownPage, openOwn: null };
  const panel = createPanel(root, createQueryClient(), state?.spoken ?? 'en', arranged, page);
  const leave = () => {
    close();
    return null;
  };
  panel.open({ ticket, refresh: false, returnFocusTo: leave });
}
