import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { Page } from '../../ui/page.tsx'
import { AccountSettings, MembersSettings, SpacesSettings } from './settings-account.tsx'
import { SettingsNav } from './settings-nav.tsx'
import classes from './settings-page.module.css'
import { type OfferedSection, type SettingsSectionId, sectionOf, sectionsFor } from './settings-sections.ts'
import {
  ConnectSettings,
  ConversationSettings,
  MeaningSettings,
  MemorySettings,
  RecallSettings,
  ShareSettings,
} from './settings-space.tsx'
import { MailSettings, ProfileSettings, SecuritySettings } from './settings-you.tsx'

const contents: Record<SettingsSectionId, ComponentType> = {
  connect: ConnectSettings,
  memory: MemorySettings,
  conversations: ConversationSettings,
  recalls: RecallSettings,
  meaning: MeaningSettings,
  shares: ShareSettings,
  members: MembersSettings,
  spaces: SpacesSettings,
  account: AccountSettings,
  profile: ProfileSettings,
  security: SecuritySettings,
  'weekly-mail': MailSettings,
}

/** One section at a time, beside their list; on a phone the list opens them. */
export function SettingsPage() {
  const user = useUser()
  const mayWrite = useMay('memory:write')
  const hash = useLocation({ select: (location) => location.hash })
  if (!user) return null
  const sections = sectionsFor(user.role, mayWrite)
  const asked = sectionOf(hash, sections)
  const current = (asked ?? sections[0]!).id
  return (
    <Page title="Settings" subtitle={user.email}>
      <div className={classes.layout} data-open={asked ? true : undefined}>
        <SettingsNav sections={sections} current={current} />
        <div className={classes.sections}>
          <BackToList current={current} />
          <Opened current={current} offered={sections} />
        </div>
      </div>
    </Page>
  )
}

/** Sections seen before stay hidden in place while they are offered, so that half-written text is not lost. */
function Opened({ current, offered }: { current: SettingsSectionId; offered: readonly OfferedSection[] }) {
  const [seen, setSeen] = useState([current])
  const kept = seen.filter((id) => offered.some((section) => section.id === id))
  if (!kept.includes(current)) setSeen([...kept, current])
  return kept.map((id) => {
    const Content = contents[id]
    return (
      <div key={id} id={id} className={classes.section} hidden={id !== current}>
        <Content />
      </div>
    )
  })
}

/** Shown only where the list is not; it takes the focus, since the link that was pressed has gone. */
function BackToList({ current }: { current: SettingsSectionId }) {
  const link = useRef<HTMLAnchorElement>(null)
  const shown = useRef(current)
  useEffect(() => {
    if (shown.current !== current) link.current?.focus({ preventScroll: true })
    shown.current = current
  }, [current])
  return (
    <Link ref={link} to="/settings" hash="" className={classes.back}>
      <IconChevronLeft size={16} aria-hidden />
      All settings
    </Link>
  )
}
