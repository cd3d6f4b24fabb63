/** Tokens that a bucket refills per second, and its capacity. */
export type Rate = { perSecond: number; burst: number }

/** Token buckets by key (https://en.wikipedia.org/wiki/Token_bucket). */
export type TokenBuckets<Key> = {
  /**
   * Takes `tokens` and returns 0, or takes nothing and returns the milliseconds until a token is available. A take
   * may leave the bucket in debt, so that takes larger than `burst` are possible; the debt has to refill first.
   */
  take: (key: Key, tokens: number) => number
  /** Takes `tokens` for what was done already, from an empty bucket too. */
  spend: (key: Key, tokens: number) => void
}

type Bucket = { tokens: number; at: number }

const keysPerGeneration = 10_000

/**
 * Creates buckets that start full. Keeps those of the last 10,000 to 20,000 keys used; a forgotten key starts with a
 * full bucket again.
 * @param now milliseconds
 */
export function createTokenBuckets<Key>({ perSecond, burst }: Rate, now: () => number): TokenBuckets<Key> {
  // Two generations, since repeatedly deleting the first key of a large map takes time proportional to its size.
  let young = new Map<Key, Bucket>()
  let old = new Map<Key, Bucket>()

  function bucketOf(key: Key, at: number): Bucket {
    const known = young.get(key)
    if (known !== undefined) return known
    const bucket = old.get(key) ?? { tokens: burst, at }
    if (young.size === keysPerGeneration) {
      old = young
      young = new Map()
    }
    young.set(key, bucket)
    return bucket
  }

  function refilled(key: Key): Bucket {
    const at = now()
    const bucket = bucketOf(key, at)
    // A clock that was set back must not refuse callers until it catches up.
    const elapsedMs = Math.max(0, at - bucket.at)
    bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1_000)
    bucket.at = at
    return bucket
  }

  return {
    spend(key, tokens) {
      refilled(key).tokens -= tokens
    },
    take(key, tokens) {
      const bucket = refilled(key)
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 1_000) / perSecond)
      bucket.tokens -= tokens
      return 0
    },
  }
}
