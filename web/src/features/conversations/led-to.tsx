import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import classes from './conversation-view.module.css'
import type { useConversationFacts } from './conversations.queries.ts'
import type { Led } from './conversations.rules.ts'

type LedToProps = {
  conversationId: string
  facts: ReturnType<typeof useConversationFacts>
  /** Facts whose turn is shown. */
  placed: readonly Led[]
  /** Facts of turns that are not shown, or of no turn in particular. */
  others: readonly Led[]
  /** Where those that have a place are; in a list if undefined. */
  tops: ReadonlyMap<string, number> | undefined
  height: number
  render: (fact: Led) => ReactNode
}

/** The facts that a conversation led to, beside the words that they rest on. */
export function LedTo({ conversationId, facts, placed, others, tops, height, render }: LedToProps) {
  const isEmpty = placed.length === 0 && others.length === 0
  const isNothing = facts.data !== undefined && isEmpty
  return (
    <div className={classes.led} data-empty={isEmpty || undefined}>
      {facts.error && <NotLoaded onRetry={() => void facts.refetch()} />}
      {isNothing && tops && <p className={classes.nothing}>Nothing was kept from this conversation yet.</p>}
      <div style={tops && { height }} className={classes.placed}>
        {placed.map((fact) => (
          <div
            key={fact.id}
            className={tops && classes.beside}
            style={tops && { transform: `translateY(${tops.get(fact.id) ?? 0}px)` }}
          >
            {render(fact)}
          </div>
        ))}
      </div>
      {others.map((fact) => (
        <Fragment key={fact.id}>
          {render(fact)}
          {fact.source?.turnId && (
            <Link
              to="/conversations/$conversationId"
              params={{ conversationId }}
              search={{ around: fact.source.turnId }}
              className={classes.elsewhere}
            >
              Show the turn it is from
            </Link>
          )}
        </Fragment>
      ))}
    </div>
  )
}
