/** Roles of the helpdesk that let somebody see the operator page (docs/decisions.md 33). */
const operatorRoles = ['System Manager', 'Agent Manager'] as const;

/** Whether somebody with these roles may see the operator page. */
export function isOperator(roles: readonly string[]): boolean {
  return operatorRoles.some((role) => roles.includes(role));
}

/** Whether somebody with these roles may change settings. */
export function mayChangeSettings(roles: readonly string[]): boolean {
  return roles.includes('System Manager');
}
