import type { Compilable, CompiledQuery } from 'kysely';
import type { StateDb } from './schema.ts';

/** Stands for the nth value of a read while its text is made. */
class Placeholder {
  readonly at: number;
  constructor(at: number) {
    this.at = at;
  }
}

/**
 * A read whose text is made once for each database, of values that are all a text, a number or null. For what every look at a
 * ticket asks: to make the text takes several times as long as SQLite takes to answer.
 */
export function fixedRead<Values extends readonly (string | number | null)[], Row>(
  make: (db: StateDb, ...values: Values) => Compilable<Row>,
): (db: StateDb, ...values: Values) => Promise<Row[]> {
  const known = new WeakMap<StateDb, CompiledQuery<Row>>();
  return async (db, ...values) => {
    const places = values.map((_, at) => new Placeholder(at)) as unknown as Values;
    const query = known.get(db) ?? make(db, ...places).compile();
    known.set(db, query);
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.at] : one));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
