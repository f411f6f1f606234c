/** Vietnamese family names that are hardly ever given names, so that their place tells the order. */
const familyNames = wordSet(
  'Nguyễn Nguyen Trần Tran Lê Phạm Pham Huỳnh Huynh Phan Võ Đặng Bùi Đỗ Hồ Ngô Đoàn Trịnh Trương Đinh Phùng Tạ Đào Quách',
);
/** Family names that are given names too: in front they are the family name, anywhere else they say nothing. */
const ambiguousNames = wordSet(
  'Âu Cao Châu Chu Dương Hà Hoàng Kiều La Lâm Lương Lưu Lý Mạc Mai Tăng Thái Tô Tống Từ Vũ Vương Viên Văn',
);

/**
 * A person's name in one order: a Vietnamese family name first. The CRM and the helpdesk put given and family name together
 * in either order (docs/decisions.md 4a). Any other name stays as it is.
 */
export function personName(name: string): string {
  const words = name.trim().split(/\s+/u);
  const at = words.findIndex((word) => familyNames.has(word));
  if (at <= 0 || ambiguousNames.has(words[0] ?? '')) return words.join(' ');
  return [...words.slice(at), ...words.slice(0, at)].join(' ');
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
