import type { Right, Role } from '@loci/contract/rights'
import { allowedTo } from '../../lib/allowed-to.ts'

export const settingsGroups = ['This space', 'This account', 'You'] as const

type SettingsSection = {
  /** The fragment that opens it. */
  id: string
  group: (typeof settingsGroups)[number]
  label: string
  /** What somebody finds there, for the list on a phone. */
  hint: string
  right?: Right
  /** Other fragments inside it. */
  holds?: readonly string[]
}

const sections = [
  { id: 'connect', group: 'This space', label: 'Connect', hint: 'Agents, apps and your own key' },
  {
    id: 'memory',
    group: 'This space',
    label: 'Import and backup',
    hint: 'Bring a memory in, or download this one',
    holds: ['backup'],
  },
  {
    id: 'conversations',
    group: 'This space',
    label: 'Conversations',
    hint: 'Their size, and how long they are kept',
    right: 'conversations:read',
  },
  {
    id: 'recalls',
    group: 'This space',
    label: 'Recalls',
    hint: 'Whether questions of agents are kept',
    right: 'memory:review',
  },
  { id: 'meaning', group: 'This space', label: 'Search by meaning', hint: 'Which model compares texts' },
  {
    id: 'shares',
    group: 'This space',
    label: 'Shared views',
    hint: 'Pages that people without an account can open',
    right: 'memory:share',
  },
  { id: 'members', group: 'This account', label: 'Members', hint: 'Who shares this memory' },
  { id: 'spaces', group: 'This account', label: 'Spaces', hint: 'The memories of this account' },
  {
    id: 'account',
    group: 'This account',
    label: 'Account',
    hint: 'Its name, its owner, its end',
    right: 'account:manage',
  },
  { id: 'profile', group: 'You', label: 'Profile', hint: 'Your name and password', holds: ['password'] },
  {
    id: 'security',
    group: 'You',
    label: 'Security',
    hint: 'Second factor and sessions',
    holds: ['sessions'],
  },
  { id: 'weekly-mail', group: 'You', label: 'Weekly mail', hint: 'What happened, every Monday' },
] as const satisfies readonly SettingsSection[]

export type SettingsSectionId = (typeof sections)[number]['id']
export type OfferedSection = SettingsSection & { id: SettingsSectionId }

/** The sections of a role, in order. Viewers import nothing. */
export const sectionsFor = (role: Role, mayWrite: boolean): OfferedSection[] =>
  allowedTo(role, sections as readonly OfferedSection[]).map((section) =>
    section.id === 'memory' && !mayWrite
      ? { ...section, label: 'Backup', hint: 'Download this memory' }
      : section,
  )

/** The section that a fragment opens. */
export const sectionOf = (hash: string, offered: readonly OfferedSection[]): OfferedSection | undefined =>
  offered.find(({ id, holds }) => id === hash || holds?.includes(hash))
