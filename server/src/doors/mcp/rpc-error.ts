import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { AppError } from '../../ground/errors/app-error.ts'

/** The JSON-RPC code reserved for server errors, for refusals without a code of their own. */
const serverError = -32_000

/** The body of a refusal at the HTTP level, which can come before there is a request with an id. */
export function toRpcError(error: AppError): object {
  const { code, message, details } = error
  const data = { code, ...(details === undefined ? {} : { details }) }
  return { jsonrpc: '2.0', id: null, error: { code: rpcCodeOf(error), message, data } }
}

function rpcCodeOf({ code, status }: AppError): number {
  if (code === 'malformed_json') return ProtocolErrorCode.ParseError
  if (code === 'validation_failed') return ProtocolErrorCode.InvalidRequest
  return status === 500 ? ProtocolErrorCode.InternalError : serverError
}
