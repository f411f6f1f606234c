import { hashName } from '#helpdesk/store/naming.ts';
import type { Hooks } from './types.ts';

/** OAuth Client: its name is the client id, and it gets a secret that a public client never sends. */
export const oauthClientHooks: Hooks = {
  beforeInsert(_site, _actor, document) {
    document.client_id = hashName();
    document.client_secret = hashName();
  },
  name: (_site, document) => String(document.client_id),
};
