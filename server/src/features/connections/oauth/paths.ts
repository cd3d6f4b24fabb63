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
