import { type Right, type Role, reachOfRole } from '@loci/contract/rights'

/** Those of a list of places, actions or keys that a role can use; what names no right is for all. */
export function allowedTo<Item extends object>(role: Role | undefined, items: readonly Item[]): Item[] {
  return items.filter((item) => {
    const { right } = item as { right?: Right }
    return right === undefined || (role !== undefined && reachOfRole(role, right) !== undefined)
  })
}
