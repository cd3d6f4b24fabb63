import { Button, Center } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import classes from './conversation-view.module.css'
import type { useConversation } from './conversations.queries.ts'
import { type Block, idOfBlock, type Led } from './conversations.rules.ts'
import { SaidTurn } from './said-turn.tsx'
import { ToolFold } from './tool-fold.tsx'
import type { Quote } from './turn-text.tsx'
import type { useFolds } from './use-folds.ts'

type ListProps = {
  blocks: readonly Block[]
  agent: string
  /** Those of the turns shown. */
  facts: readonly Led[]
  query: ReturnType<typeof useConversation>
  folds: ReturnType<typeof useFolds>
  around: string | undefined
  activeId: string | undefined
  /** Shows a fact below its turn; if undefined, facts are shown elsewhere. */
  after: ((fact: Led) => ReactNode) | undefined
}

/** The turns of a conversation that are loaded, in order; both ends can be read on. */
export function TurnList(props: ListProps) {
  const { blocks, agent, facts, query, folds, around, activeId, after } = props
  return (
    <>
      <EarlierTurns query={query} />
      {blocks.map((block, index) => {
        const own = facts.filter((fact) => isIn(block, fact.source?.turnId))
        const id = idOfBlock(block)
        return (
          <Fragment key={id}>
            {block.kind === 'said' ? (
              <SaidTurn
                turn={block.turn}
                agent={agent}
                isContinued={block.turn.role === 'agent' && isByAgent(blocks[index - 1])}
                isHere={id === around}
                quotes={quotesOf(own)}
                activeId={activeId}
              />
            ) : (
              <div id={id} className={classes.tool}>
                <ToolFold turns={block.turns} isOpen={folds.isOpen(id)} onToggle={() => folds.toggle(id)} />
              </div>
            )}
            {after && own.map((fact) => <Fragment key={fact.id}>{after(fact)}</Fragment>)}
          </Fragment>
        )
      })}
      <NextPage query={query} failure="Could not load later turns.">
        Show later turns
      </NextPage>
    </>
  )
}

const isIn = (block: Block, turnId: string | undefined): boolean =>
  block.kind === 'said' ? block.turn.id === turnId : block.turns.some(({ id }) => id === turnId)

const isByAgent = (block: Block | undefined): boolean =>
  block !== undefined && (block.kind === 'tools' || block.turn.role === 'agent')

const noQuotes: Quote[] = []

function quotesOf(facts: readonly Led[]): Quote[] {
  if (facts.length === 0) return noQuotes
  return facts.flatMap(({ id, source }) => (source?.quote ? [{ factId: id, words: source.quote }] : []))
}

function EarlierTurns({ query }: { query: ListProps['query'] }) {
  const load = () => void query.fetchPreviousPage()
  if (query.isFetchPreviousPageError)
    return <ErrorAlert message="Could not load earlier turns." onRetry={load} />
  if (!query.hasPreviousPage) return null
  return (
    <Center>
      <Button variant="default" loading={query.isFetchingPreviousPage} onClick={load}>
        Show earlier turns
      </Button>
    </Center>
  )
}
