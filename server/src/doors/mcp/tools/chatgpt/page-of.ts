import { publicAddress } from '../../../../ground/config/config.ts'
import { toId } from '../../../../ground/lib/ids.ts'
import type { Actor } from '../../../../tenancy/auth/actor.ts'
import type { Context } from '../../../../tenancy/context.ts'

/** The web app's page of an entity, which chats link to. */
export function pageOf({ config }: Context, { spaceId }: Actor, entityId: string): string {
  const space = new URLSearchParams({ space: toId('spc', spaceId) })
  return `${publicAddress(config)}/entities/${entityId}?${space}`
}
