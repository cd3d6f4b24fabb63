const tokenKey = 'auth_token'

export function readToken(): string | undefined {
  return localStorage.getItem(tokenKey) ?? undefined
}

export function storeToken(token: string): void {
  localStorage.setItem(tokenKey, token)
}

export function removeToken(): void {
  localStorage.removeItem(tokenKey)
}

/** Calls `handler` when another tab of this browser signs in or out, with its token. */
export function onTokenChangedElsewhere(handler: (token: string | undefined) => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === tokenKey || event.key === null) handler(readToken())
  })
}
