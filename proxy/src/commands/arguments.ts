import { userInfo } from 'node:os';
import { OrgId } from '@deskside/shared/orgid';
import { InvalidArgumentError } from 'commander';

/** An org id as somebody typed it. */
export function orgIdArgument(text: string): OrgId {
  const parsed = OrgId.safeParse(text.trim());
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('Expected an org id of 1 to 20 digits.');
}

/** An option that may be given several times. */
export const collect = (value: string, before: string[]) => [...before, value];

/** Who works at the command line, as records name them. */
export function operator(): { name: string } {
  return { name: `command line, ${userInfo().username}` };
}

/** Fires once the operator interrupts the command, which then ends by itself. */
export function untilInterrupted(): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
  return stopped.signal;
}

/** For work that nothing interrupts but the end of the process. */
export const never = () => new AbortController().signal;
