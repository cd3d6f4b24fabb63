import type { Subscription } from '@loci/contract/billing'
import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'

/** What the owner must know or do about the subscription. */
export function BillingNotices({ notices }: Pick<Subscription, 'notices'>) {
  return notices.map(({ code, message }) => (
    <Alert key={code} color="yellow" icon={<IconInfoCircle size={18} />} role="status">
      {message}
    </Alert>
  ))
}
