import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './frame.module.css'

/** Panels that belong together: one outer wall around them, single lines between them. */
export function Frame({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={`${classes.frame} ${className}`}>{children}</div>
}

type PanelProps = {
  title: ReactNode
  /** Small, beside the title. */
  description?: ReactNode
  /** At the right of the title. */
  aside?: ReactNode
  /** Lists and pictures reach the walls. */
  flush?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A titled part of a frame. */
export function Panel({ title, description, aside, flush = false, className = '', children }: PanelProps) {
  const id = useId()
  return (
    <section className={`${classes.panel} ${className}`} aria-labelledby={id}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <Title order={2} id={id} className={classes.title}>
            {title}
          </Title>
          {description && <span className={classes.description}>{description}</span>}
        </div>
        {aside}
      </header>
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  )
}
