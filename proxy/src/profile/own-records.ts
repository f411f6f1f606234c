import type { Context } from '#context.ts';

type OwnRecords = Pick<Context, 'adoptions' | 'decisions' | 'rejections' | 'syncLog'>;

/** A context whose own records never fail to be read: without them nothing is confirmed by them, but the profile is still of use. */
export function withoutOwnFailures<C extends OwnRecords>(ctx: C): Omit<C, keyof OwnRecords> & OwnRecords {
  const { adoptions, decisions, rejections, syncLog } = ctx;
  return {
    ...ctx,
    adoptions: { ...adoptions, standing: (...of) => adoptions.standing(...of).catch(() => null) },
    decisions: {
      ...decisions,
      list: (ticket) => decisions.list(ticket).catch(() => []),
      latest: (ticket) => decisions.latest(ticket).catch(() => null),
    },
    rejections: { ...rejections, standing: (of) => rejections.standing(of).catch(() => []) },
    syncLog: {
      ...syncLog,
      latest: (ticket) => syncLog.latest(ticket).catch(() => null),
      choicesOf: (sender) => syncLog.choicesOf(sender).catch(() => []),
      ofSender: (address) => syncLog.ofSender(address).catch(() => []),
    },
  };
}
