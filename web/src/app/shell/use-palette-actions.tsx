import type { Right } from '@loci/contract/rights'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconArrowsExchange,
  IconArrowsLeftRight,
  IconDeviceDesktop,
  IconDownload,
  IconKeyboard,
  IconLock,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPlugConnected,
  IconPlus,
  IconSun,
  IconTrash,
  IconUpload,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { SpaceDialogName } from '../../features/spaces/space-dialogs.tsx'
import { useSwitchSpace } from '../../features/spaces/use-switch-space.ts'
import { useUser } from '../../lib/session.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { switchAccount } from '../../lib/switch-account.ts'
import { leaveSession } from './leave-session.ts'

export type PaletteAction = {
  label: string
  icon: TablerIcon
  /** Other words that people may type for it. */
  words?: string
  /** Its shortcut. */
  key?: string
  /** The right that the action requires. */
  right?: Right
  run: () => void
}

type Openers = { onHelp: () => void; onSpace: (dialog: SpaceDialogName) => void }

/** The actions of the menus and pages, for keyboard users. */
export function usePaletteActions({ onHelp, onSpace }: Openers): PaletteAction[] {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const { data: spaces = [] } = useSpaces()
  const switchTo = useSwitchSpace()
  const user = useUser()
  const otherAccounts = user?.accounts.filter(({ id }) => id !== user.accountId) ?? []
  const toSettings = (hash: string) => () => void navigate({ to: '/settings', hash })
  return [
    {
      label: 'Create entity',
      icon: IconPlus,
      words: 'new add',
      key: 'C',
      right: 'memory:write',
      run: () => void navigate({ to: '/entities', search: { create: 'true', asOf: undefined } }),
    },
    {
      label: 'Create relation',
      icon: IconArrowsLeftRight,
      words: 'new add link',
      right: 'memory:write',
      run: () => void navigate({ to: '/relations', search: { create: 'true', asOf: undefined } }),
    },
    {
      label: 'Connect an agent',
      icon: IconPlugConnected,
      words: 'mcp claude cursor key settings',
      run: toSettings('connect'),
    },
    {
      label: 'Import memory',
      icon: IconUpload,
      words: 'upload file restore',
      right: 'memory:write',
      run: toSettings('memory'),
    },
    { label: 'Export memory', icon: IconDownload, words: 'download backup file', run: toSettings('backup') },
    {
      label: 'Manage members',
      icon: IconUsers,
      words: 'invite people team role',
      run: toSettings('members'),
    },
    { label: 'Change password', icon: IconLock, words: 'settings', run: toSettings('password') },
    {
      label: 'Set up a second factor',
      icon: IconLock,
      words: '2fa authenticator passkey security',
      run: toSettings('security'),
    },
    { label: 'Show sessions', icon: IconLock, words: 'devices signed end', run: toSettings('sessions') },
    { label: 'Use the light theme', icon: IconSun, words: scheme, run: () => setColorScheme('light') },
    { label: 'Use the dark theme', icon: IconMoon, words: scheme, run: () => setColorScheme('dark') },
    {
      label: "Use the system's theme",
      icon: IconDeviceDesktop,
      words: scheme,
      run: () => setColorScheme('auto'),
    },
    ...(spaces.length > 1 ? spaces : []).map((space) => ({
      label: `Switch to space “${space.name}”`,
      icon: IconArrowsExchange,
      run: () => switchTo(space, spaces),
    })),
    {
      label: 'Create space',
      icon: IconPlus,
      words: 'new add',
      right: 'memory:write',
      run: () => onSpace('create'),
    },
    { label: 'Rename this space', icon: IconPencil, right: 'memory:write', run: () => onSpace('rename') },
    ...(spaces.length > 1
      ? [
          {
            label: 'Delete this space',
            icon: IconTrash,
            words: 'remove',
            right: 'account:manage' as const,
            run: () => onSpace('delete'),
          },
        ]
      : []),
    ...otherAccounts.map(({ id, name }) => ({
      label: `Switch to account “${name}”`,
      icon: IconUsers,
      run: () => switchAccount(id),
    })),
    { label: 'Show keyboard shortcuts', key: '?', icon: IconKeyboard, words: 'help keys', run: onHelp },
    { label: 'Log out', icon: IconLogout, words: 'sign out leave', run: () => void leaveSession() },
  ]
}

const scheme = 'appearance colour color mode'
