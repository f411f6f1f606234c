/** A line that says whose words follow, in the mail programs that people use here. */
const introductions = [
  // "On … wrote:", "Vào … đã viết:"
  /^(?:on|vào|ngày|am|le)\s.{4,200}?(?:wrote|đã viết|schrieb|a écrit)\s?:$/iu,
  /^.{0,200}<[^<>\s]+@[^<>\s]+>\s*(?:wrote|đã viết)\s?:$/iu,
  // "---------- Forwarded message ---------", "-----Original Message-----"
  /^[-_—=]{2,}\s*(?:forwarded message|original message|reply message|thư (?:được )?chuyển tiếp|tin nhắn (?:gốc|được chuyển tiếp)|thư gốc)\s*[-_—=]*$/iu,
  /^(?:begin forwarded message|bắt đầu thư được chuyển tiếp)\s?:$/iu,
];
/** The first lines of a head: who wrote, then when or to whom. */
const from = /^\*?(?:from|từ|người gửi)\s?:/iu;
const more = /^\*?(?:sent|date|to|cc|subject|đã gửi|ngày|gửi lúc|đến|tới|chủ đề)\s?:/iu;

/**
 * Parts a mail's text into what the sender wrote, signature included, and what they answer or forward: lines that begin with `>` are quoted, as `htmlToText` writes quotations, and so is all behind a
 * line or head that introduces another's words, unless those are marked as quoted themselves. No library: those that were
 * tried (email-reply-parser, planer) know no Vietnamese mail program and take what is forwarded for the sender's own.
 */
export function partMail(text: string): { written: string; quoted: string } {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const written: string[] = [];
  const quoted: string[] = [];
  let isOthers = false;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? '';
    const plain = line.replace(/^(?:>\s?)+/, '');
    const isMarked = plain !== line;
    // What follows a marked quotation is the sender's answer below it.
    if (!isMarked && isIntroduction(line, next)) isOthers = !next.startsWith('>');
    (isMarked || isOthers ? quoted : written).push(plain);
  }
  return { written: written.join('\n'), quoted: quoted.join('\n') };
}

function isIntroduction(line: string, next: string): boolean {
  if (from.test(line)) return more.test(next);
  // Long ones are broken in two.
  const isBroken = /^(?:on|vào)\s/iu.test(line) && /:$/.test(next);
  return introductions.some((one) => one.test(line) || (isBroken && one.test(`${line} ${next}`)));
}
