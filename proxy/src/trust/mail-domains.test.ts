import { expect, test } from 'vitest';
import { isPublicMailDomain } from './evidence.ts';

test.each(['gmail.com', 'yahoo.com.vn', 'outlook.com', 'icloud.com', 'vnn.vn'])(
  'anybody can have an address at %s',
  (domain) => {
    expect(isPublicMailDomain(domain)).toBe(true);
  },
);

test.each(['shop.example', 'haravan.com', ''])('not everybody can at %j', (domain) => {
  expect(isPublicMailDomain(domain)).toBe(false);
});
