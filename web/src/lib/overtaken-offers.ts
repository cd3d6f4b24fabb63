import type { Change } from '@loci/contract/changes'
import { notifications } from '@mantine/notifications'
import { api } from './api.ts'
import { standingOffers } from './undo-offers.ts'

const changesReadMax = '100'
const endings: readonly Change['operation'][] = ['entity_deleted', 'entity_merged', 'entity_erased']

/**
 * Hides the toasts of earlier changes to things that these sets changed again, which the server would refuse
 * to undo. Ctrl+Z still reaches them once the later change is undone.
 */
export async function withdrawOvertaken(sets: readonly string[]): Promise<void> {
  const earlier = standingOffers()
  if (earlier.length === 0) return
  const later = await readChanges(sets)
  for (const offer of earlier) {
    const changes = await readChanges(offer.sets)
    if (changes.some((change) => later.some((other) => isOvertaken(change, other))))
      notifications.hide(offer.toastId)
  }
}

function isOvertaken({ subject }: Change, { subject: later, operation }: Change): boolean {
  return later.id === subject.id || (endings.includes(operation) && later.id === subject.entityId)
}

/** Without a response, the toasts stay: the server decides again when one is used. */
async function readChanges(sets: readonly string[]): Promise<Change[]> {
  const read = async (setId: string) =>
    (await api.listChanges({ query: { setId, limit: changesReadMax } })).changes
  return (await Promise.all(sets.map(read)).catch(() => [])).flat()
}
