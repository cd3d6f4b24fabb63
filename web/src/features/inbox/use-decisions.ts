import type { ApiError } from '@loci/client/call'
import type { Proposal } from '@loci/contract/proposals'
import { useEffect, useState } from 'react'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { defer, runDeferred } from './deferred.ts'
import { useDecide } from './inbox.queries.ts'
import { type Choices, editsOf, nameOf, presetChoices } from './inbox.rules.ts'

/** The server decides on no more in one call. */
const batchMax = 500

/** Decisions of a reviewer. What is decided leaves the list at once, and comes back if it fails or is undone. */
export function useDecisions() {
  const { accept, decide } = useDecide()
  const notifyUndoable = useNotifyUndoable()
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, ApiError>>(new Map())
  const [choices, setChoices] = useState<ReadonlyMap<string, Choices>>(new Map())
  useEffect(() => {
    window.addEventListener('pagehide', runDeferred)
    return () => {
      window.removeEventListener('pagehide', runDeferred)
      runDeferred()
    }
  }, [])

  const leave = (ids: readonly string[]) => setGone((was) => new Set([...was, ...ids]))
  const comeBack = (ids: readonly string[]) =>
    setGone((was) => new Set([...was].filter((id) => !ids.includes(id))))
  const choicesOf = (proposal: Proposal) => choices.get(proposal.id) ?? presetChoices(proposal)

  function acceptOne(proposal: Proposal, texts: Choices['texts'] = {}): void {
    const { id } = proposal
    leave([id])
    const changes = editsOf(proposal, { ...choicesOf(proposal), texts })
    accept.mutate(
      { id, changes },
      {
        onSuccess: ({ setId }) => notifyUndoable(`${nameOf(proposal)} accepted`, setId),
        onError: (error) => {
          // Somebody else was faster.
          if (isApiError(error, 'proposal_decided', 'proposal_not_found')) return notifyError(error.message)
          comeBack([id])
          if (isApiError(error, 'proposal_conflict')) setConflicts((was) => new Map([...was, [id, error]]))
          else notifyError('The proposal could not be accepted', messageOf(error, ''))
        },
      },
    )
  }

  async function acceptMany(proposals: readonly Proposal[]): Promise<void> {
    const plain = proposals.filter((proposal) => editsOf(proposal, choicesOf(proposal)).length === 0)
    for (const proposal of proposals) if (!plain.includes(proposal)) acceptOne(proposal)
    const ids = plain.map(({ id }) => id)
    leave(ids)
    const sets: string[] = []
    const failed: { id: string; message: string }[] = []
    try {
      for (let at = 0; at < ids.length; at += batchMax) {
        const answer = await decide.mutateAsync({ accept: ids.slice(at, at + batchMax) })
        sets.push(...answer.accepted.map(({ setId }) => setId))
        failed.push(...answer.failed)
      }
    } catch (error) {
      comeBack(ids)
      return notifyError('The proposals could not be accepted', messageOf(error, ''))
    }
    if (sets.length > 0) notifyUndoable(`${countOf(sets.length, 'proposal', 'proposals')} accepted`, sets)
    if (failed.length === 0) return
    comeBack(failed.map(({ id }) => id))
    notifyError(
      `${countOf(failed.length, 'proposal', 'proposals')} could not be accepted`,
      failed[0]!.message,
    )
  }

  /** The server cannot reopen what is rejected, so it hears of it when the time for Undo is over. */
  function reject(proposals: readonly Proposal[]): void {
    const ids = proposals.map(({ id }) => id)
    leave(ids)
    const send = () => {
      for (let at = 0; at < ids.length; at += batchMax)
        decide.mutate(
          { reject: ids.slice(at, at + batchMax) },
          {
            onError: (error) => {
              comeBack(ids)
              notifyError('The proposals could not be rejected', messageOf(error, ''))
            },
          },
        )
    }
    const cancel = defer(send)
    const what = proposals.length === 1 ? nameOf(proposals[0]!) : `${proposals.length} proposals`
    offerUndo(`${what} rejected`, () => {
      if (cancel()) comeBack(ids)
      else notifyError('It is too late to undo this', 'Ask the agent to propose it again.')
    })
  }

  return {
    gone,
    conflicts,
    choicesOf,
    choose: (proposal: Proposal, replaces: string[]) =>
      setChoices((was) => new Map([...was, [proposal.id, { texts: {}, replaces }]])),
    acceptOne,
    acceptMany,
    reject,
    isAccepting: accept.isPending,
  }
}

export type Decisions = ReturnType<typeof useDecisions>
