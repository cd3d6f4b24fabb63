import { onTokenChangedElsewhere, readToken, removeToken } from '../../../lib/token.ts'

/**
 * The page was rendered for the holder of a token; this checks that the token is still valid. An invalid one
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
