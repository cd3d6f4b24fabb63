const invitationKey = 'loci.invitation'

/** Keeps the token of an invitation in this tab while its reader signs in or up. */
export function keepInvitation(token: string): void {
  sessionStorage.setItem(invitationKey, token)
}

export function readInvitation(): string | undefined {
  return sessionStorage.getItem(invitationKey) ?? undefined
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(invitationKey)
}
