const invitationKey = 'loci.invitation'

/** Keeps an invitation's token in this tab while the visitor signs in or up. */
export function keepInvitation(token: string): void {
  sessionStorage.setItem(invitationKey, token)
}

export function readInvitation(): string | undefined {
  return sessionStorage.getItem(invitationKey) ?? undefined
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(invitationKey)
}
