const destinationKey = 'loci.destination'

/** Keeps where a visitor wanted to go, beside the address so that /login stays plain. */
export function rememberDestination(href: string): void {
  sessionStorage.setItem(destinationKey, href)
}

/** Where to go after logging in; forgotten once read. */
export function takeDestination(): string {
  const href = sessionStorage.getItem(destinationKey) ?? '/dashboard'
  sessionStorage.removeItem(destinationKey)
  return href
}
