import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './auth-frame.module.css'
import { Wordmark } from './logo.tsx'
import { useDocumentTitle } from './page.tsx'

type AuthFrameProps = { title: string; subtitle: string; children: ReactNode; footer: ReactNode }

/** The frame around the log-in and sign-up forms. */
export function AuthFrame({ title, subtitle, children, footer }: AuthFrameProps) {
  useDocumentTitle(title)
  return (
    <div className={classes.frame}>
      <header className={classes.top}>
        <a href="/" className={classes.home} aria-label="Loci, home">
          <Wordmark size={26} />
        </a>
      </header>
      <main className={classes.main}>
        <div className={classes.card}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          <Text c="dimmed" mb="lg">
            {subtitle}
          </Text>
          {children}
        </div>
        <Text component="div" c="dimmed" className={classes.footer}>
          {footer}
        </Text>
      </main>
    </div>
  )
}
