import { StoreTurns } from '@loci/contract/conversations'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { TurnsRefused, TurnsUnavailable } from '../transcripts/server-sink.ts'
import { toStorable } from '../transcripts/storable-batch.ts'
import type { TurnSink } from '../transcripts/turn-batches.ts'
import { storeTurns } from './store-turns.ts'

/** Stores turns in the database of this process. Rejects with {@link TurnsRefused} or {@link TurnsUnavailable}. */
export function localSink(ctx: Context, actor: Actor): TurnSink {
  return async (batch) => {
    try {
      return await storeTurns(ctx, actor, StoreTurns.parse(toStorable(batch)))
    } catch (cause) {
      if (ctx.dialect.isUnavailable(cause))
        throw new TurnsUnavailable('The database cannot store anything now.', { cause })
      if (cause instanceof AppError) throw new TurnsRefused(cause.message, { cause })
      throw cause
    }
  }
}
