import { parseArgs } from 'node:util';
import { makeSeed } from '#seed/index.ts';
import type { Generation } from './api.ts';
import { startHelpdesk } from './server.ts';

const usage = 'Usage: cli.ts [--port N] [--generation 1.24|1.28] [--json]';

function fail(message: string): never {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

function readOptions(): { port: number; generation: Generation; json: boolean } {
  const options = {
    port: { type: 'string', default: '0' },
    generation: { type: 'string', default: '1.28' },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) fail(`--port must be 0 to 65535, not ${values.port}`);
    if (values.generation !== '1.24' && values.generation !== '1.28') {
      fail(`--generation must be 1.24 or 1.28, not ${values.generation}`);
    }
    return { port, generation: values.generation, json: values.json };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

const { port, generation, json } = readOptions();
const simulator = await startHelpdesk({ seed: makeSeed().helpdesk, generation, port }).catch((error: Error) =>
  fail(`cannot listen on port ${port}: ${error.message}`),
);
console.log(json ? JSON.stringify({ url: simulator.url, generation }) : simulator.url);

async function stop(): Promise<void> {
  await simulator.close();
  process.exit(0);
}
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
