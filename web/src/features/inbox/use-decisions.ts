import type { ApiError } from '@loci/client/call'
import type { Draft } from '@loci/contract/drafts'
import { useEffect, useState } from 'react'
import { outlastingApiHere } from '../../lib/api.ts'
import { defer, runDeferred } from '../../lib/deferred.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { notifyError, offerUndo } from '../../lib/notify.tsx'
import { undoLast } from '../../lib/undo-offers.ts'
import { useDecideDrafts } from '../../lib/use-decide-drafts.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { useChangeRules, useDecide } from './inbox.queries.ts'
import {
  type Choices,
  type Edited,
  editsOf,
  type Item,
  keptAs,
  nameOf,
  presetChoices,
  ruleTypeOf,
  verbsOf,
} from './inbox.rules.ts'

const asProposed: Edited = { texts: {} }

/** The server decides on no more in one call. */
const batchMax = 500

/** Decisions of a reviewer. What is decided leaves the list at once, and comes back if it fails or is undone. */
export function useDecisions() {
  const { accept, decide } = useDecide()
  const { keep, drop } = useDecideDrafts()
  const { create: createRule } = useChangeRules()
  const notifyUndoable = useNotifyUndoable()
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, ApiError>>(new Map())
  const [always, setAlways] = useState<ReadonlySet<string>>(new Set())
  const [typed, setTyped] = useState<ReadonlyMap<string, Edited>>(new Map())
  const [choices, setChoices] = useState<ReadonlyMap<string, Choices>>(new Map())
  useEffect(() => runDeferred, [])
  const inOrder = useOffersInOrder()

  const leave = (ids: readonly string[]) => setGone((was) => new Set([...was, ...ids]))
  const comeBack = (ids: readonly string[]) =>
    setGone((was) => new Set([...was].filter((id) => !ids.includes(id))))
  const typedOf = ({ id }: Item) => typed.get(id)
  const choicesOf = (proposal: Item) => ({
    ...(choices.get(proposal.id) ?? presetChoices(proposal)),
    ...typedOf(proposal),
  })

  // Callbacks given to `mutate` are called for its last call only, and the next decision does not wait for this one.
  async function acceptOne(offer: Offer, item: Item, edited: Edited = asProposed): Promise<void> {
    const { id, draft } = item
    leave([id])
    const type = ruleTypeOf(item)
    // Sent beside the acceptance: the page may be left before that is answered.
    if (always.has(id) && type !== undefined)
      createRule
        .mutateAsync({ proposalId: id, type })
        .catch((error) => notifyError('The rule could not be made', messageOf(error, '')))
    try {
      const changes = editsOf(item, { ...choicesOf(item), ...edited })
      const { setId } = await (draft
        ? keep.mutateAsync({ draft, body: keptAs(item, edited) })
        : accept.mutateAsync({ id, changes }))
      offer(() => notifyUndoable(`${nameOf(item)} ${verbsOf(item).accepted}`, setId))
    } catch (error) {
      // Somebody else was faster.
      if (isApiError(error, 'proposal_decided', 'proposal_not_found', 'draft_decided', 'draft_not_found'))
        return notifyError(error.message)
      comeBack([id])
      if (edited !== asProposed) setTyped((was) => new Map([...was, [id, edited]]))
      if (isApiError(error, 'proposal_conflict')) {
        setConflicts((was) => new Map([...was, [id, error]]))
        notifyError(`${nameOf(item)} was not accepted`, 'It waits again, with what has changed since.')
      } else
        notifyError(
          draft ? 'The draft could not be kept' : 'The proposal could not be accepted',
          messageOf(error, ''),
        )
    }
  }

  async function acceptMany(offer: Offer, items: readonly Item[]): Promise<void> {
    await Promise.all([
      acceptProposals(
        offer,
        items.filter(({ draft }) => !draft),
      ),
      keepDrafts(
        offer,
        items.flatMap(({ draft }) => draft ?? []),
      ),
    ])
  }

  async function keepDrafts(offer: Offer, drafts: readonly Draft[]): Promise<void> {
    leave(drafts.map(({ id }) => id))
    const sets: string[] = []
    const failures: unknown[] = []
    let kept = 0
    for (const draft of drafts) {
      try {
        const { setId } = await keep.mutateAsync({ draft, body: {} })
        kept += 1
        if (setId !== undefined) sets.push(setId)
      } catch (error) {
        comeBack([draft.id])
        failures.push(error)
      }
    }
    if (kept > 0) offer(() => notifyUndoable(`${countOf(kept, 'draft', 'drafts')} kept`, sets))
    if (failures.length > 0)
      notifyError(
        `${countOf(failures.length, 'draft', 'drafts')} could not be kept`,
        messageOf(failures[0], ''),
      )
  }

  async function acceptProposals(offer: Offer, proposals: readonly Item[]): Promise<void> {
    const plain = proposals.filter((proposal) => editsOf(proposal, choicesOf(proposal)).length === 0)
    for (const proposal of proposals) if (!plain.includes(proposal)) await acceptOne(offer, proposal)
    const ids = plain.map(({ id }) => id)
    if (ids.length === 0) return
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
    if (sets.length > 0)
      offer(() => notifyUndoable(`${countOf(sets.length, 'proposal', 'proposals')} accepted`, sets))
    if (failed.length === 0) return
    comeBack(failed.map(({ id }) => id))
    notifyError(
      `${countOf(failed.length, 'proposal', 'proposals')} could not be accepted`,
      failed[0]!.message,
    )
  }

  /** The server cannot reopen what is rejected, so it hears of it when the time for Undo is over. */
  function reject(items: readonly Item[]): void {
    leave(items.map(({ id }) => id))
    const ids = items.filter(({ draft }) => !draft).map(({ id }) => id)
    const drafts = items.filter(({ draft }) => draft).map(({ id }) => id)
    const failed = (of: readonly string[], message: string) => (error: unknown) => {
      comeBack(of)
      notifyError(message, messageOf(error, ''))
    }
    const where = outlastingApiHere()
    const send = () => {
      for (let at = 0; at < ids.length; at += batchMax) {
        const batch = ids.slice(at, at + batchMax)
        decide
          .mutateAsync({ reject: batch, where })
          .then(({ failed: [first] }) => first && notifyError('A proposal was not rejected', first.message))
          .catch(failed(batch, 'The proposals could not be rejected'))
      }
      if (drafts.length > 0)
        drop.mutateAsync({ ids: drafts, where }).catch(failed(drafts, 'The drafts could not be dropped'))
    }
    const cancel = defer(send)
    const takeBack = () => {
      if (cancel()) comeBack([...ids, ...drafts])
      else notifyError('It is too late to undo this', 'You can still add it as an observation.')
    }
    inOrder.run(async (offer) => offer(() => offerUndo(rejectedWords(items), takeBack)))
  }

  return {
    gone,
    conflicts,
    /** What was typed for one whose acceptance failed. */
    typedOf,
    choicesOf,
    choose: (proposal: Item, replaces: string[]) =>
      setChoices((was) => new Map([...was, [proposal.id, { texts: {}, replaces }]])),
    acceptOne: (item: Item, edited?: Edited) => inOrder.run((offer) => acceptOne(offer, item, edited)),
    acceptMany: (items: readonly Item[]) => inOrder.run((offer) => acceptMany(offer, items)),
    undoLast: inOrder.undoLast,
    reject,
    always,
    setAlways: ({ id }: Item, isAlways: boolean) =>
      setAlways((was) => (isAlways ? new Set([...was, id]) : new Set([...was].filter((one) => one !== id)))),
    isAccepting: accept.isPending || keep.isPending,
  }
}

type Offer = (show: () => void) => void

/** Undo is offered in the order of the decisions, whichever the server answers first. */
function useOffersInOrder() {
  const [queue] = useState(() => ({ last: Promise.resolve(), waiting: 0 }))
  return {
    run(decide: (offer: Offer) => Promise<void>): void {
      const offers: (() => void)[] = []
      const decided = decide((show) => offers.push(show))
      queue.waiting += 1
      queue.last = Promise.allSettled([queue.last, decided]).then(() => {
        queue.waiting -= 1
        for (const show of offers) show()
      })
    },
    /** Undoes the last decision, also one that the server has not answered yet; false if there is none. */
    undoLast(): boolean {
      if (queue.waiting === 0) return undoLast()
      void queue.last.then(undoLast)
      return true
    },
  }
}

export type Decisions = ReturnType<typeof useDecisions>

function rejectedWords(items: readonly Item[]): string {
  const { length } = items
  if (length === 1) return `${nameOf(items[0]!)} ${verbsOf(items[0]!).rejected}`
  const drafts = items.filter(({ draft }) => draft).length
  if (drafts === 0) return `${length} proposals rejected`
  return drafts === length ? `${length} drafts dropped` : `${length} rejected or dropped`
}
