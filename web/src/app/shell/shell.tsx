import { useHotkeys } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useState } from 'react'
import { useAsOf } from '../../lib/as-of.ts'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { AsOfBar } from '../../ui/as-of-bar.tsx'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { TypeColorsProvider } from '../../ui/type-colors.tsx'
import { LiveNotes } from '../live/live-notes.tsx'
import { useLiveConnection } from '../live/use-live-connection.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import classes from './shell.module.css'
import { TopNav } from './top-nav.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }))

/** What stands around every signed-in page. */
export function Shell() {
  const user = useUser()
  const { account, space } = useScope()
  const asOf = useAsOf()
  const [paletteUsed, setPaletteUsed] = useState(false)
  async function openPalette() {
    // The first time it opens itself once it is there.
    if (!paletteUsed) return setPaletteUsed(true)
    const { palette } = await loadPalette()
    palette.open()
  }
  useHotkeys([['mod+K', () => void openPalette()]], [])
  useLiveConnection(user)
  useLeaveGuard()
  return (
    <TypeColorsProvider>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <TopNav onOpenPalette={() => void openPalette()} />
      <ConnectionBanner />
      <AsOfBar />
      <main id="content" tabIndex={-1} className={classes.content} data-past={asOf !== undefined}>
        {/* Another space is another memory: no screen carries anything over. */}
        <Fragment key={`${account} ${space}`}>
          <Outlet />
        </Fragment>
      </main>
      <LiveNotes />
      <DiscardDialog />
      {paletteUsed && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
    </TypeColorsProvider>
  )
}
