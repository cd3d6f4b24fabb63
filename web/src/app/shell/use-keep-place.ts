import { useEffect } from 'react'
import { keepPlace } from '../../lib/place.ts'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { spaceOf } from '../../lib/space-of.ts'
import { useSpaces } from '../../lib/spaces.ts'

/** Remembers the account and the space on screen, on every switch and when the user comes back to this tab. */
export function useKeepPlace(): void {
  const user = useUser()
  const { account, space: named } = useScope()
  const { data: spaces } = useSpaces()
  const isMember = account === undefined || account === user?.accountId
  const accountId = isMember ? user?.accountId : undefined
  const spaceId = spaces && spaceOf(spaces, named)?.id
  useEffect(() => {
    if (accountId === undefined || spaceId === undefined) return
    const place = { accountId, spaceId }
    void keepPlace(place)
    const onReturn = () => {
      // Another tab may have kept another place.
      if (document.visibilityState === 'visible') void keepPlace(place, { isSure: true })
    }
    document.addEventListener('visibilitychange', onReturn)
    return () => document.removeEventListener('visibilitychange', onReturn)
  }, [accountId, spaceId])
}
