import type { Migration } from '../migration.ts'
import { accounts } from './001-accounts.ts'
import { graph } from './002-graph.ts'
import { search } from './003-search.ts'
import { billing } from './004-billing.ts'
import { postingBlocks } from './005-posting-blocks.ts'
import { mailsAndInvoices } from './006-mails-and-invoices.ts'
import { billingInStep } from './007-billing-in-step.ts'
import { webhooks } from './008-webhooks.ts'
import { rightsAndSpaces } from './009-rights-and-spaces.ts'
import { entityOrder } from './010-entity-order.ts'
import { agentsAndRecalls } from './011-agents-and-recalls.ts'
import { views } from './012-views.ts'
import { oauth } from './013-oauth.ts'
import { people } from './014-people.ts'
import { secondFactors } from './015-second-factors.ts'
import { audit } from './016-audit.ts'
import { duplicates } from './017-duplicates.ts'
import { changesOfEntities } from './018-changes-of-entities.ts'
import { tools } from './019-tools.ts'
import { leanDeliveries } from './020-lean-deliveries.ts'
import { places } from './027-places.ts'
import { pendingUpgrades } from './029-pending-upgrades.ts'
import { factsInTime } from './031-facts-in-time.ts'
import { conversations } from './033-conversations.ts'
import { turnIndex } from './034-turn-index.ts'
import { citedFiles } from './035-cited-files.ts'
import { drafts } from './036-drafts.ts'
import { proposals } from './037-proposals.ts'
import { dismissedHealth } from './038-dismissed-health.ts'
import { recalls } from './039-recalls.ts'
import { graphPlaces } from './040-graph-places.ts'
import { shares } from './041-shares.ts'
import { reviewing } from './043-reviewing.ts'
import { toldFacts } from './044-told-facts.ts'
import { news } from './045-news.ts'
import { doors } from './046-doors.ts'
import { ledger } from './049-ledger.ts'
import { ledgerChecks } from './050-ledger-checks.ts'
import { conversationDays } from './054-conversation-days.ts'
import { waitingMails } from './055-waiting-mails.ts'
import { olderProcesses } from './058-older-processes.ts'
import { accountsOfUsers } from './059-accounts-of-users.ts'
import { conversationsOnly } from './060-conversations-only.ts'
import { decimalCommas } from './061-decimal-commas.ts'
import { decimalMeasures } from './062-decimal-measures.ts'

/**
 * In the order of application. Once released, a migration is never changed: `test/kept` has databases of released
 * versions, on which later migrations are tested.
 */
export const migrations = [
  accounts,
  graph,
  search,
  billing,
  postingBlocks,
  mailsAndInvoices,
  billingInStep,
  webhooks,
  rightsAndSpaces,
  entityOrder,
  agentsAndRecalls,
  views,
  oauth,
  people,
  secondFactors,
  audit,
  duplicates,
  changesOfEntities,
  tools,
  leanDeliveries,
  places,
  pendingUpgrades,
  factsInTime,
  conversations,
  turnIndex,
  citedFiles,
  drafts,
  proposals,
  dismissedHealth,
  recalls,
  graphPlaces,
  shares,
  reviewing,
  toldFacts,
  news,
  doors,
  ledger,
  ledgerChecks,
  conversationDays,
  waitingMails,
  olderProcesses,
  accountsOfUsers,
  conversationsOnly,
  decimalCommas,
  decimalMeasures,
] as const satisfies readonly Migration[]
