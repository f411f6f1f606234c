import type { DecidedTicket } from '#domain/operator/decided-ticket.ts';
import type { PipelineWatch } from '#ports/routing/pipeline-watch.ts';

/** A millisecond or two of reading and parsing. */
const portion = 50;

/** All decisions, newest first, in portions. */
export async function* newestDecided(watch: Pick<PipelineWatch, 'decided'>): AsyncGenerator<DecidedTicket[]> {
  let beforeId: string | null = null;
  for (;;) {
    const page: DecidedTicket[] = await watch.decided({ beforeId, limit: portion });
    yield page;
    if (page.length < portion) return;
    beforeId = page.at(-1)?.id ?? null;
  }
}
