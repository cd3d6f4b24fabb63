import { Button, Kbd, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, formatNumber } from '../../lib/format.ts'
import classes from './conversation-view.module.css'
import type { useFolds } from './use-folds.ts'

type HeadProps = {
  shown: string
  facts: number
  /** How much waits for a decision. */
  waiting: number
  folds: ReturnType<typeof useFolds>
  find: ReactNode
}

/** The titles of the two columns. */
export function ViewHead({ shown, facts, waiting, folds, find }: HeadProps) {
  return (
    <div className={classes.heads}>
      <div className={classes.head}>
        <Title order={2} className={classes.title}>
          What was said
        </Title>
        <span className={classes.shown}>{shown}</span>
        {folds.count > 0 && (
          <Button
            className={classes.tools}
            variant="subtle"
            size="compact-sm"
            rightSection={
              <Kbd size="xs" className={classes.key} aria-hidden>
                T
              </Kbd>
            }
            onClick={folds.toggleAll}
          >
            {folds.isAllOpen ? 'Fold tools' : 'Unfold tools'}
          </Button>
        )}
        {find}
      </div>
      <div className={classes.ledHead}>
        <Title order={2} className={classes.title}>
          What it led to
        </Title>
        <span className={classes.shown}>
          {countOf(facts, 'fact', 'facts')}
          {waiting > 0 && `, ${formatNumber(waiting)} to decide`}
        </span>
        {waiting > 0 && (
          <Link to="/inbox" className={classes.inbox}>
            Open in Inbox
          </Link>
        )}
      </div>
    </div>
  )
}
