import type { Scope } from '../scope.ts'

/** Notifies those who listen for news of a scope. */
export type NewsWatch = {
  /** Calls `listener` soon, and whenever there may be news. Returns a function that unsubscribes. */
  add: (scope: Scope, listener: () => void) => () => void
  /** Notifies the listeners of a scope without comparing. */
  tell: (scope: Scope) => void
  /** Notifies the listeners of a scope unless this count was seen before. */
  compare: (scope: Scope & { news: number }) => void
  accountIds: () => number[]
  isIdle: () => boolean
}

type Watched = { scope: Scope; news: number | undefined; listeners: Set<() => void> }

export function createNewsWatch(): NewsWatch {
  const scopes = new Map<string, Watched>()
  const keyOf = ({ accountId, spaceId }: Scope) => `${accountId} ${spaceId}`
  const tell = (scope: Scope) => {
    for (const listener of scopes.get(keyOf(scope))?.listeners ?? []) listener()
  }
  return {
    add(scope, listener) {
      const key = keyOf(scope)
      const watched: Watched = scopes.get(key) ?? { scope, news: undefined, listeners: new Set() }
      scopes.set(key, watched)
      watched.listeners.add(listener)
      listener()
      return () => {
        watched.listeners.delete(listener)
        if (watched.listeners.size === 0 && scopes.get(key) === watched) scopes.delete(key)
      }
    },
    tell,
    compare({ news, ...scope }) {
      const watched = scopes.get(keyOf(scope))
      if (watched === undefined || watched.news === news) return
      watched.news = news
      tell(scope)
    },
    accountIds: () => [...scopes.values()].map(({ scope }) => scope.accountId),
    isIdle: () => scopes.size === 0,
  }
}
