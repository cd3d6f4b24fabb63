import type { Migration } from '../migration.ts'
import { accounts } from './101-accounts.ts'
import { oauth } from './102-oauth.ts'
import { graph } from './103-graph.ts'
import { search } from './104-search.ts'
import { conversations } from './105-conversations.ts'
import { proposals } from './106-proposals.ts'
import { recalls } from './107-recalls.ts'
import { billing } from './108-billing.ts'
import { webhooks } from './109-webhooks.ts'
import { maps } from './110-maps.ts'

/**
 * In the order of application. Once released, a migration is never changed: `test/kept` has databases of released
 * versions, on which later migrations are tested.
 */
export const migrations: readonly Migration[] = [
  accounts,
  oauth,
  graph,
  search,
  conversations,
  proposals,
  recalls,
  billing,
  webhooks,
  maps,
]
