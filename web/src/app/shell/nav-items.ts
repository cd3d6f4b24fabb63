import {
  IconAffiliate,
  IconArrowMerge,
  IconArrowsLeftRight,
  IconCreditCard,
  IconHeartbeat,
  IconHistory,
  IconInbox,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMessageQuestion,
  IconMessages,
  IconSearch,
  IconSettings,
  IconStack2,
  IconWebhook,
} from '@tabler/icons-react'

/** The links of the top navigation. */
export const navItems = [
  { to: '/dashboard', label: 'Dashboard', icon: IconLayoutDashboard },
  { to: '/entities', label: 'Entities', icon: IconStack2 },
  { to: '/relations', label: 'Relations', icon: IconArrowsLeftRight },
  { to: '/graph', label: 'Graph View', icon: IconAffiliate },
] as const

/** Links shown apart from them; in narrow windows they fold into a menu. */
export const sideItems = [
  { to: '/conversations', label: 'Conversations', icon: IconMessages },
  { to: '/inbox', label: 'Inbox', icon: IconInbox },
  { to: '/history', label: 'History', icon: IconHistory },
] as const

/** The links of the user menu, each shown to users with its right. */
export const userItems = [
  { to: '/api-keys', label: 'API Keys', icon: IconKey, right: 'keys:manage' },
  { to: '/webhooks', label: 'Webhooks', icon: IconWebhook, right: 'webhooks:manage' },
  { to: '/audit', label: 'Audit Log', icon: IconListDetails, right: 'members:manage' },
  { to: '/billing', label: 'Billing', icon: IconCreditCard, right: 'billing:manage' },
  { to: '/settings', label: 'Settings', icon: IconSettings },
] as const

/** All pages that the command palette offers. */
export const places = [
  ...navItems,
  ...sideItems,
  { to: '/search', label: 'Search', icon: IconSearch },
  { to: '/recalls', label: 'Recalls', icon: IconMessageQuestion },
  { to: '/health', label: 'Health', icon: IconHeartbeat },
  { to: '/duplicates', label: 'Duplicates', icon: IconArrowMerge },
  ...userItems,
] as const
