import { type OIDCProviderError, SessionNotFound } from 'oidc-provider/lib/helpers/errors.js'
import type { OidcContext } from 'oidc-provider/lib/provider.js'
import { errorPage, isForPerson } from './paths.ts'

/**
 * Keeps an error from being reported by a redirect before a person has answered. Otherwise links to this server would
 * lead wherever a stranger's client says (RFC 9700, 4.11.2).
 */
export function reportHere({ oidc }: OidcContext, error: OIDCProviderError): void {
  if (oidc.entities.Interaction?.result === undefined) error.allow_redirect = false
}

/** Reports an error that is not returned to the client: to a person on a page, otherwise as JSON. */
export function showError(inner: OidcContext, out: { error: string }, error: unknown): void {
  if (!isForPerson(inner.req.headers.accept)) {
    // The library foresees a redirect for some errors.
    if (inner.status < 400) inner.status = 400
    inner.body = out
    return
  }
  inner.status = 303
  inner.redirect(errorPage(error instanceof SessionNotFound ? 'expired' : out.error))
}
