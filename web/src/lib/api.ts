import { restTable } from 'virtual:rest-table'
import { type ApiError, createClient, type RestClient, type RestOptions } from '@loci/client/call'
import type { ErrorCode } from '@loci/contract/errors'
import { rememberDestination } from './destination.ts'
import { outlastingFetch } from './outlasting-fetch.ts'
import { watchedFetch } from './reachability.ts'
import { scopeHeaders } from './scope.ts'
import { readToken } from './token.ts'
import { uploadFetch } from './upload-fetch.ts'

type RefusalHandler = (error: ApiError) => void
let unauthorized: RefusalHandler = () => {}

/** Sets the handler for calls whose session or key the server no longer accepts. */
export function onUnauthorized(handler: RefusalHandler): void {
  unauthorized = handler
}

const placeCodes: readonly ErrorCode[] = ['account_not_found', 'space_not_found', 'not_permitted']
let refusedHere: RefusalHandler = () => {}

/** Sets the handler for calls that the user may not make, or no longer, in the account and space of the address. */
export function onRefusedHere(handler: RefusalHandler): void {
  refusedHere = handler
}

/** The account in the address requires a second factor, perhaps only recently. */
function leadToSecondFactor(): void {
  const { pathname, search, hash } = window.location
  if (pathname === '/second-factor') return
  rememberDestination(pathname + search + hash)
  window.location.assign('/second-factor')
}

const options: RestOptions = {
  baseUrl: '',
  token: readToken,
  fetch: watchedFetch,
  onError: (error) => {
    // A wrong password in a form does not mean that the session has ended.
    if (error.code === 'second_factor_missing') leadToSecondFactor()
    if (error.status === 401 && error.code !== 'invalid_credentials') unauthorized(error)
  },
}

/** Calls about the session itself, which is valid whatever account and space the address names. */
export const sessionApi = createClient(restTable, options)

/** The same calls, which reach the server even if the page is left or reloaded meanwhile. */
export const outlastingApi = createClient(restTable, { ...options, fetch: outlastingFetch })

/** Calls about accounts that are not on screen, whose refusal does not concern what is. */
export const otherAccountsApi = createClient(restTable, { ...options, onError: () => {} })

const scoped: RestOptions = {
  ...options,
  headers: scopeHeaders,
  onError: (error) => {
    options.onError?.(error)
    if (placeCodes.includes(error.code)) refusedHere(error)
  },
}

/** All other calls, in the account and space that the address names. */
export const api = createClient(restTable, scoped)

/**
 * The same calls in the account and space of this moment, which reach the server even if another space is shown, or the
 * page is left, before they are sent or answered.
 */
export function outlastingApiHere(): RestClient {
  const headers = scopeHeaders()
  return createClient(restTable, { ...options, headers: () => headers, fetch: outlastingFetch })
}

/** The same calls, reporting upload progress. */
export function uploadingApi(onSent: (share: number) => void): RestClient {
  return createClient(restTable, { ...scoped, fetch: uploadFetch(onSent) })
}
