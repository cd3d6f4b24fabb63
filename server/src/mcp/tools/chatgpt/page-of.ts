import type { Actor } from '../../../auth/actor.ts'
import { publicAddress } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { toId } from '../../../lib/ids.ts'

/** The web app's page of an entity, which chats link to. */
export function pageOf({ config }: Context, { spaceId }: Actor, entityId: string): string {
  const space = new URLSearchParams({ space: toId('spc', spaceId) })
  return `${publicAddress(config)}/entities/${entityId}?${space}`
}
