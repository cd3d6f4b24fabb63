/** Loads the app anew in an account: nothing of the one before stays on the screens. */
export function switchAccount(accountId: string): void {
  window.location.assign(`/dashboard?account=${encodeURIComponent(accountId)}`)
}
