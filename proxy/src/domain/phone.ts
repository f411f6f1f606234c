/**
 * A telephone number in the one form in which two spellings of it are equal: digits only, with the Vietnamese national
 * prefix 0 instead of 0084 or +84 (facts/domain.md section 2). Null for what is too short to tell anybody apart.
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
