import type { User } from '@loci/contract/auth'
import type { Place } from '@loci/contract/places'
import { firstSpaceId } from '@loci/contract/spaces'
import { outlastingApi, sessionApi } from './api.ts'
import type { Scope } from './scope.ts'

let openedFor: string | undefined
let kept: Place | undefined

/**
 * Where the app opens for a user whose address names no account and no space: where they were last. Only once per
 * session: after that, such an address means their own account and its default space.
 */
export async function placeToOpen(user: User, named: Scope): Promise<Scope> {
  if (openedFor === user.id) return {}
  openedFor = user.id
  if (named.account !== undefined || named.space !== undefined) return {}
  try {
    kept = await sessionApi.getPlace()
  } catch {
    // Unreachable for now; the screen says so if it cannot load either.
    return {}
  }
  const { accountId, spaceId } = kept
  return {
    ...(accountId === user.accountId ? {} : { account: accountId }),
    ...(spaceId === firstSpaceId ? {} : { space: spaceId }),
  }
}

/** Remembers on the server where the user is. If that fails, the next switch tries again. */
export async function keepPlace(place: Place, { isSure = false } = {}): Promise<void> {
  if (!isSure && kept?.accountId === place.accountId && kept.spaceId === place.spaceId) return
  kept = place
  await outlastingApi.setPlace({ body: place }).catch(() => (kept = undefined))
}

/** The next session opens where its user was last. */
export function forgetPlace(): void {
  openedFor = undefined
  kept = undefined
}
