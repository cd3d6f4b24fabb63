/** Where the authorization server is. */
export const oauthPaths = {
  root: '/oauth',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  /** Requests that wait for a person. */
  requests: '/oauth/requests',
}

/** The page of the web app on which a person allows or refuses a request. */
export const consentPage = '/authorize'
