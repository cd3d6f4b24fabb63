import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import classes from './page.module.css'

type PageProps = {
  title: string
  subtitle?: ReactNode
  /** Buttons to the right of the title. */
  actions?: ReactNode
  /** Narrow pages are for forms and settings. */
  width?: 'wide' | 'narrow'
  children: ReactNode
}

/** The frame of a signed-in page: its heading, its actions, its width. */
export function Page({ title, subtitle, actions, width = 'wide', children }: PageProps) {
  useDocumentTitle(title)
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {subtitle && <Text c="dimmed">{subtitle}</Text>}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </div>
  )
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Loci`
  }, [title])
}
