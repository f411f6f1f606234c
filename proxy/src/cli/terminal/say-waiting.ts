/** Tells the operator why a command does not go on. */
export function sayWaiting(database: string): void {
  console.error(`Waiting for another process that brings the tables of ${database} up to date.`);
}
