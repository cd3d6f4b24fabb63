/** A small team's memory, for trying out the screens. */
export const sampleMemory = {
  entities: [
    {
      name: 'settlement-worker',
      type: 'service',
      observations: [
        'Never restart it during the settlement window, 01:00 to 02:30 UTC.',
        'Deadlocks when two payouts touch the same merchant row. Lock rows in id order before updating balances.',
      ],
    },
    {
      name: 'payout-api',
      type: 'service',
      observations: ['Returns 202 and a payout id; the final state comes by webhook only.'],
    },
    {
      name: 'Lock rows in id order',
      type: 'decision',
      observations: ['Accepted after the duplicate payouts. Applies to every worker that moves money.'],
    },
    {
      name: 'Duplicate payouts',
      type: 'incident',
      observations: ['Root cause: the retry job ignored the idempotency key after a timeout.'],
    },
    {
      name: 'Amara Okafor',
      type: 'person',
      observations: ['Wants the plan as a short list before any code that touches payouts.'],
    },
    {
      name: 'Kestrel Acquiring',
      type: 'company',
      observations: ['Sends settlement files at 01:10 UTC, not 00:30 as their document says.'],
    },
    {
      name: 'PostgreSQL',
      type: 'technology',
      observations: ['Advisory locks did not help: the pooler runs in transaction mode.'],
    },
    {
      name: 'Payments',
      type: 'team',
      observations: ['Deploys on Tuesdays and Thursdays, from the release branch.'],
    },
  ],
  relations: [
    { from: 'settlement-worker', to: 'PostgreSQL', type: 'uses' },
    { from: 'payout-api', to: 'settlement-worker', type: 'depends_on' },
    { from: 'Lock rows in id order', to: 'settlement-worker', type: 'applies_to' },
    { from: 'Duplicate payouts', to: 'settlement-worker', type: 'happened_in' },
    { from: 'Lock rows in id order', to: 'Duplicate payouts', type: 'follows' },
    { from: 'Amara Okafor', to: 'Payments', type: 'member_of' },
    { from: 'Payments', to: 'payout-api', type: 'owns' },
    { from: 'settlement-worker', to: 'Kestrel Acquiring', type: 'reads_from' },
  ],
}

const storageKey = 'sample_memory'

/** The change set that stored the sample for this account, if this browser stored it. */
export function readSampleSet(accountId: string): string | undefined {
  const [account, setId] = localStorage.getItem(storageKey)?.split(' ') ?? []
  return account === accountId ? setId : undefined
}

export function storeSampleSet(accountId: string, setId: string | undefined): void {
  if (setId === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, `${accountId} ${setId}`)
}
