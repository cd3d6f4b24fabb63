/** What a bucket refills by each second, and what it holds at most. */
export type Rate = { perSecond: number; burst: number }

/** Token buckets by key (https://en.wikipedia.org/wiki/Token_bucket). */
export type TokenBuckets<Key> = {
  /**
   * Takes `tokens` and returns 0, or takes nothing and returns the milliseconds until there will be one again. The last
   * take may leave a bucket in debt, so that a take larger than `burst` is possible too; the debt is waited for.
   */
  take: (key: Key, tokens: number) => number
}

type Bucket = { tokens: number; at: number }

const keysPerGeneration = 10_000

/**
 * Makes buckets that are full at first. Keeps those of the last 10,000 to 20,000 keys that took something; a key that
 * is forgotten has a full bucket again.
 * @param now milliseconds
 */
export function createTokenBuckets<Key>({ perSecond, burst }: Rate, now: () => number): TokenBuckets<Key> {
  // Two generations, since to delete the first of a large map again and again takes as long as the map is large.
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

  return {
    take(key, tokens) {
      const at = now()
      const bucket = bucketOf(key, at)
      // A clock that was set back must not refuse anybody until it is where it was.
      const elapsedMs = Math.max(0, at - bucket.at)
      bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs * perSecond) / 1_000)
      bucket.at = at
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 1_000) / perSecond)
      bucket.tokens -= tokens
      return 0
    },
  }
}
