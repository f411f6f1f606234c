import { errors, isArray, type Params, param, parsePhpQuery, phpMap, RestError } from '#crm/http/request.ts';
import type { MethodAnswer, MethodContext } from '#crm/methods/list-rows.ts';
import { portalTime, runMethod } from '#crm/methods/methods.ts';
import type { CrmCall } from '#crm/simulator.ts';
import { type CrmFault, commandFaults, requestFaults } from './faults.ts';
import type { OperatingTimeLimit } from './limits.ts';

/** An error that came under status 200, with a code that no document names. */
const errorBody = { error: 'ERROR_CORE', error_description: 'Core failure' };

export interface CallContext extends Omit<MethodContext, 'distort'> {
  operatingTime: OperatingTimeLimit;
  secondsPerCall: number;
}

/** Answers a call of a known webhook: HTTP status, body, and the error code if the whole request failed. */
export function answerCall(
  call: CrmCall,
  fault: CrmFault | null,
  context: CallContext,
): { status: number; body: unknown; error: string | null } {
  const { now, operatingTime, secondsPerCall } = context;
  const started = now();
  const distort = fault === 'wrong_company' || fault === 'ignored_filter' ? fault : null;
  const webhook = String(call.webhook);
  const run = (method: string, params: Params): { answer: MethodAnswer; time: unknown } => {
    const failure = fault && commandFaults[fault];
    if (failure) throw failure();
    operatingTime.check(webhook, method);
    const answer = runMethod(method, params, { ...context, distort });
    return { answer, time: timeBlock(started, now(), operatingTime.charge(webhook, method, secondsPerCall)) };
  };
  try {
    const failure = fault && requestFaults[fault];
    if (failure) throw failure();
    if (fault === 'error_200') return { status: 200, body: errorBody, error: errorBody.error };
    if (call.method === 'batch') {
      const time = timeBlock(started, now(), operatingTime.charge(webhook, 'batch', 0));
      return {
        status: 200,
        body: { result: fault === 'null_result' ? null : runBatch(call.params, run), time },
        error: null,
      };
    }
    const { answer, time } = run(call.method, call.params);
    const { result, ...rest } = answer;
    return { status: 200, body: { result: fault === 'null_result' ? null : result, ...rest, time }, error: null };
  } catch (error) {
    if (error instanceof RestError) return { status: error.status, body: error.body(), error: String(error.code) };
    throw error;
  }
}

/** The `time` block that goes with every answer (docs/crm.md#calling); moments in epoch milliseconds. */
function timeBlock(start: number, finish: number, operating: { operating: number; operating_reset_at: number }) {
  const duration = (finish - start) / 1_000;
  return {
    start: start / 1_000,
    finish: finish / 1_000,
    duration,
    processing: duration,
    date_start: portalTime(start),
    date_finish: portalTime(finish),
    ...operating,
  };
}

const most = 50;

/** One command as the batch got it. */
interface Command {
  alias: string;
  method: string;
  query: string;
}

/** Runs one command of a batch; gives its answer and its own time block, or throws RestError. */
type RunCommand = (method: string, params: Params) => { answer: MethodAnswer; time: unknown };

/** Methods of the commands in a batch's parameters, in order. */
export function commandsOf(params: Params): string[] {
  return parseCommands(params).map(({ method }) => method);
}

/**
 * Answer of `batch` (docs/crm.md#calling): commands in order, later ones may quote earlier results; each has its own
 * error; maps by alias, which PHP turns into lists where they are empty or numbered.
 */
function runBatch(params: Params, run: RunCommand): unknown {
  const halt = ['1', 'true', 'y'].includes(String(param(params, 'halt') ?? '0').toLowerCase());
  const results: [string, unknown][] = [];
  const failures: [string, unknown][] = [];
  const totals: [string, unknown][] = [];
  const nexts: [string, unknown][] = [];
  const times: [string, unknown][] = [];
  for (const [index, { alias, method, query }] of parseCommands(params).entries()) {
    try {
      if (index >= most) throw errors.batchLength();
      if (method === 'batch') throw errors.batchMethod();
      const resolved = substitute(parsePhpQuery(query), Object.fromEntries(results)) as Params;
      const { answer, time } = run(method, resolved);
      results.push([alias, answer.result]);
      if (answer.total !== undefined) totals.push([alias, answer.total]);
      if (answer.next !== undefined) nexts.push([alias, answer.next]);
      times.push([alias, time]);
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      failures.push([alias, error.body()]);
      if (halt) break;
    }
  }
  return {
    result: phpMap(results),
    result_error: phpMap(failures),
    result_total: phpMap(totals),
    result_next: phpMap(nexts),
    result_time: phpMap(times),
  };
}

function parseCommands(params: Params): Command[] {
  const commands = param(params, 'cmd');
  if (!isArray(commands)) return [];
  return Object.entries(commands).map(([alias, command]) => {
    const [method = '', ...query] = String(command).split('?');
    return {
      alias,
      method: method
        .trim()
        .toLowerCase()
        .replace(/\.json$/, ''),
      query: query.join('?'),
    };
  });
}

/** Fills `$result[alias][…]` in. What cannot be resolved stays as it is and travels on as text. */
function substitute(value: unknown, results: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => substitute(item, results));
  if (isArray(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, substitute(v, results)]));
  if (typeof value !== 'string') return value;
  const whole = /^\$result((?:\[[^\]]*\])+)$/.exec(value);
  if (whole) return lookUp(whole[1] ?? '', results) ?? value;
  return value.replace(/\$result((?:\[[^\]]*\])+)/g, (text, path: string) => {
    const found = lookUp(path, results);
    return found === undefined || isArray(found) ? text : String(found);
  });
}

function lookUp(path: string, results: Record<string, unknown>): unknown {
  let at: unknown = results;
  for (const [, key = ''] of path.matchAll(/\[([^\]]*)\]/g)) {
    if (!isArray(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at ?? undefined;
}
