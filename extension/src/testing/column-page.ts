import { type Page, unknownPage } from '#panel/page.ts';

/** For tests: the layout of a newcomer. */
export const closed = { layout: { open: false }, shortcut: null };

/** For tests: a page of the helpdesk that has its column beside the ticket. */
export const columnPage: Page = {
  ...unknownPage,
  watchColumn(onBox) {
    onBox({ left: '928', top: '78', width: '352', height: '722' }, true);
    return () => {};
  },
};
