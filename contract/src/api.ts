import { analyticsApi } from './api/analytics.ts'
import { auditApi } from './api/audit.ts'
import { authApi } from './api/auth.ts'
import { billingApi } from './api/billing.ts'
import { briefsApi } from './api/briefs.ts'
import { changesApi } from './api/changes.ts'
import { citedFilesApi } from './api/cited-files.ts'
import { connectionsApi } from './api/connections.ts'
import { conversationCountsApi } from './api/conversation-counts.ts'
import { conversationsApi } from './api/conversations.ts'
import { doorsApi } from './api/doors.ts'
import { draftsApi } from './api/drafts.ts'
import { duplicatesApi } from './api/duplicates.ts'
import { embeddingsApi } from './api/embeddings.ts'
import { entitiesApi } from './api/entities.ts'
import { entityBulkApi } from './api/entity-bulk.ts'
import { graphApi } from './api/graph.ts'
import { healthApi } from './api/health.ts'
import { importsApi } from './api/imports.ts'
import { keysApi } from './api/keys.ts'
import { membersApi } from './api/members.ts'
import { placesApi } from './api/places.ts'
import { proposalsApi } from './api/proposals.ts'
import { recallsApi } from './api/recalls.ts'
import { relationsApi } from './api/relations.ts'
import { searchApi } from './api/search.ts'
import { secondFactorsApi } from './api/second-factors.ts'
import { serverApi } from './api/server.ts'
import { sharesApi } from './api/shares.ts'
import { spacesApi } from './api/spaces.ts'
import { turnSearchApi } from './api/turn-search.ts'
import { usersApi } from './api/users.ts'
import { viewsApi } from './api/views.ts'
import { webhooksApi } from './api/webhooks.ts'
import { endpoints } from './endpoint.ts'

/** Every REST call. The key of an entry is its operation id and the client's method name. */
export const api = endpoints({
  ...serverApi,
  ...authApi,
  ...membersApi,
  ...usersApi,
  ...secondFactorsApi,
  ...entitiesApi,
  ...entityBulkApi,
  ...citedFilesApi,
  ...conversationCountsApi,
  ...conversationsApi,
  ...turnSearchApi,
  ...draftsApi,
  ...duplicatesApi,
  ...healthApi,
  ...changesApi,
  ...proposalsApi,
  ...relationsApi,
  ...graphApi,
  ...searchApi,
  ...recallsApi,
  ...briefsApi,
  ...embeddingsApi,
  ...spacesApi,
  ...sharesApi,
  ...placesApi,
  ...importsApi,
  ...auditApi,
  ...analyticsApi,
  ...keysApi,
  ...doorsApi,
  ...viewsApi,
  ...connectionsApi,
  ...webhooksApi,
  ...billingApi,
})

export type Api = typeof api
export type OperationId = keyof Api
