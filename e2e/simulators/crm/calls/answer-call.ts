import type { Params } from '#crm/http/request.ts';
import { RestError } from '#crm/http/rest-error.ts';
import type { MethodAnswer, MethodContext } from '#crm/methods/method.ts';
import { portalTime, runMethod } from '#crm/methods/methods.ts';
import type { CrmCall } from '#crm/simulator.ts';
import { runBatch } from './batch.ts';
import { type CrmFault, commandFaults, requestFaults } from './faults.ts';
import type { OperatingTime } from './limits.ts';

/** An error that came under status 200, with a code that no document names. */
const errorBody = { error: 'ERROR_CORE', error_description: 'Core failure' };

export interface CallContext extends Omit<MethodContext, 'distort'> {
  operatingTime: OperatingTime;
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
