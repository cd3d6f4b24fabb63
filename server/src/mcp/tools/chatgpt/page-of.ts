import type { Actor } from '../../../auth/actor.ts'
import { publicAddress } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { toId } from '../../../lib/ids.ts'

/** The page of an entity in the web app, which chats link to. */
export function pageOf({ config }: Context, { spaceId }: Actor, entityId: string): string {
  const space = new URLSearchParams({ space: toId('spc', spaceId) })
  return `${publicAddress(config)}/entities/${entityId}?${space}`
}
