const destinationKey = 'loci.destination'

type Destination = { href: string; userId?: string }

/**
 * Remembers where the user wanted to go, outside the address so that /login stays plain; with `userId`, for
 * that user only.
 */
export function rememberDestination(href: string, userId?: string): void {
  sessionStorage.setItem(destinationKey, JSON.stringify({ href, userId }))
}

/** Where this user goes after signing in; reading it forgets it. */
export function takeDestination(userId?: string): string {
  const kept = sessionStorage.getItem(destinationKey)
  sessionStorage.removeItem(destinationKey)
  const destination = kept === null ? undefined : (JSON.parse(kept) as Destination)
  const mayGo = destination && (destination.userId === undefined || destination.userId === userId)
  return mayGo ? destination.href : '/dashboard'
}
