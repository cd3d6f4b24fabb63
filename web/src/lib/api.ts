import { restTable } from 'virtual:rest-table'
import { type ApiError, createClient } from '@loci/client/call'
import { readToken } from './token.ts'

type UnauthorizedHandler = (error: ApiError) => void
let unauthorized: UnauthorizedHandler = () => {}

/** Sets what happens when the server no longer knows the caller. */
export function onUnauthorized(handler: UnauthorizedHandler): void {
  unauthorized = handler
}

export const api = createClient(restTable, {
  baseUrl: '',
  token: readToken,
  onError: (error) => {
    // A wrong password is an answer to a form, not the end of the session.
    if (error.status === 401 && error.code !== 'invalid_credentials') unauthorized(error)
  },
})
