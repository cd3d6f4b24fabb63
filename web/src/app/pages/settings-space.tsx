import { Link } from '@tanstack/react-router'
import { ConnectPanel } from '../../features/agents/connect-panel.tsx'
import { MemoryName } from '../../features/agents/memory-name.tsx'
import { ConnectedApps } from '../../features/connections/connected-apps.tsx'
import { useConversationCounts } from '../../features/conversations/conversations.queries.ts'
import { StoragePanel } from '../../features/conversations/storage-panel.tsx'
import { ExportButtons } from '../../features/imports/export-buttons.tsx'
import { ImportPanel } from '../../features/imports/import-panel.tsx'
import { EmbeddingsPanel } from '../../features/settings/embeddings-panel.tsx'
import { PersonalKey } from '../../features/settings/personal-key.tsx'
import { SharesPanel } from '../../features/shares/shares-panel.tsx'
import { KeepConversations } from '../../features/spaces/keep-conversations.tsx'
import { KeepRecalls } from '../../features/spaces/keep-recalls.tsx'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import classes from './settings-page.module.css'

export function ConnectSettings() {
  const user = useUser()
  const managesMembers = useMay('members:manage')
  if (!user) return null
  return (
    <>
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
      <div className={classes.pair}>
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
    </>
  )
}

export function MemorySettings() {
  const mayWrite = useMay('memory:write')
  return (
    <div className={classes.pair}>
      {mayWrite && (
        <Section title="Import" description="Import a memory file. Existing entries are kept.">
          <ImportPanel />
        </Section>
      )}
      <Section id="backup" title="Backup" description="Download the whole memory.">
        <ExportButtons />
      </Section>
    </div>
  )
}

export function ConversationSettings() {
  const { data: counts } = useConversationCounts()
  return (
    <>
      <Section
        title="Conversations"
        description="What is stored of what was said, in this space."
        aside={
          <Link to="/conversations" className={rows.more}>
            Open conversations
          </Link>
        }
      >
        <StoragePanel />
      </Section>
      {counts && (
        <Section title="How long they are kept">
          <KeepConversations serverDays={counts.serverDays} />
        </Section>
      )}
    </>
  )
}

export function RecallSettings() {
  return (
    <Section
      title="Recalls"
      description="The questions that agents ask, and which facts they were told."
      aside={
        <Link to="/recalls" className={rows.more}>
          All recalls
        </Link>
      }
    >
      <KeepRecalls description="So that an answer can be seen again and mended. Turning this off deletes the recalls of this space." />
    </Section>
  )
}

export function MeaningSettings() {
  return (
    <Section title="Search by meaning">
      <EmbeddingsPanel />
    </Section>
  )
}

export function ShareSettings() {
  return (
    <Section
      title="Shared views"
      description="Read-only pages that people without an account can open."
      flush
    >
      <SharesPanel />
    </Section>
  )
}
