import { number, plural } from '#i18n/format.ts';
import { section } from '#i18n/section.ts';

/** Everybody on the customer's side, and what each is to the ticket. */
export const people = section({
  en: {
    title: 'People',
    role: {
      sender: 'Sender',
      contact: 'Contact',
      shop_owner: 'Shop owner',
      crm_contact: 'CRM contact',
      account: 'Platform account',
    },
    /** The same besides another one. */
    also: {
      sender: 'sender',
      contact: 'contact',
      shop_owner: 'shop owner',
      crm_contact: 'CRM contact',
      account: 'platform account',
    },
    firstContact: 'first of the company’s contacts',
    moreAccounts: (count: number) => `${plural(count, 'more platform account', 'more platform accounts')}`,
  },
  vi: {
    title: 'Những người liên quan',
    role: {
      sender: 'Người gửi',
      contact: 'Liên hệ',
      shop_owner: 'Chủ shop',
      crm_contact: 'Liên hệ CRM',
      account: 'Tài khoản nền tảng',
    },
    also: {
      sender: 'người gửi',
      contact: 'liên hệ',
      shop_owner: 'chủ shop',
      crm_contact: 'liên hệ CRM',
      account: 'tài khoản nền tảng',
    },
    firstContact: 'liên hệ đầu tiên của công ty',
    moreAccounts: (count: number) => `${number('vi', count)} tài khoản nền tảng khác`,
  },
});
