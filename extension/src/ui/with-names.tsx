import { Fragment } from 'react';

/**
 * A sentence whose names stand out, each isolated, so that bidirectional control characters in one have no effect on the
 * words around it. A name that the sentence does not contain is ignored.
 */
export function WithNames({ text, names }: { text: string; names: readonly (string | null)[] }) {
  const [name, ...others] = names.filter((one): one is string => one !== null && one !== '' && text.includes(one));
  if (name === undefined) return text;
  const at = text.indexOf(name);
  return (
    <Fragment>
      <WithNames text={text.slice(0, at)} names={others} />
      <bdi className="font-semibold">{name}</bdi>
      <WithNames text={text.slice(at + name.length)} names={names} />
    </Fragment>
  );
}
