import { type Right, type Role, reachOfRole } from '@loci/contract/rights'

/** The items (pages, actions or keys) that a role can use; items without a right are for everyone. */
export function allowedTo<Item extends object>(role: Role | undefined, items: readonly Item[]): Item[] {
  return items.filter((item) => {
    const { right } = item as { right?: Right }
    return right === undefined || (role !== undefined && reachOfRole(role, right) !== undefined)
  })
}
