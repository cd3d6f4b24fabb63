import { Card, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './section.module.css'

type SectionProps = {
  /** The fragment that links here. */
  id?: string
  title: ReactNode
  /** To the right of the title. */
  aside?: ReactNode
  description?: ReactNode
  /** Lists extend to the card's edges. */
  flush?: boolean
  children: ReactNode
}

/** A titled card. */
export function Section({ id: place, title, aside, description, flush = false, children }: SectionProps) {
  const id = useId()
  return (
    <Card component="section" id={place} padding={0} aria-labelledby={id}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <Title order={2} id={id} className={classes.title}>
            {title}
          </Title>
          {description && <div className={classes.description}>{description}</div>}
        </div>
        {aside}
      </header>
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </Card>
  )
}
