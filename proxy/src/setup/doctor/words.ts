import type { CertificateFault } from '#helpdesk/helpdesk.ts';

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
  certificate: (fault: CertificateFault) => certificateWords(fault, 'the helpdesk', 'HELPDESK_URL'),
};

/**
 * What is wrong with a certificate and what to do about it.
 *
 * @param whose such as "the helpdesk"
 * @param variable where its address stands
 */
export function certificateWords(
  fault: CertificateFault,
  whose: string,
  variable: string,
): { problem: string; remedy: string } {
  const certificate = `The certificate of ${whose}`;
  const words = {
    untrusted: {
      problem: `${certificate} is not from an authority that Deskside trusts.`,
      remedy:
        'Have this machine trust your authority (update-ca-certificates) and restart Deskside, which trusts what the machine trusts; if it is no authority of yours, have the whole chain sent along.',
    },
    expired: {
      problem: `${certificate} has expired or is not valid yet.`,
      remedy: "Renew it there; if it is valid, check this machine's clock.",
    },
    other_name: {
      problem: `${certificate} is for another name than ${variable} has.`,
      remedy: `Set ${variable} to a name that is in the certificate.`,
    },
  };
  return words[fault];
}
