import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { AppError } from '../errors/app-error.ts'

/** What JSON-RPC leaves to servers, for a refusal that it has no code for. */
const serverError = -32_000

/** The body of a refusal of the HTTP door, which may come before there is a request with an id to answer. */
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
