/** Who changes the settings. */
export interface Actor {
  /** As the audit trail names them: a helpdesk user, or the command line and its user. */
  name: string;
}
