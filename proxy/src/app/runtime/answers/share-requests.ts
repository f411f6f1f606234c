/** Joins the request for this key that is under way, or starts one. Rejects with the signal's reason if it fires. */
export type ShareRequests<T> = (
  key: string,
  signal: AbortSignal,
  start: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/**
 * Merges identical requests that overlap in time. The request runs as long as at least one caller waits for it; a caller
 * who aborts drops out alone. Nothing is kept once it has been answered.
 */
export function shareRequests<T>(): ShareRequests<T> {
  const underWay = new Map<string, { answer: Promise<T>; stop: AbortController; waiting: number }>();

  return (key, signal, start) => {
    signal.throwIfAborted();
    const request = underWay.get(key) ?? begin(key, start);
    request.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        request.waiting -= 1;
        if (request.waiting === 0) {
          if (underWay.get(key) === request) underWay.delete(key);
          request.stop.abort(signal.reason);
        }
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const settled = () => signal.removeEventListener('abort', leave);
      request.answer.then(resolve, reject).then(settled);
    });
  };

  function begin(key: string, start: (signal: AbortSignal) => Promise<T>) {
    const stop = new AbortController();
    const answer = start(stop.signal).finally(() => {
      if (underWay.get(key) === request) underWay.delete(key);
    });
    const request = { answer, stop, waiting: 0 };
    underWay.set(key, request);
    return request;
  }
}
