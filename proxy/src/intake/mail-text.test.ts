import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { htmlToText } from '#helpdesk/html-to-text.ts';
import { partMail } from './mail-text.ts';

/** OWN stands for what the sender wrote, THEIRS for what somebody else did. */
test.each<[mail: string, written: boolean, theirs: boolean]>([
  ['OWN\n\nOn Mon, 1 Jan 2026 at 10:00, Haravan <a@h.vn> wrote:\n> THEIRS', true, true],
  ['OWN\n\nOn Mon, 1 Jan 2026 at 10:00, Haravan\n<a@h.vn> wrote:\n\nTHEIRS', true, true],
  ['> THEIRS\n\nOWN', true, true],
  ['On 1 Jan 2026, X <x@y.vn> wrote:\n> THEIRS\n\nOWN', true, true],
  ['>> THEIRS\n> THEIRS\nOWN\n> THEIRS', true, true],
  ['OWN\nVào Th 2, 1 thg 1, 2026 vào lúc 10:00 Haravan <a@h.vn> đã viết:\nTHEIRS', true, true],
  ['OWN\nVào 10:00, Th 2, 1 thg 1, 2026 Haravan\n<a@h.vn> đã viết:\n\n> THEIRS', true, true],
  ['OWN\nHaravan <a@h.vn> đã viết:\nTHEIRS', true, true],
  ['OWN\n\nFrom: Haravan <a@h.vn>\nSent: Monday\nTo: Lan\nSubject: RE\n\nTHEIRS', true, true],
  ['OWN\n\nTừ: Haravan <a@h.vn>\nĐã gửi: 1 Tháng Một 2026\nĐến: Lan\nChủ đề: RE\n\nTHEIRS', true, true],
  ['OWN\n\n*From:* Haravan\n*Date:* Monday\nTHEIRS', true, true],
  ['OWN\n---------- Forwarded message ---------\nFrom: Lan <lan@x.vn>\nTHEIRS', true, true],
  ['OWN\n---------- Thư được chuyển tiếp ----------\nTHEIRS', true, true],
  ['OWN\n-----Original Message-----\nTHEIRS', true, true],
  ['OWN\n-----Original Message-----\nTHEIRS\n> THEIRS\nTHEIRS', true, true],
  ['OWN\nBegin forwarded message:\nTHEIRS', true, true],
  ['OWN\nBắt đầu thư được chuyển tiếp:\n> THEIRS', true, true],
  ['OWN\n<a@h.vn>wrote :\nTHEIRS', true, true],
  ['OWN\n--Forwarded message--\nTHEIRS', true, true],
  ['OWN\n  Begin forwarded message :  \nTHEIRS', true, true],
  ['OWN\nVào Th 2, 1 thg 1, 2026 vào lúc 10:00 một người tên rất dài\nđã viết:\nTHEIRS', true, true],
  ['OWN\nFrom : Haravan\nTo : Lan\nTHEIRS', true, true],
  ['OWN\n> > >THEIRS', true, true],
  ['OWN\n>THEIRS', true, true],
  ['OWN\nOn 1 Jan 2026, Lan wrote :\nTHEIRS', true, true],
  ['OWN\nLan <lan@h.vn> wrote:\nTHEIRS', true, true],
  ['OWN\n----- Thư chuyển tiếp -----\nTHEIRS', true, true],
  ['---------- Forwarded message ---------\nTHEIRS', false, true],
  ['Em hỏi on Monday a@h.vn đã viết:\nOWN', true, false],
  ['Vào trang x@y.vn, shop đã viết: chào\nOWN', true, false],
  ['Khách <a@h.vn> đã viết: không vào được\nOWN', true, false],
  ['Em đã begin forwarded message:\nOWN', true, false],
  ['Begin forwarded message: không được\nOWN', true, false],
  ['Em thấy -----Original Message-----\nOWN', true, false],
  ['-----Original Message----- thì sao\nOWN', true, false],
  ['Thư from: Lan\nTo: Mai\nOWN', true, false],
  ['From: Lan\nGửi to: Mai\nOWN', true, false],
  ['Vào shop\nkhông được: OWN', true, false],
  ['From: Hà Nội, em cần hỗ trợ OWN', true, false],
  ['Từ: tháng 3 em không vào được\nOWN', true, false],
  ['Vào shop không được\nOWN', true, false],
  ['OWN\n--\nAgency ABC, OWN', true, false],
  ['OWN -> OWN', true, false],
])('%j', (mail, hasOwn, hasTheirs) => {
  const { written, quoted } = partMail(mail);
  expect([written.includes('OWN'), written.includes('THEIRS')]).toEqual([hasOwn, false]);
  expect([quoted.includes('THEIRS'), quoted.includes('OWN')]).toEqual([hasTheirs, false]);
});

test.each([
  '<p>OWN</p><blockquote><p>THEIRS</p><p>THEIRS</p></blockquote>',
  '<blockquote type="cite">THEIRS<br>THEIRS<blockquote>THEIRS</blockquote>THEIRS</blockquote><div>OWN</div>',
  '<div>OWN<div class="gmail_quote"><div class="gmail_attr">On 1 Jan X wrote:<br></div><blockquote>THEIRS\nTHEIRS</blockquote></div></div>OWN',
  '</blockquote><p>OWN</p><blockquote>THEIRS</blockquote>',
  '<p>OWN</p><p>&gt; THEIRS</p>',
  '<div>OWN</div><div style="border-top:solid"><p><b>From:</b> X<br><b>Sent:</b> Monday<br></p><p>THEIRS</p></div>',
])('of a page %j what is quoted is told from what is not', (html) => {
  const { written, quoted } = partMail(htmlToText(html));
  expect([written.includes('OWN'), written.includes('THEIRS'), quoted.includes('OWN')]).toEqual([true, false, false]);
});

test('the marks of a quotation, and of one in it, are no part of its words', () => {
  expect(partMail('>> a\n> >b\n>c').quoted).toBe('a\nb\nc');
});

test('whatever a mail is: each of its words is in one part, and it takes no time', () => {
  const line = fc.oneof(
    fc.constantFrom('', '> ', '>> ', 'On x wrote:', 'From: x', 'Sent: y', '-----Original Message-----', 'Từ: z'),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const words = (text: string) => text.split(/[\s>]+/u).filter((word) => word !== '');
      const { written, quoted } = partMail(lines.join('\n'));
      expect([...words(written), ...words(quoted)].toSorted()).toEqual(words(lines.join('\n')).toSorted());
    }),
  );
  // What else runs on the machine does not count.
  const began = process.cpuUsage();
  for (const piece of ['On x ', 'From: x\n', '> ', '<a@b> ', '\n', 'On x\n', '-'])
    partMail(piece.repeat(Math.floor(65_536 / piece.length)));
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(3_000);
});
