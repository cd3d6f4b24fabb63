import { useHotkeys } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { KnownSpace } from '../../features/spaces/known-space.tsx'
import { useAsOf } from '../../lib/as-of.ts'
import { notifyError } from '../../lib/notify.tsx'
import { useScope } from '../../lib/scope.ts'
import { useUser } from '../../lib/session.ts'
import { clearOffers } from '../../lib/undo-offers.ts'
import { AsOfBar } from '../../ui/as-of-bar.tsx'
import { DiscardDialog } from '../../ui/discard-dialog.tsx'
import { TypeColorsProvider } from '../../ui/type-colors.tsx'
import { LiveNotes } from '../live/live-notes.tsx'
import { useLiveConnection } from '../live/use-live-connection.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { PageName } from './page-name.tsx'
import classes from './shell.module.css'
import { TopNav } from './top-nav.tsx'
import { useKeepPlace } from './use-keep-place.ts'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useShortcuts } from './use-shortcuts.ts'

const loadPalette = () => import('./command-palette.tsx')
const loadHelp = () => import('./shortcuts-dialog.tsx')
const ShortcutsDialog = lazy(async () => ({ default: (await loadHelp()).ShortcutsDialog }))
const CommandPalette = lazy(async () => ({ default: (await loadPalette()).CommandPalette }))

/** The frame around every signed-in page. */
export function Shell() {
  const user = useUser()
  const scope = useScope()
  const { account, space } = scope
  const asOf = useAsOf()
  const [paletteUsed, setPaletteUsed] = useState(false)
  const [help, setHelp] = useState<'open' | 'closed'>()
  const isOpening = useRef(false)
  async function openPalette() {
    isOpening.current = true
    try {
      const { palette } = await loadPalette()
      // Before its first use the palette is not loaded; it opens itself on mounting.
      if (paletteUsed) palette.open()
      else setPaletteUsed(true)
    } catch (error) {
      tellMissing(error)
    }
    isOpening.current = false
  }
  const openHelp = useCallback(async () => {
    try {
      await loadHelp()
      setHelp('open')
    } catch (error) {
      tellMissing(error)
    }
  }, [])
  useShortcuts({ onHelp: openHelp, isOff: isOpening })
  useHotkeys([['mod+K', () => void openPalette()]], [])
  useLiveConnection(user)
  useLeaveGuard()
  useKeepPlace()
  useEffect(() => clearOffers, [scope])
  return (
    <TypeColorsProvider>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <TopNav onOpenPalette={() => void openPalette()} onHelp={() => void openHelp()} />
      <ConnectionBanner />
      <AsOfBar />
      <main id="content" tabIndex={-1} className={classes.content} data-past={asOf !== undefined}>
        {/* Another space is another memory: no screen keeps state across the switch. */}
        <Fragment key={`${account} ${space}`}>
          <KnownSpace>
            <Outlet />
          </KnownSpace>
        </Fragment>
      </main>
      <PageName />
      <LiveNotes />
      {help && (
        <Suspense>
          <ShortcutsDialog opened={help === 'open'} onClose={() => setHelp('closed')} />
        </Suspense>
      )}
      <DiscardDialog />
      {paletteUsed && (
        <Suspense>
          <CommandPalette onHelp={() => void openHelp()} />
        </Suspense>
      )}
    </TypeColorsProvider>
  )
}

function tellMissing(error: unknown): void {
  console.error(error)
  notifyError('This could not be loaded', 'Check the connection, or reload the page for the current version.')
}
