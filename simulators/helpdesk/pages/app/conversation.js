import { ago, avatar, h, icon, plainText } from './dom.js';

/** A contact's name without the customer that Frappe adds to it; the address where there is no contact. */
export function displayName(contact, address) {
  return contact.name ? contact.name.split('-')[0].trim() : address;
}

/** Messages and comments of a ticket, oldest first. Everything in them is shown as text. */
export function conversation(ticket, kind = 'all') {
  const mails = ticket.communications.map((mail) => ({
    at: mail.creation,
    id: mail.name,
    who: mail.user.name,
    address: mail.user.email,
    title: mail.subject,
    text: plainText(mail.content),
    kind: 'mail',
    verb: mail.sent_or_received === 'Sent' ? 'replied' : 'wrote',
  }));
  const comments = ticket.comments.map((comment) => ({
    at: comment.creation,
    who: comment.commented_by,
    text: plainText(comment.content),
    kind: 'comment',
    verb: 'commented',
  }));
  const first = {
    at: ticket.creation,
    id: 'first',
    who: displayName(ticket.contact, ticket.raised_by),
    address: ticket.raised_by,
    text: plainText(ticket.description),
    kind: 'mail',
    verb: 'wrote',
  };
  const opening = mails.length === 0 && first.text !== '' ? [first] : [];
  const all = [...opening, ...mails, ...comments].sort((left, right) => (left.at < right.at ? -1 : 1));
  const shown = all.filter((entry) => kind === 'all' || entry.kind === kind);
  if (shown.length === 0) return h('div', { class: 'empty' }, 'Nothing here yet');
  return h('div', { class: 'conversation' }, shown.map(message));
}

/** A mail says from which address it is, and has its text in a frame, as the helpdesk's own page (1.24.1 to the next release). */
function message({ at, id, who, address, title, text, kind, verb }) {
  const isMail = kind === 'mail';
  return h(
    'article',
    { class: `message ${kind}`, id: isMail && `communication-${id}` },
    avatar(who),
    h(
      'div',
      { class: 'message-body' },
      h(
        'div',
        { class: 'message-head' },
        h('strong', {}, who),
        isMail ? h('span', { class: 'quiet' }, `<${address}>`) : null,
        h('span', { class: 'quiet' }, verb),
        icon(kind === 'mail' ? 'mail' : 'comment', 'size-3'),
        h('time', { class: 'quiet', datetime: at }, `${ago(at)} ago`),
      ),
      title ? h('div', { class: 'message-title' }, title) : null,
      isMail
        ? h('iframe', { class: 'message-text', srcdoc: paragraphs(text) })
        : h('div', { class: 'message-text' }, text),
    ),
  );
}

/**
 * The area below the conversation: buttons that open an editor, which sends what was typed. `open(index)` opens one
 * from outside, as the shortcuts do.
 */
export function communicationArea(editors) {
  const area = h('div', { class: 'comm-area' });
  const close = () => area.replaceChildren(buttons);
  const open = (index) => {
    area.replaceChildren(editor(editors[index], close));
    area.querySelector('[contenteditable]').focus();
  };
  const buttons = h(
    'div',
    { class: 'comm-buttons' },
    editors.map(({ label, symbol }, index) =>
      h('button', { type: 'button', class: 'btn ghost', onclick: () => open(index) }, icon(symbol), label),
    ),
  );
  area.append(buttons);
  return { area, open };
}

function editor({ label, send }, close) {
  const input = h('div', {
    class: 'editor',
    contenteditable: 'true',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
  });
  const submit = async () => {
    const text = plainText(input.innerHTML);
    if (text !== '') await send(paragraphs(text));
  };
  return h(
    'div',
    { class: 'editor-box' },
    input,
    h(
      'div',
      { class: 'editor-actions' },
      h('button', { type: 'button', class: 'btn ghost', onclick: close }, 'Discard'),
      h('button', { type: 'button', class: 'btn solid', onclick: submit }, label === 'Reply' ? 'Send' : label),
    ),
  );
}

/** Typed text as the HTML that the site keeps. */
export function paragraphs(text) {
  return text
    .split(/\n+/)
    .map((line) => h('p', {}, line))
    .map((paragraph) => {
      paragraph.removeAttribute('class');
      return paragraph.outerHTML;
    })
    .join('');
}
