import type { Entity } from '@loci/contract/entities'
import { currentScope } from './scope.ts'

export type RecentEntity = Pick<Entity, 'id' | 'name' | 'type'>
type Kept = RecentEntity & { account?: string; space?: string }

const key = 'recent entities'
/** Of all spaces together. */
const keptMax = 40
const shownMax = 5

/** Remembers in this browser that the user has opened an entity of the current space. */
export function noteRecentEntity({ id, name, type }: RecentEntity): void {
  const entity: Kept = { id, name, type, ...currentScope() }
  const others = read().filter((other) => other.id !== id || !isHere(other))
  localStorage.setItem(key, JSON.stringify([entity, ...others].slice(0, keptMax)))
}

/** An entity that no longer exists is not offered again. */
export function forgetRecentEntity(id: string): void {
  localStorage.setItem(key, JSON.stringify(read().filter((other) => other.id !== id || !isHere(other))))
}

/** The entities of the current space that were opened last, the newest first. */
export function recentEntities(): RecentEntity[] {
  return read().filter(isHere).slice(0, shownMax)
}

/** The next user of this browser sees nothing of them. */
export function forgetRecentEntities(): void {
  localStorage.removeItem(key)
}

const read = (): Kept[] => JSON.parse(localStorage.getItem(key) ?? '[]')

function isHere({ account, space }: Kept): boolean {
  const here = currentScope()
  return account === here.account && space === here.space
}
