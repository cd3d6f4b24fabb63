import { z } from 'zod'

/** Every code an answer can carry and its HTTP status. Codes are added, never renamed. */
export const errorStatus = {
  validation_failed: 400,
  malformed_json: 400,
  request_aborted: 400,
  invalid_cursor: 400,
  same_entity: 400,
  webhook_url_refused: 400,
  as_of_not_searchable: 400,
  not_authenticated: 401,
  invalid_credentials: 401,
  forbidden: 403,
  session_required: 403,
  owner_required: 403,
  not_permitted: 403,
  plan_limit_reached: 403,
  origin_not_allowed: 403,
  sign_up_closed: 403,
  user_suspended: 403,
  not_found: 404,
  account_not_found: 404,
  user_not_found: 404,
  entity_not_found: 404,
  entity_type_not_found: 404,
  observation_not_found: 404,
  relation_not_found: 404,
  path_not_found: 404,
  space_not_found: 404,
  webhook_not_found: 404,
  delivery_not_found: 404,
  key_not_found: 404,
  session_not_found: 404,
  change_set_not_found: 404,
  import_not_found: 404,
  plan_not_found: 404,
  price_not_found: 404,
  payment_method_not_found: 404,
  invoice_not_found: 404,
  checkout_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  claim_not_found: 404,
  email_taken: 409,
  user_is_owner: 409,
  key_rolled: 409,
  entity_name_taken: 409,
  relation_exists: 409,
  undo_conflict: 409,
  idempotency_conflict: 409,
  import_conflict: 409,
  webhook_disabled: 409,
  billing_conflict: 409,
  billing_off: 409,
  stale_write: 412,
  body_too_large: 413,
  not_json: 415,
  card_declined: 400,
  rate_limited: 429,
  operations_limit_reached: 429,
  headers_too_large: 431,
  internal: 500,
  billing_unavailable: 502,
  database_unavailable: 503,
  database_corrupt: 503,
  shutting_down: 503,
} as const

export type ErrorCode = keyof typeof errorStatus
export const ErrorCode = z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]])

/** The body of every answer with status 400 and above. */
export const ErrorBody = z.object({
  error: z.object({
    code: ErrorCode,
    /** Fit to show to a person. */
    message: z.string(),
    /** Validation: `{path, message}`; plan limits: `{limit, used, plan}`; internal errors: `{requestId}`. */
    details: z.array(z.record(z.string(), z.unknown())).optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>
