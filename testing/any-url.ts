import fc from 'fast-check';

/** Any web address. As `fc.webUrl`, which in every process first works for a second on what its path is made of. */
export const anyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.string({ unit: fc.constantFrom(...'aZ09-._~!$&()*+,;=:@/%'), maxLength: 20 }),
  )
  .map(([scheme, host, path]) => `${scheme}://${host}${path === '' ? '' : `/${path}`}`);
