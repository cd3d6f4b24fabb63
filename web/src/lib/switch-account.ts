/** Reloads the app in another account, so that no screen keeps data of the previous one. */
export function switchAccount(account: string, space?: string): void {
  const search = new URLSearchParams({ account, ...(space && { space }) })
  window.location.assign(`/dashboard?${search}`)
}
