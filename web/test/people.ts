import type { User } from '@loci/contract/auth'
import type { Role } from '@loci/contract/rights'

/** Ada, with a role in her one account. */
export function personAs(role: Role, more: Partial<User> = {}): User {
  return {
    id: 'usr_ada',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    apiKey: 'loci_personal',
    emailVerified: true,
    secondFactor: false,
    secondFactorRequired: false,
    apiKeyWithheld: false,
    role,
    accountId: 'acc_ada',
    accounts: [{ id: 'acc_ada', name: 'Analytical Engines', role }],
    createdAt: '2026-01-05T09:00:00.000Z',
    lastSeq: 0,
    ...more,
  }
}
