/** A failed call as Bitrix24 answers it: `{error, error_description}` under an HTTP status (docs/crm.md#errors). */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: string | number;
  readonly status: number;
  constructor(status: number, code: string | number, description: string) {
    super(description);
    this.status = status;
    this.code = code;
  }

  body(): { error: string | number; error_description: string } {
    return { error: this.code, error_description: this.message };
  }
}

export const errors = {
  limit: () => new RestError(503, 'QUERY_LIMIT_EXCEEDED', 'Too many requests'),
  operationLimit: () => new RestError(429, 'OPERATION_TIME_LIMIT', 'Method is blocked due to operation time limit.'),
  overload: () => new RestError(503, 'OVERLOAD_LIMIT', 'REST API is blocked due to overload.'),
  credentials: () => new RestError(401, 'INVALID_CREDENTIALS', 'Invalid request credentials'),
  noAuth: () => new RestError(401, 'NO_AUTH_FOUND', 'Wrong authorization data'),
  scope: () =>
    new RestError(
      401,
      'insufficient_scope',
      'The request requires higher privileges than provided by the webhook token',
    ),
  methodNotFound: () => new RestError(404, 'ERROR_METHOD_NOT_FOUND', 'Method not found!'),
  notArray: (name: string) => new RestError(400, '', `Parameter '${name}' must be array.`),
  badArgument: (description: string) => new RestError(400, '', description),
  missingArgument: () => new RestError(400, 100, 'Could not find value for parameter {id}'),
  unknownField: (name: string) =>
    new RestError(400, 'INVALID_ARG_VALUE', `Invalid filter: field '${name}' is not allowed`),
  server: () => new RestError(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
  batchLength: () => new RestError(400, 'ERROR_BATCH_LENGTH_EXCEEDED', 'Max batch length exceeded'),
  batchMethod: () => new RestError(405, 'ERROR_BATCH_METHOD_NOT_ALLOWED', 'Method is not allowed for batch usage'),
};
