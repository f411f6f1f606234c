/** Functions that take `first` before what they are asked. */
type FunctionsOf<First> = Record<string, (first: First, ...asked: never[]) => unknown>;

/** The same functions without that parameter. From a method the editor leads to its function: mapped name by name. */
export type BoundTo<First, Functions extends FunctionsOf<First>> = {
  [Name in keyof Functions]: Functions[Name] extends (first: First, ...asked: infer Asked) => infer Answer
    ? (...asked: Asked) => Answer
    : never;
};

/**
 * A module's functions as methods of what they all take first, such as a database.
 *
 * @param answered what becomes of each answer; it stays what it is if absent
 */
export function boundTo<First, Functions extends FunctionsOf<First>>(
  first: First,
  functions: Functions,
  answered: (answer: unknown) => unknown = (answer) => answer,
): BoundTo<First, Functions> {
  const methods = Object.entries(functions).map(([name, ask]) => {
    const method = (...asked: never[]) => answered(ask(first, ...asked));
    return [name, method];
  });
  return Object.fromEntries(methods);
}
