import { onTokenChangedElsewhere, readToken, removeToken } from '../../../lib/token.ts'

/**
 * The page has been painted for who holds a token; here it is asked whether the token still holds. One that does not
 * is removed silently.
 */
export async function signalSession(root: HTMLElement): Promise<void> {
  const signOut = () => root.removeAttribute('data-signed-in')
  onTokenChangedElsewhere((token) => root.toggleAttribute('data-signed-in', token !== undefined))
  const token = readToken()
  if (token === undefined) return signOut()
  const answer = await fetch('/auth/me', { headers: { authorization: `Bearer ${token}` } }).catch(
    () => undefined,
  )
  if (answer?.status !== 401) return
  removeToken()
  signOut()
}
