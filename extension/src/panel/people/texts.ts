import { plural } from '#i18n/format.ts';
import { phrase, say } from '#i18n/say.ts';

/** Everybody on the customer's side, and what each is to the ticket. */
export const people = {
  title: say('People', 'Những người liên quan'),
  role: {
    sender: say('sender', 'người gửi'),
    contact: say('contact', 'liên hệ'),
    shop_owner: say('shop owner', 'chủ shop'),
    crm_contact: say('CRM contact', 'liên hệ CRM'),
    company: say('company', 'công ty'),
    account: say('platform account', 'tài khoản nền tảng'),
  },
  shopLine: say('Shop line', 'Liên lạc của shop'),
  notKnown: say('not known to this shop', 'shop không có người này'),
  lastLogin: phrase('last sign-in {when}', 'đăng nhập gần nhất {when}'),
  moreAccounts: say(
    (count: number) => plural(count, 'platform account', 'platform accounts'),
    (count: number) => `${count} tài khoản nền tảng`,
  ),
};
