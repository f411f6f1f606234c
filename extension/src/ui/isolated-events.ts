/**
 * Events that must not reach the helpdesk's page from inside the panel. Keys: the helpdesk's shortcuts do not recognise a
 * field inside a shadow root and would act while somebody types (facts/live.md section 6). Pointer, focus and clipboard:
 * to the page they look like an action outside of its open dialogs and editors, which would close them.
 */
export const isolatedEvents = [
  'keydown',
  'keyup',
  'keypress',
  'beforeinput',
  'input',
  'copy',
  'cut',
  'paste',
  'pointerdown',
  'mousedown',
  'touchstart',
  'click',
  'focusin',
];
