/** What is wrong and what to do about it, where `doctor` and `/readyz` say the same. */
export const helpdeskWords = {
  unreachable: {
    problem: 'The helpdesk does not respond.',
    remedy: 'Check HELPDESK_URL, the network between the two machines, and whether the helpdesk is running.',
  },
  notRecognised: {
    problem: 'The server is not a Frappe Helpdesk.',
    remedy: 'Set HELPDESK_URL to the address of the site where the app Helpdesk is installed.',
  },
  refused: {
    problem: "The helpdesk refuses the service account's key.",
    remedy: 'Create a new key in the helpdesk (User, Settings, API Access), and set HELPDESK_API_KEY and _SECRET.',
  },
};
