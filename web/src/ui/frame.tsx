import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './frame.module.css'

/** Groups related panels: one outer border, with single lines between them. */
export function Frame({ className = '', children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={`${classes.frame} ${className}`}>{children}</div>
}

type PanelProps = {
  title: ReactNode
  /** Small text beside the title. */
  description?: ReactNode
  /** To the right of the title. */
  aside?: ReactNode
  /** Lists and pictures extend to the border. */
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
