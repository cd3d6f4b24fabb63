const destinationKey = 'loci.destination'

type Destination = { href: string; userId?: string }

/** Keeps where somebody wanted to go, beside the address so that /login stays plain; `userId` if only they may. */
export function rememberDestination(href: string, userId?: string): void {
  sessionStorage.setItem(destinationKey, JSON.stringify({ href, userId }))
}

/** Where this user goes after signing in; forgotten once read. */
export function takeDestination(userId?: string): string {
  const kept = sessionStorage.getItem(destinationKey)
  sessionStorage.removeItem(destinationKey)
  const destination = kept === null ? undefined : (JSON.parse(kept) as Destination)
  const mayGo = destination && (destination.userId === undefined || destination.userId === userId)
  return mayGo ? destination.href : '/dashboard'
}
