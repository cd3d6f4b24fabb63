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

/** Calls `handler` when another tab of this browser signs out. */
export function onTokenRemovedElsewhere(handler: () => void): void {
  window.addEventListener('storage', (event) => {
    if ((event.key === tokenKey || event.key === null) && readToken() === undefined) handler()
  })
}
