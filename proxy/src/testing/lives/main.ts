import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { complaintOf, liveFrom } from './lives.ts';

const options = { seed: { type: 'string' }, minutes: { type: 'string' }, trace: { type: 'boolean' } } as const;

/** What is asked for on the command line. Throws an Error that names what is no whole number. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options });
  const wholeOf = (name: 'seed' | 'minutes') => {
    const given = values[name];
    if (given === undefined) return null;
    if (!/^\d{1,9}$/.test(given))
      throw new Error(`--${name}: expected a whole number of at most nine digits, found ${JSON.stringify(given)}`);
    return Number(given);
  };
  return { seed: wholeOf('seed'), minutes: wholeOf('minutes'), isTraced: values.trace === true };
}

/** How long this process has had a processor: what else runs on a machine does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * `npm run lives -- --seed 7 [--trace]` lives one life, `npm run lives -- --minutes 10 [--seed 7]` new ones, from that seed on, for so
 * long on one processor. Gives 1 where something is wrong.
 */
async function main({ seed, minutes, isTraced }: ReturnType<typeof readOptions>): Promise<number> {
  const first = seed ?? (Date.now() % 1_000_000) * 1_000;
  if (minutes === null) {
    const { trace, lines, ...lived } = await liveFrom(first);
    if (isTraced) console.log(trace.join('\n'));
    const complaint = complaintOf(first, { trace, lines, ...lived });
    console.log(complaint ?? [...lines, 'Nothing is wrong with this life.'].join('\n'));
    console.log(`Trace ${createHash('sha256').update(trace.join('\n')).digest('hex')}`);
    return complaint === null ? 0 : 1;
  }
  const end = processorMs() + minutes * 60_000;
  let [lives, wrong] = [0, 0];
  for (; processorMs() < end; lives += 1) {
    const complaint = complaintOf(first + lives, await liveFrom(first + lives));
    if (complaint === null) continue;
    wrong += 1;
    console.log(`\n${complaint}`);
  }
  console.log(`${lives} lives from seed ${first}, ${wrong} with a finding`);
  return wrong > 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await main(readOptions(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  }
}
