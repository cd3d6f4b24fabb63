import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

type EmptyStateProps = {
  title: string
  text?: ReactNode
  action?: ReactNode
}

/** Nothing here yet: a drawing of a room with an open door, and the next step. */
export function EmptyState({ title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <EmptyRoom />
      <Title order={2} className={classes.title}>
        {title}
      </Title>
      {text && <Text c="dimmed">{text}</Text>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

const EmptyRoom = () => (
  <svg viewBox="0 0 96 96" width={96} height={96} className={classes.room} aria-hidden>
    <path d="M34 84H12V12H84V84H56M34 79v10M56 79v10" />
    <path className={classes.door} d="M34 84V62A22 22 0 0 1 56 84" />
  </svg>
)
