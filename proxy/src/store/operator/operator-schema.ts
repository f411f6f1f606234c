/** Tables of the operator page. Times are epoch milliseconds. */
export interface OperatorSchema {
  /** `digest`: of the token in the cookie. `roles`: JSON of their names. */
  operator_session: {
    digest: string;
    user_id: string;
    full_name: string | null;
    language: string | null;
    roles: string;
    signed_in_at: number;
    used_at: number;
  };
}
