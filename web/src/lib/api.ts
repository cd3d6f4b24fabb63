import { restTable } from 'virtual:rest-table'
import { type ApiError, createClient, type RestClient, type RestOptions } from '@loci/client/call'
import { readToken } from './token.ts'
import { uploadFetch } from './upload-fetch.ts'

type UnauthorizedHandler = (error: ApiError) => void
let unauthorized: UnauthorizedHandler = () => {}

/** Sets what happens when the server no longer knows the caller. */
export function onUnauthorized(handler: UnauthorizedHandler): void {
  unauthorized = handler
}

const options: RestOptions = {
  baseUrl: '',
  token: readToken,
  onError: (error) => {
    // A wrong password is an answer to a form, not the end of the session.
    if (error.status === 401 && error.code !== 'invalid_credentials') unauthorized(error)
  },
}

export const api = createClient(restTable, options)

/** The same calls, telling how much of what they send is sent. */
export function uploadingApi(onSent: (share: number) => void): RestClient {
  return createClient(restTable, { ...options, fetch: uploadFetch(onSent) })
}
