import type { Right } from '@loci/contract/rights'
import { Link } from '@tanstack/react-router'
import { ConnectPanel } from '../../features/agents/connect-panel.tsx'
import { MemoryName } from '../../features/agents/memory-name.tsx'
import { WeeklyMail } from '../../features/briefs/weekly-mail.tsx'
import { ConnectedApps } from '../../features/connections/connected-apps.tsx'
import { StoragePanel } from '../../features/conversations/storage-panel.tsx'
import { ExportButtons } from '../../features/imports/export-buttons.tsx'
import { ImportPanel } from '../../features/imports/import-panel.tsx'
import { AccountName } from '../../features/members/account-name.tsx'
import { HandOver } from '../../features/members/hand-over.tsx'
import { MembersPanel } from '../../features/members/members-panel.tsx'
import { SecondFactorRule } from '../../features/security/second-factor-rule.tsx'
import { SecondFactorsPanel } from '../../features/security/second-factors-panel.tsx'
import { DeleteAccount } from '../../features/settings/delete-account.tsx'
import { EmbeddingsPanel } from '../../features/settings/embeddings-panel.tsx'
import { PasswordForm } from '../../features/settings/password-form.tsx'
import { PersonalKey } from '../../features/settings/personal-key.tsx'
import { ProfileForm } from '../../features/settings/profile-form.tsx'
import { EndOtherSessions, SessionList } from '../../features/settings/session-list.tsx'
import { SharesPanel } from '../../features/shares/shares-panel.tsx'
import { allowedTo } from '../../lib/allowed-to.ts'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { Page } from '../../ui/page.tsx'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { SettingsNav } from './settings-nav.tsx'
import classes from './settings-page.module.css'

const places: { id: string; label: string; right?: Right }[] = [
  { id: 'connect', label: 'Connect' },
  { id: 'memory', label: 'Import and backup' },
  { id: 'conversations', label: 'Conversations', right: 'conversations:read' },
  { id: 'meaning', label: 'Search by meaning' },
  { id: 'members', label: 'Members' },
  { id: 'shares', label: 'Shared views', right: 'memory:share' },
  { id: 'weekly-mail', label: 'Weekly mail' },
  { id: 'profile', label: 'Profile' },
  { id: 'password', label: 'Password' },
  { id: 'security', label: 'Second factor' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'account', label: 'Account', right: 'account:manage' },
]

export function SettingsPage() {
  const user = useUser()
  const mayWrite = useMay('memory:write')
  const readsConversations = useMay('conversations:read')
  const ownsAccount = useMay('account:manage')
  const managesMembers = useMay('members:manage')
  const mayShare = useMay('memory:share')
  if (!user) return null
  return (
    <Page title="Settings" subtitle={user.email}>
      <div className={classes.layout}>
        <SettingsNav
          places={allowedTo(user.role, places).map(({ id, label }) => ({
            id,
            label: id === 'memory' && !mayWrite ? 'Backup' : label,
          }))}
        />
        <div className={classes.sections}>
          <div id="connect" className={classes.group}>
            <Section
              title="Connect an agent"
              description={
                <>
                  Paste this once. The agent then remembers across sessions, in <MemoryName />.
                </>
              }
            >
              <ConnectPanel />
            </Section>
            <Section
              title="Connected apps"
              description={
                managesMembers
                  ? 'Apps that the people of this account allowed to use the memory. Disconnecting one takes effect at once.'
                  : 'Apps that you allowed to use this memory. Disconnecting one takes effect at once.'
              }
              flush
            >
              <ConnectedApps />
            </Section>
            <Section title="Personal API key">
              <PersonalKey apiKey={user.apiKey} isWithheld={user.apiKeyWithheld} />
            </Section>
          </div>
          <div id="memory" className={classes.group}>
            {mayWrite && (
              <Section title="Import" description="Import a memory file. Existing entries are kept.">
                <ImportPanel />
              </Section>
            )}
            <Section id="backup" title="Backup" description="Download the whole memory.">
              <ExportButtons />
            </Section>
          </div>
          {readsConversations && (
            <div id="conversations">
              <Section title="Conversations" description="What is stored of what was said, in this space.">
                <StoragePanel />
              </Section>
            </div>
          )}
          <div id="meaning">
            <Section title="Search by meaning">
              <EmbeddingsPanel />
            </Section>
          </div>
          <div id="members">
            <Section
              title="Members"
              description="Who shares this memory, and what they can do."
              aside={
                managesMembers && (
                  <Link to="/audit" className={rows.more}>
                    Audit log
                  </Link>
                )
              }
              flush
            >
              <MembersPanel />
              <SecondFactorRule />
            </Section>
          </div>
          {mayShare && (
            <div id="shares">
              <Section
                title="Shared views"
                description="Read-only pages that people without an account can open."
                flush
              >
                <SharesPanel />
              </Section>
            </div>
          )}
          <div id="weekly-mail">
            <Section title="Weekly mail" description="What happened in this space, in a minute.">
              <WeeklyMail />
            </Section>
          </div>
          <div id="profile">
            <Section title="Profile">
              <ProfileForm user={user} />
            </Section>
          </div>
          <div id="password">
            <Section title="Password">
              <PasswordForm />
            </Section>
          </div>
          <div id="security">
            <Section
              title="Second factor"
              description="With a second factor, a stolen password alone is not enough to sign in."
              flush
            >
              <SecondFactorsPanel />
            </Section>
          </div>
          <div id="sessions">
            <Section title="Sessions" flush aside={<EndOtherSessions />}>
              <SessionList />
            </Section>
          </div>
          {ownsAccount && (
            <div id="account" className={classes.group}>
              <Section title="Account">
                <AccountName />
              </Section>
              <Section title="Hand over ownership">
                <HandOver />
              </Section>
              <Section title="Delete account">
                <DeleteAccount />
              </Section>
            </div>
          )}
        </div>
      </div>
    </Page>
  )
}
