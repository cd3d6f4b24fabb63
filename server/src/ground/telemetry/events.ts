import { channel } from 'node:diagnostics_channel'

/** Something that is measured. While nobody listens, publishing costs a look at `isHeard`. */
export type Measured<T> = {
  readonly isHeard: boolean
  publish: (event: T) => void
  /** Calls `listener` until the answer is called. */
  subscribe: (listener: (event: T) => void) => () => void
}

function measured<T>(name: string): Measured<T> {
  const events = channel(name)
  return {
    get isHeard() {
      return events.hasSubscribers
    },
    publish: (event) => events.publish(event),
    subscribe(listener) {
      const receive = (event: unknown) => listener(event as T)
      events.subscribe(receive)
      return () => void events.unsubscribe(receive)
    },
  }
}

/** A transaction ended: how long it waited for its turn, and how long it and its commit took. */
export const transactionEnded = measured<{
  waitMs: number
  runMs: number
  outcome: 'committed' | 'failed'
}>('loci:transaction')

/** A connection was taken from PostgreSQL's pool. */
export const connectionTaken = measured<{ waitMs: number }>('loci:connection')

/** An MCP tool answered. */
export const toolAnswered = measured<{ tool: string; ms: number; outcome: 'ok' | 'refused' | 'failed' }>(
  'loci:tool',
)

/** Changes reached those who listen to the change log; `at` is when the newest was made (ISO 8601). */
export const changesDelivered = measured<{ at: string }>('loci:changes')

/** A mail or a webhook could not be delivered: it is tried again, or given up. */
export const deliveryFailed = measured<{ what: 'mail' | 'webhook'; outcome: 'retried' | 'given_up' }>(
  'loci:delivery',
)

/** A password, a second factor or a passkey was wrong. */
export const signInFailed = measured<{ code: string }>('loci:sign-in')

/** A background job looked for work; `isIdle` when there was none. */
export const jobLooked = measured<{ job: string; isIdle: boolean }>('loci:job')
