import type { PeriodicWork } from '../../ground/lib/periodic-work.ts'
import { minuteMs } from '../../ground/lib/time.ts'
import type { Context } from '../../tenancy/context.ts'
import { createLeasedRounds } from '../../tenancy/leases/leased-rounds.ts'
import { queueBriefMails } from './brief-mails.service.ts'

/** Queues the weekly mails that are due, every ten minutes. */
export const createBriefMailRounds = (ctx: Context): PeriodicWork =>
  createLeasedRounds(ctx, {
    name: 'brief-mails',
    everyMs: 10 * minuteMs,
    run: (goOn) => queueBriefMails(ctx, goOn),
    failure: 'weekly mails could not be queued',
  })
