/**
 * The least that a process started by a test needs of this one's environment: what the test gives it then comes from the
 * test alone. The folder of compiled modules only makes it start sooner.
 */
export function childEnvironment(environment: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...environment };
}
