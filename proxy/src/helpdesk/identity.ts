import * as z from 'zod';
import { noAgents } from './desk.ts';
import { refusalAsOutage } from './frappe-error.ts';
import { type Helpdesk, HelpdeskError } from './helpdesk.ts';
import type { HelpdeskTickets } from './helpdesk-tickets.ts';
import type { Site } from './site.ts';

/** Whose a credential is, as `helpdesk.api.auth.get_user` answers. */
const CurrentUser = z.object({
  message: z.object({
    user_id: z.string(),
    user_name: z.string().nullish(),
    language: z.string().nullish().catch(null),
    is_agent: z.boolean(),
  }),
});

type Identity = Pick<Helpdesk, 'identify' | 'ping'> & Pick<HelpdeskTickets, 'serviceUser'>;

/** Whose a credential is, as the helpdesk says. */
export function createIdentity({ client, service }: Pick<Site, 'client' | 'service'>): Identity {
  let ownName: string | undefined;

  async function whoIs(authorization: string, signal: AbortSignal) {
    return (await client.call('helpdesk.api.auth.get_user', {}, CurrentUser, authorization, signal)).message;
  }

  return {
    async identify({ authorization }, signal) {
      const user = await whoIs(authorization, signal).catch((error: unknown) => {
        // A malformed credential is treated as Guest, who may not call this (docs/helpdesk.md#credentials).
        if (error instanceof HelpdeskError && error.kind === 'forbidden') throw nobody();
        throw error;
      });
      if (user.user_id === 'Guest') throw nobody();
      const isAgent = user.is_agent && !noAgents.has(user.user_id);
      return { id: user.user_id, fullName: user.user_name || null, language: user.language || null, isAgent };
    },

    async ping(signal) {
      await whoIs(service, signal);
    },

    async serviceUser(signal) {
      // It never changes.
      ownName ??= (await refusalAsOutage(whoIs(service, signal))).user_id;
      return ownName;
    },
  };
}

function nobody(): HelpdeskError {
  return new HelpdeskError('unauthenticated', 'The credential does not belong to anyone.');
}
