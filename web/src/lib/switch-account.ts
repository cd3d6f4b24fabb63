/** Reloads the app in another account, so that no screen keeps data of the previous one. */
export function switchAccount(accountId: string): void {
  window.location.assign(`/dashboard?account=${encodeURIComponent(accountId)}`)
}
