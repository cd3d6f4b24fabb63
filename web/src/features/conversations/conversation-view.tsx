import type { FactOfEntity } from '@loci/contract/cited-files'
import type { Conversation, Turn } from '@loci/contract/conversations'
import type { Draft } from '@loci/contract/drafts'
import type { Proposal } from '@loci/contract/proposals'
import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import classes from './conversation-view.module.css'
import type { useConversation, useConversationFacts } from './conversations.queries.ts'
import {
  besideOf,
  blocksOfTurns,
  groupTurns,
  type Led,
  proposalsOf,
  splitFacts,
} from './conversations.rules.ts'
import { DraftBeside } from './draft-beside.tsx'
import { FindBox } from './find-box.tsx'
import { SoughtText } from './found-words.tsx'
import { LedFact } from './led-fact.tsx'
import { LedTo } from './led-to.tsx'
import { ProposalBeside } from './proposal-beside.tsx'
import { ThreadLine } from './thread-line.tsx'
import { TurnList } from './turn-list.tsx'
import { useFactsBeside } from './use-facts-beside.ts'
import { type Find, useFind } from './use-find.ts'
import { useFolds } from './use-folds.ts'
import { ViewHead } from './view-head.tsx'

type ViewProps = {
  conversation: Conversation
  turns: Turn[]
  query: ReturnType<typeof useConversation>
  facts: ReturnType<typeof useConversationFacts>
  drafts: readonly Draft[]
  proposals: readonly Proposal[]
  /** The turn that a link leads to. */
  around: string | undefined
  find: Find
}

const noFacts: FactOfEntity[] = []
const noDrafts: Draft[] = []
const none: Led[] = []

/** A conversation read like a chat, and beside it the facts that it led to; on phones they follow their turn. */
export function ConversationView(props: ViewProps) {
  const { conversation, turns, query, facts: loaded, drafts, proposals, around, find } = props
  const remembered = loaded.data?.observations ?? noFacts
  // Until the facts are known, any draft may be one of them.
  const beside = loaded.isPending ? noDrafts : drafts
  const drafted = useMemo(() => besideOf(beside, remembered), [beside, remembered])
  const known = useMemo(
    (): Led[] => [...remembered, ...drafted, ...proposalsOf(proposals)],
    [remembered, drafted, proposals],
  )
  const facts = useMemo(() => splitFacts(known, turns), [known, turns])
  const blocks = useMemo(() => groupTurns(turns), [turns])
  const blockOf = useMemo(() => blocksOfTurns(blocks), [blocks])
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
  const [tab, setTab] = useState<'said' | 'led'>('said')
  const [activeId, setActive] = useState<string>()
  const folds = useFolds(blocks, around)
  const frame = useRef<HTMLDivElement>(null)
  const turnOf = useMemo(
    () => new Map(isNarrow ? [] : facts.shown.map(({ id, source }) => [id, blockOf.get(source!.turnId!)!])),
    [facts, blockOf, isNarrow],
  )
  const { tops, height } = useFactsBeside(frame, turnOf)
  const found = useFind(conversation.id, find, around, (turnId) => blockOf.has(turnId))
  const here = found.shown ?? around
  useArrival(here, here === undefined ? undefined : blockOf.get(here), folds.open, find.text === undefined)

  function goTo(step: number): boolean {
    const at = facts.shown.findIndex(({ id }) => id === activeId)
    const next = facts.shown[at === -1 && step < 0 ? facts.shown.length - 1 : at + step]
    if (next === undefined) return false
    setActive(next.id)
    focusFact(next.id)
    return true
  }
  useScreenKeys({ t: folds.toggleAll, '[': () => goTo(-1), ']': () => goTo(1) })

  const factView = (led: Led) => {
    const focus = {
      isActive: led.id === activeId,
      onEnter: () => setActive(led.id),
      onLeave: () => setActive(undefined),
    }
    if ('draft' in led) return <DraftBeside key={led.id} draft={led.draft} {...focus} />
    if ('proposal' in led) return <ProposalBeside key={led.id} proposal={led.proposal} {...focus} />
    return <LedFact key={led.id} fact={led} {...focus} />
  }
  return (
    <>
      {isNarrow && (
        <SegmentedControl
          fullWidth
          aria-label="Which part"
          value={tab}
          onChange={(value) => setTab(value === 'led' ? 'led' : 'said')}
          data={[
            { value: 'said', label: `What was said ${formatNumber(conversation.turns)}` },
            { value: 'led', label: `What it led to ${formatNumber(known.length)}` },
          ]}
        />
      )}
      <div className={classes.frame}>
        <ViewHead
          shown={`turns ${formatNumber(turns[0]?.seq ?? 0)} to ${formatNumber(turns.at(-1)?.seq ?? 0)} of ${formatNumber(conversation.turns)}`}
          facts={remembered.length}
          waiting={drafted.length + proposals.length}
          folds={folds}
          find={<FindBox find={find} found={found} />}
        />
        <div ref={frame} className={classes.body} style={{ minHeight: isNarrow ? undefined : height }}>
          <div className={classes.said} hidden={isNarrow && tab === 'led'}>
            <SoughtText value={find.text}>
              <TurnList
                blocks={blocks}
                agent={conversation.agent}
                facts={facts.shown}
                query={query}
                folds={folds}
                around={here === undefined ? undefined : blockOf.get(here)}
                activeId={activeId}
                after={
                  isNarrow ? (fact) => <div className={classes.follows}>{factView(fact)}</div> : undefined
                }
              />
            </SoughtText>
          </div>
          <LedTo
            conversationId={conversation.id}
            facts={loaded}
            placed={isNarrow ? (tab === 'led' ? facts.shown : none) : facts.shown}
            others={isNarrow && tab === 'said' ? none : facts.others}
            tops={isNarrow ? undefined : tops}
            height={height}
            render={factView}
          />
          {activeId !== undefined && !isNarrow && (
            <ThreadLine frame={frame} factId={activeId} top={tops.get(activeId) ?? 0} />
          )}
        </div>
      </div>
    </>
  )
}

/** Scrolls to the turn that a link or a search leads to, once; tools around it unfold. */
function useArrival(
  turnId: string | undefined,
  blockId: string | undefined,
  unfold: (blockId: string) => void,
  takesFocus: boolean,
): void {
  const arrive = useEffectEvent((id: string) => {
    if (blockId !== undefined && blockId !== id) unfold(blockId)
    const turn = document.getElementById(id) ?? document.getElementById(blockId ?? id)
    turn?.scrollIntoView({ block: 'center' })
    if (takesFocus) turn?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (turnId !== undefined) arrive(turnId)
  }, [turnId])
}

function focusFact(id: string): void {
  const name = CSS.escape(id)
  const words = document.querySelector(`[data-quote="${name}"]`)
  const fact = document.querySelector<HTMLElement>(`[data-led="${name}"]`)
  fact?.focus({ preventScroll: true })
  ;(words ?? fact)?.scrollIntoView({ block: 'center' })
}
