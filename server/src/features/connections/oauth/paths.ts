/** Paths of the authorization server. */
export const oauthPaths = {
  root: '/oauth',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  /** Requests that wait for a person. */
  requests: '/oauth/requests',
}

/** The web app's page for allowing or refusing a request. */
export const consentPage = '/authorize'

/** The page on which a person reads why a request failed. */
export const errorPage = (reason: string) => `${consentPage}?error=${encodeURIComponent(reason)}`

export const isForPerson = (accept: string | undefined) => accept?.includes('text/html') === true
