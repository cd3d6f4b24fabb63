import type { Target } from './targets.repo.ts'

/**
 * How far endpoints have been sent to beyond their stored cursors. So an endpoint gets its next events while the results
 * of those before wait to be stored together with others.
 */
export type SentPositions = {
  /** Adds positions by space; call the result once they are stored or given up. */
  add: (webhookId: string, cursors: ReadonlyMap<number, number>) => () => void
  /**
   * Moves up the cursors of targets that are read after this call. Positions of now count even if they are stored
   * meanwhile, since the targets may have been read before that.
   */
  applyFromNow: () => (target: Target) => Target
}

export function createSentPositions(): SentPositions {
  const sent = new Map<string, { cursors: Map<number, number>; waiting: number }>()
  return {
    add(id, cursors) {
      const known = sent.get(id) ?? { cursors: new Map<number, number>(), waiting: 0 }
      sent.set(id, known)
      known.waiting++
      for (const [spaceId, seq] of cursors) {
        known.cursors.set(spaceId, Math.max(seq, known.cursors.get(spaceId) ?? 0))
      }
      return () => {
        known.waiting--
        if (known.waiting === 0) sent.delete(id)
      }
    },
    applyFromNow() {
      const before = new Map(sent)
      return (target) => {
        const cursors = (before.get(target.id) ?? sent.get(target.id))?.cursors
        if (cursors === undefined) return target
        const sources = target.sources.map((source) => ({
          ...source,
          cursor: Math.max(source.cursor, cursors.get(source.spaceId) ?? 0),
        }))
        return { ...target, sources }
      }
    },
  }
}
