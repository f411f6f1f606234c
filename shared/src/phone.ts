/**
 * Normalises a telephone number so that different spellings compare equal: digits only, with the Vietnamese national
 * prefix 0 instead of 0084 or +84 (docs/crm.md#people). Null if too short to identify anyone.
 */
export function normalizePhone(value: string): string | null {
  const digits = value.replace(/\D/g, '');
  const national = digits.startsWith('0084')
    ? `0${digits.slice(4)}`
    : digits.startsWith('84') && digits.length >= 11
      ? `0${digits.slice(2)}`
      : digits;
  return national.length < 7 ? null : national;
}
