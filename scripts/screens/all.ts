// The screens that screenshots.ts captures: each page, and its empty, loading, refused and broken states.

import { auditScreens } from './audit.ts'
import { billingScreens } from './billing.ts'
import { consentScreens } from './consent.ts'
import { conversationsScreens } from './conversations.ts'
import { dashboardScreens } from './dashboard.ts'
import { duplicatesScreens } from './duplicates.ts'
import { entitiesScreens } from './entities.ts'
import { graphScreens } from './graph.ts'
import { healthScreens } from './health.ts'
import { historyScreens } from './history.ts'
import { inboxScreens } from './inbox.ts'
import { keysScreens } from './keys.ts'
import { meaningScreens } from './meaning.ts'
import { publicScreens } from './public.ts'
import { recallsScreens } from './recalls.ts'
import { relationsScreens } from './relations.ts'
import type { Ids, Screen } from './screen.ts'
import { searchScreens } from './search.ts'
import { secondFactorScreens } from './second-factors.ts'
import { settingsScreens } from './settings.ts'
import { sharesScreens } from './shares.ts'
import { shellScreens } from './shell.ts'
import { webhooksScreens } from './webhooks.ts'

export const screensOf = (ids: Ids): Screen[] => [
  ...publicScreens,
  ...shellScreens,
  ...dashboardScreens,
  ...entitiesScreens(ids),
  ...duplicatesScreens,
  ...healthScreens,
  ...relationsScreens,
  ...graphScreens(ids),
  ...historyScreens(ids),
  ...conversationsScreens,
  ...inboxScreens,
  ...auditScreens,
  ...searchScreens,
  ...recallsScreens,
  ...sharesScreens(ids),
  ...billingScreens,
  ...webhooksScreens,
  ...keysScreens,
  ...consentScreens,
  ...settingsScreens,
  ...meaningScreens(),
  ...secondFactorScreens(),
]
