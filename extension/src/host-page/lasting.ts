/**
 * Calls back once something has been so for a while without a break, and then not again until it has been otherwise.
 * @param afterMs milliseconds
 * @returns to be told each time whether it is so
 */
export function lasting(afterMs: number, then: () => void): (isSo: boolean) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (isSo) => {
    if (isSo) timer ??= setTimeout(then, afterMs);
    else {
      clearTimeout(timer);
      timer = undefined;
    }
  };
}
