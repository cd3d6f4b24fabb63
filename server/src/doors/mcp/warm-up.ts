import { setTimeout as sleep } from 'node:timers/promises'
import { rankEntities } from '../../features/search/search.service.ts'
import { indexText } from '../../search/analyse/index-text.ts'
import { createFactReader, findRivals } from '../../search/find/rivals.rules.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

/** After the handshake, agents either call at once or have something else to do. */
const quietMs = 300
const restMs = 20
const text = 'The harbour of Lisbon opened on 3 May 2024'
const question = 'When did the harbour open, and who built it in 2024?'

/**
 * Does once, without a result, what the first calls would otherwise wait for: dictionaries, rules and statements are
 * loaded at first use. It only reads, and rests between its steps.
 */
export async function warmUp(ctx: Context, actor: Actor, signal: AbortSignal): Promise<void> {
  const steps = [
    () => indexText(text),
    () => findRivals(text, [{ content: `${text}, not in 2023` }], createFactReader('Harbour')),
    () => rankEntities(ctx, actor, { query: question, limit: 2 }),
  ]
  await sleep(quietMs, undefined, { signal, ref: false })
  for (const step of steps) {
    await step()
    await sleep(restMs, undefined, { signal, ref: false })
  }
}
