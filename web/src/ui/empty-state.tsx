import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

type EmptyStateProps = {
  icon?: ReactNode
  title: string
  text?: string
  action?: ReactNode
}

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {icon && <div className={classes.icon}>{icon}</div>}
      <Title order={2} size="h5">
        {title}
      </Title>
      {text && <Text c="dimmed">{text}</Text>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
