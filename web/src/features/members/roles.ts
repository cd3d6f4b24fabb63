import type { Role } from '@loci/contract/rights'

export const roles: { value: Role; label: string; may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'Reads the memory' },
  { value: 'member', label: 'Member', may: 'Reads and writes the memory, and makes keys of their own' },
  { value: 'admin', label: 'Admin', may: 'Also manages keys, webhooks, members and billing' },
  { value: 'owner', label: 'Owner', may: 'Everything, also deleting the account' },
]

export const labelOfRole = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role
