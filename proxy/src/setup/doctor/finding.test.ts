import { operatorTexts } from '@deskside/operator/texts';
import { expect, test } from 'vitest';
import { faults } from './finding.ts';

test('everything that can be found is said in Vietnamese on the operator page', () => {
  const { said } = operatorTexts('vi').today.health;
  expect(Object.keys(said).toSorted()).toEqual(Object.keys(faults).toSorted());
});
