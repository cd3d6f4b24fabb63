import type { Observation } from '@loci/contract/observations'
import { useState } from 'react'
import type { Draft } from './draft.rules.ts'

/** Which facts of an entity have the reader's attention, shared by the panels of its page. */
export type Facts = {
  selected: string | undefined
  select: (id: string) => void
  /** The fact being edited, as it was when editing began. */
  edited: Observation | undefined
  edit: (observation: Observation | undefined) => void
  /** What editing would store now. */
  draft: Draft | undefined
  setDraft: (draft: Draft | undefined) => void
  /** Further facts that the new wording replaces. */
  also: readonly string[]
  setAlso: (ids: readonly string[]) => void
}

export function useFacts(first?: () => string | undefined): Facts {
  const [selected, select] = useState(first)
  const [edited, setEdited] = useState<Observation>()
  const [draft, setDraft] = useState<Draft>()
  const [also, setAlso] = useState<readonly string[]>([])
  function edit(observation: Observation | undefined) {
    setEdited(observation)
    setDraft(undefined)
    setAlso([])
    if (observation !== undefined) select(observation.id)
  }
  return { selected, select, edited, edit, draft, setDraft, also, setAlso }
}
